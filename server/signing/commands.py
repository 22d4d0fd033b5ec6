"""Makes, rotates, withdraws, deletes and re-encrypts signing keys."""

import asyncio
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

import structlog

from server.crypto import encryption_keys
from server.crypto.keyring import Keyring
from server.signing import store
from server.signing.private_key import Algorithm, PrivateKey, decrypted
from server.signing.schedule import PREPUBLISHED, Schedule, SigningKey
from server.store.database import Statements

_log = structlog.get_logger("signing")
_AT_ONCE: Final = timedelta(0)

# The schema version of the first release that publishes keys of the algorithm.
_PUBLISHED_SINCE: Final = {Algorithm.ES256: 12, Algorithm.RS256: 31}


@dataclass(frozen=True, slots=True)
class Rotation:
    """The key that signs next, as of `now`. `is_new`: this rotation made it."""

    key: SigningKey
    is_new: bool
    withdrawn: int = 0


async def keep_up(database: Statements, keyring: Keyring) -> None:
    """Makes the first keys, publishes the next ones when they are due, and deletes ended ones.

    Several processes may call this at once: one of them acts.
    """
    for algorithm in Algorithm:
        await _keep_up(database, keyring, algorithm)


async def _keep_up(database: Statements, keyring: Keyring, algorithm: Algorithm) -> None:
    schedule = await _read(database, algorithm)
    is_due = schedule.needs_key and await _may_add(database, algorithm, schedule)
    if not is_due and not schedule.ended:
        return
    private = await _generated(algorithm) if is_due else None
    async with database.transaction() as transaction:
        schedule = await _locked(transaction, algorithm)
        await store.remove(transaction, [key.kid for key in schedule.ended])
        made = private if schedule.needs_key else None
        added = await _add_next(transaction, keyring, made, schedule) if made else None
    if added is not None:
        _log.info(
            "added a signing key",
            algorithm=algorithm.value,
            kid=added.kid,
            signs_at=added.signs_at.isoformat(),
        )


async def rotate(database: Statements, keyring: Keyring, algorithm: Algorithm) -> Rotation | None:
    """Publishes the next key, which signs a day later; the first one signs at once.

    If the next key is published already, nothing changes. None: there is no key, and a running
    server of an earlier release would not publish one.
    """
    if not await _may_add(database, algorithm, await _read(database, algorithm)):
        return None
    private = await _generated(algorithm)
    async with database.transaction() as transaction:
        schedule = await _locked(transaction, algorithm)
        if schedule.next is not None:
            return Rotation(schedule.next, is_new=False)
        return Rotation(await _add_next(transaction, keyring, private, schedule), is_new=True)


async def withdraw_all(
    database: Statements, keyring: Keyring, algorithm: Algorithm
) -> Rotation | None:
    """Removes every key of the algorithm, published or not, and makes one that signs at once.

    Works even if old private keys cannot be decrypted. Verifiers refuse the tokens of old keys as
    soon as they fetch the key set again. None: as `rotate`.
    """
    if not await _may_add(database, algorithm, await _read(database, algorithm)):
        return None
    private = await _generated(algorithm)
    async with database.transaction() as transaction:
        schedule = await _locked(transaction, algorithm)
        await store.remove(transaction, [key.kid for key in schedule.keys])
        key = await _add(transaction, keyring, private, delay=_AT_ONCE)
    return Rotation(key, is_new=True, withdrawn=len(schedule.keys))


async def rotate_secrets(database: Statements, keyring: Keyring) -> int:
    """Encrypts all private keys under the keyring's first key; returns their number.

    No lock is needed: a private key never changes. EncryptionKeyError: a key cannot be decrypted.
    """
    _, secrets = await store.get(database)
    moved = 0
    for kid, secret in secrets.items():
        if secret.key_id != keyring.writing_key_id:
            renewed = decrypted(keyring, kid, secret).encrypted(keyring)
            moved += await store.replace_secret(database, kid, renewed)
    return moved


async def _read(database: Statements, algorithm: Algorithm) -> Schedule:
    schedules, _ = await store.get(database)
    return schedules[algorithm]


async def _locked(transaction: Statements, algorithm: Algorithm) -> Schedule:
    await store.lock(transaction)
    return await _read(transaction, algorithm)


async def _may_add(database: Statements, algorithm: Algorithm, schedule: Schedule) -> bool:
    """Whether all running servers will publish a new key.

    A first key signs at once, and servers of earlier releases know fewer algorithms.
    """
    since = _PUBLISHED_SINCE[algorithm]
    return bool(schedule.keys) or not await encryption_keys.has_server_before(database, since)


async def _generated(algorithm: Algorithm) -> PrivateKey:
    """A new key, made before the lock and beside the event loop."""
    return await asyncio.to_thread(PrivateKey.generate, algorithm)


async def _add_next(
    transaction: Statements, keyring: Keyring, private: PrivateKey, schedule: Schedule
) -> SigningKey:
    delay = PREPUBLISHED if schedule.keys else _AT_ONCE
    return await _add(transaction, keyring, private, delay=delay)


async def _add(
    transaction: Statements, keyring: Keyring, private: PrivateKey, *, delay: timedelta
) -> SigningKey:
    return await store.add(
        transaction,
        private.algorithm,
        kid=private.kid,
        public_key=private.public_key,
        private_key=private.encrypted(keyring),
        delay=delay,
    )

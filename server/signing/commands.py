"""Makes, rotates, withdraws, deletes and re-encrypts signing keys."""

from dataclasses import dataclass
from datetime import timedelta

import structlog

from server.crypto.keyring import Keyring
from server.signing import store
from server.signing.private_key import PrivateKey, decrypted
from server.signing.schedule import PREPUBLISHED, Schedule, SigningKey
from server.store.database import Statements

_log = structlog.get_logger("signing")
_AT_ONCE = timedelta(0)


@dataclass(frozen=True, slots=True)
class Rotation:
    """The key that signs next, as of `now`. `is_new`: this rotation made it."""

    key: SigningKey
    is_new: bool
    withdrawn: int = 0


async def keep_up(database: Statements, keyring: Keyring) -> None:
    """Makes the first key, publishes the next one when it is due, and deletes ended ones.

    Several processes may call this at once: one of them acts.
    """
    schedule, _ = await store.get(database)
    if not schedule.needs_key and not schedule.ended:
        return
    async with database.transaction() as transaction:
        schedule = await _locked(transaction)
        await store.remove(transaction, [key.kid for key in schedule.ended])
        added = await _add_next(transaction, keyring, schedule) if schedule.needs_key else None
    if added is not None:
        _log.info("added a signing key", kid=added.kid, signs_at=added.signs_at.isoformat())


async def rotate(database: Statements, keyring: Keyring) -> Rotation:
    """Publishes the next key, which signs a day later; the first one signs at once.

    If the next key is published already, nothing changes.
    """
    async with database.transaction() as transaction:
        schedule = await _locked(transaction)
        if schedule.next is not None:
            return Rotation(schedule.next, is_new=False)
        return Rotation(await _add_next(transaction, keyring, schedule), is_new=True)


async def withdraw_all(database: Statements, keyring: Keyring) -> Rotation:
    """Removes every key, published or not, and makes one that signs at once.

    Works even if old private keys cannot be decrypted. Verifiers refuse the tokens of old keys as
    soon as they fetch the key set again.
    """
    async with database.transaction() as transaction:
        schedule = await _locked(transaction)
        await store.remove(transaction, [key.kid for key in schedule.keys])
        key = await _add(transaction, keyring, delay=_AT_ONCE)
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


async def _locked(transaction: Statements) -> Schedule:
    await store.lock(transaction)
    schedule, _ = await store.get(transaction)
    return schedule


async def _add_next(transaction: Statements, keyring: Keyring, schedule: Schedule) -> SigningKey:
    delay = PREPUBLISHED if schedule.keys else _AT_ONCE
    return await _add(transaction, keyring, delay=delay)


async def _add(transaction: Statements, keyring: Keyring, *, delay: timedelta) -> SigningKey:
    private = PrivateKey.generate()
    return await store.add(
        transaction,
        kid=private.kid,
        public_key=private.public_key,
        private_key=private.encrypted(keyring),
        delay=delay,
    )

"""Signing keys in the database: several processes, rotation, withdrawal, encryption keys."""

import asyncio
import os
from datetime import timedelta

import asyncpg
import pytest

from server.crypto.keyring import EncryptedSecret, EncryptionKeyError, Keyring
from server.signing import commands, store
from server.signing.private_key import PrivateKey, decrypted
from server.signing.schedule import INTERVAL, KEPT, PREPUBLISHED, Schedule
from server.store.database import Database, connected
from tests.support import given

_KEYRING = Keyring([os.urandom(32)])


async def _schedule(database: Database) -> Schedule:
    return (await store.get(database))[0]


async def _passes(dsn: str, time: timedelta) -> None:
    """Makes the keys older by this time."""
    async with given.sql(dsn) as sql:
        await sql.execute("update signing_keys set signs_at = signs_at - $1::interval", time)


async def _secrets(dsn: str) -> list[str]:
    async with given.sql(dsn) as sql:
        rows = await sql.fetch("select secret_id from secrets order by secret_id")
    return [row["secret_id"] for row in rows]


async def test_of_processes_that_start_at_once_one_makes_the_first_key(dsn: str) -> None:
    await given.accept_every_key(dsn)

    async def start() -> None:
        async with connected(dsn, pool_size=1) as database:
            await commands.keep_up(database, _KEYRING)

    await asyncio.gather(*(start() for _ in range(8)))

    async with connected(dsn, pool_size=1) as database:
        schedule = await _schedule(database)
    [key] = schedule.keys
    assert schedule.current == key
    assert await _secrets(dsn) == [key.kid]


async def test_keys_are_rotated_by_themselves_and_old_ones_forgotten(
    dsn: str, keys: Database
) -> None:
    async def housekeeping() -> Schedule:
        await asyncio.gather(*(commands.keep_up(keys, _KEYRING) for _ in range(4)))
        return await _schedule(keys)

    [first] = (await housekeeping()).keys
    await _passes(dsn, INTERVAL - PREPUBLISHED - timedelta(minutes=1))
    assert len((await housekeeping()).keys) == 1

    await _passes(dsn, timedelta(minutes=1))
    published = await housekeeping()
    assert published.current
    assert published.next
    assert published.current.kid == first.kid
    assert PREPUBLISHED - timedelta(minutes=1) < published.next.signs_at - published.now
    second = published.next.kid

    await _passes(dsn, PREPUBLISHED)
    signs = await housekeeping()
    assert signs.current
    assert signs.current.kid == second
    assert len(signs.keys) == 2

    await _passes(dsn, KEPT)
    assert [key.kid for key in (await housekeeping()).keys] == [second]
    assert await _secrets(dsn) == [second]


async def test_an_operator_publishes_the_next_key_once(keys: Database) -> None:
    first = await commands.rotate(keys, _KEYRING)
    rotated = await asyncio.gather(*(commands.rotate(keys, _KEYRING) for _ in range(4)))

    schedule = await _schedule(keys)
    assert first.key == schedule.current
    assert schedule.next
    assert {rotation.key.kid for rotation in rotated} == {schedule.next.kid}
    assert sorted(rotation.is_new for rotation in rotated) == [False, False, False, True]


async def test_all_keys_are_withdrawn_at_once_even_if_they_cannot_be_read(
    dsn: str, keys: Database
) -> None:
    lost = Keyring([os.urandom(32)])
    await commands.rotate(keys, lost)
    await commands.rotate(keys, lost)

    rotation = await commands.withdraw_all(keys, _KEYRING)

    schedule, secrets = await store.get(keys)
    assert rotation.withdrawn == 2
    assert [key.kid for key in schedule.keys] == [rotation.key.kid]
    assert schedule.current == schedule.keys[0]
    assert decrypted(_KEYRING, rotation.key.kid, secrets[rotation.key.kid]).kid == rotation.key.kid
    assert await _secrets(dsn) == [rotation.key.kid]


async def test_withdrawals_beside_housekeeping_leave_one_key_of_each(
    dsn: str, keys: Database
) -> None:
    await asyncio.gather(
        *(commands.withdraw_all(keys, _KEYRING) for _ in range(3)),
        *(commands.keep_up(keys, _KEYRING) for _ in range(3)),
    )

    schedule = await _schedule(keys)
    assert [key.kid for key in schedule.keys] == await _secrets(dsn)
    assert len(schedule.keys) == 1


async def test_keys_are_encrypted_anew_by_one_of_several_processes(keys: Database) -> None:
    await commands.rotate(keys, _KEYRING)
    await commands.rotate(keys, _KEYRING)
    old, new = os.urandom(32), os.urandom(32)
    await commands.withdraw_all(keys, Keyring([old]))
    await commands.rotate(keys, Keyring([old]))

    both = Keyring([new, old])
    moved = await asyncio.gather(*(commands.rotate_secrets(keys, both) for _ in range(3)))

    assert sum(moved) == 2
    _, secrets = await store.get(keys)
    for kid, secret in secrets.items():
        assert decrypted(Keyring([new]), kid, secret).kid == kid
    assert await commands.rotate_secrets(keys, both) == 0


async def test_what_is_stored_shows_no_private_key(dsn: str) -> None:
    await given.accept_every_key(dsn)
    private = PrivateKey.generate()
    number = private.key.as_dict(private=True)["d"]
    async with connected(dsn, pool_size=1) as database, database.transaction() as transaction:
        await store.add(
            transaction,
            kid=private.kid,
            public_key=private.public_key,
            private_key=private.encrypted(_KEYRING),
            delay=timedelta(0),
        )

    async with given.sql(dsn) as sql:
        stored = str([*await _rows(sql, "signing_keys"), *await _rows(sql, "secrets")])
    assert private.kid in stored
    assert str(number) not in stored
    assert str(number) not in repr(private)


async def _rows(sql: asyncpg.Connection, table: str) -> list[asyncpg.Record]:
    rows: list[asyncpg.Record] = await sql.fetch(f"select * from {table}")  # noqa: S608 -- a table of the test
    return rows


def _other(keyring: Keyring, kid: str, text: str) -> EncryptedSecret:
    return keyring.encrypt(text, context=f'["signing.key", "{kid}"]'.encode())


@pytest.mark.parametrize("text", ["no JSON", "{}", '{"kty": "oct", "k": "c2VjcmV0"}'])
def test_a_secret_that_is_no_key_is_not_used(text: str) -> None:
    with pytest.raises(EncryptionKeyError, match="not an elliptic curve key"):
        decrypted(_KEYRING, "kid", _other(_KEYRING, "kid", text))


def test_a_key_is_used_only_by_its_own_id() -> None:
    one, other = PrivateKey.generate(), PrivateKey.generate()

    with pytest.raises(EncryptionKeyError, match="does not match its record"):
        decrypted(_KEYRING, one.kid, other.encrypted(_KEYRING))
    mislabelled = PrivateKey(one.kid, other.key).encrypted(_KEYRING)
    with pytest.raises(EncryptionKeyError, match="does not match its ID"):
        decrypted(_KEYRING, one.kid, mislabelled)
    with pytest.raises(EncryptionKeyError, match="not stored"):
        decrypted(_KEYRING, one.kid, None)

"""Signing keys in the database: several processes, rotation, withdrawal, encryption keys."""

import asyncio
import os
import threading
from datetime import timedelta

import asyncpg
import pytest

from server.crypto.encryption_keys import Presence
from server.crypto.keyring import EncryptedSecret, EncryptionKeyError, Keyring
from server.signing import commands, store
from server.signing.private_key import Algorithm, PrivateKey, decrypted
from server.signing.schedule import INTERVAL, KEPT, PREPUBLISHED, Schedule
from server.store.database import Database, connected
from tests.support import given

_KEYRING = Keyring([os.urandom(32)])


_EACH = pytest.mark.parametrize("algorithm", Algorithm)


async def _schedule(database: Database, algorithm: Algorithm) -> Schedule:
    return (await store.get(database))[0][algorithm]


async def _keys(database: Database) -> list[str]:
    """The ids of the keys of all algorithms."""
    schedules, _ = await store.get(database)
    return sorted(key.kid for schedule in schedules.values() for key in schedule.keys)


async def _secrets(dsn: str) -> list[str]:
    async with given.sql(dsn) as sql:
        rows = await sql.fetch("select secret_id from secrets order by secret_id")
    return [row["secret_id"] for row in rows]


async def test_of_processes_that_start_at_once_one_makes_the_first_keys(dsn: str) -> None:
    await given.accept_every_key(dsn)

    async def start() -> None:
        async with connected(dsn, pool_size=1) as database:
            await commands.keep_up(database, _KEYRING)

    await asyncio.gather(*(start() for _ in range(8)))

    async with connected(dsn, pool_size=1) as database:
        schedules, _ = await store.get(database)
        kids = await _keys(database)
    assert [len(schedule.keys) for schedule in schedules.values()] == [1, 1]
    assert all(schedule.current for schedule in schedules.values())
    assert await _secrets(dsn) == kids


@_EACH
async def test_keys_are_rotated_by_themselves_and_old_ones_forgotten(
    dsn: str, keys: Database, algorithm: Algorithm
) -> None:
    async def housekeeping() -> Schedule:
        await asyncio.gather(*(commands.keep_up(keys, _KEYRING) for _ in range(4)))
        return await _schedule(keys, algorithm)

    [first] = (await housekeeping()).keys
    await given.aged_signing_keys(dsn, INTERVAL - PREPUBLISHED - timedelta(minutes=1))
    assert len((await housekeeping()).keys) == 1

    await given.aged_signing_keys(dsn, timedelta(minutes=1))
    published = await housekeeping()
    assert published.current
    assert published.next
    assert published.current.kid == first.kid
    assert PREPUBLISHED - timedelta(minutes=1) < published.next.signs_at - published.now
    second = published.next.kid

    await given.aged_signing_keys(dsn, PREPUBLISHED)
    signs = await housekeeping()
    assert signs.current
    assert signs.current.kid == second
    assert len(signs.keys) == 2

    await given.aged_signing_keys(dsn, KEPT)
    assert [key.kid for key in (await housekeeping()).keys] == [second]
    assert await _secrets(dsn) == await _keys(keys)


@_EACH
async def test_an_operator_publishes_the_next_key_once(
    keys: Database, algorithm: Algorithm
) -> None:
    first = await commands.rotate(keys, _KEYRING, algorithm)
    rotated = await asyncio.gather(*(commands.rotate(keys, _KEYRING, algorithm) for _ in range(4)))

    schedules, _ = await store.get(keys)
    schedule = schedules.pop(algorithm)
    assert first
    assert first.key == schedule.current
    assert schedule.next
    assert {rotation.key.kid for rotation in rotated if rotation} == {schedule.next.kid}
    assert sorted(rotation.is_new for rotation in rotated if rotation) == [False] * 3 + [True]
    assert [other.keys for other in schedules.values()] == [()]


@_EACH
async def test_all_keys_of_an_algorithm_are_withdrawn_at_once_even_if_they_cannot_be_read(
    dsn: str, keys: Database, algorithm: Algorithm
) -> None:
    lost = Keyring([os.urandom(32)])
    await commands.keep_up(keys, lost)
    await commands.rotate(keys, lost, algorithm)
    before = (await store.get(keys))[0]

    rotation = await commands.withdraw_all(keys, _KEYRING, algorithm)

    schedules, secrets = await store.get(keys)
    assert rotation
    assert rotation.withdrawn == 2
    schedule = schedules[algorithm]
    assert [key.kid for key in schedule.keys] == [rotation.key.kid]
    assert schedule.current == schedule.keys[0]
    assert decrypted(_KEYRING, rotation.key.kid, secrets[rotation.key.kid]).kid == rotation.key.kid
    assert await _secrets(dsn) == await _keys(keys)
    [other] = set(Algorithm) - {algorithm}
    assert schedules[other].keys == before[other].keys


@_EACH
async def test_withdrawals_beside_housekeeping_leave_one_key_of_each(
    dsn: str, keys: Database, algorithm: Algorithm
) -> None:
    await asyncio.gather(
        *(commands.withdraw_all(keys, _KEYRING, algorithm) for _ in range(3)),
        *(commands.keep_up(keys, _KEYRING) for _ in range(3)),
    )

    schedules, _ = await store.get(keys)
    assert await _keys(keys) == await _secrets(dsn)
    assert [len(schedule.keys) for schedule in schedules.values()] == [1, 1]


async def test_an_rsa_key_is_made_when_all_running_servers_publish_it(
    dsn: str, keys: Database
) -> None:
    """The first key signs at once. Servers of earlier releases publish ES256 keys only."""
    server = Presence(keys, _KEYRING)
    await server.announce()
    await _became_older(dsn)

    await commands.keep_up(keys, _KEYRING)
    refused = [
        await act(keys, _KEYRING, Algorithm.RS256)
        for act in (commands.rotate, commands.withdraw_all)
    ]
    during = [len(schedule.keys) for schedule in (await store.get(keys))[0].values()]
    await server.leave()
    await Presence(keys, _KEYRING).announce()  # its successor
    await commands.keep_up(keys, _KEYRING)

    assert refused == [None, None]
    assert during == [1, 0]
    schedule = await _schedule(keys, Algorithm.RS256)
    assert schedule.current
    assert schedule.current.signs_at <= schedule.now


async def test_an_rsa_key_in_use_is_rotated_beside_a_server_that_does_not_publish_it(
    dsn: str, keys: Database
) -> None:
    """A server of an earlier release that starts again does not stop the rotation."""
    await commands.keep_up(keys, _KEYRING)
    await Presence(keys, _KEYRING).announce()
    await _became_older(dsn)

    rotation = await commands.rotate(keys, _KEYRING, Algorithm.RS256)

    assert rotation
    assert (await _schedule(keys, Algorithm.RS256)).next == rotation.key


async def _became_older(dsn: str) -> None:
    """Makes the running servers those of a release that does not record its schema version."""
    async with given.sql(dsn) as sql:
        await sql.execute("update servers set schema_version = null")


async def test_a_key_is_generated_before_the_lock_and_beside_the_event_loop(
    keys: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    generate, begun, may_end = PrivateKey.generate, threading.Event(), threading.Event()

    def slowly(algorithm: Algorithm) -> PrivateKey:
        begun.set()
        assert may_end.wait(timeout=30), "nothing ran beside the generation of the key"
        return generate(algorithm)

    monkeypatch.setattr(PrivateKey, "generate", slowly)
    adding = asyncio.create_task(commands.rotate(keys, _KEYRING, Algorithm.RS256))
    await given.eventually(lambda: _is_set(begun))

    async with keys.transaction() as transaction:
        await store.lock(transaction)

    assert not adding.done()
    may_end.set()
    assert await adding


async def _is_set(event: threading.Event) -> bool:
    return event.is_set()


async def test_keys_are_encrypted_anew_by_one_of_several_processes(keys: Database) -> None:
    old, new = os.urandom(32), os.urandom(32)
    await commands.keep_up(keys, Keyring([old]))
    for algorithm in Algorithm:
        await commands.rotate(keys, Keyring([old]), algorithm)

    both = Keyring([new, old])
    moved = await asyncio.gather(*(commands.rotate_secrets(keys, both) for _ in range(3)))

    assert sum(moved) == 4
    _, secrets = await store.get(keys)
    for kid, secret in secrets.items():
        assert decrypted(Keyring([new]), kid, secret).kid == kid
    assert await commands.rotate_secrets(keys, both) == 0


@_EACH
async def test_what_is_stored_shows_no_private_key(dsn: str, algorithm: Algorithm) -> None:
    await given.accept_every_key(dsn)
    private = PrivateKey.generate(algorithm)
    number = private.key.as_dict(private=True)["d"]
    async with connected(dsn, pool_size=1) as database, database.transaction() as transaction:
        await store.add(
            transaction,
            algorithm,
            kid=private.kid,
            public_key=private.public_key,
            private_key=private.encrypted(_KEYRING),
            delay=timedelta(0),
        )

    async with given.sql(dsn) as sql:
        tables = ("signing_keys", "rsa_signing_keys", "secrets")
        stored = str([row for table in tables for row in await _rows(sql, table)])
    assert private.kid in stored
    assert str(number) not in stored
    assert str(number) not in repr(private)


async def _rows(sql: asyncpg.Connection, table: str) -> list[asyncpg.Record]:
    rows: list[asyncpg.Record] = await sql.fetch(f"select * from {table}")  # noqa: S608 -- a table of the test
    return rows


def _other(keyring: Keyring, kid: str, text: str) -> EncryptedSecret:
    return keyring.encrypt(text, context=f'["signing.key", "{kid}"]'.encode())


@pytest.mark.parametrize(
    "text",
    ["no JSON", "{}", "[]", '{"kty": "oct", "k": "c2VjcmV0"}', '{"kty": "RSA", "n": "AQAB"}'],
)
def test_a_secret_that_is_no_key_is_not_used(text: str) -> None:
    with pytest.raises(EncryptionKeyError, match="neither an elliptic curve key nor an RSA key"):
        decrypted(_KEYRING, "kid", _other(_KEYRING, "kid", text))


@_EACH
def test_a_key_is_used_only_by_its_own_id(algorithm: Algorithm) -> None:
    one, other = PrivateKey.generate(algorithm), PrivateKey.generate(Algorithm.ES256)

    with pytest.raises(EncryptionKeyError, match="does not match its record"):
        decrypted(_KEYRING, one.kid, other.encrypted(_KEYRING))
    mislabelled = PrivateKey(one.kid, other.key).encrypted(_KEYRING)
    with pytest.raises(EncryptionKeyError, match="does not match its ID"):
        decrypted(_KEYRING, one.kid, mislabelled)
    with pytest.raises(EncryptionKeyError, match="not stored"):
        decrypted(_KEYRING, one.kid, None)

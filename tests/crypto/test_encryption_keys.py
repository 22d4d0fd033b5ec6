"""The keys under which secrets may be stored, and the keys of the running servers (decision 14)."""

import asyncio
import os
from typing import Any

import asyncpg
import grpc
import pytest
import structlog

from keystead.user.v1 import user_service_pb2 as user_pb
from server.crypto import encryption_keys
from server.crypto.encryption_keys import Presence, RetiredKeyError
from server.crypto.keyring import EncryptionKeyError, Keyring
from server.crypto.stored_secrets import key_ids_in_use
from server.operate import key_rotation
from server.operate.housekeeping import forget_ended
from server.store.database import Database, connected
from server.store.schema import newest_version
from tests.conftest import MakeInstance, own_database, own_sql
from tests.smtp import calls
from tests.support import given, process
from tests.support.databases import MakeDatabase
from tests.support.given import Client, Instance, encoded_keys
from tests.support.process import Finished

_OLD, _NEW = os.urandom(32), os.urandom(32)
_OLD_ID, _NEW_ID = Keyring([_OLD]).writing_key_id, Keyring([_NEW]).writing_key_id
# A server that cannot reach the database for a while, or is frozen.
_UNSEEN = "update servers set seen_at = seen_at - interval '61 seconds'"


database = own_database
sql = own_sql


async def _rotate(instance: Instance, *keys: bytes) -> Finished:
    return await process.keystead(
        "rotate-keys",
        data_dir=instance.data_dir,
        database_url=instance.dsn,
        encryption_keys=encoded_keys(*keys),
    )


async def test_rotation_refuses_and_names_a_server_that_encrypts_with_another_key(
    make_instance: MakeInstance, make_database: MakeDatabase
) -> None:
    dsn = await make_database()
    async with make_instance(dsn=dsn, encryption_keys=encoded_keys(_OLD)) as instance:
        await calls.add(instance.admin)

        # When the operator forgets the restart
        refused = await _rotate(instance, _NEW, _OLD)

        async with connected(dsn, pool_size=1) as database:
            assert await key_ids_in_use(database) == {_OLD_ID}
    assert refused.status == 1
    assert f"do not encrypt with the first key, {_NEW_ID}: process {os.getpid()} on" in (
        refused.errors
    )
    assert f"has {_OLD_ID}. Restart them" in refused.errors

    # Then after the restart it works
    both = make_instance(
        dsn=dsn, data_dir=instance.data_dir, encryption_keys=encoded_keys(_NEW, _OLD)
    )
    async with both as again:
        rotated = await _rotate(again, _NEW, _OLD)
    assert (rotated.status, rotated.errors) == (0, "")
    assert f" re-encrypted. All of them have the key {_NEW_ID}." in rotated.output


@pytest.mark.parametrize("keys", [(_OLD,), (_OLD, _NEW)], ids=["alone", "first"])
async def test_a_server_whose_key_was_replaced_stores_no_secret(
    make_instance: MakeInstance,
    make_database: MakeDatabase,
    monkeypatch: pytest.MonkeyPatch,
    keys: tuple[bytes, ...],
) -> None:
    dsn = await make_database()
    # Otherwise the server is seen again if the command takes longer than that.
    monkeypatch.setattr(encryption_keys, "HEARTBEAT_SECONDS", 3600)
    async with make_instance(dsn=dsn, encryption_keys=encoded_keys(*keys)) as instance:
        admin = instance.admin
        async with given.sql(dsn) as sql:
            await sql.execute(_UNSEEN)
        assert (await _rotate(instance, _NEW, _OLD)).status == 0

        refused = [
            await given.refusal(calls.add(admin)),
            await given.refusal(_create_token(admin, x_idempotency_key="key")),
        ]

        assert {each.code for each in refused} == {grpc.StatusCode.UNAVAILABLE}
        assert {each.reason for each in refused} == {"ENCRYPTION_KEY_REPLACED"}
        # and nothing of it is written, while other calls work
        removed = await given.refusal(calls.remove(admin))
        assert removed.code is grpc.StatusCode.NOT_FOUND
        async with given.sql(dsn) as sql:
            assert await sql.fetchval("select count(*) from tokens where name = 'of a test'") == 0
            await _create_token(admin)
            assert await sql.fetchval("select count(*) from tokens where name = 'of a test'") == 1


async def _create_token(admin: Client, **headers: Any) -> None:
    request = user_pb.CreateTokenRequest(user_id=admin.user_id, name="of a test")
    await admin.call(admin.users.CreateToken, request, **headers)


async def test_rotation_waits_for_secrets_that_are_being_stored(
    database: Database, sql: asyncpg.Connection
) -> None:
    old, new = Keyring([_OLD]), Keyring([_NEW, _OLD])
    await encryption_keys.admit(database, old)
    async with sql.transaction():
        await sql.execute("insert into secrets values ('a', 'b', $1, '')", _OLD_ID)
        rotation = asyncio.create_task(key_rotation.rotate(database, new))
        await given.waiting_for_a_lock(sql)

    # The secret belongs to no object, so it cannot be encrypted again
    with pytest.raises(EncryptionKeyError, match=f"with other keys: {_OLD_ID}"):
        await rotation
    # and its key stays usable
    await encryption_keys.require_admitted(database, old)


async def test_secrets_that_wait_for_the_end_of_a_rotation_are_refused(
    dsn: str, database: Database, sql: asyncpg.Connection
) -> None:
    await encryption_keys.admit(database, Keyring([_OLD]))
    new = Keyring([_NEW])
    async with database.transaction() as transaction:
        await encryption_keys.lock_others(transaction, new)
        late = asyncio.create_task(
            sql.execute("insert into secrets values ('a', 'b', $1, '')", _OLD_ID)
        )
        async with given.sql(dsn) as watching:
            await given.waiting_for_a_lock(watching)
        await encryption_keys.retire_others(transaction, new)

    with pytest.raises(asyncpg.ForeignKeyViolationError):
        await late


async def test_a_replaced_key_is_refused_at_the_start_until_a_rotation_returns_to_it(
    database: Database,
) -> None:
    await encryption_keys.admit(database, Keyring([_OLD]))
    await key_rotation.rotate(database, Keyring([_NEW, _OLD]))

    for refuses in (encryption_keys.admit, encryption_keys.require_admitted):
        with pytest.raises(RetiredKeyError, match=f"{_OLD_ID}, was replaced by"):
            await refuses(database, Keyring([_OLD, _NEW]))

    await key_rotation.rotate(database, Keyring([_OLD, _NEW]))
    await encryption_keys.admit(database, Keyring([_OLD]))
    with pytest.raises(RetiredKeyError):
        await encryption_keys.admit(database, Keyring([_NEW]))


async def test_a_server_that_starts_during_a_rotation_waits_for_its_end(
    database: Database, sql: asyncpg.Connection
) -> None:
    async with database.transaction() as rotation:
        await encryption_keys.lock_others(rotation, Keyring([_NEW]))
        starting = asyncio.create_task(encryption_keys.admit(database, Keyring([_OLD])))
        await given.waiting_for_a_lock(sql)

    await starting


async def test_a_command_refuses_a_key_that_no_server_has(database: Database) -> None:
    await encryption_keys.admit(database, Keyring([_OLD]))

    with pytest.raises(EncryptionKeyError, match=f"{_NEW_ID}. Run the command"):
        await encryption_keys.require_admitted(database, Keyring([_NEW, _OLD]))


async def test_a_server_is_listed_while_it_runs(
    make_instance: MakeInstance, make_database: MakeDatabase
) -> None:
    dsn = await make_database()
    async with connected(dsn, pool_size=1) as database:
        async with make_instance(dsn=dsn, encryption_keys=encoded_keys(_NEW, _OLD)):
            [listed] = await encryption_keys.list_servers(database)
        assert await encryption_keys.list_servers(database) == []

    assert (listed.process_id, listed.key_ids) == (os.getpid(), [_NEW_ID, _OLD_ID])
    assert listed.is_listed


async def test_a_server_that_ended_without_a_shutdown_is_forgotten(
    database: Database, sql: asyncpg.Connection
) -> None:
    presence = Presence(database, Keyring([_OLD]))
    await presence.announce()
    assert len(await encryption_keys.list_servers(database)) == 1

    await sql.execute(_UNSEEN)
    assert await encryption_keys.list_servers(database) == []
    await presence.announce()  # it was only slow
    assert len(await encryption_keys.list_servers(database)) == 1

    await sql.execute(_UNSEEN)
    await forget_ended(database)
    assert await sql.fetchval("select count(*) from servers") == 0


async def test_a_server_of_an_earlier_release_is_found_while_it_runs(
    database: Database, sql: asyncpg.Connection
) -> None:
    """A release before version 31 does not record its schema version."""
    await Presence(database, Keyring([_OLD])).announce()
    current, first = newest_version(), 31

    assert not await encryption_keys.has_server_before(database, current)
    assert await encryption_keys.has_server_before(database, current + 1)
    await sql.execute("update servers set schema_version = null")
    assert not await encryption_keys.has_server_before(database, first - 1)
    assert await encryption_keys.has_server_before(database, first)
    await sql.execute(_UNSEEN)
    assert not await encryption_keys.has_server_before(database, first)


async def test_a_server_whose_key_is_replaced_logs_it_once(database: Database) -> None:
    presence = Presence(database, Keyring([_OLD]))
    await encryption_keys.admit(database, Keyring([_OLD]))
    await presence.announce()
    async with database.transaction() as transaction:
        await encryption_keys.retire_others(transaction, Keyring([_NEW]))

    with structlog.testing.capture_logs() as logs:
        await presence.announce()
        await presence.announce()

    [line] = logs
    assert (line["log_level"], line["key_id"]) == ("error", _OLD_ID)

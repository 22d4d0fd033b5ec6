"""Connections to one of several hosts, without those that are silent or refuse writes."""

import contextlib
import re
import socket
import time
from asyncio import open_unix_connection
from collections.abc import AsyncIterator, Collection
from datetime import UTC, datetime
from typing import Any
from urllib.parse import parse_qs, urlsplit

import asyncpg
import pytest

from keystead.user.v1.user_service_pb2 import ListUsersRequest
from server.operate.rebuild.run import rebuild
from server.store import connecting
from server.store.connecting import Connection, EncodingError, NoSchemaError, PoolerError
from server.store.database import Database, DatabaseUnreachableError, connected
from server.store.statement import statement
from server.values.errors import Failure
from tests.conftest import MakeInstance
from tests.support import given
from tests.support.databases import MakeDatabase
from tests.support.gateway import Change, Gateway
from tests.support.statements import statements
from tests.user import calls as users

_ONE = statement("select 1")

# Settings under which statements fail, or give other results.
_HOSTILE_SETTINGS = {
    "datestyle": "SQL, DMY",
    "default_transaction_isolation": "serializable",
    "extra_float_digits": "-15",
    "idle_in_transaction_session_timeout": "1ms",
    "idle_session_timeout": "50ms",
    "intervalstyle": "sql_standard",
    "lock_timeout": "1ms",
    "quote_all_identifiers": "on",
    "standard_conforming_strings": "off",
    "statement_timeout": "5ms",
    "timezone": "Asia/Tokyo",
}
_IN_FORCE = statement("""
select name from unnest(:names::text[], :values::text[]) as hostile (name, value)
where current_setting(name) = value""")


@contextlib.asynccontextmanager
async def _reachable(dsn: str, change: Change | None = None) -> AsyncIterator[str]:
    """The host and port of a database that listens on a socket."""
    folder = parse_qs(urlsplit(dsn).query)["host"][0]

    async with Gateway.running(
        lambda: open_unix_connection(f"{folder}/.s.PGSQL.5432"), change
    ) as gateway:
        yield f"127.0.0.1:{gateway.port}"


def _url(dsn: str, *hosts: str) -> str:
    url = urlsplit(dsn)
    return f"postgresql://{url.username}@{','.join(hosts)}{url.path}"


def _as_read_only(answer: bytes) -> bytes:
    """The ParameterStatus of a server with read-only sessions."""
    name = b"default_transaction_read_only\0"
    return answer.replace(b"S\0\0\0\x26" + name + b"off\0", b"S\0\0\0\x25" + name + b"on\0")


def _as_pooler(answer: bytes) -> bytes:
    """BackendKeyData with another process ID, as a pooler sends it."""
    return re.sub(rb"K\0\0\0\x0c....", b"K\0\0\0\x0c\x7f\0\0\1", answer, flags=re.DOTALL)


async def _works(database: Database) -> bool:
    return await database.fetch(_ONE) != []


async def test_a_silent_host_does_not_hold_up_the_others(make_database: MakeDatabase) -> None:
    dsn = await make_database()
    with socket.create_server(("127.0.0.1", 0)) as silent:
        frozen = f"127.0.0.1:{silent.getsockname()[1]}"
        async with _reachable(dsn) as host:
            began = time.monotonic()
            async with connected(_url(dsn, frozen, host), pool_size=1) as database:
                assert await _works(database)

    assert time.monotonic() - began < connecting._CONNECT_SECONDS  # noqa: SLF001


async def test_of_several_hosts_the_one_that_takes_writes_is_used(
    make_database: MakeDatabase,
) -> None:
    dsn = await make_database()
    async with (
        _reachable(dsn, _as_read_only) as standby,
        _reachable(dsn) as leader,
        connected(_url(dsn, standby, leader), pool_size=1) as database,
    ):
        assert await _works(database)


async def test_an_error_says_why_each_of_several_hosts_was_not_used(
    make_database: MakeDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connecting, "_PATIENCE_SECONDS", 0.1)
    dsn = await make_database()
    with socket.create_server(("127.0.0.1", 0)) as silent:
        frozen = f"127.0.0.1:{silent.getsockname()[1]}"
        async with _reachable(dsn, _as_read_only) as standby:
            with pytest.raises(DatabaseUnreachableError) as refused:
                async with connected(_url(dsn, frozen, standby), pool_size=1):
                    pass

    assert f"{frozen}: no answer" in str(refused.value)
    assert f"{standby}: takes no writes" in str(refused.value)


async def test_a_pooler_in_place_of_postgresql_is_refused(make_database: MakeDatabase) -> None:
    dsn = await make_database()
    async with _reachable(dsn, _as_pooler) as host:
        with pytest.raises(PoolerError, match="Name PostgreSQL itself"):
            async with connected(_url(dsn, host), pool_size=1):
                pass


@pytest.mark.parametrize(
    "error", [asyncpg.DuplicatePreparedStatementError, asyncpg.InvalidSQLStatementNameError]
)
async def test_a_pooler_that_gives_one_session_to_several_clients_is_refused(
    monkeypatch: pytest.MonkeyPatch, make_database: MakeDatabase, error: type[Exception]
) -> None:
    async def refuse(*_arguments: object) -> None:
        raise error('prepared statement "__asyncpg_stmt_1__"')

    monkeypatch.setattr(connecting.Connection, "fetch", refuse)

    with pytest.raises(PoolerError):
        async with connected(await make_database(), pool_size=1):
            pass


@pytest.mark.parametrize("encoding", ["SQL_ASCII", "LATIN1"])
async def test_a_database_of_another_encoding_is_refused_with_the_statement_that_makes_a_right_one(
    cluster: str, make_database: MakeDatabase, encoding: str
) -> None:
    dsn = await make_database(options=f"encoding '{encoding}' locale_provider libc locale 'C'")

    with pytest.raises(EncodingError, match=f"has the encoding {encoding}") as refused:
        async with connected(dsn, pool_size=1):
            pass

    name = f"keystead_test_{encoding.lower()}"
    advised = str(refused.value).partition(": ")[2].replace("keystead owner keystead", name)
    async with given.sql(cluster) as server:
        await server.execute(advised)
        try:
            async with connected(urlsplit(cluster)._replace(path=f"/{name}").geturl(), pool_size=1):
                pass
        finally:
            await server.execute(f"drop database {name} with (force)")


async def test_a_search_path_without_a_schema_is_refused(make_database: MakeDatabase) -> None:
    dsn = await make_database(empty=True)
    async with given.sql(dsn) as server:
        name = urlsplit(dsn).path.removeprefix("/")
        await server.execute(f"alter database {name} set search_path = nowhere")

    with pytest.raises(NoSchemaError, match="is nowhere, and names no schema"):
        async with connected(dsn, pool_size=1):
            pass


@pytest.mark.parametrize(
    ("error", "advice"),
    [
        (asyncpg.InvalidPasswordError("wrong"), "Correct the user and the password"),
        (asyncpg.InvalidCatalogNameError("missing"), "Create the database"),
        (asyncpg.TooManyConnectionsError("full"), "Raise max_connections"),
        (asyncpg.CannotConnectNowError("starting"), "Try again in a moment"),
        (ConnectionRefusedError("refused"), "Check that PostgreSQL runs"),
    ],
)
async def test_a_refused_connection_has_its_own_remedy(
    monkeypatch: pytest.MonkeyPatch, error: Exception, advice: str
) -> None:
    async def refuse(_connector: object) -> None:
        raise error

    monkeypatch.setattr(connecting.Connector, "connect", refuse)

    with pytest.raises(DatabaseUnreachableError, match=advice):
        async with connected("postgresql://keystead@db.internal/keystead", pool_size=1):
            pass


async def test_settings_of_the_role_have_no_effect(
    make_database: MakeDatabase, make_instance: MakeInstance
) -> None:
    dsn = await make_database()
    async with given.sql(dsn) as sql:
        role = await sql.fetchval("select current_user")
        name = await sql.fetchval("select current_database()")
        for setting, value in _HOSTILE_SETTINGS.items():
            await sql.execute(
                f'alter role "{role}" in database "{name}" set {setting} = \'{value}\''
            )

    async with make_instance(dsn=dsn) as instance, connected(dsn, pool_size=2) as database:
        admin = instance.admin
        user = await users.create(admin, user_name="Zoe", display_name="Zoe")
        for name in ("Zoe Z.", "Zoe Zimmermann"):
            await users.patch(admin, user.user_id, ["display_name"], display_name=name)
        found = await admin.call(admin.users.ListUsers, ListUsersRequest(query="zimmermann ZOE"))
        in_force = await database.fetch(
            _IN_FORCE, names=list(_HOSTILE_SETTINGS), values=list(_HOSTILE_SETTINGS.values())
        )
        rebuilt = await rebuild(database, repair=True)

    assert [each.user_id for each in found.users] == [user.user_id]
    assert in_force == []
    assert rebuilt.differences == ()


async def test_dropped_connections_are_replaced(make_database: MakeDatabase) -> None:
    async with connected(await make_database(), pool_size=1) as database:
        backend = statement("select pg_backend_pid() as pid")
        before = await database.fetch_one(backend)
        database.drop_connections()

        assert await database.fetch_one(backend) != before


async def test_a_connection_dropped_between_two_messages_of_a_statement_is_an_outage(
    make_database: MakeDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with connected(await make_database(), pool_size=1) as database:
        prepare = vars(asyncpg.Connection)["_get_statement"]

        async def then_drop(*arguments: Any, **named: Any) -> Any:
            prepared = await prepare(*arguments, **named)
            database.drop_connections()
            return prepared

        monkeypatch.setattr(Connection, "_get_statement", then_drop)
        with pytest.raises(Failure) as refused:
            await database.fetch_one(statement("select 1 as one"))
        assert refused.value.reason == "DATABASE_UNAVAILABLE"

        monkeypatch.undo()
        assert await database.fetch_one(statement("select 1 as one"))


async def test_no_statement_makes_the_driver_read_the_catalogue(
    make_database: MakeDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = list[int]()
    introspect = vars(asyncpg.Connection)["_introspect_types"]

    async def noted(connection: Connection, types: Collection[int], *limit: float) -> Any:
        asked.extend(types)
        return await introspect(connection, types, *limit)

    monkeypatch.setattr(Connection, "_introspect_types", noted)
    connection = await asyncpg.connect(await make_database(), connection_class=Connection)
    try:
        for each in statements().values():
            await connection.prepare(each.sql)
            assert asked == [], each.sql
        await connection.prepare("select array[]::inet[]")
    finally:
        await connection.close()

    assert asked == [1041]


async def test_the_arrays_that_the_driver_is_given_have_the_types_of_postgresql(
    make_database: MakeDatabase,
) -> None:
    connection = await asyncpg.connect(await make_database(), connection_class=Connection)
    moment = datetime(2026, 2, 3, 4, 5, 6, 7, UTC)
    try:
        [read] = await connection.fetch(
            """
            select array[true, null], array['\\xff'::bytea], array[7], array[8::bigint], $1::text[],
                array[row(1, 'a', $2::timestamptz)], array[$2::timestamptz]""",
            ["a", "ü"],
            moment,
        )
    finally:
        await connection.close()

    assert list(read) == [
        *([True, None], [b"\xff"], [7], [8], ["a", "ü"], [(1, "a", moment)], [moment]),
    ]

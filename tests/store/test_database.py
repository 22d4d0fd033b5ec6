"""Errors of the database as failures of calls, and limits of connections."""

import asyncio
import contextlib
import traceback
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from functools import partial
from threading import Thread

import asyncpg
import pytest

from server.store.database import Database, Statements, connected
from server.store.statement import Statement, statement
from server.values.errors import Failure, Kind
from tests.conftest import own_sql
from tests.support import given
from tests.support.databases import MakeDatabase

pytestmark = pytest.mark.python_differs("asyncio cancels and wakes tasks in another order")

_LOCK = statement("select from rows where id = :id for update")
_INSERT = statement("insert into rows values (1)")


@pytest.fixture
async def database(dsn: str) -> AsyncIterator[Database]:
    """A database of one connection, with an empty table."""
    async with connected(dsn, pool_size=1) as database:
        await database.fetch(statement("create table rows (id int primary key)"))
        yield database


other = own_sql  # beside `database`


async def test_of_two_transactions_that_wait_for_each_other_one_is_told_to_try_again(
    make_database: MakeDatabase,
) -> None:
    async with connected(await make_database(), pool_size=2) as database:
        await database.fetch(statement("create table rows (id int primary key)"))
        await database.fetch(statement("insert into rows values (1), (2)"))
        both_have_one = asyncio.Barrier(2)

        ended = await asyncio.gather(
            _lock_both(database, both_have_one, 1, 2),
            _lock_both(database, both_have_one, 2, 1),
            return_exceptions=True,
        )

    [failure] = [end for end in ended if isinstance(end, Failure)]
    assert failure.kind is Kind.ABORTED
    assert failure.retry_after is not None


async def _lock_both(
    database: Database, both_have_one: asyncio.Barrier, first: int, second: int
) -> None:
    async with database.transaction() as transaction:
        await transaction.fetch(_LOCK, id=first)
        await both_have_one.wait()
        await transaction.fetch(_LOCK, id=second)


async def test_an_event_of_the_same_number_is_a_lost_race(make_database: MakeDatabase) -> None:
    async with connected(await make_database(empty=True), pool_size=1) as database:
        await database.fetch(statement("create table events (id int primary key)"))
        await database.fetch(statement("insert into events values (1)"))

        with pytest.raises(Failure) as refused:
            await database.fetch(statement("insert into events values (1)"))

    assert refused.value.kind is Kind.ABORTED


async def test_a_connection_is_in_use_until_postgresql_has_stopped_its_statement(
    database: Database, other: asyncpg.Connection
) -> None:
    sleeping = asyncio.create_task(database.fetch(statement("select pg_sleep(600)")))
    await given.eventually(lambda: _sleeps(other))

    sleeping.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await sleeping

    assert database.pool.in_use == 1
    assert await database.fetch(statement("select 1"))
    assert database.pool.in_use == 0


async def test_a_transaction_does_not_go_on_after_a_failed_statement_as_if_it_was_written(
    database: Database,
) -> None:
    with pytest.raises(RuntimeError, match="one of its statements had failed"):
        await _go_on_after_a_failure(database)

    assert await database.fetch(statement("select from rows")) == []


async def _go_on_after_a_failure(database: Database) -> None:
    async with database.transaction() as transaction:
        await transaction.fetch(_INSERT)
        with contextlib.suppress(TypeError):
            await transaction.fetch(statement("select 1 / 0"))


@pytest.mark.parametrize(
    ("sql", "value"),
    [
        ("select :value::int", "secret-value"),
        ("select :value::uuid", "secret-value"),
        ("select :value::text::int", "secret-value"),
        ("select :value::text::int", "4294967296001"),
    ],
    ids=["not a number", "not a UUID", "in PostgreSQL", "too large a number"],
)
async def test_a_value_that_postgresql_cannot_read_is_in_no_error(
    database: Database, sql: str, value: str
) -> None:
    with pytest.raises(TypeError, match=r"for type|for query argument") as refused:
        await database.fetch(statement(sql), value=value)

    error: BaseException | None = refused.value
    assert value not in "".join(traceback.format_exception(error))
    while error is not None:
        assert value not in f"{error} {error!r}"
        error = error.__cause__ or error.__context__


async def test_a_process_that_is_frozen_in_a_transaction_loses_its_locks(
    dsn: str, database: Database
) -> None:
    setting = await database.fetch_one(statement("show idle_in_transaction_session_timeout"))
    assert list(setting) == ["1min"]

    with pytest.raises(Failure) as refused:
        await _freeze_in_a_transaction(database, dsn)

    assert refused.value.kind is Kind.UNAVAILABLE
    assert await database.fetch(statement("select 1"))


async def _freeze_in_a_transaction(database: Database, dsn: str) -> None:
    async with database.transaction() as transaction:
        backend = await transaction.fetch_one(statement("select pg_backend_pid() as pid"))
        await transaction.script("set idle_in_transaction_session_timeout = 1")
        # This event loop stands still until PostgreSQL has ended the session.
        other = Thread(target=asyncio.run, args=(_ended(dsn, backend["pid"]),))
        other.start()
        other.join()
        await transaction.fetch(statement("select 1"))


async def _ended(dsn: str, backend: int) -> None:
    async with given.sql(dsn) as connection:
        count = "select count(*) = 0 from pg_stat_activity where pid = $1"
        await given.eventually(lambda: connection.fetchval(count, backend))


@pytest.mark.parametrize("size", [1, 2])
async def test_a_refused_write_in_a_joined_transaction_is_counted_and_gives_its_connection_back(
    make_database: MakeDatabase, size: int
) -> None:
    dsn = await make_database()
    write = statement("insert into rows values (1)")
    told: list[str] = []
    async with connected(dsn, pool_size=size) as database:
        await database.fetch(statement("create table rows (id int primary key)"))

        async with given.read_only(dsn):
            with contextlib.suppress(Failure):  # the connection that was closed
                await database.fetch(statement("select"))
            with pytest.raises(Failure) as refused:
                await _written_whole(database, write, tell=told.append)
            refusals = database.writes_refused
        state = database.pool
        for _ in range(size):  # the connections that were closed
            with contextlib.suppress(Failure):
                await database.fetch(statement("select"))
        await _written_whole(database, write, tell=told.append)

        assert refused.value.reason == "DATABASE_UNAVAILABLE"
        assert refusals > 0
        assert (state.in_use, state.waiting) == (0, 0)
        assert len(await database.fetch(statement("select from rows"))) == 1
    assert told == ["written"]


async def test_an_action_runs_once_its_transaction_is_committed(database: Database) -> None:
    told: list[str] = []
    async with database.transaction() as transaction:
        transaction.once_written(lambda: told.append("committed"))
        assert not told
    with contextlib.suppress(LookupError):
        async with database.transaction() as transaction:
            transaction.once_written(lambda: told.append("rolled back"))
            raise LookupError
    database.once_written(lambda: told.append("without a transaction"))

    assert told == ["committed", "without a transaction"]


@pytest.mark.parametrize("in_transaction", [True, False], ids=["commit", "statement"])
async def test_an_action_runs_again_when_postgresql_has_ended_a_cancelled_write(
    database: Database, other: asyncpg.Connection, in_transaction: bool
) -> None:
    await other.execute(_SLOW_COMMIT)
    told: list[int] = []

    async def write(writer: Statements) -> None:
        try:
            await writer.fetch(_INSERT)
        finally:
            writer.once_written(lambda: told.append(database.pool.in_use))

    async def write_in_transaction() -> None:
        async with database.transaction() as transaction:
            await write(transaction)

    writing = asyncio.create_task(write_in_transaction() if in_transaction else write(database))
    await given.eventually(lambda: _sleeps(other))
    writing.cancel()
    await asyncio.wait([writing])
    await given.eventually(lambda: _is_unused(database))

    assert told == [1, 0]


async def test_an_action_runs_if_the_connection_is_lost_in_the_commit(
    database: Database, other: asyncpg.Connection
) -> None:
    await other.execute(_SLOW_COMMIT)
    told: list[str] = []

    writing = asyncio.create_task(_written_whole(database, _INSERT, tell=told.append))
    await given.eventually(lambda: _sleeps(other))
    await other.execute(_END_SLEEPING)
    await asyncio.wait([writing])

    assert isinstance(writing.exception(), Failure)
    assert told == ["written"]


_SLOW_COMMIT = """
create function sleep() returns trigger language plpgsql as
    $$ begin perform pg_sleep(600); return null; end $$;
create constraint trigger slow after insert on rows deferrable initially deferred
    for each row execute function sleep();"""


async def _is_unused(database: Database) -> bool:
    return not database.pool.in_use


_END_SLEEPING = """
select pg_terminate_backend(pid) from pg_stat_activity
where datname = current_database() and wait_event = 'PgSleep'"""


async def _sleeps(other: asyncpg.Connection) -> bool:
    count = """
        select count(*) > 0 from pg_stat_activity
        where datname = current_database() and wait_event = 'PgSleep'"""
    return await other.fetchval(count)


async def _written_whole(
    database: Database, write: Statement, *, tell: Callable[[str], None]
) -> None:
    async with database.whole():
        database.once_written(partial(tell, "written"))
        await database.fetch(write)


async def test_a_reader_that_is_closed_within_a_transaction_leaves_none_open(
    database: Database, other: asyncpg.Connection
) -> None:
    async def reading() -> AsyncGenerator[None]:
        async with database.transaction() as transaction:
            await transaction.fetch(_INSERT)
            yield

    reader = reading()
    await anext(reader)
    await reader.aclose()
    await database.fetch(statement("insert into rows values (2)"))

    assert [row["id"] for row in await other.fetch("select id from rows")] == [2]

"""The growing event log: each new event is shown once, in any order of commits."""

import asyncio
import contextlib
import os
import signal
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import asyncpg
import pytest

from server.process.embedded_postgres import postmaster_pid, running
from server.store.database import Database, Row, Statements, Transaction, connected
from server.store.log import follow
from server.store.log.audit import Wanted
from server.store.log.follow import Follower
from server.store.migrate import migrate
from server.store.statement import Statement, statement
from server.values.errors import Failure
from tests.support import given
from tests.support.databases import MakeDatabase

# Replaces the clock of the database and its state as a standby, so that tests set them.
_IN_HAND = """
create table hand (shift interval not null, is_standby boolean not null);
insert into hand values ('0', false);
create function public.clock_timestamp() returns timestamptz language sql volatile
    return pg_catalog.clock_timestamp() + (select shift from public.hand);
create function public.pg_is_in_recovery() returns boolean language sql volatile
    return (select is_standby from public.hand)"""

_APPEND = statement("""
insert into events
select :aggregate_id, (extract(epoch from clock) * 1e6)::bigint, 'test', 'test.written', 1, '{}',
    'somebody', 'org', clock
from clock_timestamp() as clock""")


@pytest.fixture
async def dsn(make_database: MakeDatabase) -> str:
    dsn = await make_database(empty=True)
    name = dsn.partition("?")[0].rpartition("/")[2]
    async with given.sql(dsn) as rows:
        await rows.execute(f"alter database {name} set search_path = public, pg_catalog")
        await rows.execute(_IN_HAND)
    return dsn


@pytest.fixture
async def database(dsn: str) -> AsyncIterator[Database]:
    async with connected(dsn, pool_size=4) as database:
        await migrate(database)
        yield database


@pytest.fixture
async def sql(dsn: str, database: Database) -> AsyncIterator[asyncpg.Connection]:
    async with given.sql(dsn) as rows:
        yield rows


@pytest.fixture
async def follower(dsn: str, database: Database) -> AsyncIterator[Follower]:
    async with connected(dsn, pool_size=1) as own:
        yield Follower(own, Wanted())


async def _append(database: Statements, aggregate_id: str) -> None:
    await database.fetch(_APPEND, aggregate_id=aggregate_id)


async def _existing(follower: Follower, *, limit: int = 1000) -> list[str]:
    return [event["aggregate_id"] for event in await follower.existing(limit=limit)]


async def _added(follower: Follower) -> list[str]:
    return [event["aggregate_id"] for event in await follower.added()]


async def test_what_is_there_comes_first_and_then_what_is_added_once(
    database: Database, follower: Follower
) -> None:
    await _append(database, "a")
    await _append(database, "b")

    assert await _existing(follower) == ["a", "b"]
    await _append(database, "c")
    await _append(database, "d")
    assert await _added(follower) == ["c", "d"]
    assert await _added(follower) == []


async def test_what_commits_while_it_looks_is_shown_once(
    database: Database, follower: Follower, monkeypatch: pytest.MonkeyPatch
) -> None:
    look = follow._look  # noqa: SLF001

    async def look_and_be_late(transaction: Transaction) -> object:
        seen = await look(transaction)
        await _append(database, "late")
        return seen

    with monkeypatch.context() as slow:
        slow.setattr(follow, "_look", look_and_be_late)
        shown = await _existing(follower)

    assert shown + await _added(follower) == ["late"]


async def test_what_a_limit_leaves_out_is_not_added_later(
    database: Database, follower: Follower
) -> None:
    await _append(database, "a")
    await _append(database, "b")

    assert await _existing(follower, limit=1) == ["b"]
    assert await _added(follower) == []


async def test_only_what_is_wanted_is_added(database: Database) -> None:
    follower = Follower(database, Wanted(aggregate_id="a"))
    await follower.existing(limit=1)

    await _append(database, "a")
    await _append(database, "b")

    assert await _added(follower) == ["a"]


async def test_what_commits_later_is_added_later_though_it_was_numbered_before(
    database: Database, follower: Follower
) -> None:
    await follower.existing(limit=1)

    async with database.transaction() as slow:
        await _append(slow, "first")
        await _append(database, "second")
        assert await _added(follower) == ["second"]
        await _append(database, "third")
        assert await _added(follower) == ["third"]

    assert await _added(follower) == ["first"]
    assert await _added(follower) == []


async def test_what_was_under_way_at_the_beginning_is_added_when_it_commits(
    database: Database, follower: Follower
) -> None:
    async with database.transaction() as slow:
        await _append(slow, "first")
        await _append(database, "second")
        assert await _existing(follower) == ["second"]

    assert await _added(follower) == ["first"]


async def test_a_transaction_that_outlasts_what_is_remembered_is_not_missed(
    database: Database, follower: Follower, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(follow, "_REUSE_SECONDS", 0)
    monkeypatch.setattr(follow, "_MARGIN", timedelta())
    await follower.existing(limit=1)

    async with database.transaction() as slow:
        await _append(slow, "first")
        for _ in range(3):
            assert await _added(follower) == []

    assert await _added(follower) == ["first"]


@pytest.mark.parametrize("looks", [0, 2], ids=["at once", "between looks"])
async def test_a_clock_that_is_set_back_hides_nothing(
    database: Database, follower: Follower, sql: asyncpg.Connection, looks: int
) -> None:
    await _append(database, "before")
    await follower.existing(limit=1)

    async with database.transaction() as slow:
        await sql.execute("update hand set shift = '-1 hour'")
        await _append(slow, "slow")
        for _ in range(looks):
            assert await _added(follower) == []
        await sql.execute("update hand set shift = '-2 hours'")
        await _append(database, "quick")
        assert await _added(follower) == ["quick"]
        await sql.execute("update hand set shift = '0'")
        for _ in range(looks):
            assert await _added(follower) == []

    assert await _added(follower) == ["slow"]
    assert await _added(follower) == []


async def _cut_off(rows: asyncpg.Connection) -> None:
    await rows.execute(
        "select pg_terminate_backend(pid, 10000) from pg_stat_activity"
        " where datname = current_database() and pid <> pg_backend_pid()"
    )


async def test_after_an_outage_what_was_written_meanwhile_is_added_and_nothing_twice(
    database: Database, follower: Follower, sql: asyncpg.Connection
) -> None:
    await follower.existing(limit=1)
    await _append(database, "before")
    assert await _added(follower) == ["before"]

    await _cut_off(sql)
    # The follower did not see the change of the clock.
    await sql.execute("update hand set shift = '-1 hour'")
    await sql.execute(_APPEND.sql, "meanwhile")
    await sql.execute("update hand set shift = '0'")

    assert await _added(follower) == ["meanwhile"]
    assert await _added(follower) == []


async def test_a_crash_that_gives_the_number_of_a_transaction_again_hides_nothing(
    tmp_path: Path,
) -> None:
    with running(tmp_path) as cluster:
        async with given.sql(cluster.admin_dsn) as operator:
            # For this time, a rolled-back transaction is not on the disk.
            await operator.execute("alter system set wal_writer_delay = '10s'")
            await operator.execute("select pg_reload_conf()")
        async with (
            connected(cluster.dsn, pool_size=1) as database,
            connected(cluster.dsn, pool_size=1) as own,
        ):
            await migrate(database)
            follower = Follower(own, Wanted())
            await follower.existing(limit=1)
            await _append(database, "before")
            for _ in range(5):
                await _roll_back(database)
            assert await _added(follower) == ["before"]
            for _ in range(3):
                assert await _added(follower) == []

            os.kill(postmaster_pid(tmp_path), signal.SIGKILL)
            await given.eventually(lambda: _is_cut_off(follower))
            with running(tmp_path):
                after = [f"after {number}" for number in range(6)]
                async with given.sql(cluster.dsn) as rows:
                    for event in after:
                        await rows.execute(_APPEND.sql, event)

                assert await _added(follower) == after
                assert await _added(follower) == []


async def _roll_back(database: Database) -> None:
    with contextlib.suppress(LookupError):
        async with database.transaction() as transaction:
            await _append(transaction, "never")
            raise LookupError


async def _is_cut_off(follower: Follower) -> bool:
    try:
        await follower.added()
    except Failure:
        return True
    return False


async def test_a_database_that_does_not_answer_is_given_up_and_asked_again(
    database: Database, follower: Follower, monkeypatch: pytest.MonkeyPatch
) -> None:
    await follower.existing(limit=1)
    await _append(database, "event")
    with monkeypatch.context() as broken:
        broken.setattr(follow, "_PATIENCE_SECONDS", 0.01)
        broken.setattr(follow, "_look", _never)
        with pytest.raises(TimeoutError):
            await follower.added()

    assert await _added(follower) == ["event"]


async def _never(_transaction: object) -> None:
    await asyncio.Event().wait()


async def test_a_standby_is_not_followed(
    database: Database, follower: Follower, sql: asyncpg.Connection
) -> None:
    await sql.execute("update hand set is_standby = true")

    with pytest.raises(Failure) as refused:
        await follower.existing(limit=1)

    assert refused.value.reason == "DATABASE_IS_STANDBY"


async def test_of_a_long_log_only_the_end_is_read(
    follower: Follower, sql: asyncpg.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    await sql.execute(
        "insert into events select 'a', n, 'test', 'test.written', 1, '{}', 'somebody', 'org',"
        " now() - interval '1 day' + n * interval '1 second' from generate_series(1, 50000) as n"
    )
    await sql.execute("vacuum analyze events")
    await follower.existing(limit=1)
    sent: list[tuple[str, tuple[object, ...]]] = []
    fetch = Transaction.fetch

    async def remember(self: Transaction, query: Statement, /, **values: object) -> list[Row]:
        sent.append((query.sql, query.arguments(values)))
        return await fetch(self, query, **values)

    monkeypatch.setattr(Transaction, "fetch", remember)

    async def reads_an_index() -> bool:
        await follower.added()
        query, arguments = sent[-1]
        plan = await sql.fetch(f"explain {query}", *arguments)
        return "Bitmap Index Scan on events_created_at" in str(plan)

    # The whole log is read while an open transaction may be as old as the log, even in another
    # database.
    await given.eventually(reads_an_index)

"""Partitions of the log: there before they are needed, and in nobody's way."""

import asyncio

import asyncpg
import pytest

from server.log.partitions import add_partitions, list_partitions, misplaced_events, missing_months
from server.store.database import Database
from server.store.schema import migrations
from tests.conftest import own_database, own_sql
from tests.support import given
from tests.support.databases import MakeDatabase

_INSERT = """
insert into events
select 'idp-1', 1000000 * extract(epoch from now() + $1 * interval '1 month')::bigint, 'idp',
    'idp.test', 1, '{}', 'ada', 'org', now()"""
_TABLE = "select tableoid::regclass::text from events order by sequence"
_LATEST = "select 'drop table ' || max(tablename) from pg_tables where tablename ~ '^events_2'"


database = own_database
sql = own_sql


async def test_the_next_month_has_a_partition_and_no_other_time_lacks_one(
    database: Database, sql: asyncpg.Connection
) -> None:
    first, following = await list_partitions(database)

    for months in (-1200, 0, 1, 2):
        await sql.execute(_INSERT, months)

    assert (first.first_sequence, first.until_sequence) == (None, following.first_sequence)
    tables = [row["tableoid"] for row in await sql.fetch(_TABLE)]
    assert tables == ["events_first", "events_first", following.name, "events_default"]
    assert (await misplaced_events(database))[0] == 1
    for table in tables:
        with pytest.raises(asyncpg.RaiseError, match="append-only"):
            await sql.execute(f"update {table} set creator = 'eve'")  # noqa: S608
    assert await sql.fetchval("select count(*) from unpositioned_events") == 4


async def test_processes_that_add_a_partition_at_once_add_it_once(
    database: Database, sql: asyncpg.Connection
) -> None:
    before = await list_partitions(database)
    await sql.execute(await sql.fetchval(_LATEST))
    # Opens all connections.
    missing = await asyncio.gather(*(missing_months(database) for _ in range(4)))
    assert [len(months) for months in missing] == [1] * 4

    await asyncio.gather(*(add_partitions(database) for _ in range(4)))

    assert await list_partitions(database) == before


async def test_a_partition_is_added_later_while_somebody_reads_the_whole_log(
    dsn: str, database: Database, sql: asyncpg.Connection
) -> None:
    await sql.execute(await sql.fetchval(_LATEST))
    async with given.sql(dsn) as backup, backup.transaction():
        await backup.fetch("select from events")
        adding = asyncio.create_task(add_partitions(database))
        while not adding.done():  # writers do not wait
            await sql.execute(_INSERT.replace("'idp-1'", "gen_random_uuid()"), 0)
        await adding
        assert len(await missing_months(database)) == 1

    await add_partitions(database)

    assert await missing_months(database) == []


async def test_a_month_whose_events_came_too_early_stays_where_they_are(
    database: Database, sql: asyncpg.Connection
) -> None:
    await sql.execute(await sql.fetchval(_LATEST))
    await sql.execute(_INSERT, 1)

    await add_partitions(database)

    assert len(await list_partitions(database)) == 1
    assert (await misplaced_events(database))[0] == 1


async def test_the_log_of_a_release_without_partitions_is_the_first_one(
    make_database: MakeDatabase,
) -> None:
    async with given.sql(await make_database(empty=True)) as sql:
        for migration in migrations():
            if migration.version < 19:
                await sql.execute(migration.sql)
        await sql.execute(_INSERT, 0)
        await sql.execute(_INSERT, 3)
        statement = await sql.prepare("select * from events order by sequence")
        before = await statement.fetch()

        [migration] = [each for each in migrations() if each.version == 19]
        await sql.execute(migration.sql)
        await sql.execute(_INSERT, 4)

        assert (await statement.fetch())[:2] == before
        tables = [row["tableoid"] for row in await sql.fetch(_TABLE)]
        assert tables == ["events_first", "events_first", "events_default"]
        assert await sql.fetchval("select count(*) from unpositioned_events") == 3

"""The calls of the latest release run on the schema of this one, for rolling upgrades."""

from pathlib import Path

import asyncpg
import pytest

from server.store.schema import migrations
from tests.store.released import FILE, Release, parameter_types, record
from tests.support import given
from tests.support.databases import MakeDatabase
from tests.support.statements import statements

_TABLES = """
select oid::regclass::text as name from pg_class
where relkind in ('r', 'p') and not relispartition
    and relnamespace = current_schema()::regnamespace"""


async def test_the_latest_release_runs_on_a_schema_that_is_declared_compatible(
    make_database: MakeDatabase,
) -> None:
    release = Release.read()
    since = max(each.compatible_since for each in migrations())
    if since > release.version:
        pytest.skip(f"servers of version {release.version} must stop before the upgrade")

    broken = await _unprepared(release, await make_database())
    broken = broken or await release.differences(await make_database())

    assert not broken, "\n".join(broken)


async def _unprepared(release: Release, dsn: str) -> list[str]:
    """The statements that the schema refuses, or to which it gives other parameters."""
    broken = []
    async with given.sql(dsn) as connection:
        for name, (sql, types) in release.statements.items():
            try:
                now = await parameter_types(connection, sql)
            except asyncpg.PostgresError as error:
                broken.append(f"{name}: {error}")
            else:
                if now != types:
                    broken.append(f"{name}: parameters {types} are now {now}")
    return broken


def test_migrations_are_compatible_at_most_with_the_latest_release() -> None:
    released = Release.read().version
    newer = [migration for migration in migrations() if migration.version > released]

    assert released in [migration.version for migration in migrations()]
    assert all(each.compatible_since in {released, each.version} for each in newer)


async def test_a_recording_of_this_release_can_be_replayed(
    make_database: MakeDatabase, tmp_path: Path
) -> None:
    release = await record(await make_database(), tmp_path)

    assert release.left_out == []
    assert await release.differences(await make_database()) == []


def test_the_file_is_small_enough_for_the_repository() -> None:
    assert FILE.stat().st_size < 700_000


# PostgreSQL refuses a prepared statement whose result has changed.
async def test_a_column_that_a_migration_adds_changes_the_result_of_no_statement(
    make_database: MakeDatabase,
) -> None:
    async with given.sql(await make_database()) as connection:
        before = await _results(connection)
        for table in await connection.fetch(_TABLES):
            await connection.execute(f"alter table {table['name']} add column another text")

        assert await _results(connection) == before


async def _results(connection: asyncpg.Connection) -> dict[str, list[str]]:
    """The columns of the result of each statement of the server."""
    return {
        name: [column.name for column in (await connection.prepare(each.sql)).get_attributes()]
        for name, each in statements().items()
    }

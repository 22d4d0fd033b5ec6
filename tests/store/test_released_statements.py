"""The statements of the latest release run on the schema of this one, for rolling upgrades."""

import json

import asyncpg

from server.store.schema import migrations
from tests.support import given
from tests.support.databases import MakeDatabase
from tests.support.released import RELEASED, parameter_types
from tests.support.statements import statements

_TABLES = """
select oid::regclass::text as name from pg_class
where relkind in ('r', 'p') and not relispartition
    and relnamespace = current_schema()::regnamespace"""


async def test_statements_of_the_latest_release_run_on_a_schema_that_is_declared_compatible(
    make_database: MakeDatabase,
) -> None:
    released = json.loads(RELEASED.read_text())
    broken = {}
    async with given.sql(await make_database()) as connection:
        for name, (sql, types) in released["statements"].items():
            try:
                now = await parameter_types(connection, sql)
            except asyncpg.PostgresError as error:
                broken[name] = str(error)
            else:
                if now != types:
                    broken[name] = f"parameters {types} are now {now}"

    since = max(each.compatible_since for each in migrations())
    assert not broken or since > released["migration"], broken


def test_migrations_are_compatible_at_most_with_the_latest_release() -> None:
    released = json.loads(RELEASED.read_text())["migration"]
    newer = [migration for migration in migrations() if migration.version > released]

    assert released in [migration.version for migration in migrations()]
    assert all(each.compatible_since in {released, each.version} for each in newer)


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

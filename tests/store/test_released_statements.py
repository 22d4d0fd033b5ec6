"""The statements of the latest release run on the schema of this one, for rolling upgrades."""

import json

import asyncpg

from server.store.schema import migrations
from tests.support import given
from tests.support.databases import MakeDatabase
from tests.support.released import RELEASED, parameter_types

# Released statements that a contract step breaks, each with the migration and the reason.
ENDED: dict[str, str] = {}


async def test_statements_of_the_latest_release_run_on_this_schema(
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

    assert broken.keys() == ENDED.keys(), broken


def test_the_file_is_of_a_migration_that_exists() -> None:
    version = json.loads(RELEASED.read_text())["migration"]

    assert version in [migration.version for migration in migrations()]

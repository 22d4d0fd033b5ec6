"""Migrations: forward only, all or none, safe from several processes at once."""

import asyncio

import pytest

from server.store.database import connected
from server.store.migrate import migrate
from server.store.schema import (
    SchemaNotCurrentError,
    SchemaTooNewError,
    migrations,
    require_current,
)
from server.store.statement import statement
from tests.support.databases import MakeDatabase


def test_versions_count_up_from_one_without_gaps() -> None:
    versions = [migration.version for migration in migrations()]

    assert versions == list(range(1, len(versions) + 1))


async def test_what_is_applied_is_not_applied_again(make_database: MakeDatabase) -> None:
    async with connected(await make_database(empty=True), pool_size=1) as database:
        assert await migrate(database) == len(migrations())
        assert await migrate(database) == 0
        await require_current(database)


async def test_of_several_at_once_one_migrates(make_database: MakeDatabase) -> None:
    async with connected(await make_database(empty=True), pool_size=4) as database:
        applied = await asyncio.gather(*(migrate(database) for _ in range(4)))

        assert sorted(applied) == [0, 0, 0, len(migrations())]


async def test_a_migration_that_fails_leaves_nothing(make_database: MakeDatabase) -> None:
    async with connected(await make_database(empty=True), pool_size=1) as database:
        async with database.transaction() as transaction:
            await transaction.script("create table smtp_configs (in_the_way int)")

        with pytest.raises(Exception, match="smtp_configs"):
            await migrate(database)

        tables = await database.fetch(
            statement("select from pg_tables where schemaname = current_schema()")
        )
        assert len(tables) == 1


async def test_a_database_that_was_never_migrated_is_not_current(
    make_database: MakeDatabase,
) -> None:
    async with connected(await make_database(empty=True), pool_size=1) as database:
        with pytest.raises(SchemaNotCurrentError, match="Run: keystead migrate"):
            await require_current(database)


async def test_a_newer_schema_is_neither_used_nor_touched(make_database: MakeDatabase) -> None:
    async with connected(await make_database(empty=True), pool_size=1) as database:
        await migrate(database)
        await database.fetch(statement("insert into schema_versions (version) values (9999)"))

        for step in (migrate, require_current):
            with pytest.raises(SchemaTooNewError, match="Start the release that migrated it"):
                await step(database)

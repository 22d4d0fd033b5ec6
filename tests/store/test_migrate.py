"""Migrations: forward only, all or none, safe from several processes at once."""

import asyncio
import re
from collections.abc import AsyncIterator

import asyncpg
import pytest

from keystead.user.v1 import user_service_pb2 as user_pb
from server.store import migrate as migrate_module
from server.store import schema
from server.store.database import Database, connected
from server.store.migrate import MigrationBlockedError, migrate
from server.store.schema import (
    Migration,
    SchemaNotCurrentError,
    SchemaTooNewError,
    current_version,
    migrations,
    newest_version,
    require_current,
)
from server.store.statement import statement
from tests.conftest import MakeInstance
from tests.support import given
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
        with pytest.raises(SchemaNotCurrentError, match="has no tables of Keystead yet"):
            await require_current(database)


@pytest.fixture
async def newer(make_database: MakeDatabase) -> AsyncIterator[tuple[Database, asyncpg.Connection]]:
    """A database, and a connection by which a newer release migrates it."""
    dsn = await make_database()
    async with connected(dsn, pool_size=1) as database, given.sql(dsn) as release:
        yield database, release


async def test_servers_start_on_a_newer_schema_that_is_compatible_with_them(
    newer: tuple[Database, asyncpg.Connection],
) -> None:
    database, release = newer
    await release.execute(given.NEWER_SCHEMA, 9999, newest_version())

    assert await migrate(database) == 0
    assert await current_version(database) == 9999


async def test_servers_refuse_a_newer_schema_and_name_the_versions_and_the_action(
    newer: tuple[Database, asyncpg.Connection],
) -> None:
    database, release = newer
    await release.execute(given.NEWER_SCHEMA, 9999, newest_version() + 1)
    await release.execute(given.NEWER_SCHEMA, 10_000, newest_version())

    with pytest.raises(SchemaTooNewError) as refusal:
        await migrate(database)

    assert str(refusal.value) == (
        f"The database has schema version 10000, which needs servers of version"
        f" {newest_version() + 1} or newer; this release of Keystead has {newest_version()}."
        " Use the release that migrated the database, or a newer one."
    )


async def test_commands_refuse_a_newer_schema_that_is_compatible_with_servers(
    newer: tuple[Database, asyncpg.Connection],
) -> None:
    database, release = newer
    await release.execute(given.NEWER_SCHEMA, 9999, newest_version())

    with pytest.raises(SchemaTooNewError, match="Commands need the same version"):
        await require_current(database)


@pytest.mark.parametrize(
    ("compatible_since", "action"),
    [(20, "Its servers can keep running."), (21, "Stop all servers first")],
)
async def test_an_older_schema_is_refused_with_what_becomes_of_running_servers(
    newer: tuple[Database, asyncpg.Connection],
    monkeypatch: pytest.MonkeyPatch,
    compatible_since: int,
    action: str,
) -> None:
    database, release = newer
    await release.execute("delete from schema_versions where version > 20")
    next_one = Migration(22, compatible_since, "")
    monkeypatch.setattr(schema, "migrations", lambda: [*migrations()[:21], next_one])

    with pytest.raises(SchemaNotCurrentError, match=f"version 20, this .* 22. {action}"):
        await require_current(database)


def test_a_migration_declares_the_schema_of_the_previous_release_or_its_own() -> None:
    versions = [migration.version for migration in migrations()]

    for migration in migrations():
        declares = migration.sql.startswith("-- compatible since: ")
        assert declares or migration.version < 21, f"migration {migration.version}"
        assert migration.compatible_since in versions[: migration.version]


async def test_a_migration_that_waits_for_a_lock_lets_calls_through_and_tries_again(
    make_database: MakeDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(migrate_module, "_PAUSE_SECONDS", 0)
    change = Migration(9999, 20, "alter table users add column nickname text")
    dsn = await make_database()
    async with connected(dsn, pool_size=1) as database, given.sql(dsn) as backup:
        monkeypatch.setattr(migrate_module, "migrations", lambda: [*migrations(), change])
        async with backup.transaction():
            await backup.execute("select from users")
            migrating = asyncio.create_task(migrate(database))
            async with given.sql(dsn) as caller:
                await given.waiting_for_a_lock(caller)
                await caller.execute("select from users")  # queues behind the migration

        assert await migrating == 1


async def test_a_migration_that_never_gets_its_locks_ends_and_names_the_cause(
    make_database: MakeDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(migrate_module, "_PAUSE_SECONDS", 0)
    monkeypatch.setattr(migrate_module, "_ATTEMPTS", 2)
    change = Migration(9999, 20, "alter table users add column nickname text")
    dsn = await make_database()
    async with connected(dsn, pool_size=1) as database, given.sql(dsn) as backup:
        monkeypatch.setattr(migrate_module, "migrations", lambda: [*migrations(), change])
        async with backup.transaction():
            await backup.execute("select from users")
            with pytest.raises(MigrationBlockedError, match="pg_stat_activity"):
                await migrate(database)

        assert await current_version(database) == newest_version()


async def test_a_call_that_reads_a_table_and_writes_to_it_later_ends_before_its_migrations(
    newer: tuple[Database, asyncpg.Connection], monkeypatch: pytest.MonkeyPatch
) -> None:
    database, call = newer
    version = newest_version()
    refer = Migration(version + 1, version, "create table notes (user_id text references users)")
    alter = Migration(version + 2, version, "alter table users add column noted_at timestamptz")
    both = [*migrations(), refer, alter]
    for module in (migrate_module, schema):
        monkeypatch.setattr(module, "migrations", lambda: both)
    async with call.transaction():
        await call.fetch("select from users for key share")
        migrating = asyncio.create_task(migrate(database))
        await given.waiting_for_a_lock(call)
        await call.execute("set local lock_timeout = '200ms'")
        await call.execute("update users set display_name = display_name")

    assert await migrating == 2


# Servers run during migrations since version 21.
def test_every_altered_table_is_found() -> None:
    for migration in migrations()[20:]:
        code = re.sub("--.*", "", migration.sql)

        assert len(migration.altered_tables) == len(
            re.findall("alter table", code, re.IGNORECASE)
        ), migration.version


async def test_a_server_starts_on_a_database_that_refuses_writes(
    make_instance: MakeInstance,
) -> None:
    async with (
        make_instance() as writing,
        given.read_only(writing.dsn),
        make_instance(dsn=writing.dsn, data_dir=writing.data_dir) as reading,
    ):
        admin = reading.admin
        found = await admin.call(admin.users.GetCurrentUser, user_pb.GetCurrentUserRequest())
    assert found.user.user_id == admin.user_id

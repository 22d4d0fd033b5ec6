"""Brings the schema of a database up to date: forward only, all in one transaction."""

from importlib import resources
from typing import NamedTuple

from server.store.database import Database
from server.store.event_partitions import SHORT_WAIT, attach, create_table, missing_months
from server.store.statement import statement
from server.values.errors import Failure, Kind, OperatorError


class SchemaTooNewError(OperatorError):
    """A newer Keystead has migrated this database; this one does not know its schema."""


class SchemaNotCurrentError(OperatorError):
    """The database lacks migrations of this release."""


class Migration(NamedTuple):
    """A file `NNNN_title.sql` of `server/store/migrations`."""

    version: int
    sql: str


# Without this lock, of two processes that start at once on an empty database one would fail to
# create the table. The number is arbitrary, and the same in every release. The end of the
# transaction releases the lock.
_ONE_AT_A_TIME = statement("select pg_advisory_xact_lock(7240031)")

# Creates the table of the applied versions.
_VERSIONS_TABLE = """
create table if not exists schema_versions (
    version int primary key,
    migrated_at timestamptz not null default clock_timestamp()
)"""

# Whether the database has that table.
_HAS_VERSIONS = statement("select to_regclass('schema_versions') is not null as has_versions")

# The newest version; 0 for an empty database.
_CURRENT_VERSION = statement("select coalesce(max(version), 0) as version from schema_versions")

# Records that a migration has been applied.
_RECORD_VERSION = statement("insert into schema_versions (version) values (:version)")


def migrations() -> list[Migration]:
    """All migrations of this release, in order."""
    files = resources.files("server.store.migrations").iterdir()
    return sorted(
        Migration(int(file.name.split("_")[0]), file.read_text())
        for file in files
        if file.name.endswith(".sql")
    )


async def migrate(database: Database) -> int:
    """Applies the missing migrations and returns their number. Also calls `add_partitions`.

    SchemaTooNewError if the schema is newer than this release.
    """
    known = migrations()
    async with database.transaction() as transaction:
        await transaction.fetch(_ONE_AT_A_TIME)
        await transaction.script(_VERSIONS_TABLE)
        [row] = await transaction.fetch(_CURRENT_VERSION)
        current: int = row["version"]
        if current > known[-1].version:
            raise _too_new(current)
        missing = [migration for migration in known if migration.version > current]
        for migration in missing:
            await transaction.script(migration.sql)
            await transaction.fetch(_RECORD_VERSION, version=migration.version)
    await add_partitions(database)
    return len(missing)


async def add_partitions(database: Database) -> None:
    """Adds the partitions of the log for the present and the next month, if they are missing.

    Does nothing while another transaction, such as a backup, holds a lock for longer than a moment:
    there is a month to try again.
    """
    if not await missing_months(database):
        return
    try:
        async with database.transaction() as transaction:
            await transaction.script(SHORT_WAIT)
            await transaction.fetch(_ONE_AT_A_TIME)
            for partition in await missing_months(transaction):
                await create_table(transaction, partition)
                await attach(transaction, partition)
    except Failure as failure:
        if failure.kind is not Kind.ABORTED:
            raise


async def require_current(database: Database) -> None:
    """SchemaNotCurrentError or SchemaTooNewError unless the schema is that of this release."""
    [row] = await database.fetch(_HAS_VERSIONS)
    version = (await database.fetch(_CURRENT_VERSION))[0]["version"] if row["has_versions"] else 0
    newest = migrations()[-1].version
    if version > newest:
        raise _too_new(version)
    if version < newest:
        raise SchemaNotCurrentError(
            f"The database has schema version {version}, this release of Keystead {newest}."
            " Run: keystead migrate"
        )


def _too_new(version: int) -> SchemaTooNewError:
    return SchemaTooNewError(
        f"The database has schema version {version}; this release of Keystead knows"
        f" {migrations()[-1].version}. Start the release that migrated it, or a newer one."
    )

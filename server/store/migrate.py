"""Brings the schema of a database up to date: forward only, all in one transaction."""

from server.store.database import Database
from server.store.event_partitions import SHORT_WAIT, attach, create_table, missing_months
from server.store.schema import SchemaTooNewError, current_version, migrations
from server.store.statement import statement
from server.values.errors import Failure, Kind

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

# Records that a migration has been applied.
_RECORD_VERSION = statement("insert into schema_versions (version) values (:version)")


async def migrate(database: Database) -> int:
    """Applies the missing migrations and returns their number. Also calls `add_partitions`.

    SchemaTooNewError if the schema is newer than this release.
    """
    known = migrations()
    async with database.transaction() as transaction:
        await transaction.fetch(_ONE_AT_A_TIME)
        await transaction.script(_VERSIONS_TABLE)
        current = await current_version(transaction)
        if current > known[-1].version:
            raise SchemaTooNewError(current)
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

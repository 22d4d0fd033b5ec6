"""Brings the schema of a database up to date: forward only, all in one transaction.

The rule: servers of the older release may be running. A migration gives up when it waits for a lock
longer than their calls can wait behind it, and tries again later.
"""

import asyncio
from collections.abc import Sequence
from typing import Final

from server.store.database import Database, Transaction
from server.store.schema import (
    Migration,
    current_version,
    migrations,
    newest_version,
    require_compatible,
)
from server.store.statement import statement
from server.values.errors import Failure, Kind, OperatorError

# Calls of running servers queue behind a migration that waits for a lock. So it waits for a moment
# only, shorter than the `deadlock_timeout` after which PostgreSQL would end calls that already hold
# a lock, and lets them through before it tries again.
_PAUSE_SECONDS = 2.0
_ATTEMPTS = 24

# The time for which a change of tables that are in use waits for their readers and writers, which
# queue behind it.
SHORT_WAIT: Final = "set local lock_timeout = '500ms'"

# Without this lock, of two processes that start at once on an empty database one would fail to
# create the table. The number is arbitrary, and the same in every release. The end of the
# transaction releases the lock.
ONE_AT_A_TIME = statement("select pg_advisory_xact_lock(7240031)")

# The tables of these names that exist.
_EXISTING = statement("""
select relname from pg_class
where relname = any(:names::text[]) and relnamespace = current_schema()::regnamespace
order by relname""")

# Creates the table of the applied versions.
_VERSIONS_TABLE = """
create table if not exists schema_versions (
    version int primary key,
    migrated_at timestamptz not null default clock_timestamp()
)"""

# Records that a migration has been applied.
_RECORD_VERSION = statement("insert into schema_versions (version) values (:version)")

# Records the oldest version whose servers run on the new schema. A statement of its own, because
# the column is younger than the table.
_RECORD_COMPATIBILITY = statement("""
update schema_versions set compatible_since = :compatible_since where version = :version""")


class MigrationBlockedError(OperatorError):
    """Another transaction kept a lock that a migration needs. Nothing was changed."""

    def __init__(self) -> None:
        super().__init__(
            "The database was not migrated, because other transactions kept locks on its tables for"
            " a minute: perhaps a backup. Find them by: select pid, xact_start, query from"
            " pg_stat_activity order by xact_start. Wait until they end, and start again."
        )


async def migrate(database: Database) -> int:
    """Applies the missing migrations and returns their number.

    Applies none to the schema of a newer release on which servers of this one run.
    SchemaTooNewError if they do not. MigrationBlockedError.
    """
    for _ in range(_ATTEMPTS):
        try:
            applied = await _migrate(database)
        except Failure as failure:
            if failure.kind is not Kind.ABORTED:
                raise
            await asyncio.sleep(_PAUSE_SECONDS)
        else:
            return applied
    raise MigrationBlockedError


async def _migrate(database: Database) -> int:
    async with database.transaction() as transaction:
        await transaction.fetch(ONE_AT_A_TIME)
        await transaction.script(SHORT_WAIT)
        current = await current_version(transaction)
        if current > newest_version():
            await require_compatible(transaction)
        missing = [migration for migration in migrations() if migration.version > current]
        if missing:  # otherwise nothing is written, and a server starts on a standby
            await transaction.script(_VERSIONS_TABLE)
        await _lock(transaction, missing)
        for migration in missing:
            await transaction.script(migration.sql)
            await transaction.fetch(_RECORD_VERSION, version=migration.version)
        if missing:
            await transaction.fetch(
                _RECORD_COMPATIBILITY,
                version=newest_version(),
                compatible_since=max(each.compatible_since for each in missing),
            )
    return len(missing)


async def _lock(transaction: Transaction, missing: Sequence[Migration]) -> None:
    """Takes the strongest lock of each existing table first.

    Otherwise a call that reads a table and then writes to it waits for an earlier migration, which
    has locked the table against writers, and a later one, which changes it, waits for the call.
    """
    names = {name for migration in missing for name in migration.altered_tables}
    existing = await transaction.fetch(_EXISTING, names=sorted(names))
    if existing:
        tables = ", ".join(row["relname"] for row in existing)
        await transaction.script(f"lock table {tables} in access exclusive mode")

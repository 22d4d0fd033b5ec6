"""Brings the schema of a database up to date: forward only, all in one transaction, safe from several processes."""

from importlib import resources
from typing import NamedTuple

from server.database import Database


class SchemaTooNewError(Exception):
    """A newer Keystead has migrated this database; this one does not know its schema."""


class SchemaNotCurrentError(Exception):
    """The database lacks migrations of this release."""


class Migration(NamedTuple):
    """A file `NNNN_title.sql` of `server/migrations`."""

    version: int
    sql: str


# Two processes that start at once on an empty database would both create the table and one would fail. The number is
# arbitrary; it only has to be the same in every release. Released when the transaction ends.
_ONE_AT_A_TIME = "select pg_advisory_xact_lock(7240031)"

_VERSIONS_TABLE = """
create table if not exists schema_versions (
    version int primary key,
    migrated_at timestamptz not null default clock_timestamp()
)"""

_HAS_VERSIONS = "select to_regclass('schema_versions') is not null as has_versions"

_CURRENT_VERSION = "select coalesce(max(version), 0) as version from schema_versions"

_RECORD_VERSION = "insert into schema_versions (version) values ($1)"


def migrations() -> list[Migration]:
    """All migrations of this release, in order."""
    files = (file for file in resources.files("server.migrations").iterdir() if file.name.endswith(".sql"))
    return sorted(Migration(int(file.name.split("_")[0]), file.read_text()) for file in files)


async def migrate(database: Database) -> int:
    """Applies what is missing and returns how many migrations that were. SchemaTooNewError for a newer database."""
    known = migrations()
    async with database.transaction() as transaction:
        await transaction.fetch(_ONE_AT_A_TIME)
        await transaction.script(_VERSIONS_TABLE)
        [row] = await transaction.fetch(_CURRENT_VERSION)
        current: int = row["version"]
        if current > known[-1].version:
            raise SchemaTooNewError(
                f"The database has schema version {current}; this release of Keystead knows {known[-1].version}."
                " Start the release that migrated it, or a newer one."
            )
        missing = [migration for migration in known if migration.version > current]
        for migration in missing:
            await transaction.script(migration.sql)
            await transaction.fetch(_RECORD_VERSION, migration.version)
    return len(missing)


async def require_current(database: Database) -> None:
    """SchemaNotCurrentError unless every migration of this release is applied."""
    [row] = await database.fetch(_HAS_VERSIONS)
    version = (await database.fetch(_CURRENT_VERSION))[0]["version"] if row["has_versions"] else 0
    if version != migrations()[-1].version:
        raise SchemaNotCurrentError(
            f"The database has schema version {version}, this release of Keystead {migrations()[-1].version}."
            " Run: keystead migrate"
        )

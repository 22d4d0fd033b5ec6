"""The schema of this release: its migrations, and whether a database has it."""

from importlib import resources
from typing import NamedTuple

from server.store.database import Statements
from server.store.statement import statement
from server.values.errors import OperatorError

# Whether the database has the table of the applied versions.
_HAS_VERSIONS = statement("select to_regclass('schema_versions') is not null as has_versions")

# The newest version; 0 for an empty database.
_CURRENT_VERSION = statement("select coalesce(max(version), 0) as version from schema_versions")


class SchemaTooNewError(OperatorError):
    """A newer Keystead has migrated this database; this one does not know its schema."""

    def __init__(self, version: int) -> None:
        super().__init__(
            f"The database has schema version {version}; this release of Keystead knows"
            f" {migrations()[-1].version}. Start the release that migrated it, or a newer one."
        )


class SchemaNotCurrentError(OperatorError):
    """The database lacks migrations of this release."""


class Migration(NamedTuple):
    """A file `NNNN_title.sql` of `server/store/migrations`."""

    version: int
    sql: str


def migrations() -> list[Migration]:
    """All migrations of this release, in order."""
    files = resources.files("server.store.migrations").iterdir()
    return sorted(
        Migration(int(file.name.split("_")[0]), file.read_text())
        for file in files
        if file.name.endswith(".sql")
    )


async def current_version(database: Statements) -> int:
    """The newest migration that the database has; 0 without any."""
    if not (await database.fetch_one(_HAS_VERSIONS))["has_versions"]:
        return 0
    return int((await database.fetch_one(_CURRENT_VERSION))["version"])


async def require_current(database: Statements) -> None:
    """SchemaNotCurrentError or SchemaTooNewError unless the schema is that of this release."""
    version = await current_version(database)
    newest = migrations()[-1].version
    if version > newest:
        raise SchemaTooNewError(version)
    if version < newest:
        raise SchemaNotCurrentError(
            f"The database has schema version {version}, this release of Keystead {newest}."
            " Run: keystead migrate"
        )

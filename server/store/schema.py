"""The schema of this release: its migrations, and whether a release runs on a database.

Each migration declares in its first line the oldest schema version whose servers run on the new
schema; the database records it. So servers of the previous release can start and serve during a
rolling upgrade, or refuse, without knowing the migrations of the next one (decision 5).

The rule: only servers run on a schema that is newer than their release. Commands, such as `rebuild`
and `rotate-keys`, must know every table.
"""

import functools
import re
from collections.abc import Sequence
from importlib import resources
from typing import Final, NamedTuple

from server.store.database import Statements
from server.store.statement import statement
from server.values.errors import OperatorError

_COMPATIBLE_SINCE: Final = re.compile(r"-- compatible since: (\d+)\n")

_ALTERED: Final = re.compile(r"^alter table (\w+)", re.MULTILINE)

# Whether the database has the table of the applied versions.
_HAS_VERSIONS = statement("select to_regclass('schema_versions') is not null as has_versions")

# The newest version; 0 for an empty database.
_CURRENT_VERSION = statement("select coalesce(max(version), 0) as version from schema_versions")

# SQL: the oldest version whose servers run on the schema. Exists since version 21.
COMPATIBLE_SINCE: Final = "(select max(compatible_since) from schema_versions)"
_FIND_COMPATIBLE_SINCE = statement(f"select {COMPATIBLE_SINCE} as version")

_USE_ANOTHER: Final = "Use the release that migrated the database, or a newer one."


class SchemaTooNewError(OperatorError):
    """A newer Keystead has migrated this database, and this release does not run on its schema."""


class SchemaNotCurrentError(OperatorError):
    """The database lacks migrations of this release."""


class Migration(NamedTuple):
    """A file `NNNN_title.sql` of `server/store/migrations`.

    `compatible_since` is the oldest schema version whose servers run on the new schema.
    """

    version: int
    compatible_since: int
    sql: str

    @property
    def altered_tables(self) -> Sequence[str]:
        """The tables that it changes, some of which an earlier migration creates."""
        return _ALTERED.findall(self.sql)


@functools.cache
def migrations() -> Sequence[Migration]:
    """All migrations of this release, in order."""
    files = resources.files("server.store.migrations").iterdir()
    return sorted(
        _migration(int(file.name.split("_")[0]), file.read_text())
        for file in files
        if file.name.endswith(".sql")
    )


def _migration(version: int, sql: str) -> Migration:
    declared = _COMPATIBLE_SINCE.match(sql)
    return Migration(version, int(declared[1]) if declared else version, sql)


def newest_version() -> int:
    """The schema version of this release."""
    return migrations()[-1].version


async def current_version(database: Statements) -> int:
    """The newest migration that the database has; 0 without any."""
    if not (await database.fetch_one(_HAS_VERSIONS))["has_versions"]:
        return 0
    return int((await database.fetch_one(_CURRENT_VERSION))["version"])


async def require_compatible(database: Statements) -> None:
    """SchemaTooNewError unless servers of this release run on the newer schema of the database."""
    since = (await database.fetch_one(_FIND_COMPATIBLE_SINCE))["version"]
    if since > newest_version():
        raise SchemaTooNewError(
            f"The database has schema version {await current_version(database)}, which needs"
            f" servers of version {since} or newer; this release of Keystead has"
            f" {newest_version()}. {_USE_ANOTHER}"
        )


async def require_current(database: Statements) -> None:
    """SchemaNotCurrentError or SchemaTooNewError unless the schema is that of this release."""
    version = await current_version(database)
    if version > newest_version():
        raise SchemaTooNewError(
            f"The database has schema version {version}, this release of Keystead"
            f" {newest_version()}. Commands need the same version. {_USE_ANOTHER}"
        )
    if not version:
        raise SchemaNotCurrentError(
            "The database has no tables of Keystead yet. If KEYSTEAD_DATABASE_URL names the right"
            " one, start the server, which creates them. To create them without it, run: keystead"
            " migrate"
        )
    if version < newest_version():
        raise SchemaNotCurrentError(
            f"The database has schema version {version}, this release of Keystead"
            f" {newest_version()}. {_before_migrating(version)}Run: keystead migrate"
        )


def _before_migrating(version: int) -> str:
    """A sentence about running servers of the older release, before a migration."""
    since = max(each.compatible_since for each in migrations() if each.version > version)
    if version >= since:
        return "Its servers can keep running. "
    return "Stop all servers first: they do not run on the new schema. "

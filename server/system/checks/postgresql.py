"""The PostgreSQL server: its version, connections, clock and indexes."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from server.settings.settings import Settings
from server.store.database import Statements
from server.store.statement import statement
from server.system.checks.findings import Finding
from server.system.checks.reasons import FindingReason, Said, found
from server.values.counted import counted

_OLDEST_VERSION: Final = 150_000  # as in server_version_num: 15.0
_MOST_CLOCK_DIFFERENCE: Final = timedelta(seconds=5)
# Connections of each process besides its pool, see `database_pool_size` in settings.py.
_FOR_HEALTH: Final = 1

# The version and clock of PostgreSQL, and the least of its connection limits: its own, and those of
# the role and the database. `reserved_connections` exists since PostgreSQL 16.
_SERVER = statement("""
select current_setting('server_version_num')::int as version, clock_timestamp() as now,
    least(
        current_setting('max_connections')::int
            - current_setting('superuser_reserved_connections')::int
            - coalesce(current_setting('reserved_connections', true)::int, 0),
        (select nullif(rolconnlimit, -1) from pg_roles where rolname = session_user),
        (select nullif(datconnlimit, -1) from pg_database where datname = current_database())
    ) as max_connections""")

# Indexes that PostgreSQL does not use, because their concurrent creation was interrupted.
_INVALID_INDEXES = statement("""
select pg_index.indexrelid::regclass::text as name
from pg_index join pg_class on pg_class.oid = pg_index.indexrelid
where not pg_index.indisvalid and pg_class.relnamespace = current_schema()::regnamespace
    and not exists (
        select from pg_stat_progress_create_index as creation
        where creation.index_relid = pg_index.indexrelid)
order by name""")


@dataclass(frozen=True, slots=True)
class ServerFacts:
    """`version` as in server_version_num; `clock_ahead` is its clock minus this machine's."""

    version: int
    max_connections: int
    clock_ahead: timedelta


async def check(settings: Settings, database: Statements) -> list[Finding]:
    """The version, connections, clock and indexes."""
    server = await look_at_server(database)
    return [
        *version(server),
        *_connections(settings, server),
        *clock(server),
        *await _indexes(database),
    ]


async def look_at_server(database: Statements) -> ServerFacts:
    """Reads the facts. The clock is compared with the middle of the round trip."""
    asked_at = datetime.now(UTC)
    row = await database.fetch_one(_SERVER)
    here = asked_at + (datetime.now(UTC) - asked_at) / 2
    return ServerFacts(row["version"], row["max_connections"], clock_ahead=row["now"] - here)


def version(server: ServerFacts) -> list[Finding]:
    """Older releases lack features that the statements use."""
    number = server.version // 10_000
    if server.version < _OLDEST_VERSION:
        return found(FindingReason.DATABASE_OLD, version=number, oldest=_OLDEST_VERSION // 10_000)
    return found(FindingReason.DATABASE, version=number)


def clock(server: ServerFacts) -> list[Finding]:
    """Expiry uses the clock of the database; logs and clients use the clock of this machine."""
    seconds = server.clock_ahead.total_seconds()
    if abs(server.clock_ahead) > _MOST_CLOCK_DIFFERENCE:
        reason = FindingReason.CLOCK_AHEAD if seconds > 0 else FindingReason.CLOCK_BEHIND
        return found(reason, seconds=f"{abs(seconds):.0f}")
    return found(FindingReason.CLOCK)


def _connections(settings: Settings, server: ServerFacts) -> list[Finding]:
    """All workers must be able to open all of their connections."""
    wanted = settings.workers * (settings.database_pool_size + _FOR_HEALTH)
    if wanted > server.max_connections:
        workers = Said(counted(settings.workers, "worker opens", "workers open"), settings.workers)
        return found(
            FindingReason.CONNECTIONS_TOO_FEW,
            workers=workers,
            wanted=wanted,
            allowed=server.max_connections,
        )
    return found(FindingReason.CONNECTIONS, wanted=wanted, allowed=server.max_connections)


async def _indexes(database: Statements) -> list[Finding]:
    """A migration takes an index that an operator made before, even if it is not complete."""
    return [
        finding
        for row in await database.fetch(_INVALID_INDEXES)
        for finding in found(FindingReason.INDEX_INCOMPLETE, name=row["name"])
    ]

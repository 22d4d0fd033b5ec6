"""The PostgreSQL server: its version, connections, clock and indexes."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from server.settings.settings import Settings
from server.settings.sources import PREFIX
from server.store.database import Statements
from server.store.statement import statement
from server.system.checks.findings import Finding, ok, problem, warning
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
    shown = f"PostgreSQL {server.version // 10_000}"
    if server.version < _OLDEST_VERSION:
        oldest = _OLDEST_VERSION // 10_000
        return problem("database", f"{shown} is too old.", f"Use {oldest} or newer.")
    return ok("database", f"{shown}, with the schema of this release.")


def clock(server: ServerFacts) -> list[Finding]:
    """Expiry uses the clock of the database; logs and clients use the clock of this machine."""
    seconds = server.clock_ahead.total_seconds()
    if abs(server.clock_ahead) > _MOST_CLOCK_DIFFERENCE:
        return warning(
            "clock",
            f"The database's clock is {abs(seconds):.0f} seconds"
            f" {'ahead of' if seconds > 0 else 'behind'} this machine's."
            " Session JWTs have the database's time: services whose clock differs refuse them.",
            "Synchronize them by NTP.",
        )
    return ok("clock", "The clock of the database agrees with this machine's.")


def _connections(settings: Settings, server: ServerFacts) -> list[Finding]:
    """All workers must be able to open all of their connections."""
    wanted = settings.workers * (settings.database_pool_size + _FOR_HEALTH)
    if wanted > server.max_connections:
        return problem(
            "connections",
            f"{counted(settings.workers, 'worker opens', 'workers open')} up to {wanted}"
            f" connections, PostgreSQL allows {server.max_connections}: calls fail under load.",
            f"Lower {PREFIX}DATABASE_POOL_SIZE, or raise max_connections, or the connection limit"
            " of the role or database.",
        )
    return ok("connections", f"Up to {wanted} of {server.max_connections} available.")


async def _indexes(database: Statements) -> list[Finding]:
    """A migration takes an index that an operator made before, even if it is not complete."""
    return [
        finding
        for row in await database.fetch(_INVALID_INDEXES)
        for finding in problem(
            "indexes",
            f"The index {row['name']} is incomplete and not used: its creation was interrupted.",
            f"Create it again by this SQL: reindex index concurrently {row['name']}",
        )
    ]

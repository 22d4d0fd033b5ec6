"""`keystead rebuild`: replays the log into fresh tables by the statements that commands use, compares, and swaps.

The fresh tables are made by the migrations in a schema of their own, and everything happens in one transaction, so a
rebuild that fails or only compares leaves nothing behind.
"""

from dataclasses import dataclass

from server.database import Database, Transaction
from server.eventstore import Projections
from server.idp import store as idp_store
from server.migrate import migrations
from server.org import store as org_store
from server.passkey import store as passkey_store
from server.smtp import store as smtp_store
from server.user import store as user_store
from server.user import token_store

PROJECTIONS: Projections = {
    **org_store.PROJECTIONS,
    **user_store.PROJECTIONS,
    **token_store.PROJECTIONS,
    **passkey_store.PROJECTIONS,
    **idp_store.PROJECTIONS,
    **smtp_store.PROJECTIONS,
}

# Those that others refer to come first.
TABLES = ("organizations", "users", "tokens", "passkeys", "idps", "smtp_configs", "unique_claims")

_SNAPSHOT = "set transaction isolation level repeatable read"

# Nothing is appended without its projections, so nothing is appended while these are locked.
_LOCK = f"lock table {', '.join(TABLES)} in share row exclusive mode"

_LIVE_SCHEMA = "select current_schema() as name"

_NEW_SCHEMA = """
create schema keystead_rebuild;
set local search_path = keystead_rebuild"""

# What only holds between aggregates may not hold half-way: the log is replayed aggregate by aggregate, not by time,
# since the clock of the database may have jumped. It must hold at the end.
_WITHOUT_UNIQUENESS = """
alter table unique_claims drop constraint unique_claims_pkey;
alter table smtp_configs drop constraint smtp_configs_pkey"""
_WITH_UNIQUENESS = """
alter table unique_claims add primary key (kind, value);
alter table smtp_configs add primary key (singleton)"""

# The first events of all aggregates, then the second ones, and so on: within a generation there is one event of an
# aggregate at most, which is what projections ask for.
_NUMBER_EVENTS = """
create temporary table numbered_events on commit drop as
select *, row_number() over (partition by aggregate_id order by sequence) as generation from {live}.events;
create index on numbered_events (generation, event_type);
analyze numbered_events"""

_GENERATIONS = """
select generation, event_type, count(*) as events from numbered_events group by generation, event_type
order by generation, event_type"""

_DIFFERENCE = """
select
    (select count(*) from (select * from {live}.{table} except select * from {table}) as surplus) as surplus,
    (select count(*) from (select * from {table} except select * from {live}.{table}) as missing) as missing"""


class UnknownEventError(Exception):
    """The log has an event that this release has no projection for; a newer one has written it."""


@dataclass(frozen=True, slots=True)
class Difference:
    """How a read table differs from the log: rows it should not have, rows it lacks. A changed row is both."""

    table: str
    surplus: int
    missing: int


@dataclass(frozen=True, slots=True)
class Report:
    """What a rebuild found."""

    events: int
    differences: tuple[Difference, ...]


async def rebuild(database: Database, *, repair: bool) -> Report:
    """Compares the read tables with the log. `repair` puts the rebuilt rows in place; writers wait meanwhile."""
    async with database.transaction() as transaction:
        await transaction.script(_LOCK if repair else _SNAPSHOT)
        [schema] = await transaction.fetch(_LIVE_SCHEMA)
        live: str = schema["name"]
        await _make_fresh_tables(transaction)
        events = await _replay(transaction, live)
        differences = tuple([await _compare(transaction, live, table) for table in TABLES])
        differences = tuple(found for found in differences if found.surplus or found.missing)
        if repair and differences:
            await _swap(transaction, live)
        await transaction.script(f"set local search_path = {live}; drop schema keystead_rebuild cascade")
    return Report(events, differences)


async def _make_fresh_tables(transaction: Transaction) -> None:
    await transaction.script(_NEW_SCHEMA)
    for migration in migrations():
        await transaction.script(migration.sql)
    await transaction.script(_WITHOUT_UNIQUENESS)


async def _replay(transaction: Transaction, live: str) -> int:
    statements = {event.event_type: sql for event, sql in PROJECTIONS.items()}
    await transaction.script(_NUMBER_EVENTS.format(live=live))
    replayed = 0
    for row in await transaction.fetch(_GENERATIONS):
        event_type = row["event_type"]
        if event_type not in statements:
            raise UnknownEventError(
                f"The log has an event '{event_type}', which this release of Keystead does not know. Use a newer one."
            )
        for statement in statements[event_type]:
            await transaction.fetch(
                "with event as (select * from numbered_events where generation = $1 and event_type = $2)" + statement,
                row["generation"],
                event_type,
            )
        replayed += row["events"]
    await transaction.script(_WITH_UNIQUENESS)
    return replayed


async def _compare(transaction: Transaction, live: str, table: str) -> Difference:
    [row] = await transaction.fetch(_DIFFERENCE.format(live=live, table=table))
    return Difference(table, row["surplus"], row["missing"])


async def _swap(transaction: Transaction, live: str) -> None:
    """The rows, not the tables: definitions, grants and what refers to them stay."""
    await transaction.script(f"truncate {', '.join(f'{live}.{table}' for table in TABLES)}")
    for table in TABLES:
        await transaction.script(f"insert into {live}.{table} select * from {table}")

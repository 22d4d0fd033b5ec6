"""`keystead rebuild`: replays the log into fresh tables, compares, and puts right what differs.

The fresh tables are made by the migrations in a schema of their own and filled by the statements
that commands use. Everything happens in one transaction, so a rebuild that fails or only compares
leaves nothing behind.
"""

from dataclasses import dataclass

from server.idp import store as idp_store
from server.org import store as org_store
from server.passkey import link_store
from server.passkey import store as passkey_store
from server.passkey.signin import store as signin_store
from server.session import store as session_store
from server.smtp import store as smtp_store
from server.store.database import REFUSED_VALUES, Database, Row, Transaction
from server.store.eventlog import Projections
from server.store.migrate import migrations
from server.user import store as user_store
from server.user import token_store
from server.values.errors import OperatorError

PROJECTIONS: Projections = {
    **org_store.PROJECTIONS,
    **user_store.PROJECTIONS,
    **token_store.PROJECTIONS,
    **passkey_store.PROJECTIONS,
    **session_store.PROJECTIONS,
    **signin_store.PROJECTIONS,
    **link_store.PROJECTIONS,
    **idp_store.PROJECTIONS,
    **smtp_store.PROJECTIONS,
}

# Those that others refer to come first. It is also the order in which commands lock rows: the first
# of these tables that a transaction locks a row of is the first one of all it does, so `_LOCK`
# cannot meet one half-way.
TABLES = (
    "organizations",
    "users",
    "tokens",
    "passkeys",
    "sessions",
    "idps",
    "smtp_configs",
    "unique_claims",
)

_SNAPSHOT = "set transaction isolation level repeatable read"

# Nothing is appended without its projections, so nothing is appended while these are locked.
# Reading goes on.
_LOCK = f"lock table {', '.join(TABLES)} in exclusive mode"

_LIVE_SCHEMA = "select quote_ident(current_schema()) as name"

_NEW_SCHEMA = """
create schema keystead_rebuild;
set local search_path = keystead_rebuild"""

# What only holds between aggregates may not hold half-way: the log is replayed aggregate by
# aggregate, not by time, since the clock of the database may have jumped. It must hold at the end.
_WITHOUT_UNIQUENESS = """
alter table unique_claims drop constraint unique_claims_pkey;
alter table smtp_configs drop constraint smtp_configs_pkey"""
_WITH_UNIQUENESS = """
alter table unique_claims add primary key (kind, value);
alter table smtp_configs add primary key (singleton)"""

# The first events of all aggregates, then the second ones, and so on: within a generation there is
# one event of an aggregate at most, which is what projections ask for.
_NUMBER_EVENTS = """
create temporary table numbered_events on commit drop as
select *, row_number() over (partition by aggregate_id order by sequence) as generation
from {live}.events;
create index on numbered_events (generation, event_type);
analyze numbered_events"""

_WAVES = """
select generation, event_type, count(*) as events from numbered_events
group by generation, event_type order by generation, event_type"""

# Types of events and of their aggregates that a projection knows, in $1 and $2.
_FIRST_UNKNOWN = """
select aggregate_type, aggregate_id, sequence, event_type, revision from numbered_events
where revision <> 1
    or (event_type, aggregate_type) not in (select * from unnest($1::text[], $2::text[]))
order by created_at, aggregate_id, sequence limit 1"""

# $3 is an aggregate, or null for all of them.
_EVENTS_OF_WAVE = """
with event as (
    select * from numbered_events
    where generation = $1 and event_type = $2 and ($3::text is null or aggregate_id = $3))"""

_EACH_OF_WAVE = """
select aggregate_type, aggregate_id, sequence, event_type, revision from numbered_events
where generation = $1 and event_type = $2 order by created_at, aggregate_id"""

_CONFLICTS = """
select kind as of, string_agg(aggregate_id, ', ' order by aggregate_id) as aggregates
from unique_claims group by kind, value having count(*) > 1
union all
select 'SMTP configuration', string_agg(id, ', ' order by id) from smtp_configs
group by singleton having count(*) > 1
limit 1"""

# What an event type does to the fresh tables.
_STATEMENTS = {
    event.event_type: [_EVENTS_OF_WAVE + projection for projection in projections]
    for event, projections in PROJECTIONS.items()
}

# Until its end a transaction keeps every version of a row it wrote, and each update walks past them
# all: without a pause, n events of one aggregate would take n * n steps.
_GENERATIONS_BETWEEN_PAUSES = 1000
_DROP_OLD_VERSIONS = ";".join(
    [
        *(f"create temporary table kept_{table} as select * from {table}" for table in TABLES),
        f"truncate {', '.join(TABLES)}",
        *(f"insert into {table} select * from kept_{table}" for table in TABLES),
        *(f"drop table kept_{table}" for table in TABLES),
    ]
)

_DIFFERENCE = """
select
    (select count(*) from (select * from {live}.{table} except select * from {table}) as surplus)
        as surplus,
    (select count(*) from (select * from {table} except select * from {live}.{table}) as missing
        where not coalesce({may_be_forgotten}, false)) as missing"""

# Rows that housekeeping deletes without an event, so that a read table may have them or not.
_MAY_BE_FORGOTTEN = {
    "tokens": token_store.MAY_BE_FORGOTTEN,
    "sessions": session_store.MAY_BE_FORGOTTEN,
}


class UnknownEventError(OperatorError):
    """The log has an event that this release has no projection for; a newer one has written it."""

    def __init__(self, event: Row) -> None:
        super().__init__(
            f"This release of Keystead does not know {_described(event)}. Use a newer one, or"
            " restore the table events from a backup if no release has written this event."
        )


class UnreplayableLogError(OperatorError):
    """No command writes such events: somebody changed the log."""

    def __init__(self, problem: str) -> None:
        super().__init__(
            f"The log cannot be replayed: {problem}. Keystead does not write such events: restore"
            " the table events from a backup."
        )


@dataclass(frozen=True, slots=True)
class Difference:
    """How a read table differs from the log: rows it should not have, and rows it lacks.

    A changed row is both.
    """

    table: str
    surplus: int
    missing: int


@dataclass(frozen=True, slots=True)
class Report:
    """What a rebuild found."""

    events: int
    differences: tuple[Difference, ...]


async def rebuild(database: Database, *, repair: bool) -> Report:
    """Compares the read tables with the log. UnknownEventError, UnreplayableLogError if it cannot.

    `repair` puts the rebuilt rows in place; meanwhile writers wait.
    """
    async with database.transaction() as transaction:
        await transaction.script(_LOCK if repair else _SNAPSHOT)
        live: str = (await transaction.fetch_one(_LIVE_SCHEMA))["name"]
        await _make_fresh_tables(transaction)
        events = await _replay(transaction, live)
        found = [await _compare(transaction, live, table) for table in TABLES]
        differences = tuple(each for each in found if each.surplus or each.missing)
        if repair and differences:
            await _put_in_place(transaction, live)
        await transaction.script(
            f"set local search_path = {live}; drop schema keystead_rebuild cascade"
        )
    return Report(events, differences)


async def _make_fresh_tables(transaction: Transaction) -> None:
    await transaction.script(_NEW_SCHEMA)
    for migration in migrations():
        await transaction.script(migration.sql)
    await transaction.script(_WITHOUT_UNIQUENESS)


async def _replay(transaction: Transaction, live: str) -> int:
    """Fills the fresh tables, and says from how many events."""
    await transaction.script(_NUMBER_EVENTS.format(live=live))
    await _refuse_unknown(transaction)
    waves = await transaction.fetch(_WAVES)
    pause_at = _GENERATIONS_BETWEEN_PAUSES
    for wave in waves:
        if wave["generation"] > pause_at:
            await transaction.script(_DROP_OLD_VERSIONS)
            pause_at += _GENERATIONS_BETWEEN_PAUSES
        await _replay_wave(transaction, wave)
    await _restore_uniqueness(transaction)
    return sum(wave["events"] for wave in waves)


async def _refuse_unknown(transaction: Transaction) -> None:
    types = [event.event_type for event in PROJECTIONS]
    aggregate_types = [event.aggregate_type for event in PROJECTIONS]
    if unknown := await transaction.fetch_row(_FIRST_UNKNOWN, types, aggregate_types):
        raise UnknownEventError(unknown)


async def _replay_wave(transaction: Transaction, wave: Row) -> None:
    """Projects its events at once; one by one if that fails, to name the one that is malformed."""
    generation, event_type = wave["generation"], wave["event_type"]
    await transaction.script("savepoint wave")
    try:
        await _project(transaction, generation, event_type)
    except REFUSED_VALUES:
        await transaction.script("rollback to savepoint wave")
        for event in await transaction.fetch(_EACH_OF_WAVE, generation, event_type):
            try:
                await _project(transaction, generation, event_type, event["aggregate_id"])
            except REFUSED_VALUES as error:
                raise UnreplayableLogError(f"{_described(event)}: {error}") from error
        raise
    await transaction.script("release savepoint wave")


async def _project(
    transaction: Transaction, generation: int, event_type: str, aggregate_id: str | None = None
) -> None:
    for statement in _STATEMENTS[event_type]:
        await transaction.fetch(statement, generation, event_type, aggregate_id)


async def _restore_uniqueness(transaction: Transaction) -> None:
    if conflict := await transaction.fetch_row(_CONFLICTS):
        raise UnreplayableLogError(
            f"the aggregates {conflict['aggregates']} have the same {conflict['of']}"
        )
    await transaction.script(_WITH_UNIQUENESS)


def _described(event: Row) -> str:
    return (
        f"event {event['sequence']} ({event['event_type']}, revision {event['revision']}) of the"
        f" {event['aggregate_type']} {event['aggregate_id']}"
    )


async def _compare(transaction: Transaction, live: str, table: str) -> Difference:
    row = await transaction.fetch_one(
        _DIFFERENCE.format(
            live=live, table=table, may_be_forgotten=_MAY_BE_FORGOTTEN.get(table, "false")
        )
    )
    return Difference(table, row["surplus"], row["missing"])


async def _put_in_place(transaction: Transaction, live: str) -> None:
    """The rows, not the tables: definitions, grants and what refers to them stay.

    Not by truncate, which would wait for readers, and they for it.
    """
    for table in reversed(TABLES):
        await transaction.script(f"delete from {live}.{table}")
    for table in TABLES:
        await transaction.script(f"insert into {live}.{table} select * from {table}")

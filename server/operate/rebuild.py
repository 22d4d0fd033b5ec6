"""`keystead rebuild`: replays the event log into fresh tables, compares, and repairs.

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
from server.store.statement import statement
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

# The read tables, those that others refer to first. The first row lock of every command is in the
# first of its tables in this order, so `_LOCK` cannot deadlock with a command.
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

# All statements of the transaction see the same rows.
_SNAPSHOT = "set transaction isolation level repeatable read"

# Stops all writers, because each appends an event together with its projections. Readers go on.
_LOCK = f"lock table {', '.join(TABLES)} in exclusive mode"

# The schema that the server uses.
_LIVE_SCHEMA = statement("select quote_ident(current_schema()) as name")

# A schema for the fresh tables.
_NEW_SCHEMA = """
create schema keystead_rebuild;
set local search_path = keystead_rebuild"""

# Uniqueness across aggregates holds at the end, but not always in between: the log is replayed by
# generation, not by time, since the clock of the database may have jumped.
_WITHOUT_UNIQUENESS = """
alter table unique_claims drop constraint unique_claims_pkey;
alter table smtp_configs drop constraint smtp_configs_pkey"""
# Makes PostgreSQL check uniqueness again.
_WITH_UNIQUENESS = """
alter table unique_claims add primary key (kind, value);
alter table smtp_configs add primary key (singleton)"""

# The n-th events of all aggregates are generation n. A generation has at most one event of an
# aggregate, as projections require.
_NUMBER_EVENTS = """
create temporary table numbered_events on commit drop as
select *, row_number() over (partition by aggregate_id order by sequence) as generation
from {live}.events;
create index on numbered_events (generation, event_type);
analyze numbered_events"""

# A wave is the events of one type in a generation.
_WAVES = statement("""
select generation, event_type, count(*) as events from numbered_events
group by generation, event_type order by generation, event_type""")

# The first event without a projection. The parameters are the types that have one, each with the
# type of its aggregate.
_FIRST_UNKNOWN = statement("""
select aggregate_type, aggregate_id, sequence, event_type, revision from numbered_events
where revision <> 1
    or (event_type, aggregate_type) not in (
        select * from unnest(:event_types::text[], :aggregate_types::text[]))
order by created_at, aggregate_id, sequence limit 1""")

# The relation `event` of a projection: a wave, or its one event of `:aggregate_id`.
_EVENTS_OF_WAVE = """
with event as (
    select * from numbered_events
    where generation = :generation and event_type = :event_type
        and (:aggregate_id::text is null or aggregate_id = :aggregate_id))"""

# The events of a wave.
_EACH_OF_WAVE = statement("""
select aggregate_type, aggregate_id, sequence, event_type, revision from numbered_events
where generation = :generation and event_type = :event_type
order by created_at, aggregate_id""")

# Aggregates that have the same unique value.
_CONFLICTS = statement("""
select kind as of, string_agg(aggregate_id, ', ' order by aggregate_id) as aggregates
from unique_claims group by kind, value having count(*) > 1
union all
select 'SMTP configuration', string_agg(id, ', ' order by id) from smtp_configs
group by singleton having count(*) > 1
limit 1""")

# The projections of each event type, over a wave.
_STATEMENTS = {
    event.event_type: [statement(_EVENTS_OF_WAVE + projection) for projection in projections]
    for event, projections in PROJECTIONS.items()
}

# A transaction keeps all versions of its rows until its end, and each update scans them: without a
# pause, n events of one aggregate would take n * n steps.
_GENERATIONS_BETWEEN_PAUSES = 1000
_DROP_OLD_VERSIONS = ";".join(
    [
        *(f"create temporary table kept_{table} as select * from {table}" for table in TABLES),
        f"truncate {', '.join(TABLES)}",
        *(f"insert into {table} select * from kept_{table}" for table in TABLES),
        *(f"drop table kept_{table}" for table in TABLES),
    ]
)

# How many rows of a table only the live schema has, and how many only the fresh one.
_DIFFERENCE = """
select
    (select count(*) from (select * from {live}.{table} except select * from {table}) as surplus)
        as surplus,
    (select count(*) from (select * from {table} except select * from {live}.{table}) as missing
        where not coalesce({may_be_forgotten}, false)) as missing"""

# Rows that housekeeping deletes without an event: a read table may contain them or not.
_MAY_BE_FORGOTTEN = {
    "tokens": token_store.MAY_BE_FORGOTTEN,
    "sessions": session_store.MAY_BE_FORGOTTEN,
}


class UnknownEventError(OperatorError):
    """The log has an event without a projection in this release; a newer one wrote it."""

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
    """The difference of a read table and the log: surplus and missing rows.

    A changed row counts as both.
    """

    table: str
    surplus: int
    missing: int


@dataclass(frozen=True, slots=True)
class Report:
    """The result of a rebuild."""

    events: int
    differences: tuple[Difference, ...]


async def rebuild(database: Database, *, repair: bool) -> Report:
    """Compares the read tables with the log. Raises UnknownEventError, UnreplayableLogError.

    `repair` replaces the rows that differ; writers wait meanwhile.
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
    """Fills the fresh tables, and returns the number of events."""
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
    event_types = [event.event_type for event in PROJECTIONS]
    aggregate_types = [event.aggregate_type for event in PROJECTIONS]
    if unknown := await transaction.fetch_row(
        _FIRST_UNKNOWN, event_types=event_types, aggregate_types=aggregate_types
    ):
        raise UnknownEventError(unknown)


async def _replay_wave(transaction: Transaction, wave: Row) -> None:
    """Projects its events at once; one by one if that fails, to name the malformed one."""
    generation, event_type = wave["generation"], wave["event_type"]
    await transaction.script("savepoint wave")
    try:
        await _project(transaction, generation, event_type)
    except REFUSED_VALUES:
        await transaction.script("rollback to savepoint wave")
        events = await transaction.fetch(
            _EACH_OF_WAVE, generation=generation, event_type=event_type
        )
        for event in events:
            try:
                await _project(transaction, generation, event_type, event["aggregate_id"])
            except REFUSED_VALUES as error:
                raise UnreplayableLogError(f"{_described(event)}: {error}") from error
        raise
    await transaction.script("release savepoint wave")


async def _project(
    transaction: Transaction, generation: int, event_type: str, aggregate_id: str | None = None
) -> None:
    for projection in _STATEMENTS[event_type]:
        await transaction.fetch(
            projection, generation=generation, event_type=event_type, aggregate_id=aggregate_id
        )


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
    difference = _DIFFERENCE.format(
        live=live, table=table, may_be_forgotten=_MAY_BE_FORGOTTEN.get(table, "false")
    )
    row = await transaction.fetch_one(statement(difference))
    return Difference(table, row["surplus"], row["missing"])


async def _put_in_place(transaction: Transaction, live: str) -> None:
    """Replaces rows, not tables: definitions, grants and references stay.

    Without truncate, which conflicts with readers.
    """
    for table in reversed(TABLES):
        await transaction.script(f"delete from {live}.{table}")
    for table in TABLES:
        await transaction.script(f"insert into {live}.{table} select * from {table}")

"""Replays the log into fresh tables, in the order of positions, a range at a time.

The n-th events of all aggregates of a range are generation n. A wave is the events of one type in a
generation: at most one event of an aggregate, as projections require. The waves of users come last,
because their events alone depend on other aggregates.

The rule: a range is replayed in one transaction of the connection that has the fresh tables. Longer
transactions would search many old versions of their rows.
"""

from typing import Final

from server.log.archive_store import require_all_events
from server.log.positions import POSITIONED
from server.operate.rebuild.errors import UnknownEventError, UnreplayableLogError, described
from server.operate.rebuild.projections import PROJECTIONS, TABLES, projecting_function
from server.store.database import Transaction
from server.store.refusals import REFUSED_VALUES
from server.store.statement import statement

# The number of positions of a range.
RANGE: Final = 10_000

# Makes the fresh tables replace those of an earlier rebuild on the connection.
_CLEAR: Final = "discard temp"

# A table with the columns of the live one. Its other indexes would only make projections slower.
_FRESH_TABLE: Final = """
create temporary table {table} (like {table} including defaults including constraints)"""

# The primary keys of the live tables, and then their foreign keys, which delete rows with others.
# Without those of unique values across aggregates: they are unique at the end, but not in between,
# because the waves are not in the order of time.
_KEYS = statement("""
select conrelid::regclass::text as table, pg_get_constraintdef(oid) as definition
from pg_constraint
where conrelid = any(:tables::text[]::regclass[]) and contype in ('p', 'f')
    and conrelid <> all('{unique_claims, smtp_configurations}'::regclass[])
order by contype desc, conname""")

# The indexes that the projections search besides, the events of a range in their waves, those
# without a position that are replayed, and the aggregates with rows that differ.
_TABLES: Final = """
create index on pg_temp.unique_claims (aggregate_id);
create index on pg_temp.idp_links (idp_id);
create index on pg_temp.group_members (group_id);
create temporary table numbered_events (like events, generation bigint) on commit delete rows;
create index on numbered_events (generation, event_type, aggregate_id);
create temporary table replayed_last (aggregate_id text collate "C", sequence bigint);
create temporary table differing (aggregate_id text collate "C")"""

# Numbers the events of a relation, and gives their number.
_NUMBERED: Final = """
    insert into numbered_events
    select aggregate_id, sequence, aggregate_type, event_type, revision, payload, creator, owner,
        created_at, row_number() over (partition by aggregate_id order by sequence)
    from {events} returning 1"""

# Numbers the events of a range of positions.
_NUMBER_RANGE = statement(f"""
with numbered as ({_NUMBERED.format(events=POSITIONED)})
select count(*) as events from numbered""")

# The events of `place`. The limit keeps the planner from reading all events.
_LAST: Final = """place cross join lateral (
        select aggregate_type, event_type, revision, payload, creator, owner, created_at
        from events
        where events.aggregate_id = place.aggregate_id and events.sequence = place.sequence
        limit 1) as event"""

# Numbers all other events. Those that the same rebuild has replayed are left out.
_NUMBER_LAST = statement(f"""
with place as (
    select aggregate_id, sequence from event_positions where position > :after
    union all
    select aggregate_id, sequence from unpositioned_events
    except
    select aggregate_id, sequence from replayed_last),
noted as (insert into replayed_last select * from place),
numbered as ({_NUMBERED.format(events=_LAST)})
select count(*) as events from numbered""")

# The first event without a projection. The parameters are the types that have one, each with the
# type of its aggregate.
_UNKNOWN = statement("""
select aggregate_type, aggregate_id, sequence, event_type, revision from numbered_events
where revision <> 1
    or (event_type, aggregate_type) not in (
        select * from unnest(:event_types::text[], :aggregate_types::text[]))
order by created_at, aggregate_id, sequence limit 1""")

# Replays the waves in their order.
_REPLAY = statement("""
select pg_temp.project(generation, event_type, null) from (
    select distinct aggregate_type = 'user' as is_user, generation, event_type from numbered_events
    order by is_user, generation, event_type) as wave""")

# Replays one event.
_REPLAY_ONE = statement("select pg_temp.project(:generation, :event_type, :aggregate_id)")

# Each event, in the order of the waves.
_EACH = statement("""
select aggregate_type, aggregate_id, sequence, event_type, revision, generation
from numbered_events
order by aggregate_type = 'user', generation, event_type, created_at, aggregate_id""")


async def make_tables(transaction: Transaction) -> None:
    """Makes the fresh tables, which hide the live ones of the same names from this connection."""
    await transaction.script(_CLEAR)
    keys = [
        f"alter table pg_temp.{row['table']} add {row['definition']}"
        for row in await transaction.fetch(_KEYS, tables=list(TABLES))
    ]
    tables = [_FRESH_TABLE.format(table=table) for table in TABLES]
    await transaction.script(";".join([*tables, *keys, _TABLES, projecting_function()]))


async def drop_tables(transaction: Transaction) -> None:
    """Removes the fresh tables, also after a failure. Ends the transaction and begins another."""
    await transaction.script(f"rollback; begin; {_CLEAR}; commit; begin")


async def replay_range(transaction: Transaction, *, after: int, until: int) -> None:
    """Replays the events after a position and up to another.

    Raises EventsArchivedError, UnknownEventError, UnreplayableLogError.
    """
    found = await transaction.fetch_one(_NUMBER_RANGE, after=after, until=until)
    if missing := until - after - found["events"]:
        await require_all_events(transaction)
        raise UnreplayableLogError(f"{missing} events of positions {after + 1} to {until} are gone")
    await _replay(transaction)


async def replay_last(transaction: Transaction, *, after: int) -> int:
    """Replays all other events that the transaction sees, and gives their number.

    Positions are assigned after the commit, so an event may have none yet. Raises
    UnknownEventError, UnreplayableLogError.
    """
    found = await transaction.fetch_one(_NUMBER_LAST, after=after)
    await _replay(transaction)
    return int(found["events"])


async def _replay(transaction: Transaction) -> None:
    unknown = await transaction.fetch_row(
        _UNKNOWN,
        event_types=[event.event_type for event in PROJECTIONS],
        aggregate_types=[event.aggregate_type() for event in PROJECTIONS],
    )
    if unknown:
        raise UnknownEventError(unknown)
    await transaction.script("savepoint waves")
    try:
        await transaction.fetch(_REPLAY)
    except REFUSED_VALUES:
        await transaction.script("rollback to savepoint waves")
        await _find_refused(transaction)
        raise
    await transaction.script("release savepoint waves")


async def _find_refused(transaction: Transaction) -> None:
    """Replays the events one by one, to name the one that PostgreSQL refuses."""
    for event in await transaction.fetch(_EACH):
        try:
            await transaction.fetch(
                _REPLAY_ONE,
                generation=event["generation"],
                event_type=event["event_type"],
                aggregate_id=event["aggregate_id"],
            )
        except REFUSED_VALUES as error:
            raise UnreplayableLogError(f"{described(event)}: {error}") from error

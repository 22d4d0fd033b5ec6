"""Divides events that are not replayed yet into batches: first all events, then rounds of new ones.

A piece is at most 1,000 consecutive events of an aggregate; longer transactions would search many
old versions of its rows. A batch is pieces of different aggregates, replayed in one transaction.
Batches of a stage may be replayed at once; a stage begins when the one before it is complete. So a
later piece of an aggregate comes after an earlier one, and users after the other aggregates.

The rule: one statement chooses the events of a round, by the commits that it sees. So a round never
has an event without those that it depends on, even if a clock was set back.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from server.operate.rebuild.errors import UnknownEventError
from server.operate.rebuild.projections import PROJECTIONS
from server.operate.rebuild.workspace import projections_id
from server.store.database import Statements
from server.store.statement import statement

_EVENTS_OF_PIECE: Final = 1_000
_EVENTS_OF_BATCH: Final = 20_000

# The position up to which events are in batches: all, or in later rounds some further ones, too.
_POSITION = statement("select position from last_event_position")
_LAST_POSITION = statement("select position from keystead_rebuild.rebuild_run for update")

_BEGIN = statement("""
insert into keystead_rebuild.rebuild_run (projections, position)
values (:projections, :position)""")

_MOVE = statement("update keystead_rebuild.rebuild_run set position = :position")

_ALL_EVENTS = "select * from events"

# Positions are assigned after the commit, so an event without one is new.
_NEW_EVENTS = """
    select events.* from events
    join (
        select aggregate_id, sequence from event_positions where position > :after
        union all
        select aggregate_id, sequence from unpositioned_events
    ) as place using (aggregate_id, sequence)
    where not exists (
        select from keystead_rebuild.rebuild_pieces as piece
        where piece.aggregate_id = events.aggregate_id
            and piece.last_sequence >= events.sequence)"""

# The first event without a projection. The parameters are the types that have one, each with the
# type of its aggregate.
_FIRST_UNKNOWN = """
select aggregate_type, aggregate_id, sequence, event_type, revision from ({events}) as event
where revision <> 1
    or (event_type, aggregate_type) not in (
        select * from unnest(:event_types::text[], :aggregate_types::text[]))
order by created_at, aggregate_id, sequence limit 1"""

# Adds the batches of a round, after those of earlier rounds.
_ADD_BATCHES = """
with numbered as (
    select aggregate_id, aggregate_type, sequence,
        (row_number() over (partition by aggregate_id order by sequence) - 1) / :piece::int as part
    from ({events}) as event),
piece as (
    select aggregate_id, aggregate_type, part, aggregate_type = 'user' as is_user,
        min(sequence) as first_sequence, max(sequence) as last_sequence, count(*) as events
    from numbered group by aggregate_id, aggregate_type, part),
shared as (
    select *, dense_rank() over (order by is_user, part) as stage,
        sum(events) over (partition by is_user, part order by aggregate_id, aggregate_type)
            ::bigint / :batch::int as share
    from piece),
placed as (
    select *, last.stage + shared.stage as of_stage,
        last.batch + dense_rank() over (order by shared.stage, share) as of_batch
    from shared cross join (
        select coalesce(max(batch), 0) as batch, coalesce(max(stage), 0) as stage
        from keystead_rebuild.rebuild_batches) as last),
pieces as (
    insert into keystead_rebuild.rebuild_pieces
        (batch, aggregate_id, aggregate_type, first_sequence, last_sequence)
    select of_batch, aggregate_id, aggregate_type, first_sequence, last_sequence from placed),
batches as (
    insert into keystead_rebuild.rebuild_batches (batch, stage, events)
    select of_batch, of_stage, sum(events) from placed group by of_batch, of_stage
    returning events)
select coalesce(sum(events), 0)::bigint as events from batches"""

# Statements on all events have no parameter `after`, so each exists twice.
_FIRST_UNKNOWN_OF_ALL = statement(_FIRST_UNKNOWN.format(events=_ALL_EVENTS))
_FIRST_UNKNOWN_OF_NEW = statement(_FIRST_UNKNOWN.format(events=_NEW_EVENTS))
_ADD_ALL = statement(_ADD_BATCHES.format(events=_ALL_EVENTS))
_ADD_NEW = statement(_ADD_BATCHES.format(events=_NEW_EVENTS))

# All batches in the order of their stages.
_BATCHES = statement("""
select batch, stage, events, digest is not null as is_done from keystead_rebuild.rebuild_batches
order by stage, batch""")


class Batch(NamedTuple):
    """A batch, its stage and its number of events; `is_done`: it is replayed."""

    batch: int
    stage: int
    events: int
    is_done: bool


async def add_all(transaction: Statements) -> None:
    """Adds the batches of all events, and so begins a rebuild. UnknownEventError."""
    position = (await transaction.fetch_one(_POSITION))["position"]
    types = _known_types()
    if unknown := await transaction.fetch_row(_FIRST_UNKNOWN_OF_ALL, **types):
        raise UnknownEventError(unknown)
    await transaction.fetch(_ADD_ALL, piece=_EVENTS_OF_PIECE, batch=_EVENTS_OF_BATCH)
    await transaction.fetch(_BEGIN, projections=projections_id(), position=position)


async def add_new(transaction: Statements) -> int:
    """Adds the batches of a round of new events. Gives the number of events. UnknownEventError."""
    after = (await transaction.fetch_one(_LAST_POSITION))["position"]
    position = (await transaction.fetch_one(_POSITION))["position"]
    if unknown := await transaction.fetch_row(_FIRST_UNKNOWN_OF_NEW, after=after, **_known_types()):
        raise UnknownEventError(unknown)
    added = await transaction.fetch_one(
        _ADD_NEW, after=after, piece=_EVENTS_OF_PIECE, batch=_EVENTS_OF_BATCH
    )
    await transaction.fetch(_MOVE, position=position)
    return int(added["events"])


async def list_batches(database: Statements) -> Sequence[Batch]:
    """All batches, in the order in which their stages must be replayed."""
    return [Batch(**row) for row in await database.fetch(_BATCHES)]


def _known_types() -> dict[str, list[str]]:
    return {
        "event_types": [event.event_type for event in PROJECTIONS],
        "aggregate_types": [event.aggregate_type() for event in PROJECTIONS],
    }

"""The table `event_checkpoints`, and the events that checkpoints cover.

The rule: a checkpoint is a row that is written once. It covers positions, which have no gaps and
never change (`positions.py`), so no event can join the range of a checkpoint later.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Final

from server.store.database import Row, Statements
from server.store.statement import statement

_COLUMNS = "number, last_position, taken_at, digests, mac"

# The latest checkpoint.
_LAST = statement(f"select {_COLUMNS} from event_checkpoints order by number desc limit 1")

# A checkpoint.
_GET = statement(f"select {_COLUMNS} from event_checkpoints where number = :number")

# The checkpoints after a number.
_LIST = statement(f"""
select {_COLUMNS} from event_checkpoints where number > :after order by number limit :limit""")

# The last checkpoint that ends before a position.
_BEFORE = statement(f"""
select {_COLUMNS} from event_checkpoints where last_position < :position
order by number desc limit 1""")

# Adds a checkpoint, unless another process has added one of the same number.
_ADD = statement(f"""
insert into event_checkpoints ({_COLUMNS})
values (:number, :last_position, :taken_at, :digests, :mac)
on conflict do nothing returning number""")

# The event of each position of a range, or nulls where it is gone. The limit makes the planner look
# up each event instead of scanning all events. A second row with the same key is found by
# `REPEATED_EVENTS` and `REPEATED_POSITIONS`.
_COVERED = statement("""
select distinct on (position) position, place.aggregate_id, place.sequence,
    event.aggregate_type, event.event_type, event.revision, event.payload::text as payload,
    event.creator, event.owner,
    (extract(epoch from event.created_at) * 1000000)::bigint as written_at
from generate_series(:after::bigint + 1, :until::bigint) as position
left join event_positions as place using (position)
left join lateral (
    select * from events
    where events.aggregate_id = place.aggregate_id and events.sequence = place.sequence
    limit 1) as event on true
order by position""")

# Events without a position that do not wait for one: the trigger that queues them did not run.
WITHOUT_POSITION: Final = statement("""
select aggregate_id, sequence, event_type from events
where not exists (
        select from event_positions as place
        where place.aggregate_id = events.aggregate_id and place.sequence = events.sequence)
    and not exists (
        select from unpositioned_events as waiting
        where waiting.aggregate_id = events.aggregate_id and waiting.sequence = events.sequence)
order by aggregate_id, sequence limit :limit""")

# Events positioned after a later event of their aggregate. No command writes such an event.
OUT_OF_ORDER: Final = statement("""
select position, aggregate_id, sequence from (
    select position, aggregate_id, sequence,
        max(sequence) over (partition by aggregate_id order by position
            rows between unbounded preceding and 1 preceding) as earlier
    from event_positions) as places
where sequence <= earlier
order by position limit :limit""")

# Keys of several events. Only without the primary key can there be any.
REPEATED_EVENTS: Final = statement("""
select aggregate_id, sequence, min(event_type) as event_type, count(*) as copies from events
group by aggregate_id, sequence having count(*) > 1
order by aggregate_id, sequence limit :limit""")

# Positions of several events. Only without the primary key can there be any.
REPEATED_POSITIONS: Final = statement("""
select position, count(*) as copies from event_positions
group by position having count(*) > 1
order by position limit :limit""")

# Events after a position whose sequence is less than `:oldest`.
OLDER: Final = statement("""
select place.position, place.aggregate_id, place.sequence, event.event_type
from event_positions as place
join lateral (
    select event_type from events
    where events.aggregate_id = place.aggregate_id and events.sequence = place.sequence
    limit 1) as event on true
where place.position > :after and place.sequence < :oldest
order by place.position limit :limit""")

# The age of the oldest event that no checkpoint covers.
_UNCOVERED_FOR = statement("""
select clock_timestamp() - event.created_at as age
from event_positions as place
join lateral (
    select created_at from events
    where events.aggregate_id = place.aggregate_id and events.sequence = place.sequence
    limit 1) as event on true
where place.position > coalesce(
    (select last_position from event_checkpoints order by number desc limit 1), 0)
order by place.position limit 1""")


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A row of the table."""

    number: int
    last_position: int
    taken_at: datetime
    digests: bytes
    mac: bytes


async def last_checkpoint(database: Statements) -> Checkpoint | None:
    """The latest checkpoint. None: there is none yet."""
    row = await database.fetch_row(_LAST)
    return Checkpoint(**row) if row else None


async def get_checkpoint(database: Statements, number: int) -> Checkpoint | None:
    """The checkpoint with a number. None: there is none."""
    row = await database.fetch_row(_GET, number=number)
    return Checkpoint(**row) if row else None


async def list_checkpoints(database: Statements, *, after: int, limit: int) -> list[Checkpoint]:
    """The checkpoints after a number, in their order."""
    return [Checkpoint(**row) for row in await database.fetch(_LIST, after=after, limit=limit)]


async def checkpoint_before(database: Statements, position: int) -> Checkpoint | None:
    """The last checkpoint that ends before a position. None: there is none."""
    row = await database.fetch_row(_BEFORE, position=position)
    return Checkpoint(**row) if row else None


async def add_checkpoint(database: Statements, checkpoint: Checkpoint) -> bool:
    """Writes a checkpoint. False: another process has written one of this number."""
    return await database.fetch_row(_ADD, **asdict(checkpoint)) is not None


async def read_covered(database: Statements, *, after: int, until: int) -> Sequence[Row]:
    """A row for each position of the range. `event_type` is null where the event is gone."""
    return await database.fetch(_COVERED, after=after, until=until)


async def uncovered_for(database: Statements) -> timedelta | None:
    """The age of the oldest event that no checkpoint covers. None: all events are covered."""
    row = await database.fetch_row(_UNCOVERED_FOR)
    return row["age"] if row else None

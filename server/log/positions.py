"""The order of all events, in which they can be followed and resumed (decision 2).

A sequence orders the events of one aggregate. Across aggregates, events commit in another order
than that of their sequences, and the clock may be set back. So an event gets its position after its
commit, while `last_event_position` is locked: a reader that sees a position sees all lower ones.

The rule: only this module writes positions, and a position is never changed or reused.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from server.log import lives
from server.log.event import StoredEvent, by_turns
from server.log.lives import LogEnd
from server.store.database import Row, Statements
from server.store.statement import statement
from server.values.errors import Failure

# The maximum number of positions that one statement assigns. The next statement goes on.
_BATCH: Final = 5_000
# The delay before positions are assigned again, after a failure.
_REFUSED_SECONDS: Final = 1.0

# The end of the log, whether events wait for a position, and whether the log has another origin.
_LAST = statement("""
select position, cursor_offset, has_more,
    case when has_more and position > 0 then origin <> event_log_origin() end as is_elsewhere
from last_event_position, (select exists (select from unpositioned_events) as has_more) as queue""")

# The number of events that wait for a position, of those that are counted.
_COUNT_WAITING = statement("""
select count(*) as events from (select from unpositioned_events limit 1000) as counted""")

# Assigns positions to the events that wait, unless another process does. Within an aggregate they
# follow its sequences: a later event is never visible without the earlier ones.
_ASSIGN = statement("""
with last as (select position from last_event_position for update skip locked),
taken as (
    delete from unpositioned_events as event using last
    where event.ctid = any(array(
        select ctid from unpositioned_events order by sequence, aggregate_id limit :batch))
    returning event.aggregate_id, event.sequence),
assigned as (
    insert into event_positions (position, aggregate_id, sequence)
    select last.position + row_number() over (order by taken.sequence, taken.aggregate_id),
        taken.aggregate_id, taken.sequence
    from taken, last
    returning position)
update last_event_position set position = last_event_position.position + assigned.number,
    origin = event_log_origin()
from last, (select count(*) as number from assigned) as assigned
returning last_event_position.position, cursor_offset""")

# The events in a range of positions, with their positions. The limit keeps the planner from reading
# all events.
POSITIONED: Final = """(
    select place.position,
        place.position + (select cursor_offset from last_event_position) as cursor, event.*
    from (
        select position, aggregate_id, sequence from event_positions
        where position > :after and position <= :until) as place
    cross join lateral (
        select sequence, event_type, aggregate_type, aggregate_id, revision, owner, creator,
            created_at, payload
        from events
        where events.aggregate_id = place.aggregate_id and events.sequence = place.sequence
        limit 1) as event) as positioned"""

# Those of some types, or of all.
_READ = statement(f"""
select * from {POSITIONED} where :types::text[] = '{{}}' or event_type = any(:types)
order by position""")


@dataclass(frozen=True, slots=True)
class PositionedEvent(StoredEvent):
    """An event and its place in the order of all events; `cursor` is the place for consumers."""

    position: int
    cursor: int


class Assigner:
    """Assigns positions for one process, while the database takes writes."""

    def __init__(self, database: Statements) -> None:
        self._database = database
        self._assigns_from = 0.0  # of `time.monotonic`

    async def end(self) -> LogEnd:
        """Assigns positions if the database takes writes, and gives the end of the log.

        A refused write closes its connection, because a new one may reach a server that takes
        writes. So a refused write is not repeated at once.
        """
        if time.monotonic() >= self._assigns_from:
            try:
                return await _assigned(self._database)
            except Failure:
                self._assigns_from = time.monotonic() + _REFUSED_SECONDS
        return await end_of_log(self._database)


async def _assigned(database: Statements) -> LogEnd:
    last = await database.fetch_one(_LAST)
    if not last["has_more"]:
        return _end(last)
    if last["is_elsewhere"]:
        await lives.begin(database)
    return _end(await database.fetch_row(_ASSIGN, batch=_BATCH) or last)


async def assign(database: Statements) -> int:
    """Assigns positions to events that lack one, and gives the last position."""
    return (await _assigned(database)).position


async def end_of_log(database: Statements) -> LogEnd:
    """The end of the log; position 0 without events."""
    return _end(await database.fetch_one(_LAST))


async def last_position(database: Statements) -> int:
    """The position of the latest event that has one; 0 without events."""
    return (await end_of_log(database)).position


async def count_waiting(database: Statements) -> int:
    """The number of events that wait for a position, at most 1000."""
    return int((await database.fetch_one(_COUNT_WAITING))["events"])


def _end(row: Row) -> LogEnd:
    return LogEnd(row["position"], row["cursor_offset"])


async def read_positions(
    database: Statements, *, after: int, until: int, types: Sequence[str]
) -> list[PositionedEvent]:
    """The events of these types, or of all, after a position and up to another, in their order."""
    rows = await database.fetch(_READ, after=after, until=until, types=list(types))
    return await by_turns(rows, PositionedEvent.of)

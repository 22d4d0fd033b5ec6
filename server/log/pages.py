"""Pages of the log of events, for callers of the API: each reads a bounded range of one index.

The conditions that an index supports select its range; the other conditions filter the rows of the
range. A page examines a limited number of rows, so its cost does not depend on the log's length.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Final, NamedTuple

from server.log.event import StoredEvent, by_turns
from server.log.partitions import sequence_at
from server.store.database import Row, Statements
from server.store.statement import Statement, statement

# The number of events that are examined for a page.
MOST_EXAMINED: Final = 5000

_FIRST: Final = -(2**63)
_LAST: Final = 2**63 - 1

# Each condition is the range of an index of `events` whose next column is `sequence`.
_RANGES: Final = {
    "aggregate": "aggregate_id = :aggregate_id and (:owner::text is null or owner = :owner)",
    "event_type": "owner = :owner and event_type = (:event_types::text[])[1]",
    "owner": "owner = :owner",
    "all": "true",
}

_MATCHES: Final = """(:owner::text is null or owner = :owner)
    and (:aggregate_id::text is null or aggregate_id = :aggregate_id)
    and (:aggregate_type::text is null or aggregate_type = :aggregate_type)
    and (:event_types::text[] = '{}' or event_type = any(:event_types))
    and (:creator::text is null or creator = :creator)"""


def _page(index_range: str, order: str, beyond: str, within: str) -> Statement:
    """The matching events of a range after a position, and the last event that is examined."""
    return statement(f"""
with examined as (
    select aggregate_id, sequence, aggregate_type, event_type, payload, creator, owner, created_at,
        row_number() over (order by sequence {order}, aggregate_id {order}) as place
    from events
    where {index_range} and sequence {beyond}= :sequence
        and (sequence, aggregate_id) {beyond} (:sequence, :beside) and sequence {within} :end
    order by sequence {order}, aggregate_id {order} limit :examined)
select *, {_MATCHES} as matches from examined where {_MATCHES} or place = :examined
order by sequence {order}, aggregate_id {order} limit :limit""")


NEWEST_FIRST: Final = {
    name: _page(index_range, "desc", "<", ">=") for name, index_range in _RANGES.items()
}
OLDEST_FIRST: Final = {
    name: _page(index_range, "asc", ">", "<") for name, index_range in _RANGES.items()
}


class Position(NamedTuple):
    """An event's place in the log. Events of several aggregates may share a sequence."""

    sequence: int
    aggregate_id: str


@dataclass(frozen=True, slots=True)
class Conditions:
    """Conditions on the events of a list. All events meet one that is None, or has no types."""

    owner: str | None = None
    aggregate_type: str | None = None
    aggregate_id: str | None = None
    event_types: Sequence[str] = ()
    creator: str | None = None

    def are_met_by(self, event: StoredEvent) -> bool:
        """Whether the event meets all conditions."""
        return (
            self.owner in (None, event.owner)
            and self.aggregate_type in (None, event.aggregate_type)
            and self.aggregate_id in (None, event.aggregate_id)
            and (not self.event_types or event.event_type in self.event_types)
            and self.creator in (None, event.creator)
        )

    @property
    def range(self) -> str:
        """The name of the narrowest index range for the conditions."""
        if self.aggregate_id is not None:
            return "aggregate"
        if self.owner is None:
            return "all"
        return "event_type" if len(self.event_types) == 1 else "owner"


class EventPage(NamedTuple):
    """Events in the order of the list, and the position after which the next page begins."""

    events: Sequence[StoredEvent]
    goes_on_after: Position | None


async def list_events(
    database: Statements,
    conditions: Conditions,
    *,
    since: datetime | None,
    until: datetime | None,
    oldest_first: bool,
    after: Position | None,
    size: int,
) -> EventPage:
    """A page of at most `size` events from `since` (inclusive) to `until` (exclusive)."""
    first = _FIRST if since is None else sequence_at(since)
    last = _LAST if until is None else sequence_at(until)
    start, end = (first, last) if oldest_first else (last, first)
    after = after or Position(start, "")
    statements = OLDEST_FIRST if oldest_first else NEWEST_FIRST
    rows = await database.fetch(
        statements[conditions.range],
        **asdict(conditions),
        sequence=after.sequence,
        beside=after.aggregate_id,
        end=end,
        examined=MOST_EXAMINED,
        limit=size + 1,
    )
    return await _cut(rows, size)


async def _cut(rows: Sequence[Row], size: int) -> EventPage:
    found = [row for row in rows if row["matches"]]
    events = await by_turns(found[:size], StoredEvent.of)
    if len(found) > size:
        return EventPage(events, _position(found[size - 1]))
    is_end = not rows or rows[-1]["place"] < MOST_EXAMINED
    return EventPage(events, None if is_end else _position(rows[-1]))


def _position(row: Row) -> Position:
    return Position(row["sequence"], row["aggregate_id"])

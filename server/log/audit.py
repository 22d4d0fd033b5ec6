"""Reads the log of events for operators: `keystead audit`."""

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, Final

from server.log import lives
from server.log.archive_store import ARCHIVED_EVENTS
from server.log.lives import LogEnd
from server.log.positions import POSITIONED, Assigner
from server.store.database import Row, Statements
from server.store.statement import statement

_COLUMNS: Final = """
created_at, sequence, event_type, aggregate_type, aggregate_id, owner, creator, payload"""

_MATCHES: Final = """(:aggregate_id::text is null or aggregate_id = :aggregate_id)
    and (:creator::text is null or creator = :creator)
    and (:types::text[] = '{}' or event_type = any(:types) or aggregate_type = any(:types))
    and (:since::timestamptz is null or created_at >= :since)"""


def _wanted_of(events: str) -> str:
    """Selects the wanted events of a relation. Its parameters are the fields of `Wanted`."""
    return f"""
select {_COLUMNS} from {events}
where {_MATCHES}
    and (:until::timestamptz is null or created_at < :until)
    and sequence < coalesce(:before::bigint, 9223372036854775807)
    and sequence > coalesce(:after::bigint, 0)"""


# A page of the wanted events, ordered by `sequence`. A sequence is unique only within its
# aggregate, so a page has all events of its last sequence: it never ends between two of them.
_LATEST = statement(
    f"{_wanted_of('events')} order by sequence desc fetch first :limit rows with ties"
)
_EARLIEST = statement(f"{_wanted_of('events')} order by sequence fetch first :limit rows with ties")
_ARCHIVED = statement(_wanted_of(ARCHIVED_EVENTS))

# The wanted events in a range of positions.
_ADDED = statement(f"select {_COLUMNS} from {POSITIONED} where {_MATCHES} order by position")

# The maximum number of positions that one look at the log covers.
_LOOK: Final = 5_000
# The time limit of a look: on a dead connection it would never end.
_PATIENCE_SECONDS = 30

# A row of the log, by the names of its columns.
LoggedEvent = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Wanted:
    """Conditions on events. All events meet a condition that is None, and empty `types`.

    `types` are of events or of aggregates. `since` (inclusive) and `until` (exclusive) are compared
    with the time of writing, `before` and `after` (both exclusive) with the sequence.
    """

    aggregate_id: str | None = None
    creator: str | None = None
    types: tuple[str, ...] = ()
    since: datetime | None = None
    until: datetime | None = None
    before: int | None = None
    after: int | None = None


async def read_events(database: Statements, wanted: Wanted, *, limit: int) -> list[LoggedEvent]:
    """The latest wanted events, or with `after` the earliest ones, oldest first.

    A few more than `limit` if several events have the last sequence.
    """
    page = _LATEST if wanted.after is None else _EARLIEST
    rows = await database.fetch(page, **asdict(wanted), limit=limit)
    return _logged(sorted(rows, key=_key))


async def archived_events(
    database: Statements, wanted: Wanted, *, events: str
) -> list[LoggedEvent]:
    """The wanted ones of archived events, a JSON array, oldest first."""
    rows = await database.fetch(_ARCHIVED, **asdict(wanted), events=events)
    return _logged(sorted(rows, key=_key))


def page_of(events: Sequence[LoggedEvent], wanted: Wanted, *, limit: int) -> list[LoggedEvent]:
    """The events that `read_events` would give if the database had no others."""
    ordered = sorted(events, key=_key)
    if len(ordered) <= limit:
        return ordered
    if wanted.after is None:
        first = ordered[-limit]["sequence"]
        return [event for event in ordered if event["sequence"] >= first]
    last = ordered[limit - 1]["sequence"]
    return [event for event in ordered if event["sequence"] <= last]


class Follower:
    """Reads the existing events of the log, then the added ones, each event once.

    Added events come in the order of positions. After an error `added` may be called again: it
    finds the events written meanwhile.
    """

    def __init__(self, database: Statements, wanted: Wanted) -> None:
        self._database = database
        self._wanted = wanted
        self._assigner = Assigner(database)
        self._end = LogEnd(0, 0)
        self._existing: frozenset[tuple[int, str]] = frozenset()

    async def existing(self, *, limit: int) -> list[LoggedEvent]:
        """The latest events that are wanted, oldest first."""
        self._end = await self._assigner.end()
        events = await read_events(self._database, self._wanted, limit=limit)
        # Those that were committed in between get their positions later.
        self._existing = frozenset(map(_key, events))
        return events

    async def added(self) -> list[LoggedEvent]:
        """The wanted events that got a position since the last look.

        `Failure`, or TimeoutError if the database does not answer at all.
        """
        async with asyncio.timeout(_PATIENCE_SECONDS):
            end = await self._assigner.end()
            after = min(self._end.position, end.position)
            # Lower than before after a failover to a standby that was behind.
            if end.cursor_offset != self._end.cursor_offset:
                after = (await lives.look(self._database)).kept_of(self._end)
            until = min(after + _LOOK, end.position)
            wanted = self._wanted
            rows = await self._database.fetch(
                _ADDED,
                aggregate_id=wanted.aggregate_id,
                creator=wanted.creator,
                types=wanted.types,
                since=wanted.since,
                after=after,
                until=until,
            )
        self._end = end._replace(position=until)
        return _logged([row for row in rows if _key(row) not in self._existing])


def _logged(rows: Sequence[Row]) -> list[LoggedEvent]:
    return [
        {
            **row,
            "created_at": row["created_at"].isoformat(),  # to the microsecond, as `since` takes it
            "payload": json.loads(row["payload"]),
        }
        for row in rows
    ]


def _key(event: Row | LoggedEvent) -> tuple[int, str]:
    return event["sequence"], event["aggregate_id"]

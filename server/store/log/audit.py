"""Reads the log of events for operators: `keystead audit`."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from server.store.database import Row, Statements
from server.store.log.event_archives import ARCHIVED_EVENTS
from server.store.statement import statement

# Selects the wanted events of a relation. Its parameters are the fields of `Wanted`.
_WANTED_OF = """
select created_at, sequence, event_type, aggregate_type, aggregate_id, owner, creator, payload
from {events}
where (:aggregate_id::text is null or aggregate_id = :aggregate_id)
    and (:creator::text is null or creator = :creator)
    and (:types::text[] = '{{}}' or event_type = any(:types) or aggregate_type = any(:types))
    and (:since::timestamptz is null or created_at >= :since)
    and (:until::timestamptz is null or created_at < :until)
    and sequence < coalesce(:before::bigint, 9223372036854775807)
    and sequence > coalesce(:after::bigint, 0)"""
WANTED = _WANTED_OF.format(events="events")

# A page of the wanted events, ordered by `sequence`. A sequence is unique only within its
# aggregate, so a page has all events of its last sequence: it never ends between two of them.
_LATEST = statement(f"{WANTED} order by sequence desc fetch first :limit rows with ties")
_EARLIEST = statement(f"{WANTED} order by sequence fetch first :limit rows with ties")
_ARCHIVED = statement(_WANTED_OF.format(events=ARCHIVED_EVENTS))

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
    return logged(await database.fetch(page, **asdict(wanted), limit=limit))


async def archived_events(
    database: Statements, wanted: Wanted, *, events: str
) -> list[LoggedEvent]:
    """The wanted ones of archived events, a JSON array, oldest first."""
    return logged(await database.fetch(_ARCHIVED, **asdict(wanted), events=events))


def page_of(events: Sequence[LoggedEvent], wanted: Wanted, *, limit: int) -> list[LoggedEvent]:
    """The events that `read_events` would give if the database had no others."""
    ordered = sorted(events, key=_order)
    if len(ordered) <= limit:
        return ordered
    if wanted.after is None:
        first = ordered[-limit]["sequence"]
        return [event for event in ordered if event["sequence"] >= first]
    last = ordered[limit - 1]["sequence"]
    return [event for event in ordered if event["sequence"] <= last]


def logged(rows: Sequence[Row]) -> list[LoggedEvent]:
    """The rows as events, oldest first."""
    return [
        {
            **row,
            "created_at": row["created_at"].isoformat(),  # to the microsecond, as `since` takes it
            "payload": json.loads(row["payload"]),
        }
        for row in sorted(rows, key=_order)
    ]


def _order(event: Row | LoggedEvent) -> tuple[int, str]:
    return event["sequence"], event["aggregate_id"]

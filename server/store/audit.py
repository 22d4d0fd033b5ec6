"""Reads the log of events for people who ask what happened: `keystead audit`."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass
from datetime import datetime
from typing import Any

from server.store.database import Row, Statements

# The conditions of a caller; $1 to $7 are the fields of `Wanted`.
WANTED = """
select created_at, sequence, event_type, aggregate_type, aggregate_id, owner, creator, payload
from events
where ($1::text is null or aggregate_id = $1) and ($2::text is null or creator = $2)
    and ($3::text[] = '{}' or event_type = any($3) or aggregate_type = any($3))
    and ($4::timestamptz is null or created_at >= $4)
    and ($5::timestamptz is null or created_at < $5)
    and ($6::bigint is null or sequence < $6) and ($7::bigint is null or sequence > $7)"""

# By `sequence`, which is unique in an aggregate alone: so that a page ends between two of them, it
# has all events of its last one.
_PAGE = f"""{WANTED}
order by case when $7 is null then -sequence else sequence end fetch first $8 rows with ties"""

# A row of the log, by the names of its columns.
LoggedEvent = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which events: None, or no types, are all. Times are of writing, `until` is the first without.

    A type is that of an event or of an aggregate.
    """

    aggregate_id: str | None = None
    creator: str | None = None
    types: tuple[str, ...] = ()
    since: datetime | None = None
    until: datetime | None = None
    before: int | None = None
    after: int | None = None


async def read_events(database: Statements, wanted: Wanted, *, limit: int) -> list[LoggedEvent]:
    """The latest events that are wanted, or with `after` the earliest, oldest first.

    There are a few more than `limit` where several have the last sequence.
    """
    return logged(await database.fetch(_PAGE, *astuple(wanted), limit))


def logged(rows: Sequence[Row]) -> list[LoggedEvent]:
    """Oldest first."""
    return [
        {
            **row,
            "created_at": row["created_at"].isoformat(),  # to the microsecond, as `since` takes it
            "payload": json.loads(row["payload"]),
        }
        for row in sorted(rows, key=lambda row: (row["sequence"], row["aggregate_id"]))
    ]

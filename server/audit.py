"""Reads the log of events for people who ask what happened: `keystead audit`."""

import json
from collections.abc import Mapping
from datetime import datetime

from server.database import Statements

_EVENTS = """
select created_at, sequence, event_type, aggregate_type, aggregate_id, owner, creator, payload
from events
where ($1::text is null or aggregate_id = $1) and ($2::text is null or creator = $2)
    and ($3::timestamptz is null or created_at >= $3)
order by created_at desc, sequence desc limit $4"""


async def read_events(
    database: Statements,
    *,
    aggregate_id: str | None,
    creator: str | None,
    since: datetime | None,
    limit: int,
) -> list[Mapping[str, object]]:
    """The latest events that fit, oldest first."""
    rows = await database.fetch(_EVENTS, aggregate_id, creator, since, limit)
    return [
        dict(row)
        | {"created_at": row["created_at"].isoformat(), "payload": json.loads(row["payload"])}
        for row in reversed(rows)
    ]

"""The number of events of a type on each day (UTC), by the index of types."""

from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, time
from typing import Final

from server.log.partitions import sequence_at
from server.store.database import Statements
from server.store.statement import statement

# The events of a range of days. A day has 86,400,000,000 microseconds.
_COUNT: Final = statement("""
select date '1970-01-01' + (sequence / 86400000000)::int as day, count(*) as events
from events
where owner = :organization_id and event_type = any(:event_types::text[])
    and sequence >= :since and sequence < :until
group by 1""")


async def count(
    database: Statements,
    organization_id: str,
    event_types: Sequence[str],
    *,
    since: date,
    until: date,
) -> Mapping[date, int]:
    """The numbers from a day to before another one; a day without events is absent."""
    rows = await database.fetch(
        _COUNT,
        organization_id=organization_id,
        event_types=event_types,
        since=_sequence(since),
        until=_sequence(until),
    )
    return {row["day"]: row["events"] for row in rows}


def _sequence(day: date) -> int:
    return sequence_at(datetime.combine(day, time(), UTC))

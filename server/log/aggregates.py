"""The aggregates that IDs are of, according to the log, also after their removal."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from server.store.database import Statements
from server.store.rows import Query

# The last event of each aggregate.
_FIND: Final = """
select given.aggregate_id, last.aggregate_type, last.owner, last.sequence
from unnest(:aggregate_ids::text[]) as given (aggregate_id) cross join lateral (
    select aggregate_type, owner, sequence from events
    where events.aggregate_id = given.aggregate_id collate "C"
    order by events.sequence desc limit 1) as last"""


@dataclass(frozen=True, slots=True)
class LoggedAggregate:
    """An aggregate that has events, and the sequence of its last one."""

    aggregate_id: str
    aggregate_type: str
    owner: str
    sequence: int


FIND: Final = Query(_FIND, LoggedAggregate)


async def find(transaction: Statements, ids: Sequence[str]) -> dict[str, LoggedAggregate]:
    """The aggregates of these IDs that the log has. Archived events do not count."""
    found = await FIND.all(transaction, aggregate_ids=ids)
    return {each.aggregate_id: each for each in found}

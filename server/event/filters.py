"""The filter of a list of events, as the fields of ListEvents that it stands for."""

from datetime import datetime
from typing import Any, Final, TypedDict

from server.event.disclosure import EVENT_TYPES
from server.store.filters import Filters, Key, Kinds, Moment

_FILTERS: Final = Filters(
    event_type=Kinds("event_type", EVENT_TYPES, prefix=""),
    aggregate_id=Key("aggregate_id"),
    creator=Key("creator"),
    created_at=Moment("created_at"),
)


class EventSelection(TypedDict):
    """Values of the fields."""

    event_types: tuple[str, ...]
    aggregate_id: str
    creator: str
    since: datetime | None
    until: datetime | None


def selection_of(text: str) -> EventSelection:
    """The fields of a filter. ValueError: it is wrong, or no event can meet it."""
    found: dict[str, Any] = _FILTERS.read(text)
    types, since, until = (
        found[name] for name in ("event_type", "created_at_since", "created_at_until")
    )
    ids = {name: found[name] or [""] for name in ("aggregate_id", "creator")}
    is_empty_time = since is not None and until is not None and until <= since
    if types == [] or is_empty_time or any(len(each) > 1 for each in ids.values()):
        raise ValueError("must have comparisons that an event can meet together")
    return EventSelection(
        event_types=tuple(types or ()),
        aggregate_id=ids["aggregate_id"][0],
        creator=ids["creator"][0],
        since=since,
        until=until,
    )

"""Reads the log of events for callers."""

import hashlib
import re
from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Final, NamedTuple

from pydantic import AfterValidator, ValidationInfo, field_validator

from server.access.listing import FilterText
from server.event.disclosure import AGGREGATE_TYPES
from server.event.fields import EventTypes, matching
from server.event.filters import EventSelection, selection_of
from server.log.archive_store import end_of_archives
from server.log.event import StoredEvent
from server.log.pages import Conditions, Position, list_events
from server.log.positions import end_of_log
from server.store.database import Statements
from server.validation.fields import Command, OptionalId, described
from server.validation.paging import Cursor, Page

_POSITION: Final = re.compile(r"(-?\d{1,18}):([\w-]{1,200})", re.ASCII)


# A misspelled type would give an empty list, or a stream that never sends an event.
def _aggregate_type(value: str) -> str:
    if value and value not in AGGREGATE_TYPES:
        raise ValueError(f"must be one of {', '.join(AGGREGATE_TYPES)}, or empty")
    return value


_AggregateType = Annotated[
    str, AfterValidator(_aggregate_type), described(enum=["", *AGGREGATE_TYPES])
]


class _SomeEvents(Command):
    """Filters on events of the log. An empty field does not filter."""

    aggregate_type: _AggregateType
    aggregate_id: OptionalId
    event_types: EventTypes
    creator: OptionalId
    all_organizations: bool

    def conditions(self, organization_id: str) -> Conditions:
        """The filters as conditions on events."""
        return Conditions(
            owner=None if self.all_organizations else organization_id,
            aggregate_type=self.aggregate_type or None,
            aggregate_id=self.aggregate_id or None,
            event_types=sorted(matching(self.event_types)),
            creator=self.creator or None,
        )


class WatchEvents(_SomeEvents):
    """Watch the log after a cursor; without one, from now on."""

    after_cursor: Cursor


class ListEvents(_SomeEvents, Page):
    """A page of the log."""

    since: datetime | None
    until: datetime | None
    oldest_first: bool
    filter: FilterText

    @field_validator("until")
    @classmethod
    def _after_since(cls, until: datetime | None, info: ValidationInfo) -> datetime | None:
        since = info.data.get("since")
        if until is not None and since is not None and until <= since:
            raise ValueError("must be after since")
        return until

    @field_validator("filter")
    @classmethod
    def _alone(cls, text: str, info: ValidationInfo) -> str:
        selection_of(text)
        if text.strip() and any(
            map(info.data.get, ("aggregate_type", *EventSelection.__annotations__))
        ):
            raise ValueError("must be empty beside fields that select events; it replaces them")
        return text

    def with_filter(self) -> "ListEvents":
        """The same list by the fields that the filter stands for."""
        return self.model_copy(update=selection_of(self.filter)) if self.filter.strip() else self

    def list_name(self, conditions: Conditions) -> str:
        """Identifies the list in its page tokens, which are valid for this list only."""
        parts = (conditions, self.since, self.until, self.oldest_first)
        return hashlib.sha256(repr(parts).encode()).hexdigest()[:16]


class ListedEvents(NamedTuple):
    """A page of the log.

    `next_page_token` is empty on the last page. The first page has `cursor`: the list has all
    matching events up to that place. Events before `complete_since`, if any, are in archives.
    """

    events: Sequence[StoredEvent]
    next_page_token: str
    cursor: str
    complete_since: datetime | None


async def list_page(
    database: Statements, command: ListEvents, *, organization_id: str
) -> ListedEvents:
    """A page of the log."""
    command = command.with_filter()
    # Read before the events: an event committed in between is listed, and watched once more.
    cursor = "" if command.page_token else str((await end_of_log(database)).cursor)
    conditions = command.conditions(organization_id)
    list_name = command.list_name(conditions)
    page = await list_events(
        database,
        conditions,
        since=command.since,
        until=command.until,
        oldest_first=command.oldest_first,
        after=_position(command.position(list_name, _POSITION)),
        size=command.size(),
    )
    token = ""
    if page.goes_on_after is not None:
        sequence, aggregate_id = page.goes_on_after
        token = command.token(list_name, f"{sequence}:{aggregate_id}")
    # Read after the events: if some were archived in between, the page says so.
    archived = await end_of_archives(database)
    return ListedEvents(page.events, token, cursor, archived.until)


def _position(match: re.Match[str] | None) -> Position | None:
    return Position(int(match[1]), match[2]) if match else None

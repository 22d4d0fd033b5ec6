"""The ends of sessions, read from the log for the streams of watching services.

Expiries are not sent: their times are known, and have no events.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import NamedTuple

from server.log.event import Event, StoredEvent
from server.log.feed import Feed, Topic
from server.log.positions import PositionedEvent
from server.session.events import (
    EndReason,
    EndsSessions,
    SessionEnded,
    SessionStarted,
    SessionStartedByIDP,
)

_SIGN_INS = (SessionStarted.event_type, SessionStartedByIDP.event_type)


class Ended(NamedTuple):
    """The sessions that one event ended."""

    position: int
    session_ids: tuple[str, ...]
    user_id: str
    organization_id: str
    reason: EndReason
    ended_at: datetime


def topic(feed: Feed, events: Iterable[type[Event]]) -> Topic[Ended]:
    """The ends of all sessions. `events` are those of all features."""
    reasons = {e.event_type: e.end_reason for e in events if issubclass(e, EndsSessions)}
    return feed.topic(lambda event: _ended(event, reasons), types=list(reasons))


def is_end(event: StoredEvent) -> bool:
    """Whether an event ended rights, if others of its type may: most sign-ins end no session."""
    return event.event_type not in _SIGN_INS or bool(ended_by(event))


def _ended(event: PositionedEvent, reasons: Mapping[str, EndReason | None]) -> Ended | None:
    session_ids = ended_by(event)
    if not session_ids:
        return None
    reason = reasons[event.event_type]
    if reason is None:
        is_own = event.creator == event.aggregate_id
        reason = EndReason.BY_USER if is_own else EndReason.BY_MANAGER
    return Ended(
        event.cursor,
        session_ids,
        event.aggregate_id,
        event.owner,
        reason,
        event.created_at,
    )


def ended_by(event: StoredEvent) -> tuple[str, ...]:
    """The sessions that an event of a type with `EndsSessions` ended."""
    if event.event_type == SessionEnded.event_type:
        return (event.payload["session_id"],)
    # Events of the first releases do not name the sessions that they ended.
    return tuple(event.payload.get("ended_session_ids", ()))

"""The ends of sessions, read from the log for the streams of watching services.

The rule: an event that ends sessions names them as `ended_session_ids`, and `server/wiring.py` has
the reason of each event type. Expiries are not sent: their times are known, and have no events.
"""

import enum
from collections.abc import Mapping
from datetime import datetime
from typing import Final, NamedTuple

from server.session.events import (
    IDPSessionsEnded,
    SessionEnded,
    SessionsEnded,
    SessionStarted,
    SessionStartedByIDP,
)
from server.store.log.feed import Feed, Topic
from server.store.log.positions import PositionedEvent


class EndReason(enum.StrEnum):
    """The reason for the end of a session, by the API's name without `END_REASON_`."""

    BY_USER = "BY_USER"
    BY_MANAGER = "BY_MANAGER"
    PASSKEY_REMOVED = "PASSKEY_REMOVED"
    USER_REMOVED = "USER_REMOVED"
    TOO_MANY_SESSIONS = "TOO_MANY_SESSIONS"
    LINK_REMOVED = "LINK_REMOVED"
    IDP_REMOVED = "IDP_REMOVED"


# The reason by event type. None: the reason depends on the creator of the event.
Reasons = Mapping[str, EndReason | None]

OWN_REASONS: Final[Reasons] = {
    SessionEnded.event_type: None,
    SessionsEnded.event_type: None,
    SessionStarted.event_type: EndReason.TOO_MANY_SESSIONS,
    SessionStartedByIDP.event_type: EndReason.TOO_MANY_SESSIONS,
    IDPSessionsEnded.event_type: EndReason.IDP_REMOVED,
}


class Ended(NamedTuple):
    """The sessions that one event ended."""

    position: int
    session_ids: tuple[str, ...]
    user_id: str
    organization_id: str
    reason: EndReason
    ended_at: datetime


def topic(feed: Feed, reasons: Reasons) -> Topic[Ended]:
    """The ends of all sessions. `reasons` are those of the events of other features."""
    reasons = {**OWN_REASONS, **reasons}
    return feed.topic(lambda event: _ended(event, reasons), types=list(reasons))


def _ended(event: PositionedEvent, reasons: Reasons) -> Ended | None:
    # Events of the first releases do not name the sessions that they ended.
    session_ids = tuple(event.payload.get("ended_session_ids", ()))
    if event.event_type == SessionEnded.event_type:
        session_ids = (event.payload["session_id"],)
    if not session_ids:
        return None
    reason = reasons[event.event_type]
    if reason is None:
        is_own = event.creator == event.aggregate_id
        reason = EndReason.BY_USER if is_own else EndReason.BY_MANAGER
    return Ended(
        event.position,
        session_ids,
        event.aggregate_id,
        event.owner,
        reason,
        event.created_at,
    )

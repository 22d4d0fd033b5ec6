"""Events of the sessions of a user.

No event contains an IP address, a user agent, a device name or a time of use.
"""

import enum
from dataclasses import dataclass
from typing import ClassVar

from server.log.event import Event, ForOperators, Shown, event


class EndReason(enum.StrEnum):
    """The reason for the end of a session, by the API's name without `END_REASON_`."""

    BY_USER = "BY_USER"
    BY_MANAGER = "BY_MANAGER"
    PASSKEY_REMOVED = "PASSKEY_REMOVED"
    USER_REMOVED = "USER_REMOVED"
    TOO_MANY_SESSIONS = "TOO_MANY_SESSIONS"
    LINK_REMOVED = "LINK_REMOVED"
    IDP_REMOVED = "IDP_REMOVED"
    USER_LOCKED = "USER_LOCKED"


@dataclass(frozen=True, slots=True)
class EndsSessions(Event):
    """An event that ends sessions, and names them as `ended_session_ids`."""

    # None: the user ended them, or else a manager, by the creator of the event.
    end_reason: ClassVar[EndReason | None]


@dataclass(frozen=True, slots=True)
class _SignedIn(Event):
    """The user signed in with the passkey. The event contains only the hash of the token."""

    session_id: Shown[str]
    # base64 of the SHA-256
    hash: ForOperators[str]
    # The time from the event to the expiry of the session.
    lifetime_seconds: Shown[float]
    # The data of the assertion, to be stored with the passkey.
    passkey_id: Shown[str]
    sign_count: Shown[int]
    backup_eligible: Shown[bool]
    backed_up: Shown[bool]
    user_verified: Shown[bool]
    origin: Shown[str]
    top_origin: Shown[str]
    # The sign count did not increase, and the passkey may be synchronized.
    sign_count_went_back: Shown[bool]
    backup_eligible_changed: Shown[bool]


@event("user.session_started")
class SessionStarted(_SignedIn, EndsSessions):
    """A session started by a sign-in with a passkey."""

    end_reason: ClassVar[EndReason] = EndReason.TOO_MANY_SESSIONS

    # The least recently used sessions, which ended because the user has too many.
    ended_session_ids: Shown[tuple[str, ...]]


@event("user.session_started_by_idp")
class SessionStartedByIDP(EndsSessions):
    """A session started by a sign-in with an identity provider."""

    end_reason: ClassVar[EndReason] = EndReason.TOO_MANY_SESSIONS

    session_id: Shown[str]
    # base64 of the SHA-256
    hash: ForOperators[str]
    # The time from the event to the expiry of the session.
    lifetime_seconds: Shown[float]
    idp_id: Shown[str]
    link_id: Shown[str]
    # As in SessionStarted.
    ended_session_ids: Shown[tuple[str, ...]]
    # The time of the sign-in at the provider, if the provider tells it.
    authenticated_at: Shown[str | None] = None


@event("user.session_renewed")
class SessionRenewed(_SignedIn):
    """The user signed in again in the session, which has a new token and a later expiry."""


@event("user.session_ended")
class SessionEnded(EndsSessions):
    """The session ended."""

    end_reason: ClassVar[EndReason | None] = None

    session_id: Shown[str]


@event("user.sessions_ended")
class SessionsEnded(EndsSessions):
    """All sessions of the user ended, except for the kept one."""

    end_reason: ClassVar[EndReason | None] = None

    kept_session_id: Shown[str | None] = None
    ended_session_ids: Shown[tuple[str, ...]] = ()


@event("user.idp_sessions_ended")
class IDPSessionsEnded(EndsSessions):
    """All sessions of the user that were started with the identity provider ended."""

    end_reason: ClassVar[EndReason] = EndReason.IDP_REMOVED

    idp_id: Shown[str]
    ended_session_ids: Shown[tuple[str, ...]]

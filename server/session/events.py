"""Events of the sessions of a user.

No event contains an IP address, a user agent, a device name or a time of use.
"""

from dataclasses import dataclass
from typing import ClassVar

from server.store.eventlog import Event


@dataclass(frozen=True, slots=True)
class _SignedIn(Event):
    """The user signed in with the passkey. The event contains only the hash of the token."""

    session_id: str
    # base64 of the SHA-256
    hash: str
    # The time from the event to the expiry of the session.
    lifetime_seconds: float
    # The data of the assertion, to be stored with the passkey.
    passkey_id: str
    sign_count: int
    backup_eligible: bool
    backed_up: bool
    user_verified: bool
    origin: str
    top_origin: str
    # The sign count did not increase, and the passkey may be synchronized.
    sign_count_went_back: bool
    backup_eligible_changed: bool


@dataclass(frozen=True, slots=True)
class SessionStarted(_SignedIn):
    """A session started by a sign-in with a passkey."""

    event_type: ClassVar[str] = "user.session_started"

    # The least recently used sessions, which ended because the user has too many.
    ended_session_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SessionStartedByIDP(Event):
    """A session started by a sign-in with an identity provider."""

    event_type: ClassVar[str] = "user.session_started_by_idp"

    session_id: str
    # base64 of the SHA-256
    hash: str
    # The time from the event to the expiry of the session.
    lifetime_seconds: float
    idp_id: str
    link_id: str
    # As in SessionStarted.
    ended_session_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SessionRenewed(_SignedIn):
    """The user signed in again in the session, which has a new token and a later expiry."""

    event_type: ClassVar[str] = "user.session_renewed"


@dataclass(frozen=True, slots=True)
class SessionEnded(Event):
    """The session ended."""

    event_type: ClassVar[str] = "user.session_ended"

    session_id: str


@dataclass(frozen=True, slots=True)
class SessionsEnded(Event):
    """All sessions of the user ended, except for the kept one."""

    event_type: ClassVar[str] = "user.sessions_ended"

    kept_session_id: str | None = None
    ended_session_ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class IDPSessionsEnded(Event):
    """All sessions of the user that were started with the identity provider ended."""

    event_type: ClassVar[str] = "user.idp_sessions_ended"

    idp_id: str
    ended_session_ids: tuple[str, ...]

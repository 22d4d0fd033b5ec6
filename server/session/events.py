"""What happened to the sessions of a user.

IP addresses, user agents, names of devices and times of use never appear here.
"""

from dataclasses import dataclass
from typing import ClassVar

from server.store.eventlog import Event


@dataclass(frozen=True, slots=True)
class _SignedIn(Event):
    """The user signed in with the passkey. Only the hash of the token is known."""

    session_id: str
    # base64 of the SHA-256
    hash: str
    # The session expires so long after the event.
    lifetime_seconds: float
    # What the passkey said, to be stored with it.
    passkey_id: str
    sign_count: int
    backup_eligible: bool
    backed_up: bool
    user_verified: bool
    origin: str
    top_origin: str
    # The counter of a passkey that may be synchronized did not go up.
    sign_count_went_back: bool
    backup_eligible_changed: bool


@dataclass(frozen=True, slots=True)
class SessionStarted(_SignedIn):
    """The user has the session since."""

    aggregate_type: ClassVar[str] = "user"
    event_type: ClassVar[str] = "user.session_started"

    # The least recently used sessions, which ended because the user has too many.
    ended_session_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SessionRenewed(_SignedIn):
    """The user signed in again. The session has another token and expires later."""

    aggregate_type: ClassVar[str] = "user"
    event_type: ClassVar[str] = "user.session_renewed"


@dataclass(frozen=True, slots=True)
class SessionEnded(Event):
    """The session is no longer valid."""

    aggregate_type: ClassVar[str] = "user"
    event_type: ClassVar[str] = "user.session_ended"

    session_id: str


@dataclass(frozen=True, slots=True)
class SessionsEnded(Event):
    """No session of the user is valid any more, except for the kept one."""

    aggregate_type: ClassVar[str] = "user"
    event_type: ClassVar[str] = "user.sessions_ended"

    kept_session_id: str | None = None

"""What happened to a user, its roles and its tokens."""

from dataclasses import dataclass
from typing import ClassVar

from server.store.eventlog import Event


@dataclass(frozen=True, slots=True)
class UserAdded(Event):
    """It exists since. `user_name_claim` is what no other name of the organization may share."""

    aggregate_type: ClassVar[str] = "user"
    event_type: ClassVar[str] = "user.added"

    user_name: str
    user_name_claim: str
    display_name: str
    email: str
    # base64; WebAuthn's name for the user, random so that it tells nothing about it
    user_handle: str


@dataclass(frozen=True, slots=True)
class UserChanged(Event):
    """The fields that were set; what is None stayed as it was."""

    aggregate_type: ClassVar[str] = "user"
    event_type: ClassVar[str] = "user.changed"

    display_name: str | None = None
    email: str | None = None


@dataclass(frozen=True, slots=True)
class UserRemoved(Event):
    """It is gone, with its tokens and passkeys."""

    aggregate_type: ClassVar[str] = "user"
    event_type: ClassVar[str] = "user.removed"


@dataclass(frozen=True, slots=True)
class RoleGranted(Event):
    """It has the role since."""

    aggregate_type: ClassVar[str] = "user"
    event_type: ClassVar[str] = "user.role_granted"

    role: str


@dataclass(frozen=True, slots=True)
class RoleRevoked(Event):
    """It no longer has the role."""

    aggregate_type: ClassVar[str] = "user"
    event_type: ClassVar[str] = "user.role_revoked"

    role: str


@dataclass(frozen=True, slots=True)
class TokenCreated(Event):
    """It has the token since. Only the hash of the token is known."""

    aggregate_type: ClassVar[str] = "user"
    event_type: ClassVar[str] = "user.token_created"

    token_id: str
    name: str
    # base64 of the SHA-256
    hash: str
    # ISO 8601; None: it does not expire
    expires_at: str | None
    # The creator, and the makers of the token that the creator used. None, before makers were
    # recorded: the creator alone.
    makers: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class TokenRevoked(Event):
    """The token is no longer valid."""

    aggregate_type: ClassVar[str] = "user"
    event_type: ClassVar[str] = "user.token_revoked"

    token_id: str

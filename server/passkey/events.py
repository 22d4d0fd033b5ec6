"""What happened to the passkeys of a user.

Challenges, registration tokens and the codes of links never appear here.
"""

from dataclasses import dataclass
from typing import ClassVar

from server.store.eventlog import Event


@dataclass(frozen=True, slots=True)
class PasskeyLinkCreated(Event):
    """The user can register a passkey by the link since; every older one ended."""

    aggregate_type: ClassVar[str] = "user"
    event_type: ClassVar[str] = "user.passkey_link_created"

    link_id: str
    # "send_link" or "return_code"
    delivery: str
    # ISO 8601
    expires_at: str


@dataclass(frozen=True, slots=True)
class PasskeyVerified(Event):
    """The user has the passkey since. Byte strings are base64."""

    aggregate_type: ClassVar[str] = "user"
    event_type: ClassVar[str] = "user.passkey_verified"

    passkey_id: str
    name: str
    # The user who began the ceremony, or created the link that it was begun by; the creator of the
    # event is who completed it.
    began_by: str
    rp_id: str
    credential_id: str
    public_key: str
    algorithm: int
    sign_count: int
    aaguid: str
    transports: tuple[str, ...]
    attachment: str
    attestation_format: str
    attestation_type: str
    attestation_trusted: bool
    user_verified: bool
    backup_eligible: bool
    backed_up: bool
    origin: str
    top_origin: str
    # The link that it was begun by. None: begun by a token.
    link_id: str | None = None


@dataclass(frozen=True, slots=True)
class PasskeyCloneSuspected(Event):
    """A sign-in was refused: the counter of the device-bound passkey did not go up."""

    aggregate_type: ClassVar[str] = "user"
    event_type: ClassVar[str] = "user.passkey_clone_suspected"

    passkey_id: str
    stored_sign_count: int
    received_sign_count: int


@dataclass(frozen=True, slots=True)
class PasskeyRenamed(Event):
    """The user knows the passkey by another name since."""

    aggregate_type: ClassVar[str] = "user"
    event_type: ClassVar[str] = "user.passkey_renamed"

    passkey_id: str
    name: str


@dataclass(frozen=True, slots=True)
class PasskeyRemoved(Event):
    """The user no longer has the passkey."""

    aggregate_type: ClassVar[str] = "user"
    event_type: ClassVar[str] = "user.passkey_removed"

    passkey_id: str

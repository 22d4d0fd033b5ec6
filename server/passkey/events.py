"""Events of the passkeys of a user.

Events never contain challenges, registration tokens or codes of links.
"""

from dataclasses import dataclass
from typing import ClassVar

from server.store.eventlog import Event


@dataclass(frozen=True, slots=True)
class PasskeyLinkCreated(Event):
    """A link was created, by which the user can register a passkey. It replaced older links."""

    event_type: ClassVar[str] = "user.passkey_link_created"

    link_id: str
    # "send_link" or "return_code"
    delivery: str
    # ISO 8601
    expires_at: str
    # "registration" or "recovery". Events of older releases lack it: "registration".
    purpose: str = "registration"


@dataclass(frozen=True, slots=True)
class PasskeyVerified(Event):
    """A passkey was registered. Byte strings are base64."""

    event_type: ClassVar[str] = "user.passkey_verified"

    passkey_id: str
    name: str
    # The user who began the ceremony, or who created its link. The creator of the event completed
    # the ceremony.
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
    user_verified: bool
    backup_eligible: bool
    backed_up: bool
    origin: str
    top_origin: str
    # The link that began the ceremony. None: a token began it.
    link_id: str | None = None
    # The makers of the ceremony, and of the token that completed it. None, in events of older
    # releases: `began_by` alone.
    makers: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class PasskeyCloneSuspected(Event):
    """A sign-in was refused: the sign count of the device-bound passkey did not increase."""

    event_type: ClassVar[str] = "user.passkey_clone_suspected"

    passkey_id: str
    stored_sign_count: int
    received_sign_count: int


@dataclass(frozen=True, slots=True)
class PasskeyRenamed(Event):
    """A passkey was renamed."""

    event_type: ClassVar[str] = "user.passkey_renamed"

    passkey_id: str
    name: str


@dataclass(frozen=True, slots=True)
class PasskeyRemoved(Event):
    """A passkey was removed, and its sessions ended."""

    event_type: ClassVar[str] = "user.passkey_removed"

    passkey_id: str
    ended_session_ids: tuple[str, ...] = ()

"""What happened to the passkeys of a user. Challenges and registration tokens never appear here."""

from dataclasses import dataclass
from typing import ClassVar

from server.eventstore import Event


@dataclass(frozen=True, slots=True)
class PasskeyVerified(Event):
    """The user has the passkey since. Byte strings are base64."""

    aggregate_type: ClassVar[str] = "user"
    event_type: ClassVar[str] = "user.passkey_verified"

    passkey_id: str
    name: str
    # who began the ceremony; the creator of the event is who completed it
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


@dataclass(frozen=True, slots=True)
class PasskeyRemoved(Event):
    """The user no longer has the passkey."""

    aggregate_type: ClassVar[str] = "user"
    event_type: ClassVar[str] = "user.passkey_removed"

    passkey_id: str

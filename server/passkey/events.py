"""Events of the passkeys of a user.

Events never contain challenges, registration tokens or codes of links.
"""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from server.log.event import Event, Personal, Shown, event
from server.session.events import EndReason, EndsSessions


@event("user.passkey_link_created")
class PasskeyLinkCreated(Event):
    """A link was created, by which the user can register a passkey. It replaced older links."""

    link_id: Shown[str]
    # "send_link" or "return_code"
    delivery: Shown[str]
    # ISO 8601
    expires_at: Shown[str]
    # "registration" or "recovery". Events of older releases lack it: "registration".
    purpose: Shown[str] = "registration"


@event("user.passkey_verified")
class PasskeyVerified(Event):
    """A passkey was registered. Byte strings are base64."""

    passkey_id: Shown[str]
    name: Personal[str]
    # The user who began the ceremony, or who created its link. The creator of the event completed
    # the ceremony.
    began_by: Shown[str]
    rp_id: Shown[str]
    credential_id: Personal[str]
    public_key: Personal[str]
    algorithm: Shown[int]
    sign_count: Shown[int]
    aaguid: Shown[str]
    transports: Shown[tuple[str, ...]]
    attachment: Shown[str]
    attestation_format: Shown[str]
    user_verified: Shown[bool]
    backup_eligible: Shown[bool]
    backed_up: Shown[bool]
    origin: Shown[str]
    top_origin: Shown[str]
    # The link that began the ceremony. None: a token began it.
    link_id: Shown[str | None] = None
    # The makers of the ceremony, and of the token that completed it. None, in events of older
    # releases: `began_by` alone.
    makers: Shown[tuple[str, ...] | None] = None


@event("user.passkeys_imported")
class PasskeysImported(Event):
    """Passkeys that the user registered elsewhere were imported with the user."""

    passkey_ids: Shown[tuple[str, ...]]
    # Columns of `passkeys`. Byte strings are base64, times ISO 8601.
    passkeys: Personal[Sequence[Mapping[str, object]]]
    # The creator of the import
    began_by: Shown[str]
    makers: Shown[tuple[str, ...]]


@event("user.passkey_clone_suspected")
class PasskeyCloneSuspected(Event):
    """A sign-in was refused: the sign count of the device-bound passkey did not increase."""

    passkey_id: Shown[str]
    stored_sign_count: Shown[int]
    received_sign_count: Shown[int]


@event("user.passkey_renamed")
class PasskeyRenamed(Event):
    """A passkey was renamed."""

    passkey_id: Shown[str]
    name: Personal[str]


@event("user.passkey_removed")
class PasskeyRemoved(EndsSessions):
    """A passkey was removed, and its sessions ended."""

    end_reason: ClassVar[EndReason] = EndReason.PASSKEY_REMOVED

    passkey_id: Shown[str]
    ended_session_ids: Shown[tuple[str, ...]] = ()
    lost_or_stolen: Shown[bool] = False

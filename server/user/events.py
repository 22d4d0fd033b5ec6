"""Events of a user, its roles and its tokens."""

import enum
from collections.abc import Mapping
from typing import Any, ClassVar

from server.log.event import Event, ForOperators, Personal, Shown, event
from server.relying_party.workload_issuers import WorkloadIssuer
from server.session.events import EndReason, EndsSessions


class EmailVerification(enum.StrEnum):
    """How a mail address was verified."""

    LINK = "LINK"
    PROVIDER = "PROVIDER"
    IMPORT = "IMPORT"
    ADMINISTRATOR = "ADMINISTRATOR"

    @property
    def is_claimed(self) -> bool:
        """Whether applications are told that the address is verified."""
        return self is not EmailVerification.ADMINISTRATOR


@event("user.added")
class UserAdded(Event):
    """The user was added.

    `user_name_claim` is the case-folded name. Names that look alike have one of
    `user_name_skeletons` in common (decision 21). All are unique in the organization. Events of
    older releases have no skeletons.
    """

    user_name: Personal[str]
    user_name_claim: Personal[str]
    display_name: Personal[str]
    email: Personal[str]
    # base64; the WebAuthn user handle, random so that it reveals nothing about the user
    user_handle: Personal[str]
    # The makers of the address: its creator and the makers of the creator's credential. None, in
    # events of older releases: unknown.
    makers: Shown[tuple[str, ...] | None] = None
    user_name_skeletons: Personal[tuple[str, ...]] = ()
    given_name: Personal[str] = ""
    family_name: Personal[str] = ""
    locale: Personal[str] = ""
    zoneinfo: Personal[str] = ""
    external_id: Personal[str] = ""
    # By the ids of their definitions.
    attributes: Personal[Mapping[str, Any] | None] = None
    # How the address was verified; empty: it was not.
    email_verification: Shown[str] = ""
    # ISO 8601; None: when the user was added.
    email_verified_at: Shown[str | None] = None


@event("user.imported")
class UserImported(UserAdded):
    """The user was imported, with the ID that it has elsewhere. See `UserAdded`."""

    # ISO 8601; None: now
    originally_created_at: Shown[str | None] = None
    # None: the user is not locked
    lock_reason: Personal[str | None] = None
    # base64 of the SHA-256 of the imported values
    import_digest: Personal[str] = ""
    # As in UserChanged.
    picture: Personal[str] = ""
    picture_key: Personal[str] = ""


@event("user.changed")
class UserChanged(Event):
    """Fields of the user were set; fields that are None did not change."""

    display_name: Personal[str | None] = None
    email: Personal[str | None] = None
    # As in UserAdded; None without an address.
    makers: Shown[tuple[str, ...] | None] = None
    given_name: Personal[str | None] = None
    family_name: Personal[str | None] = None
    locale: Personal[str | None] = None
    zoneinfo: Personal[str | None] = None
    external_id: Personal[str | None] = None
    # The changed values by the ids of their definitions; null: the value was removed.
    attributes: Personal[Mapping[str, Any] | None] = None
    # How the address was verified; empty: it is not any more. A change of the address is enough for
    # that.
    email_verification: Shown[str | None] = None
    # base64; empty: the picture was removed
    picture: Personal[str | None] = None
    # Of the URL of the picture.
    picture_key: Personal[str | None] = None


@event("user.email_change_requested")
class EmailChangeRequested(Event):
    """The user requested a link to a new address, which ends an earlier request."""

    change_id: Shown[str]
    email: Personal[str]
    # ISO 8601
    expires_at: Shown[str]


@event("user.email_change_cancelled")
class EmailChangeCancelled(Event):
    """The pending change of the address was cancelled."""

    change_id: Shown[str]


@event("user.removed")
class UserRemoved(EndsSessions):
    """The user was removed, with its tokens, passkeys and sessions."""

    end_reason: ClassVar[EndReason] = EndReason.USER_REMOVED

    ended_session_ids: Shown[tuple[str, ...]] = ()


@event("user.locked")
class UserLocked(EndsSessions):
    """The user was locked. Its tokens and sessions ended."""

    end_reason: ClassVar[EndReason] = EndReason.USER_LOCKED

    reason: Personal[str]
    ended_session_ids: Shown[tuple[str, ...]]


@event("user.unlocked")
class UserUnlocked(Event):
    """The user was unlocked."""


@event("user.role_granted")
class RoleGranted(Event):
    """A role was granted to the user, or the end of a role that it has was changed."""

    role: Shown[str]
    # ISO 8601; None: it does not end
    expires_at: Shown[str | None] = None


@event("user.role_revoked")
class RoleRevoked(Event):
    """A role of the user was revoked."""

    role: Shown[str]


@event("user.role_ended")
class RoleEnded(RoleRevoked):
    """A role of the user was revoked by the server, because its time has passed."""


@event("user.token_created")
class TokenCreated(Event):
    """A token was created for the user. The event contains only its hash."""

    token_id: Shown[str]
    name: Personal[str]
    # base64 of the SHA-256
    hash: ForOperators[str]
    # ISO 8601; None: it does not expire
    expires_at: Shown[str | None]
    # The creator, and the makers of the token that the creator used. None, before makers were
    # recorded: the creator alone.
    makers: Shown[tuple[str, ...] | None] = None
    # The SHA-256 of a client certificate (base64url), of which `hash` is made; None: a bearer token
    thumbprint: Shown[str | None] = None
    # The IDs of the passkey and the identity link of the session in which the token was made, or
    # those of the token by which it was made.
    began_with: Shown[tuple[str, ...]] = ()
    # The tokens of a workload that act as the user, instead of a secret; `hash` is then made of
    # `token_id`. None: another kind
    workload: Shown[WorkloadIssuer | None] = None


@event("user.token_revoked")
class TokenRevoked(Event):
    """A token of the user was revoked."""

    token_id: Shown[str]

"""Events of the links of a user."""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from server.log.event import Event, Personal, Shown, event
from server.session.events import EndReason, EndsSessions


@event("user.idp_linked")
class IDPLinked(Event):
    """An identity was linked to the user, who can now sign in with it."""

    link_id: Shown[str]
    idp_id: Shown[str]
    issuer: Shown[str]
    subject: Personal[str]
    # The user, and the makers of its session. None, in events of older releases: the user alone.
    makers: Shown[tuple[str, ...] | None] = None


@event("user.idp_links_imported")
class IDPLinksImported(Event):
    """Identities were linked to the user by its import."""

    link_ids: Shown[tuple[str, ...]]
    # Columns of `idp_links`: link_id, idp_id, issuer, subject
    links: Personal[Sequence[Mapping[str, str]]]
    makers: Shown[tuple[str, ...]]


@event("user.idp_mappings_skipped")
class IDPMappingsSkipped(Event):
    """A sign-in skipped other mappings of the provider than the one before, or none any more."""

    link_id: Shown[str]
    # Reasons by names of fields and attributes.
    skipped: Shown[Mapping[str, str]]


@event("user.idp_unlinked")
class IDPUnlinked(EndsSessions):
    """An identity was unlinked from the user, and its sessions ended."""

    end_reason: ClassVar[EndReason] = EndReason.LINK_REMOVED

    link_id: Shown[str]
    ended_session_ids: Shown[tuple[str, ...]]
    # Whether the account at the provider was lost or stolen.
    lost_or_stolen: Shown[bool] = False

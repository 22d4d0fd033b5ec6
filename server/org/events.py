"""The events of organizations."""

from server.log.event import Event, Shown, event


@event("organization.added")
class OrganizationAdded(Event):
    """An organization was added. `name_claim` is the normal form of its name, which is unique."""

    name: Shown[str]
    name_claim: Shown[str]
    is_default: Shown[bool]


@event("organization.removed")
class OrganizationRemoved(Event):
    """An organization without users was removed. Its objects have events of their own."""

    name: Shown[str]


@event("organization.changed")
class OrganizationChanged(Event):
    """The name or settings of an organization were changed; None means unchanged.

    `name_claim` is the normal form of the name.
    """

    name: Shown[str | None] = None
    name_claim: Shown[str | None] = None
    allows_mail_recovery: Shown[bool | None] = None
    client_metadata_hosts: Shown[tuple[str, ...] | None] = None
    allows_sign_up: Shown[bool | None] = None
    keeps_profiles: Shown[bool | None] = None
    allows_mail_fallback: Shown[bool | None] = None

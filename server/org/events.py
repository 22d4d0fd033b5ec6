"""The events of organizations."""

from dataclasses import dataclass
from typing import ClassVar

from server.store.eventlog import Event, Shown


@dataclass(frozen=True, slots=True)
class OrganizationAdded(Event):
    """An organization was added. `name_claim` is the normal form of its name, which is unique."""

    event_type: ClassVar[str] = "organization.added"

    name: Shown[str]
    name_claim: Shown[str]
    is_default: Shown[bool]


@dataclass(frozen=True, slots=True)
class OrganizationChanged(Event):
    """The settings of an organization were changed; None means unchanged."""

    event_type: ClassVar[str] = "organization.changed"

    allows_mail_recovery: Shown[bool | None] = None
    client_metadata_hosts: Shown[tuple[str, ...] | None] = None
    allows_sign_up: Shown[bool | None] = None

"""What happened to an organization."""

from dataclasses import dataclass
from typing import ClassVar

from server.store.eventlog import Event


@dataclass(frozen=True, slots=True)
class OrganizationAdded(Event):
    """It exists since. `name_claim` is what no other organization's name may share."""

    aggregate_type: ClassVar[str] = "organization"
    event_type: ClassVar[str] = "organization.added"

    name: str
    name_claim: str
    is_default: bool

"""The events of organizations."""

from dataclasses import dataclass
from typing import ClassVar

from server.store.eventlog import Event


@dataclass(frozen=True, slots=True)
class OrganizationAdded(Event):
    """It was added. `name_claim` is the normal form of its name, unique among organizations."""

    aggregate_type: ClassVar[str] = "organization"
    event_type: ClassVar[str] = "organization.added"

    name: str
    name_claim: str
    is_default: bool

"""The event of brands."""

from dataclasses import dataclass
from typing import ClassVar

from server.store.eventlog import Event, ForOperators, Shown


@dataclass(frozen=True, slots=True)
class BrandSet(Event):
    """The brand of an organization, or of the instance, was set; the event contains all of it."""

    event_type: ClassVar[str] = "organization.brand_set"

    of_instance: Shown[bool]
    name: Shown[str]
    # base64
    logo: ForOperators[str]
    color: Shown[str]
    support_address: Shown[str]

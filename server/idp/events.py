"""The events of identity providers."""

from dataclasses import dataclass
from typing import ClassVar

from server.store.eventlog import Event, Shown


@dataclass(frozen=True, slots=True)
class IDPAdded(Event):
    """An identity provider was added."""

    event_type: ClassVar[str] = "idp.added"

    name: Shown[str]
    styling_type: Shown[int]
    auto_register: Shown[bool]


@dataclass(frozen=True, slots=True)
class IDPChanged(Event):
    """Fields were set; None means unchanged."""

    event_type: ClassVar[str] = "idp.changed"

    name: Shown[str | None] = None
    styling_type: Shown[int | None] = None
    auto_register: Shown[bool | None] = None


@dataclass(frozen=True, slots=True)
class IDPRemoved(Event):
    """An identity provider was removed."""

    event_type: ClassVar[str] = "idp.removed"

"""What happened to an identity provider."""

from dataclasses import dataclass
from typing import ClassVar

from server.store.eventlog import Event


@dataclass(frozen=True, slots=True)
class IDPAdded(Event):
    """It exists since."""

    aggregate_type: ClassVar[str] = "idp"
    event_type: ClassVar[str] = "idp.added"

    name: str
    styling_type: int
    auto_register: bool


@dataclass(frozen=True, slots=True)
class IDPChanged(Event):
    """The fields that were set; what is None stayed as it was."""

    aggregate_type: ClassVar[str] = "idp"
    event_type: ClassVar[str] = "idp.changed"

    name: str | None = None
    styling_type: int | None = None
    auto_register: bool | None = None


@dataclass(frozen=True, slots=True)
class IDPRemoved(Event):
    """It is gone."""

    aggregate_type: ClassVar[str] = "idp"
    event_type: ClassVar[str] = "idp.removed"

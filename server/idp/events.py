"""The events of identity providers."""

from server.idp.mappings import IDPMapping
from server.log.event import Event, Shown, event


@event("idp.added")
class IDPAdded(Event):
    """An identity provider was added."""

    name: Shown[str]
    styling_type: Shown[int]
    auto_register: Shown[bool]
    is_disabled: Shown[bool] = False
    mappings: Shown[tuple[IDPMapping, ...]] = ()


@event("idp.changed")
class IDPChanged(Event):
    """Fields were set; None means unchanged."""

    name: Shown[str | None] = None
    styling_type: Shown[int | None] = None
    auto_register: Shown[bool | None] = None
    is_disabled: Shown[bool | None] = None
    mappings: Shown[tuple[IDPMapping, ...] | None] = None


@event("idp.removed")
class IDPRemoved(Event):
    """An identity provider was removed."""

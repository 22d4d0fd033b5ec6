"""Events of the attributes that organizations declare. Their values are in the events of users."""

from server.log.event import Event, Shown, event


@event("attribute.added")
class AttributeAdded(Event):
    """An attribute was declared. Its name is unique in the organization."""

    name: Shown[str]
    display_name: Shown[str]
    type: Shown[str]
    user_access: Shown[str]


@event("attribute.changed")
class AttributeChanged(Event):
    """Fields were set; None means unchanged."""

    display_name: Shown[str | None] = None
    user_access: Shown[str | None] = None


@event("attribute.removed")
class AttributeRemoved(Event):
    """An attribute was removed with its values."""

"""Events of groups, and of the memberships of users in them."""

from dataclasses import dataclass
from typing import ClassVar

from server.store.eventlog import Event, Shown


@dataclass(frozen=True, slots=True)
class GroupAdded(Event):
    """A group was added. Its name is unique in the organization."""

    event_type: ClassVar[str] = "group.added"

    name: Shown[str]
    display_name: Shown[str]


@dataclass(frozen=True, slots=True)
class GroupChanged(Event):
    """Fields were set; None means unchanged."""

    event_type: ClassVar[str] = "group.changed"

    name: Shown[str | None] = None
    display_name: Shown[str | None] = None


@dataclass(frozen=True, slots=True)
class GroupRemoved(Event):
    """A group was removed with its memberships."""

    event_type: ClassVar[str] = "group.removed"


@dataclass(frozen=True, slots=True)
class GroupJoined(Event):
    """The user became a member of a group."""

    event_type: ClassVar[str] = "user.group_joined"

    group_id: Shown[str]


@dataclass(frozen=True, slots=True)
class GroupLeft(Event):
    """The user is no longer a member of a group, which still exists."""

    event_type: ClassVar[str] = "user.group_left"

    group_id: Shown[str]

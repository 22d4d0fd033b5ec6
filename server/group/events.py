"""Events of groups, and of the memberships of users in them."""

from collections.abc import Mapping
from dataclasses import field

from server.log.event import Event, Shown, event


@event("group.added")
class GroupAdded(Event):
    """A group was added. Its name is unique in the organization."""

    name: Shown[str]
    display_name: Shown[str]


@event("group.changed")
class GroupChanged(Event):
    """Fields were set; None means unchanged."""

    name: Shown[str | None] = None
    display_name: Shown[str | None] = None


@event("group.removed")
class GroupRemoved(Event):
    """A group was removed with its memberships."""


@event("user.group_joined")
class GroupJoined(Event):
    """The user became a member of a group."""

    group_id: Shown[str]


@event("user.groups_imported")
class GroupsImported(Event):
    """The user became a member of groups by its import.

    Memberships with an entry in `link_ids`, which has links by groups, end with the link.
    """

    group_ids: Shown[tuple[str, ...]]
    link_ids: Shown[Mapping[str, str]] = field(default_factory=dict)


@event("user.groups_mapped")
class GroupsMapped(Event):
    """The user became a member of groups, and left others, by the claims of a provider.

    The memberships end with the link; None: they are as if somebody had added the user.
    """

    link_id: Shown[str | None]
    joined_group_ids: Shown[tuple[str, ...]]
    left_group_ids: Shown[tuple[str, ...]]


@event("user.group_left")
class GroupLeft(Event):
    """The user is no longer a member of a group, which still exists."""

    group_id: Shown[str]

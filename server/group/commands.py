"""The commands on groups and their members."""

import re
from collections.abc import Sequence
from typing import Annotated, Final

from pydantic import AfterValidator, StringConstraints

from server.access import user_aggregate
from server.access.batches import ManyUsers, UserResult, for_each
from server.access.caller import Actor
from server.access.checked_append import written_by
from server.access.listing import FilteredPage
from server.group import member_store, store
from server.group.events import GroupAdded, GroupChanged, GroupJoined, GroupLeft, GroupRemoved
from server.rpc.update_mask import mask_of
from server.store.database import Statements
from server.store.refusals import UNIQUE_CLAIMS_KEY, on_conflict
from server.store.rows import Details
from server.validation.fields import Command, Id, OptionalName, described, is_id
from server.validation.paging import Page
from server.values.errors import FixedFailure, Kind
from server.values.ids import new_id

MAX_MEMBERS: Final = 10_000
_MAX_NAME: Final = 64
_NAME: Final = re.compile(r"[a-z0-9._-]+")


def _name(name: str) -> str:
    if not _NAME.fullmatch(name):
        raise ValueError("must contain only the characters a-z, 0-9, '.', '_' and '-'")
    if is_id(name):
        raise ValueError("must not have the form of an ID, since groups are named by either")
    return name


GroupName = Annotated[
    str,
    StringConstraints(min_length=1, max_length=_MAX_NAME),
    AfterValidator(_name),
    described(pattern=f"^{_NAME.pattern}$"),
]


class CreateGroup(Command):
    """Create a group."""

    name: GroupName
    display_name: OptionalName


class GroupFields(Command):
    """The fields of a patch; None leaves a field unchanged."""

    group_id: Id
    name: GroupName | None
    display_name: OptionalName | None


PATCHABLE = tuple(CreateGroup.model_fields)


class PatchGroup(Command):
    """Set the fields that the mask names."""

    group: GroupFields
    update_mask: Annotated[tuple[str, ...], mask_of(PATCHABLE)]


class OneGroup(Command):
    """Select a group."""

    group_id: Id


class ListGroups(FilteredPage):
    """List the groups of an organization, or those that a text and a filter select."""

    filters = store.LISTING.filters


class OneGroupMember(Command):
    """Select a user as a member of a group."""

    group_id: Id
    user_id: Id


class AddGroupMembers(ManyUsers):
    """Add users to a group."""

    group_id: Id


class ListGroupMembers(Page):
    """List the members of a group."""

    group_id: Id


class ListGroupsOfUser(Page):
    """List the groups of a user."""

    user_id: Id


async def add(
    database: Statements, command: CreateGroup, *, actor: Actor, organization_id: str
) -> tuple[str, Details]:
    """Creates a group; returns its id and details. `Failure` ALREADY_EXISTS."""
    group_id = new_id()
    event = GroupAdded(command.name, command.display_name or command.name)
    with on_conflict({UNIQUE_CLAIMS_KEY: _group_already_exists}):
        added = await store.ADD.details(
            database,
            event,
            **written_by(actor),
            group_id=group_id,
            organization_id=organization_id,
        )
    return group_id, added


async def patch(
    database: Statements, fields: GroupFields, *, actor: Actor, organization_id: str
) -> Details:
    """Replaces the fields that are not None. `Failure` NOT_FOUND, ALREADY_EXISTS."""
    of_group = {"group_id": fields.group_id, "organization_id": organization_id}
    with on_conflict({UNIQUE_CLAIMS_KEY: _group_already_exists}):
        async with database.transaction() as transaction:
            name = await store.lock(transaction, **of_group)
            display_name = fields.display_name
            if display_name == "":
                display_name = name if fields.name is None else fields.name
            return await store.CHANGE.details(
                transaction,
                GroupChanged(fields.name, display_name),
                **written_by(actor),
                **of_group,
            )


async def remove(
    database: Statements, command: OneGroup, *, actor: Actor, organization_id: str
) -> Details:
    """Removes a group with its memberships; returns its last details. `Failure` NOT_FOUND."""
    return await store.REMOVE.details(
        database,
        GroupRemoved(),
        **written_by(actor),
        group_id=command.group_id,
        organization_id=organization_id,
    )


async def add_member(
    database: Statements, command: OneGroupMember, *, actor: Actor, organization_id: str
) -> Details:
    """Makes a user a member of a group; returns the details of the membership.

    `Failure` NOT_FOUND, RESOURCE_EXHAUSTED `TOO_MANY_MEMBERS`.
    """
    of_group = {"group_id": command.group_id, "organization_id": organization_id}
    async with database.transaction() as transaction:
        await store.lock(transaction, **of_group)
        # The next statement reads the caller as of its beginning, so it must not wait for the user.
        await user_aggregate.lock(transaction, command.user_id)
        details, fits = await member_store.join(
            transaction,
            GroupJoined(command.group_id),
            **written_by(actor),
            user_id=command.user_id,
            organization_id=organization_id,
            limit=MAX_MEMBERS,
        )
    if not fits:
        raise _too_many_members()
    return details


async def add_members(
    database: Statements, command: AddGroupMembers, *, actor: Actor, organization_id: str
) -> Sequence[UserResult]:
    """Makes users members of a group. `Failure` NOT_FOUND for the group."""
    of_group = {"group_id": command.group_id, "organization_id": organization_id}
    await store.GET.one(database, **of_group)

    async def add_one(user_id: str) -> None:
        one = OneGroupMember(group_id=command.group_id, user_id=user_id)
        await add_member(database, one, actor=actor, organization_id=organization_id)

    return await for_each(command, add_one, actor=actor)


async def remove_member(
    database: Statements, command: OneGroupMember, *, actor: Actor, organization_id: str
) -> Details:
    """Removes a user from a group; returns the last details of the membership.

    `Failure` NOT_FOUND.
    """
    return await member_store.LEAVE.details(
        database,
        GroupLeft(command.group_id),
        **written_by(actor),
        user_id=command.user_id,
        organization_id=organization_id,
    )


_group_already_exists: Final = FixedFailure(
    "GROUP_ALREADY_EXISTS",
    "The organization has a group with this name. Choose another name.",
    kind=Kind.ALREADY_EXISTS,
)
_too_many_members: Final = FixedFailure(
    "TOO_MANY_MEMBERS",
    f"The group has {MAX_MEMBERS:,} members, which is the maximum. Remove members, or add another"
    " group.",
    kind=Kind.RESOURCE_EXHAUSTED,
)

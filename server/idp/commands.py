"""The commands on identity providers."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from enum import IntEnum
from typing import Annotated, ClassVar, Protocol

from server.access.caller import Actor
from server.access.checked_append import check_admitted, written_by
from server.idp import store
from server.idp.events import IDPAdded, IDPChanged, IDPRemoved
from server.idp.mappings import GROUPS, IDPMapping, Mappings
from server.rpc.update_mask import mask_of
from server.store.database import Statements
from server.store.rows import Details
from server.validation.fields import Command, Id, Name, defined
from server.validation.paging import Page
from server.values.errors import Violation, invalid
from server.values.ids import new_id


class EndSessionsOfIDP(Protocol):
    """Ends the sessions of a locked provider, and ceremonies of their users."""

    async def __call__(self, transaction: Statements, idp_id: str, *, creator: str) -> object: ...


class LockGroups(Protocol):
    """The organization's groups among ids and names: their ids by id and name, locked."""

    async def __call__(
        self, transaction: Statements, named: Collection[str], organization_id: str
    ) -> dict[str, str]: ...


class StylingType(IntEnum):
    """The look of the login button, with the numbers of the API."""

    STYLING_TYPE_UNSPECIFIED = 0
    STYLING_TYPE_PROVIDER = 1


_StylingType = Annotated[int, defined(StylingType)]


class _WholeIDP(Command):
    name: Name
    styling_type: _StylingType
    auto_register: bool


class CreateIDP(_WholeIDP):
    """Create an identity provider."""

    is_disabled: bool = False
    mappings: Mappings = ()


class UpdateIDP(_WholeIDP):
    """Replace the fields that the first release had."""

    idp_id: Id
    is_disabled: ClassVar[None] = None
    mappings: ClassVar[None] = None


class IDPFields(Command):
    """The fields of a patch; None leaves a field unchanged."""

    idp_id: Id
    name: Name | None
    styling_type: _StylingType | None
    auto_register: bool | None
    is_disabled: bool | None
    mappings: Mappings


PATCHABLE = tuple(CreateIDP.model_fields)


class PatchIDP(Command):
    """Set the fields that the mask names."""

    idp: IDPFields
    update_mask: Annotated[tuple[str, ...], mask_of(PATCHABLE)]


class ListIDPs(Page):
    """List the identity providers of an organization."""


class OneIDP(Command):
    """Select an identity provider."""

    idp_id: Id


async def add(
    database: Statements,
    command: CreateIDP,
    *,
    actor: Actor,
    organization_id: str,
    lock_groups: LockGroups,
) -> tuple[str, Details]:
    """Creates an identity provider; returns its id and details.

    `Failure` INVALID_ARGUMENT for a group that does not exist.
    """
    idp_id = new_id()
    values = {"idp_id": idp_id, "organization_id": organization_id, **written_by(actor)}
    event = IDPAdded.of(command, mappings=command.mappings or ())
    if not event.mappings:
        return idp_id, await store.ADD.details(database, event, **values)
    async with database.transaction() as transaction:
        ids = await _ids(transaction, event.mappings, organization_id, lock_groups)
        event = replace(event, mappings=_by_ids(event.mappings, ids))
        return idp_id, await store.ADD.details(transaction, event, **values)


async def change(
    database: Statements,
    command: UpdateIDP | IDPFields,
    *,
    actor: Actor,
    organization_id: str,
    end_sessions: EndSessionsOfIDP,
    lock_groups: LockGroups,
) -> Details:
    """Replaces the fields that are not None. The sessions of a provider that is off end.

    `Failure` NOT_FOUND; INVALID_ARGUMENT for a group that does not exist, or for a row of groups
    that loses its last one.
    """
    event = IDPChanged.of(command)
    of_idp = {"idp_id": command.idp_id, "organization_id": organization_id}
    if not event.mappings and not event.is_disabled:
        return await store.CHANGE.details(database, event, **of_idp, **written_by(actor))
    async with database.transaction() as transaction:
        if event.mappings:  # groups are locked before providers
            ids = await _ids(transaction, event.mappings, organization_id, lock_groups)
            await store.lock(transaction, **of_idp)
            before = (await store.GET.one(transaction, **of_idp)).mappings
            _check_emptied(before, event.mappings)
            # A row may keep groups that were removed since: otherwise no row could be changed.
            kept = {group: group for each in before for group in each.groups.values()}
            mappings = _by_ids(event.mappings, kept | ids, within="idp.")
            event = replace(event, mappings=mappings)
        if event.is_disabled:
            await store.lock(transaction, **of_idp)
            await end_sessions(transaction, command.idp_id, creator=actor.user_id)
        return await store.CHANGE.details(transaction, event, **of_idp, **written_by(actor))


async def _ids(
    transaction: Statements,
    mappings: tuple[IDPMapping, ...],
    organization_id: str,
    lock_groups: LockGroups,
) -> dict[str, str]:
    """The IDs of the groups of mappings, which are locked, by IDs and names."""
    named = {group for each in mappings for group in each.groups.values()}
    return await lock_groups(transaction, named, organization_id) if named else {}


def _check_emptied(before: tuple[IDPMapping, ...], mappings: tuple[IDPMapping, ...]) -> None:
    """Checks that no row of groups loses its last one. `Failure` INVALID_ARGUMENT.

    Without groups, a row would admit its users to every group whose name is a value of the claim:
    that must be said by another row.
    """
    of_groups = [each for each in before if each.attribute == GROUPS]
    open_before = {each.claim for each in of_groups if not each.groups}
    limited = {each.claim for each in of_groups if each.groups} - open_before
    if wrong := [
        Violation(
            f"idp.mappings.{index}.groups",
            "must not lose its last group: then every value of the claim would be the name of a"
            " group. Remove the row, and add it again if you want this",
        )
        for index, each in enumerate(mappings)
        if each.attribute == GROUPS and not each.groups and each.claim in limited
    ]:
        raise invalid(*wrong)


def _by_ids(
    mappings: tuple[IDPMapping, ...], ids: Mapping[str, str], *, within: str = ""
) -> tuple[IDPMapping, ...]:
    """The mappings with the IDs of groups. `Failure` INVALID_ARGUMENT."""
    if wrong := [
        Violation(
            f"{within}mappings.{index}.groups",
            f"must name groups of the organization; '{unknown[0]}' is none: list them",
        )
        for index, each in enumerate(mappings)
        if (unknown := [group for group in each.groups.values() if group not in ids])
    ]:
        raise invalid(*wrong)
    return tuple(
        replace(each, groups={value: ids[group] for value, group in each.groups.items()})
        for each in mappings
    )


async def remove(
    database: Statements,
    command: OneIDP,
    *,
    actor: Actor,
    organization_id: str,
    end_sessions: EndSessionsOfIDP,
) -> Details:
    """Removes a provider and ends its sessions; returns its last details."""
    async with database.transaction() as transaction:
        await store.lock(transaction, command.idp_id, organization_id=organization_id)
        await check_admitted(transaction, actor)
        await end_sessions(transaction, command.idp_id, creator=actor.user_id)
        return await store.REMOVE.details(
            transaction, IDPRemoved(), creator=actor.user_id, idp_id=command.idp_id
        )

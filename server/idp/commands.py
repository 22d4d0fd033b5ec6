"""The commands on identity providers."""

from enum import IntEnum
from typing import Annotated, Protocol

from server.access.caller import Actor
from server.access.checked_append import check_admitted, written_by
from server.idp import store
from server.idp.events import IDPAdded, IDPChanged, IDPRemoved
from server.rpc.update_mask import mask_of
from server.store.database import Statements
from server.store.rows import Details
from server.validation.fields import Command, Id, Name, defined
from server.validation.paging import Page
from server.values.ids import new_id


class EndSessionsOfIDP(Protocol):
    """Ends the sessions of a locked provider, and ceremonies of their users."""

    async def __call__(self, transaction: Statements, idp_id: str, *, creator: str) -> object: ...


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


class UpdateIDP(_WholeIDP):
    """Replace all fields of an identity provider."""

    idp_id: Id


class IDPFields(Command):
    """The fields of a patch; None leaves a field unchanged."""

    idp_id: Id
    name: Name | None
    styling_type: _StylingType | None
    auto_register: bool | None


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
    database: Statements, command: CreateIDP, *, actor: Actor, organization_id: str
) -> tuple[str, Details]:
    """Creates an identity provider; returns its id and details."""
    idp_id = new_id()
    event = IDPAdded.of(command)
    return idp_id, await store.ADD.details(
        database, event, **written_by(actor), idp_id=idp_id, organization_id=organization_id
    )


async def change(
    database: Statements, command: UpdateIDP | IDPFields, *, actor: Actor, organization_id: str
) -> Details:
    """Replaces the fields that are not None. `Failure` NOT_FOUND."""
    return await store.CHANGE.details(
        database,
        IDPChanged.of(command),
        **written_by(actor),
        idp_id=command.idp_id,
        organization_id=organization_id,
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

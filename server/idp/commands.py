"""The commands on identity providers."""

from enum import IntEnum
from typing import Annotated

from pydantic import AfterValidator

from server.idp import store
from server.idp.events import IDPAdded, IDPChanged
from server.rpc.update_mask import mask_of, mask_schema
from server.store.database import Statements
from server.store.eventlog import Details, new_id
from server.validation.fields import Command, Id, Name
from server.values.errors import Failure, not_found


class StylingType(IntEnum):
    """The look of the login button, with the numbers of the API."""

    STYLING_TYPE_UNSPECIFIED = 0
    STYLING_TYPE_PROVIDER = 1


_STYLING_TYPES = frozenset(StylingType)


def _defined(number: int) -> int:
    if number not in _STYLING_TYPES:
        names = ", ".join(f"{styling_type.name} ({styling_type})" for styling_type in StylingType)
        raise ValueError(f"must be one of {names}")
    return number


DefinedStylingType = Annotated[int, AfterValidator(_defined)]


class _WholeIDP(Command):
    name: Name
    styling_type: DefinedStylingType
    auto_register: bool


class AddIDP(_WholeIDP):
    """Add an identity provider."""


class UpdateIDP(_WholeIDP):
    """Replace all fields of an identity provider."""

    idp_id: Id


class IDPFields(Command):
    """The fields of a patch; None leaves a field unchanged."""

    idp_id: Id
    name: Name | None
    styling_type: DefinedStylingType | None
    auto_register: bool | None


PATCHABLE = tuple(AddIDP.model_fields)


class PatchIDP(Command):
    """Set the fields that the mask names."""

    idp: IDPFields
    update_mask: Annotated[
        tuple[str, ...],
        AfterValidator(mask_of(PATCHABLE)),
        mask_schema(PATCHABLE),
    ]


class OneIDP(Command):
    """Name an identity provider."""

    idp_id: Id


async def add(
    database: Statements, command: AddIDP, *, caller_id: str, organization_id: str
) -> tuple[str, Details]:
    """Adds one; returns its id and details."""
    idp_id = new_id()
    event = IDPAdded.of(command)
    return idp_id, await store.add(
        database, event, creator=caller_id, idp_id=idp_id, organization_id=organization_id
    )


async def update(
    database: Statements, command: UpdateIDP, *, caller_id: str, organization_id: str
) -> Details:
    """Replaces every field."""
    event = IDPChanged.of(command)
    return await _change(database, command.idp_id, event, caller_id, organization_id)


async def patch(
    database: Statements, command: PatchIDP, *, caller_id: str, organization_id: str
) -> Details:
    """Replaces the fields of the mask."""
    event = IDPChanged.of(command.idp)
    return await _change(database, command.idp.idp_id, event, caller_id, organization_id)


async def _change(
    database: Statements, idp_id: str, event: IDPChanged, caller_id: str, organization_id: str
) -> Details:
    changed = await store.change(
        database, event, creator=caller_id, idp_id=idp_id, organization_id=organization_id
    )
    if changed is None:
        raise _not_found(idp_id)
    return changed


async def remove(
    database: Statements, command: OneIDP, *, caller_id: str, organization_id: str
) -> Details:
    """Removes one; returns its details as of the removal."""
    removed = await store.remove(
        database, creator=caller_id, idp_id=command.idp_id, organization_id=organization_id
    )
    if removed is None:
        raise _not_found(command.idp_id)
    return removed


async def get(database: Statements, command: OneIDP, *, organization_id: str) -> store.IDP:
    """Reads one. `Failure` NOT_FOUND."""
    found = await store.get(database, idp_id=command.idp_id, organization_id=organization_id)
    if found is None:
        raise _not_found(command.idp_id)
    return found


def _not_found(idp_id: str) -> Failure:
    return not_found(
        "idp",
        idp_id,
        "The identity provider does not exist in this organization. List the identity providers to"
        " find its id, or name its organization in x-service-orgid.",
    )

"""The commands on brands."""

import base64
from collections.abc import Mapping
from typing import Annotated, Final

from pydantic import AfterValidator

from server.access.caller import Actor
from server.access.checked_append import written_by
from server.org import store as org_store
from server.org.brand import store
from server.org.brand.events import BrandSet
from server.org.brand.store import Brand
from server.store.database import Statements
from server.store.rows import Details
from server.validation.colors import BrandColor
from server.validation.fields import (
    Command,
    Id,
    OptionalId,
    OptionalMailAddress,
    OptionalName,
    read,
)
from server.validation.logos import Logo
from server.values.errors import NotFound

_EMPTY: Final = {"name": "", "logo": b"", "color": "", "support_address": ""}


def _address_of_link(address: str) -> str:
    """Refuses an address that programs could read as encoded in a link: `%0a` is a line break."""
    if "%" in address:
        raise ValueError("must not contain %")
    return address


class SetInstanceBrand(Command):
    """Set all fields of the brand of the instance. Empty fields have the values of the server."""

    name: OptionalName
    logo: Logo
    color: BrandColor
    support_address: Annotated[OptionalMailAddress, AfterValidator(_address_of_link)]


class SetBrand(SetInstanceBrand):
    """Set all fields of the brand of an organization. Empty fields are those of the instance."""

    org_id: Id


class GetShownBrand(Command):
    """Select the organization whose brand a page shows; empty: the instance."""

    org_id: OptionalId


async def set_of_organization(database: Statements, command: SetBrand, *, actor: Actor) -> Details:
    """Sets the brand of an organization. `Failure` NOT_FOUND."""
    return await _set(database, command, command.org_id, actor=actor, of_instance=False)


async def set_of_instance(
    database: Statements, command: SetInstanceBrand, *, actor: Actor
) -> Details:
    """Sets the brand of the instance, which the default organization owns."""
    organization_id = await org_store.default_organization_id(database) or ""
    return await _set(database, command, organization_id, actor=actor, of_instance=True)


async def change(
    database: Statements,
    changes: Mapping[str, object],
    *,
    actor: Actor,
    organization_id: str | None = None,
) -> Details:
    """Changes some fields of the brand of an organization, or of the instance (None).

    `Failure` INVALID_ARGUMENT, NOT_FOUND.
    """
    async with database.transaction() as transaction:
        of_instance = organization_id is None
        owner = organization_id or await org_store.default_organization_id(transaction) or ""
        await org_store.lock(transaction, owner)
        current = await (
            store.GET_OF_INSTANCE.one_or_none(transaction)
            if of_instance
            else store.GET.one_or_none(transaction, organization_id=owner)
        )
        fields = {name: getattr(current, name, empty) for name, empty in _EMPTY.items()}
        command = read(SetInstanceBrand, {**fields, **changes})
        return await _set(transaction, command, owner, actor=actor, of_instance=of_instance)


async def get(database: Statements, organization_id: str) -> Brand:
    """Reads the brand of an organization. `Failure` NOT_FOUND."""
    brand = await store.GET.one_or_none(database, organization_id=organization_id)
    if brand is not None:
        return brand
    await org_store.GET.one(database, organization_id=organization_id)
    raise _not_found(organization_id)


async def get_of_instance(database: Statements) -> Brand:
    """Reads the brand of the instance. `Failure` NOT_FOUND."""
    brand = await store.GET_OF_INSTANCE.one_or_none(database)
    if brand is None:
        raise _not_found("")
    return brand


async def _set(
    database: Statements,
    command: SetInstanceBrand,
    organization_id: str,
    *,
    actor: Actor,
    of_instance: bool,
) -> Details:
    event = BrandSet.of(
        command, of_instance=of_instance, logo=base64.b64encode(command.logo).decode()
    )
    return await store.SET.details(
        database, event, **written_by(actor), organization_id=organization_id
    )


_not_found: Final = NotFound("brand", "No brand is set. Set one with SetBrand or SetInstanceBrand.")

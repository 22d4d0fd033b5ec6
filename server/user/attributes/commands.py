"""The commands on the attributes of an organization, and on their values of users."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Annotated, Any, Final

from pydantic import AfterValidator, StringConstraints

from server.access.caller import Actor
from server.access.checked_append import written_by
from server.rpc.update_mask import mask_of
from server.store.database import Statements
from server.store.refusals import UNIQUE_CLAIMS_KEY, on_conflict
from server.store.rows import Details
from server.user.attributes import store
from server.user.attributes.events import AttributeAdded, AttributeChanged, AttributeRemoved
from server.user.attributes.values import (
    FIELDS,
    MAX_DEFINITIONS,
    MAX_NAME,
    NAME,
    AttributeAccess,
    AttributeType,
    check_value,
)
from server.validation.fields import Command, Id, OptionalName, described, is_id, named
from server.validation.paging import Page
from server.values.errors import FixedFailure, Kind, Violation, invalid, permission_denied
from server.values.ids import new_id

# No attribute has the name of a field of users.
_OF_USERS: Final = frozenset((*FIELDS, "email", "picture", "roles", "groups", "user_id"))

Lock = Callable[[Statements, str], Awaitable[None]]


def _name(name: str) -> str:
    if not NAME.fullmatch(name):
        raise ValueError("must contain only the characters A-Z, a-z, 0-9, '.', '_' and '-'")
    if is_id(name):
        raise ValueError("must not have the form of an ID, since attributes are named by either")
    if name in _OF_USERS:
        raise ValueError("must not be the name of a field of users")
    return name


_Access = Annotated[AttributeAccess, named(AttributeAccess, "ATTRIBUTE_ACCESS")]


class CreateAttributeDefinition(Command):
    """Declare an attribute."""

    name: Annotated[
        str,
        StringConstraints(min_length=1, max_length=MAX_NAME),
        AfterValidator(_name),
        described(pattern=f"^{NAME.pattern}$"),
    ]
    display_name: OptionalName
    type: Annotated[AttributeType, named(AttributeType, "ATTRIBUTE_TYPE")]
    user_access: Annotated[
        AttributeAccess,
        named(AttributeAccess, "ATTRIBUTE_ACCESS", unspecified=AttributeAccess.NONE),
    ]


class DefinitionFields(Command):
    """The fields of a patch; None leaves a field unchanged."""

    attribute_id: Id
    display_name: OptionalName | None
    user_access: _Access | None


PATCHABLE = ("display_name", "user_access")


class PatchAttributeDefinition(Command):
    """Set the fields that the mask names."""

    definition: DefinitionFields
    update_mask: Annotated[tuple[str, ...], mask_of(PATCHABLE)]


class OneAttributeDefinition(Command):
    """Select an attribute."""

    attribute_id: Id


class ListAttributeDefinitions(Page):
    """List the attributes of an organization."""


async def add(
    database: Statements,
    command: CreateAttributeDefinition,
    *,
    actor: Actor,
    organization_id: str,
    lock_organization: Lock,
) -> tuple[str, Details]:
    """Declares an attribute; returns its id and details.

    `Failure` ALREADY_EXISTS, RESOURCE_EXHAUSTED `TOO_MANY_ATTRIBUTE_DEFINITIONS`.
    """
    attribute_id = new_id()
    event = AttributeAdded.of(command, display_name=command.display_name or command.name)
    with on_conflict({UNIQUE_CLAIMS_KEY: _already_exists}):
        async with database.transaction() as transaction:
            await lock_organization(transaction, organization_id)
            added, fits = await store.add(
                transaction,
                event,
                **written_by(actor),
                attribute_id=attribute_id,
                organization_id=organization_id,
                limit=MAX_DEFINITIONS,
            )
    if not fits:
        raise _too_many()
    return attribute_id, added


async def patch(
    database: Statements, fields: DefinitionFields, *, actor: Actor, organization_id: str
) -> Details:
    """Replaces the fields that are not None. `Failure` NOT_FOUND."""
    of_definition = {"attribute_id": fields.attribute_id, "organization_id": organization_id}
    display_name = fields.display_name
    if display_name == "":
        display_name = (await store.GET.one(database, **of_definition)).name
    event = AttributeChanged(display_name, fields.user_access)
    return await store.CHANGE.details(database, event, **written_by(actor), **of_definition)


async def remove(
    database: Statements, command: OneAttributeDefinition, *, actor: Actor, organization_id: str
) -> Details:
    """Removes an attribute with its values; returns its last details. `Failure` NOT_FOUND."""
    return await store.REMOVE.details(
        database,
        AttributeRemoved(),
        **written_by(actor),
        attribute_id=command.attribute_id,
        organization_id=organization_id,
    )


async def by_ids(
    database: Statements,
    given: Mapping[str, Any] | None,
    *,
    organization_id: str,
    field: str = "attributes",
    is_administrator: bool = True,
) -> dict[str, Any] | None:
    """The values by the IDs of their definitions, for an event; None: no values are given.

    `given` has values by names, and null for those to remove. `Failure` INVALID_ARGUMENT names
    every wrong value below `field`; PERMISSION_DENIED if a user may not set one for itself.
    """
    if not given:
        return None
    definitions = await store.list_named(database, given, organization_id)
    if wrong := [
        Violation(f"{field}.{name}", problem)
        for name, value in given.items()
        if (problem := problem_of(definitions.get(name), value))
    ]:
        raise invalid(*wrong)
    if not is_administrator and any(
        each.user_access is not AttributeAccess.WRITE for each in definitions.values()
    ):
        raise permission_denied()
    return {definitions[name].attribute_id: value for name, value in given.items()}


async def fitting(
    database: Statements, given: Mapping[str, Any], *, organization_id: str
) -> tuple[dict[str, Any], dict[str, str]]:
    """Those of the values that fit, by the IDs of their definitions, and reasons for the others."""
    definitions = await store.list_named(database, given, organization_id) if given else {}
    values, skipped = dict[str, Any](), dict[str, str]()
    for name, value in given.items():
        if name not in definitions:
            skipped[name] = "ATTRIBUTE_UNKNOWN"
        elif problem_of(definitions[name], value):
            skipped[name] = "VALUE_INVALID"
        else:
            values[definitions[name].attribute_id] = value
    return values, skipped


def problem_of(definition: store.AttributeDefinition | None, value: Any) -> str:
    """The correction of a JSON value of an attribute; empty if it is right."""
    if definition is None:
        return "must be the name of an attribute of the organization: declare it first"
    if value is None:
        return ""
    try:
        check_value(definition.type, value)
    except ValueError as error:
        return str(error)
    return ""


_already_exists: Final = FixedFailure(
    "ATTRIBUTE_DEFINITION_ALREADY_EXISTS",
    "The organization has an attribute with this name. Choose another name.",
    kind=Kind.ALREADY_EXISTS,
)
_too_many: Final = FixedFailure(
    "TOO_MANY_ATTRIBUTE_DEFINITIONS",
    f"The organization has {MAX_DEFINITIONS} attributes, which is the maximum. Remove one first.",
    kind=Kind.RESOURCE_EXHAUSTED,
)

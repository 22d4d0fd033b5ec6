"""The commands on organizations."""

from collections.abc import Mapping
from typing import Annotated, Final

from server.access import admission
from server.access.caller import Actor
from server.access.checked_append import check_admitted, written_by
from server.org import store
from server.org.events import OrganizationAdded, OrganizationChanged, OrganizationRemoved
from server.org.objects import ObjectsOfOrganization
from server.rpc.update_mask import mask_of
from server.store.database import Statements
from server.store.refusals import UNIQUE_CLAIMS_KEY, on_conflict
from server.store.rows import Details
from server.validation.fields import Command, Id, UniqueName, case_folded, described
from server.validation.paging import Page
from server.validation.value_lists import MAX_VALUES, Values, each
from server.values.counted import counted
from server.values.errors import Failure, FixedFailure, Kind
from server.values.ids import new_id
from server.values.origins import is_web_origin


class CreateOrganization(Command):
    """Create an organization."""

    name: UniqueName


class OneOrganization(Command):
    """Select an organization."""

    org_id: Id


class ListOrganizations(Page):
    """List all organizations."""


def _metadata_host(host: str) -> None:
    if host != store.ANY_HOST and not is_web_origin(f"https://{host}"):
        raise ValueError(
            "must be a host like app.example.com or app.example.com:8443, as browsers write it, or"
            f" {store.ANY_HOST} for every host"
        )


PATCHABLE = (
    "name",
    "allows_mail_recovery",
    "client_metadata_hosts",
    "allows_sign_up",
    "keeps_profiles",
    "allows_mail_fallback",
)


class OrganizationFields(Command):
    """The fields of a patch; None leaves a field unchanged."""

    org_id: Id
    name: UniqueName | None
    allows_mail_recovery: bool | None
    client_metadata_hosts: Annotated[Values, each(_metadata_host), described(maxItems=MAX_VALUES)]
    allows_sign_up: bool | None
    keeps_profiles: bool | None
    allows_mail_fallback: bool | None


class PatchOrganization(Command):
    """Set the fields that the mask names."""

    organization: OrganizationFields
    update_mask: Annotated[tuple[str, ...], mask_of(PATCHABLE)]


async def create(
    database: Statements, command: CreateOrganization, *, actor: Actor, is_default: bool = False
) -> tuple[str, Details]:
    """Creates an organization; returns its id and details. `Failure` ALREADY_EXISTS."""
    organization_id = new_id()
    event = OrganizationAdded(command.name, case_folded(command.name), is_default)
    with on_conflict({UNIQUE_CLAIMS_KEY: _organization_already_exists}):
        added = await store.ADD.details(
            database, event, **written_by(actor), organization_id=organization_id
        )
    return organization_id, added


async def patch(database: Statements, fields: OrganizationFields, *, actor: Actor) -> Details:
    """Replaces the fields that are not None. `Failure` NOT_FOUND, ALREADY_EXISTS.

    Recovery by mail grants access to accounts, so the caller's rights are checked again under the
    lock. The organization is locked first, since all commands lock organizations before users.
    """
    claim = None if fields.name is None else case_folded(fields.name)
    with on_conflict({UNIQUE_CLAIMS_KEY: _organization_already_exists}):
        async with database.transaction() as transaction:
            changed = await store.CHANGE.details(
                transaction,
                OrganizationChanged.of(fields, name_claim=claim),
                creator=actor.user_id,
                organization_id=fields.org_id,
            )
            await admission.check_caller(transaction, actor)
    return changed


async def remove(
    database: Statements, command: OneOrganization, *, actor: Actor, objects: ObjectsOfOrganization
) -> tuple[Details, Mapping[str, int]]:
    """Removes an organization without users, and all that it has.

    Returns its last details, and the numbers of the removed objects. `Failure` NOT_FOUND;
    FAILED_PRECONDITION `DEFAULT_ORGANIZATION`, `ORGANIZATION_HAS_USERS`.
    """
    org_id = command.org_id
    async with database.transaction() as transaction:
        organization = await store.close(transaction, org_id)
        await check_admitted(transaction, actor)
        if organization.is_default:
            raise _default_organization()
        if users := await objects.count_users(transaction, org_id):
            raise _has_users(users)
        removed = {
            name: await remove_all(transaction, org_id, actor.user_id)
            for name, remove_all in objects.remove.items()
        }
        for forget in objects.forget:
            await forget(transaction, org_id)
        details = await store.REMOVE.details(
            transaction,
            OrganizationRemoved(organization.name),
            creator=actor.user_id,
            organization_id=org_id,
        )
    return details, removed


def _has_users(number: int) -> Failure:
    return Failure(
        Kind.FAILED_PRECONDITION,
        "ORGANIZATION_HAS_USERS",
        f"The organization has {counted(number, 'user')}. Remove them first (RemoveUsers), so that"
        " their personal data is erased.",
        metadata={"users": str(number)},
    )


_default_organization: Final = FixedFailure(
    "DEFAULT_ORGANIZATION",
    "This is the default organization, which owns the objects of the instance. It cannot be"
    " removed.",
)
_organization_already_exists: Final = FixedFailure(
    "ORGANIZATION_ALREADY_EXISTS",
    "An organization with this name exists. Choose another name.",
    kind=Kind.ALREADY_EXISTS,
)

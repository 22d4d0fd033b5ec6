"""The commands on organizations."""

from server.access.authorizer import organization_not_found
from server.org import store
from server.org.events import OrganizationAdded
from server.store.database import Statements, UniqueConflictError
from server.store.eventlog import Details, new_id
from server.validation.fields import Command, Id, UniqueName, case_folded
from server.values.errors import Failure, Kind


class CreateOrganization(Command):
    """Create an organization."""

    name: UniqueName


class OneOrganization(Command):
    """Name an organization."""

    org_id: Id


async def create(
    database: Statements, command: CreateOrganization, *, caller_id: str, is_default: bool = False
) -> tuple[str, Details]:
    """Creates one; returns its id and details. `Failure` ALREADY_EXISTS."""
    organization_id = new_id()
    event = OrganizationAdded(command.name, case_folded(command.name), is_default)
    try:
        added = await store.add(database, event, creator=caller_id, organization_id=organization_id)
    except UniqueConflictError as conflict:
        conflict.must_be("unique_claims_pkey")
        raise Failure(
            Kind.ALREADY_EXISTS,
            "ORGANIZATION_ALREADY_EXISTS",
            "An organization with this name exists. Choose another name.",
        ) from None
    return organization_id, added


async def get(database: Statements, command: OneOrganization) -> store.Organization:
    """Reads one. `Failure` NOT_FOUND."""
    found = await store.get(database, command.org_id)
    if found is None:
        raise organization_not_found(command.org_id)
    return found

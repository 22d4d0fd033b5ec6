"""The RPC methods of organizations: convert messages, and call commands."""

from typing import Any

from keystead.org.v1 import organization_service_pb2 as pb
from server.org import commands, store
from server.org.objects import ObjectsOfOrganization
from server.rpc.call import AnyCall
from server.rpc.declared import checks_caller
from server.rpc.messages import Nested, details_message, nested
from server.rpc.preconditions.changes import Objects
from server.rpc.update_mask import read_patch
from server.store.database import Database
from server.validation.fields import Commands, read

COMMANDS: Commands = {
    "CreateOrganization": commands.CreateOrganization,
    "GetOrganization": commands.OneOrganization,
    "PatchOrganization": commands.PatchOrganization,
    "RemoveOrganization": commands.OneOrganization,
    "ListOrganizations": commands.ListOrganizations,
}

OBJECTS: Objects = {"/v1/orgs/{org_id}": store.LOCK_SEQUENCE}


class Organizations:
    """The methods of OrganizationService, but for the figures.

    See `keystead/org/v1/organization_service.proto`.
    """

    def __init__(self, database: Database, *, objects: ObjectsOfOrganization) -> None:
        self._database = database
        self._objects = objects

    @checks_caller
    async def CreateOrganization(
        self, request: pb.CreateOrganizationRequest, call: AnyCall
    ) -> pb.CreateOrganizationResponse:
        command = read(commands.CreateOrganization, request)
        org_id, details = await commands.create(self._database, command, actor=call.caller)
        return pb.CreateOrganizationResponse(details=details_message(details), org_id=org_id)

    async def GetOrganization(
        self, request: pb.GetOrganizationRequest, _context: Any
    ) -> pb.GetOrganizationResponse:
        command = read(commands.OneOrganization, request)
        organization = await store.GET.one(self._database, organization_id=command.org_id)
        return pb.GetOrganizationResponse(organization=_organization(organization))

    @checks_caller
    async def PatchOrganization(
        self, request: pb.PatchOrganizationRequest, call: AnyCall
    ) -> pb.PatchOrganizationResponse:
        command = read_patch(
            commands.PatchOrganization, request, "organization", "org_id", commands.PATCHABLE
        )
        details = await commands.patch(self._database, command.organization, actor=call.caller)
        return pb.PatchOrganizationResponse(details=details_message(details))

    @checks_caller
    async def RemoveOrganization(
        self, request: pb.RemoveOrganizationRequest, call: AnyCall
    ) -> pb.RemoveOrganizationResponse:
        command = read(commands.OneOrganization, request)
        details, removed = await commands.remove(
            self._database, command, actor=call.caller, objects=self._objects
        )
        return pb.RemoveOrganizationResponse(
            details=details_message(details), removed=pb.RemovedObjects(**removed)
        )

    async def ListOrganizations(
        self, request: pb.ListOrganizationsRequest, _context: Any
    ) -> pb.ListOrganizationsResponse:
        page = read(commands.ListOrganizations, request)
        organizations, next_page_token = await page.read(
            store.LIST.all, self._database, lambda organization: organization.organization_id
        )
        return pb.ListOrganizationsResponse(
            organizations=map(_organization, organizations), next_page_token=next_page_token
        )


def _organization(organization: store.Organization) -> Nested:
    return nested(
        pb.Organization,
        organization,
        org_id=organization.organization_id,
    )

"""The RPC methods of identity providers: read the command, call, answer."""

from typing import Any

from keystead.idp.v1 import identity_provider_service_pb2 as pb
from keystead.idp.v1 import identity_provider_service_pb2_grpc as pb_grpc
from server.idp import commands, store
from server.rpc.call import current_call
from server.rpc.messages import details_message, message_of
from server.rpc.update_mask import masked, paths_of
from server.store.database import Database
from server.validation.fields import Commands, read
from server.validation.paging import Page

# The command that each method reads its request into. A method that is missing takes no fields.
COMMANDS: Commands = {
    "AddIDP": commands.AddIDP,
    "GetIDP": commands.OneIDP,
    "ListIDPs": Page,
    "UpdateIDP": commands.UpdateIDP,
    "PatchIDP": commands.PatchIDP,
    "RemoveIDP": commands.OneIDP,
}


class IdentityProviderService(pb_grpc.IdentityProviderServiceServicer):
    """See `keystead/idp/v1/identity_provider_service.proto`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def AddIDP(self, request: pb.AddIDPRequest, _context: Any) -> pb.AddIDPResponse:
        call = current_call()
        command = read(commands.AddIDP, request)
        idp_id, details = await commands.add(
            self._database,
            command,
            caller_id=call.caller.user_id,
            organization_id=call.organization_id,
        )
        return pb.AddIDPResponse(details=details_message(details), idp_id=idp_id)

    async def GetIDP(self, request: pb.GetIDPRequest, _context: Any) -> pb.GetIDPResponse:
        command = read(commands.OneIDP, request)
        idp = await commands.get(
            self._database, command, organization_id=current_call().organization_id
        )
        return pb.GetIDPResponse(idp=_idp(idp))

    async def ListIDPs(self, request: pb.ListIDPsRequest, _context: Any) -> pb.ListIDPsResponse:
        page, organization_id = read(Page, request), current_call().organization_id
        found = await store.list_after(
            self._database,
            organization_id=organization_id,
            after=page.after(organization_id),
            limit=page.limit(),
        )
        idps, next_page_token = page.cut(found, organization_id, lambda idp: idp.idp_id)
        return pb.ListIDPsResponse(idps=map(_idp, idps), next_page_token=next_page_token)

    async def UpdateIDP(self, request: pb.UpdateIDPRequest, _context: Any) -> pb.UpdateIDPResponse:
        call = current_call()
        command = read(commands.UpdateIDP, request)
        details = await commands.update(
            self._database,
            command,
            caller_id=call.caller.user_id,
            organization_id=call.organization_id,
        )
        return pb.UpdateIDPResponse(details=details_message(details))

    async def PatchIDP(self, request: pb.PatchIDPRequest, _context: Any) -> pb.PatchIDPResponse:
        call = current_call()
        paths = paths_of(request.update_mask)
        fields = masked(request.idp, commands.PATCHABLE, paths)
        command = read(
            commands.PatchIDP,
            request,
            idp={"idp_id": request.idp.idp_id, **fields},
            update_mask=paths,
        )
        details = await commands.patch(
            self._database,
            command,
            caller_id=call.caller.user_id,
            organization_id=call.organization_id,
        )
        return pb.PatchIDPResponse(details=details_message(details))

    async def RemoveIDP(self, request: pb.RemoveIDPRequest, _context: Any) -> pb.RemoveIDPResponse:
        call = current_call()
        command = read(commands.OneIDP, request)
        details = await commands.remove(
            self._database,
            command,
            caller_id=call.caller.user_id,
            organization_id=call.organization_id,
        )
        return pb.RemoveIDPResponse(details=details_message(details))


def _idp(idp: store.IDP) -> pb.IDP:
    return message_of(pb.IDP, idp, details=details_message(idp.details))

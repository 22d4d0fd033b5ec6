"""The RPC methods of identity providers: convert messages, and call commands."""

from dataclasses import asdict
from functools import partial

from keystead.idp.v1 import identity_provider_service_pb2 as pb
from keystead.idp.v1 import identity_provider_service_pb2_grpc as pb_grpc
from server.idp import commands, store
from server.idp.mappings import IDPMapping
from server.rpc.call import AnyCall
from server.rpc.declared import checks_caller
from server.rpc.messages import Nested, details_message, nested
from server.rpc.preconditions.changes import Objects
from server.rpc.update_mask import read_patch
from server.store.database import Database
from server.validation.fields import Commands, read

COMMANDS: Commands = {
    "CreateIDP": commands.CreateIDP,
    "GetIDP": commands.OneIDP,
    "ListIDPs": commands.ListIDPs,
    "UpdateIDP": commands.UpdateIDP,
    "PatchIDP": commands.PatchIDP,
    "RemoveIDP": commands.OneIDP,
}

OBJECTS: Objects = {"/v1/idps/{idp_id}": store.LOCK_SEQUENCE}


class IdentityProviderService(pb_grpc.IdentityProviderServiceServicer):
    """See `keystead/idp/v1/identity_provider_service.proto`."""

    def __init__(
        self,
        database: Database,
        *,
        end_sessions: commands.EndSessionsOfIDP,
        lock_groups: commands.LockGroups,
    ) -> None:
        self._database = database
        self._end_sessions = end_sessions
        self._lock_groups = lock_groups
        self._change = partial(
            commands.change, database, end_sessions=end_sessions, lock_groups=lock_groups
        )

    @checks_caller
    async def CreateIDP(self, request: pb.CreateIDPRequest, call: AnyCall) -> pb.CreateIDPResponse:
        command = read(commands.CreateIDP, request)
        idp_id, details = await commands.add(
            self._database, command, **call.by_caller, lock_groups=self._lock_groups
        )
        return pb.CreateIDPResponse(details=details_message(details), idp_id=idp_id)

    async def GetIDP(self, request: pb.GetIDPRequest, call: AnyCall) -> pb.GetIDPResponse:
        command = read(commands.OneIDP, request)
        idp = await store.GET.one(
            self._database, idp_id=command.idp_id, organization_id=call.organization_id
        )
        return pb.GetIDPResponse(idp=_idp(idp))

    async def ListIDPs(self, request: pb.ListIDPsRequest, call: AnyCall) -> pb.ListIDPsResponse:
        idps, next_page_token = await read(commands.ListIDPs, request).read(
            store.LIST.all,
            self._database,
            lambda idp: idp.idp_id,
            organization_id=call.organization_id,
        )
        return pb.ListIDPsResponse(idps=map(_idp, idps), next_page_token=next_page_token)

    @checks_caller
    async def UpdateIDP(self, request: pb.UpdateIDPRequest, call: AnyCall) -> pb.UpdateIDPResponse:
        command = read(commands.UpdateIDP, request)
        details = await self._change(command, **call.by_caller)
        return pb.UpdateIDPResponse(details=details_message(details))

    @checks_caller
    async def PatchIDP(self, request: pb.PatchIDPRequest, call: AnyCall) -> pb.PatchIDPResponse:
        command = read_patch(commands.PatchIDP, request, "idp", "idp_id", commands.PATCHABLE)
        details = await self._change(command.idp, **call.by_caller)
        return pb.PatchIDPResponse(details=details_message(details))

    @checks_caller
    async def RemoveIDP(self, request: pb.RemoveIDPRequest, call: AnyCall) -> pb.RemoveIDPResponse:
        command = read(commands.OneIDP, request)
        details = await commands.remove(
            self._database, command, **call.by_caller, end_sessions=self._end_sessions
        )
        return pb.RemoveIDPResponse(details=details_message(details))


def _idp(idp: store.IDP) -> Nested:
    return nested(
        pb.IDP,
        idp,
        mappings=map(_mapping, idp.mappings),
    )


def _mapping(mapping: IDPMapping) -> Nested:
    when = pb.IDPMappingTime.Value(f"IDP_MAPPING_TIME_{mapping.when}")
    return {**asdict(mapping), "when": when}

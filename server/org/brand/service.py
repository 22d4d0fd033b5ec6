"""The RPC methods of brands: convert messages, and call commands."""

from functools import partial
from typing import Any

from keystead.org.v1 import brand_service_pb2 as pb
from keystead.org.v1 import brand_service_pb2_grpc as pb_grpc
from server.org.brand import commands, store
from server.org.brand.shown import InstanceBrand
from server.org.commands import OneOrganization
from server.rpc.call import AnyCall
from server.rpc.declared import checks_caller
from server.rpc.messages import details_message, message_of, nested
from server.rpc.preconditions.changes import Objects
from server.store.database import Database
from server.validation.fields import Commands, read

COMMANDS: Commands = {
    "SetBrand": commands.SetBrand,
    "GetBrand": OneOrganization,
    "SetInstanceBrand": commands.SetInstanceBrand,
    "GetShownBrand": commands.GetShownBrand,
}

OBJECTS: Objects = {
    "/v1/brand": store.LOCK_SEQUENCE_OF_INSTANCE,
    "/v1/orgs/{org_id}/brand": store.LOCK_SEQUENCE,
}

_brand = partial(nested, pb.Brand)


class BrandService(pb_grpc.BrandServiceServicer):
    """See `keystead/org/v1/brand_service.proto`."""

    def __init__(self, database: Database, instance_brand: InstanceBrand) -> None:
        self._database = database
        self._instance_brand = instance_brand

    @checks_caller
    async def SetBrand(self, request: pb.SetBrandRequest, call: AnyCall) -> pb.SetBrandResponse:
        command = read(commands.SetBrand, request)
        details = await commands.set_of_organization(self._database, command, actor=call.caller)
        return pb.SetBrandResponse(details=details_message(details))

    async def GetBrand(self, request: pb.GetBrandRequest, _context: Any) -> pb.GetBrandResponse:
        command = read(OneOrganization, request)
        return pb.GetBrandResponse(brand=_brand(await commands.get(self._database, command.org_id)))

    @checks_caller
    async def SetInstanceBrand(
        self, request: pb.SetInstanceBrandRequest, call: AnyCall
    ) -> pb.SetInstanceBrandResponse:
        command = read(commands.SetInstanceBrand, request)
        details = await commands.set_of_instance(self._database, command, actor=call.caller)
        self._database.once_written(self._instance_brand.forget)
        return pb.SetInstanceBrandResponse(details=details_message(details))

    async def GetInstanceBrand(
        self, _request: pb.GetInstanceBrandRequest, _context: Any
    ) -> pb.GetInstanceBrandResponse:
        return pb.GetInstanceBrandResponse(
            brand=_brand(await commands.get_of_instance(self._database))
        )

    async def GetShownBrand(
        self, request: pb.GetShownBrandRequest, _context: Any
    ) -> pb.GetShownBrandResponse:
        command = read(commands.GetShownBrand, request)
        return message_of(pb.GetShownBrandResponse, await self._instance_brand.of(command.org_id))

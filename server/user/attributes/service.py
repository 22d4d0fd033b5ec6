"""The RPC methods of attributes: convert messages, and call commands."""

from keystead.attribute.v1 import attribute_service_pb2 as pb
from keystead.attribute.v1 import attribute_service_pb2_grpc as pb_grpc
from server.rpc.call import AnyCall
from server.rpc.declared import checks_caller
from server.rpc.messages import Nested, details_message, nested
from server.rpc.preconditions.changes import Objects
from server.rpc.update_mask import read_patch
from server.store.database import Database
from server.user.attributes import commands, store
from server.validation.fields import Commands, read

COMMANDS: Commands = {
    "CreateAttributeDefinition": commands.CreateAttributeDefinition,
    "GetAttributeDefinition": commands.OneAttributeDefinition,
    "ListAttributeDefinitions": commands.ListAttributeDefinitions,
    "PatchAttributeDefinition": commands.PatchAttributeDefinition,
    "RemoveAttributeDefinition": commands.OneAttributeDefinition,
}

OBJECTS: Objects = {"/v1/attributeDefinitions/{attribute_id}": store.LOCK_SEQUENCE}


class AttributeService(pb_grpc.AttributeServiceServicer):
    """See `keystead/attribute/v1/attribute_service.proto`.

    `lock_organization` keeps the number of attributes of an organization.
    """

    def __init__(self, database: Database, *, lock_organization: commands.Lock) -> None:
        self._database = database
        self._lock_organization = lock_organization

    @checks_caller
    async def CreateAttributeDefinition(
        self, request: pb.CreateAttributeDefinitionRequest, call: AnyCall
    ) -> pb.CreateAttributeDefinitionResponse:
        attribute_id, details = await commands.add(
            self._database,
            read(commands.CreateAttributeDefinition, request),
            **call.by_caller,
            lock_organization=self._lock_organization,
        )
        return pb.CreateAttributeDefinitionResponse(
            details=details_message(details), attribute_id=attribute_id
        )

    async def GetAttributeDefinition(
        self, request: pb.GetAttributeDefinitionRequest, call: AnyCall
    ) -> pb.GetAttributeDefinitionResponse:
        command = read(commands.OneAttributeDefinition, request)
        definition = await store.GET.one(
            self._database,
            attribute_id=command.attribute_id,
            organization_id=call.organization_id,
        )
        return pb.GetAttributeDefinitionResponse(definition=definition_message(definition))

    async def ListAttributeDefinitions(
        self, request: pb.ListAttributeDefinitionsRequest, call: AnyCall
    ) -> pb.ListAttributeDefinitionsResponse:
        found, next_page_token = await read(commands.ListAttributeDefinitions, request).read(
            store.LIST.all,
            self._database,
            lambda definition: definition.attribute_id,
            organization_id=call.organization_id,
        )
        return pb.ListAttributeDefinitionsResponse(
            definitions=map(definition_message, found), next_page_token=next_page_token
        )

    @checks_caller
    async def PatchAttributeDefinition(
        self, request: pb.PatchAttributeDefinitionRequest, call: AnyCall
    ) -> pb.PatchAttributeDefinitionResponse:
        command = read_patch(
            commands.PatchAttributeDefinition,
            request,
            "definition",
            "attribute_id",
            commands.PATCHABLE,
        )
        details = await commands.patch(self._database, command.definition, **call.by_caller)
        return pb.PatchAttributeDefinitionResponse(details=details_message(details))

    @checks_caller
    async def RemoveAttributeDefinition(
        self, request: pb.RemoveAttributeDefinitionRequest, call: AnyCall
    ) -> pb.RemoveAttributeDefinitionResponse:
        command = read(commands.OneAttributeDefinition, request)
        details = await commands.remove(self._database, command, **call.by_caller)
        return pb.RemoveAttributeDefinitionResponse(details=details_message(details))


def definition_message(definition: store.AttributeDefinition) -> Nested:
    """The message of a definition."""
    return nested(
        pb.AttributeDefinition,
        definition,
        type=pb.AttributeType.Value(f"ATTRIBUTE_TYPE_{definition.type}"),
        user_access=pb.AttributeAccess.Value(f"ATTRIBUTE_ACCESS_{definition.user_access}"),
    )

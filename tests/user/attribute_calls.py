"""Calls that several tests of attributes make."""

from collections.abc import Awaitable
from typing import Any
from uuid import uuid4

from google.protobuf.field_mask_pb2 import FieldMask

from keystead.attribute.v1 import attribute_service_pb2 as pb
from tests.support.given import Client


def create(client: Client, name: str = "", **fields: Any) -> Awaitable[Any]:
    name = name or f"attribute-{uuid4().hex}"
    fields = {"type": pb.ATTRIBUTE_TYPE_TEXT} | fields
    request = pb.CreateAttributeDefinitionRequest(name=name, **fields)
    return client.call(client.attributes.CreateAttributeDefinition, request)


async def definition(client: Client, attribute_id: str) -> pb.AttributeDefinition:
    request = pb.GetAttributeDefinitionRequest(attribute_id=attribute_id)
    return (await client.call(client.attributes.GetAttributeDefinition, request)).definition


async def id_of(client: Client, name: str) -> str:
    request = pb.ListAttributeDefinitionsRequest()
    listed = await client.call(client.attributes.ListAttributeDefinitions, request)
    return next(each.attribute_id for each in listed.definitions if each.name == name)


def patch(client: Client, attribute_id: str, mask: list[str], **fields: Any) -> Awaitable[Any]:
    request = pb.PatchAttributeDefinitionRequest(
        definition=pb.AttributeDefinition(attribute_id=attribute_id, **fields),
        update_mask=FieldMask(paths=mask),
    )
    return client.call(client.attributes.PatchAttributeDefinition, request)


def remove(client: Client, attribute_id: str) -> Awaitable[Any]:
    request = pb.RemoveAttributeDefinitionRequest(attribute_id=attribute_id)
    return client.call(client.attributes.RemoveAttributeDefinition, request)

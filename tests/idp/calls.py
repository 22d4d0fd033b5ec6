"""Calls that several tests of identity providers make."""

from collections.abc import Awaitable, Sequence
from typing import Any

from google.protobuf.field_mask_pb2 import FieldMask

from keystead.idp.v1 import identity_provider_service_pb2 as pb
from tests.support.given import Client


def add(client: Client, **fields: Any) -> Awaitable[pb.CreateIDPResponse]:
    request = pb.CreateIDPRequest(**{"name": "Provider"} | fields)
    return client.call(client.idps.CreateIDP, request)


def update(client: Client, idp_id: str, **fields: Any) -> Awaitable[pb.UpdateIDPResponse]:
    request = pb.UpdateIDPRequest(**{"idp_id": idp_id, "name": "Provider"} | fields)
    return client.call(client.idps.UpdateIDP, request)


def patch(
    client: Client, idp_id: str, mask: Sequence[str], **fields: Any
) -> Awaitable[pb.PatchIDPResponse]:
    request = pb.PatchIDPRequest(
        idp=pb.IDP(idp_id=idp_id, **fields), update_mask=FieldMask(paths=mask)
    )
    return client.call(client.idps.PatchIDP, request)


def remove(client: Client, idp_id: str) -> Awaitable[pb.RemoveIDPResponse]:
    request = pb.RemoveIDPRequest(idp_id=idp_id)
    return client.call(client.idps.RemoveIDP, request)


async def get(client: Client, idp_id: str) -> pb.IDP:
    return (await client.call(client.idps.GetIDP, pb.GetIDPRequest(idp_id=idp_id))).idp


async def fields(client: Client, idp_id: str) -> tuple[str, int, bool]:
    """Name, styling type and automatic registration, as GetIDP returns them."""
    idp = await get(client, idp_id)
    return (idp.name, idp.styling_type, idp.auto_register)

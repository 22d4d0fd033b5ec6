"""Calls of the methods of brands, and a brand to set."""

from collections.abc import Awaitable
from typing import Any, Final

from keystead.org.v1 import brand_service_pb2 as pb
from tests.idp.oidc_calls import LOGO
from tests.support.given import Client

FIELDS: Final[dict[str, Any]] = {
    "name": "Example",
    "logo": LOGO,
    "color": "#1a3c6e",
    "support_address": "help@example.com",
}


def set_brand(client: Client, org_id: str, **fields: Any) -> Awaitable[pb.SetBrandResponse]:
    return client.call(client.brands.SetBrand, pb.SetBrandRequest(org_id=org_id, **fields))


def set_instance_brand(client: Client, **fields: Any) -> Awaitable[pb.SetInstanceBrandResponse]:
    return client.call(client.brands.SetInstanceBrand, pb.SetInstanceBrandRequest(**fields))


async def get_brand(client: Client, org_id: str) -> pb.Brand:
    return (await client.call(client.brands.GetBrand, pb.GetBrandRequest(org_id=org_id))).brand


async def get_instance_brand(client: Client) -> pb.Brand:
    request = pb.GetInstanceBrandRequest()
    return (await client.call(client.brands.GetInstanceBrand, request)).brand


def shown(client: Client, org_id: str = "") -> Awaitable[pb.GetShownBrandResponse]:
    return client.call(client.brands.GetShownBrand, pb.GetShownBrandRequest(org_id=org_id))

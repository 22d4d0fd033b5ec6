"""Calls that several tests make on organizations."""

from collections.abc import Awaitable
from typing import Any

from google.protobuf.field_mask_pb2 import FieldMask

from keystead.org.v1 import organization_service_pb2 as pb
from tests.support.given import Client


def patch(
    client: Client, org_id: str, *paths: str, **fields: Any
) -> Awaitable[pb.PatchOrganizationResponse]:
    """Patches the fields. The mask names all of them, or `paths`."""
    request = pb.PatchOrganizationRequest(
        organization=pb.Organization(org_id=org_id, **fields),
        update_mask=FieldMask(paths=paths or fields),
    )
    return client.call(client.orgs.PatchOrganization, request)


def remove(client: Client, org_id: str, **headers: Any) -> Awaitable[pb.RemoveOrganizationResponse]:
    request = pb.RemoveOrganizationRequest(org_id=org_id)
    return client.call(client.orgs.RemoveOrganization, request, **headers)

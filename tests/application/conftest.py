"""An owner of a new organization."""

import pytest

from keystead.user.v1 import user_service_pb2 as user_pb
from tests.bridge.conftest import web
from tests.support import given
from tests.support.given import Client

__all__ = ["web"]  # fixtures


@pytest.fixture
async def org_id(admin: Client) -> str:
    return await given.organization(admin)


@pytest.fixture
async def owner(admin: Client, org_id: str) -> Client:
    return await given.user(admin, org_id=org_id, roles=[user_pb.ROLE_ORG_OWNER])

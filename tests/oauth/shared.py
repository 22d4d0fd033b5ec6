"""An owner, its application and a person of its organization, for tests that leave them unchanged.

A file or a folder of such tests takes all four fixtures by their names: `app = shared.app`.
Where tests change the application or the person, it takes `org_id` and `owner` alone.
"""

import pytest

from keystead.user.v1 import user_service_pb2 as user_pb
from tests.oauth import flow
from tests.oauth.flow import App
from tests.session import sessions
from tests.session.sessions import SignedIn
from tests.support import given
from tests.support.given import Client, Instance


@pytest.fixture(scope="module")
async def org_id(instance: Instance) -> str:
    return await given.organization(instance.admin)


@pytest.fixture(scope="module")
async def owner(instance: Instance, org_id: str) -> Client:
    return await given.user(instance.admin, org_id=org_id, roles=[user_pb.ROLE_ORG_OWNER])


@pytest.fixture(scope="module")
async def app(owner: Client) -> App:
    return await flow.app(owner)


@pytest.fixture(scope="module")
async def ada(instance: Instance, org_id: str) -> SignedIn:
    return await sessions.signed_in(instance.admin, org_id=org_id)

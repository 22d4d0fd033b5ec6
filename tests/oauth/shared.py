"""An owner, its application and a person of its organization, for tests that leave them unchanged.

A file or a folder of such tests has `owner, app, ada = shared.owner, shared.app, shared.ada`.
"""

import pytest

from keystead.user.v1 import user_service_pb2 as user_pb
from tests.oauth import flow
from tests.oauth.flow import App
from tests.session import sessions
from tests.session.sessions import SignedIn
from tests.support import given
from tests.support.given import Client, Instance
from tests.user import calls as users


@pytest.fixture(scope="module")
async def owner(instance: Instance) -> Client:
    return await given.user(instance.admin, roles=[user_pb.ROLE_ORG_OWNER])


@pytest.fixture(scope="module")
async def app(owner: Client) -> App:
    return await flow.app(owner)


@pytest.fixture(scope="module")
async def ada(instance: Instance, owner: Client) -> SignedIn:
    org_id = (await users.get(instance.admin, owner.user_id)).details.resource_owner
    return await sessions.signed_in(instance.admin, org_id=org_id)

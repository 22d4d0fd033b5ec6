"""An application of an organization, and a person of it who is signed in."""

import pytest

from keystead.user.v1 import user_service_pb2 as user_pb
from tests.idp.conftest import oidc_authority, other_provider, provider, relying, zone
from tests.oauth import flow
from tests.oauth.flow import App
from tests.session import sessions
from tests.session.sessions import SignedIn
from tests.support import given
from tests.support.given import Client, Instance

__all__ = ["oidc_authority", "other_provider", "provider", "relying", "zone"]  # fixtures


@pytest.fixture
async def app(owner: Client) -> App:
    return await flow.app(owner)


@pytest.fixture
async def ada(admin: Client, org_id: str) -> SignedIn:
    return await sessions.signed_in(admin, org_id=org_id)


@pytest.fixture(scope="module")
async def trusting_owner(relying: Instance) -> Client:
    """An owner of an organization of the server that may connect to the providers of tests."""
    return await given.user(relying.admin, roles=[user_pb.ROLE_ORG_OWNER])

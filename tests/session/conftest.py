"""Sessions, and a server on which users may have few of them."""

from collections.abc import AsyncIterator

import pytest

from keystead.user.v1 import user_service_pb2 as user_pb
from tests.conftest import MakeInstance
from tests.session import sessions
from tests.session.sessions import SignedIn
from tests.support import given
from tests.support.given import Client, Instance


@pytest.fixture
async def signed_in(admin: Client) -> SignedIn:
    """A session of a new user."""
    return await sessions.signed_in(admin)


@pytest.fixture(scope="session")
async def few_sessions(make_instance: MakeInstance) -> AsyncIterator[Instance]:
    """A server with two short sessions per user, used only by the tests of sessions."""
    async with make_instance(
        max_sessions_per_user=2, session_lifetime=600, session_idle_timeout=120
    ) as server:
        yield server


@pytest.fixture
async def verifier(few_sessions: Instance) -> Client:
    """A service that introspects and watches the sessions of that server."""
    return await given.user(few_sessions.admin, roles=[user_pb.ROLE_SESSION_VERIFIER])

"""A server that issues JWTs, and a service that verifies them by the client."""

from collections.abc import AsyncIterator

import grpc
import pytest

from keystead.user.v1 import user_service_pb2 as user_pb
from keystead_client import connect
from tests.session import jwts, sessions
from tests.session.sessions import Person
from tests.support import given
from tests.support.given import Instance

issuing = jwts.issuing


@pytest.fixture(scope="module")
async def person(issuing: Instance) -> Person:
    return await sessions.person(issuing.admin)


@pytest.fixture
async def channel(issuing: Instance) -> AsyncIterator[grpc.aio.Channel]:
    """A channel with the token of a service that may watch the sessions of all users."""
    verifier = await given.user(issuing.admin, roles=[user_pb.ROLE_SESSION_VERIFIER])
    async with connect(f"127.0.0.1:{issuing.port}", verifier.token, plaintext=True) as channel:
        yield channel

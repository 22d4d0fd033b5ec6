"""A session."""

import pytest

from tests.session import sessions
from tests.session.sessions import SignedIn
from tests.support.given import Client


@pytest.fixture
async def signed_in(admin: Client) -> SignedIn:
    """A session of a new user."""
    return await sessions.signed_in(admin)

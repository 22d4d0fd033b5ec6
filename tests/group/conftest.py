"""A user of the organization."""

import pytest

from tests.support import given
from tests.support.given import Client


@pytest.fixture
async def ada(admin: Client, org_id: str) -> Client:
    return await given.user(admin, org_id=org_id, name="ada")

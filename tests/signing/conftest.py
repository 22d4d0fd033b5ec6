"""A database without keys for each test."""

from collections.abc import AsyncIterator

import pytest

from server.store.database import Database, connected
from tests.support import given


@pytest.fixture
async def keys(dsn: str) -> AsyncIterator[Database]:
    await given.accept_every_key(dsn)
    async with connected(dsn, pool_size=4) as database:
        yield database

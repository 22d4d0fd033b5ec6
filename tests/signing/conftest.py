"""A database without keys for each test."""

from collections.abc import AsyncIterator

import pytest

from server.store.database import Database, connected


@pytest.fixture
async def keys(dsn: str) -> AsyncIterator[Database]:
    async with connected(dsn, pool_size=4) as database:
        yield database

"""The log of a test alone, which the test can change and archive."""

from collections.abc import AsyncIterator

import pytest

from server.store.database import Database, connected


@pytest.fixture
async def database(dsn: str) -> AsyncIterator[Database]:
    """The database of `dsn`."""
    async with connected(dsn, pool_size=4) as database:
        yield database

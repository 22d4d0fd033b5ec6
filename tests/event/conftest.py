"""The log of a test alone, which the test can change and archive."""

from collections.abc import AsyncIterator

import pytest

from server.store.database import Database, connected
from tests.support import given


@pytest.fixture
async def database(dsn: str) -> AsyncIterator[Database]:
    """The database of `dsn`."""
    await given.accept_every_key(dsn)
    async with connected(dsn, pool_size=4) as database:
        yield database

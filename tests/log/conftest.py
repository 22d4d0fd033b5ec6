"""The database of a test alone, with checkpoints."""

from collections.abc import AsyncIterator

import pytest

from server.store.database import Database, connected
from tests.support import given


@pytest.fixture
async def keyed_database(dsn: str) -> AsyncIterator[Database]:
    """The database of `dsn`, with secrets under any key. In a file: `database = keyed_database`."""
    await given.accept_every_key(dsn)
    async with connected(dsn, pool_size=4) as database:
        yield database

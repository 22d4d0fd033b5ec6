"""What tests of identity providers look into."""

from collections.abc import AsyncIterator

import asyncpg
import pytest

from tests import given
from tests.given import Instance


@pytest.fixture
async def sql(instance: Instance) -> AsyncIterator[asyncpg.Connection]:
    """A connection to the database of the server, to look behind its back."""
    async with given.sql(instance.dsn) as connection:
        yield connection

"""A client of the shared server."""

from collections.abc import AsyncIterator

import httpx2
import pytest

from tests.support.given import Instance
from tests.support.web_client import web_client


@pytest.fixture
async def web(instance: Instance) -> AsyncIterator[httpx2.AsyncClient]:
    """A client without a token."""
    async with web_client(instance.web_port) as client:
        yield client

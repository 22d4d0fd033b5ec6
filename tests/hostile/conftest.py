"""One server for all that is hostile; what becomes of its state does not matter."""

from collections.abc import AsyncIterator

import pytest

from tests.conftest import MakeDatabase
from tests.hostile.target import Target


@pytest.fixture(scope="package")
async def target(
    make_database: MakeDatabase, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Target]:
    """A server in a process of its own."""
    async with Target.running(tmp_path_factory.mktemp("hostile"), await make_database()) as target:
        yield target

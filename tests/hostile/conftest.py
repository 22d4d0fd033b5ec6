"""One server for all hostile tests, which may leave it in any state."""

from collections.abc import AsyncIterator

import pytest

from tests.hostile.target import AS_IN_EXAMPLES, Target
from tests.support.databases import MakeDatabase


@pytest.fixture(scope="package")
async def target(
    make_database: MakeDatabase, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Target]:
    """A server in its own process."""
    folder, dsn = tmp_path_factory.mktemp("hostile"), await make_database()
    async with Target.running(folder, dsn, **AS_IN_EXAMPLES) as target:
        yield target

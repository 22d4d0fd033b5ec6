"""One server for all that is hostile; what becomes of its state does not matter."""

from collections.abc import AsyncIterator

import pytest

from tests.hostile.target import Target
from tests.support.databases import MakeDatabase

# What comes after the first attacks is not refused for their number alone.
_GENEROUS = {
    "max_passkeys_per_user": 1000,
    "max_tokens_per_user": 10_000,
    "mail_hourly_limit": 10_000,
}


@pytest.fixture(scope="package")
async def target(
    make_database: MakeDatabase, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Target]:
    """A server in a process of its own."""
    folder, dsn = tmp_path_factory.mktemp("hostile"), await make_database()
    async with Target.running(folder, dsn, **_GENEROUS) as target:
        yield target

"""An organization that is configured by files."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.configuration.files import Configured, configured
from tests.support.given import Client, Instance


@pytest.fixture
async def org(
    instance: Instance, owner: Client, org_id: str, tmp_path: Path
) -> AsyncIterator[Configured]:
    """The organization of an owner, with the owner's token."""
    async with configured(instance, owner, tmp_path) as found:
        found.org_id = org_id
        yield found

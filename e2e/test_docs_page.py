"""The page at /docs in Chromium: runs `docs_page.test.js`."""

import pytest

from e2e.conftest import World
from e2e.programs import PROGRAM_SECONDS, chromium, run_node_tests


@pytest.mark.timeout(PROGRAM_SECONDS + 30)
async def test_people_can_read_the_page(world: World) -> None:
    await run_node_tests("docs_page.test.js", world.description, **chromium())

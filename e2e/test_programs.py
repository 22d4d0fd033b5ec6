"""Web clients in Node and in Chromium: runs the cases of `cases.js`."""

import pytest

from e2e.conftest import World
from e2e.programs import PROGRAM_SECONDS, chromium, run_node_tests


@pytest.mark.timeout(PROGRAM_SECONDS + 30)
async def test_web_clients_in_node_see_what_they_must(world: World) -> None:
    await run_node_tests("node.test.js", world.description)


@pytest.mark.timeout(PROGRAM_SECONDS + 30)
async def test_pages_of_another_origin_in_chromium_see_what_they_must(world: World) -> None:
    await run_node_tests("browser.test.js", world.description, **chromium())

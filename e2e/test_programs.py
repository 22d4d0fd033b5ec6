"""Web clients in Node and in Chromium, which test by themselves what `cases.js` says."""

import json

import pytest

from e2e.conftest import World
from e2e.programs import FOLDER, output, required

_SECONDS = 150


@pytest.mark.timeout(_SECONDS + 30)
async def test_web_clients_in_node_see_what_they_must(world: World) -> None:
    await _tested(world, "node.test.js")


@pytest.mark.timeout(_SECONDS + 30)
async def test_pages_of_another_origin_in_chromium_see_what_they_must(world: World) -> None:
    await _tested(world, "browser.test.js", CHROMIUM=required("chromium", "chromium"))


async def _tested(world: World, program: str, **environment: str) -> None:
    assert (FOLDER / "node_modules").is_dir(), "Run `make e2e`, which installs the npm packages."
    assert (FOLDER / "gen").is_dir(), "Run `make e2e`, which generates the messages of the clients."
    options = ("--test", "--test-force-exit", "--test-reporter=spec")
    report = await output(
        *(required("node", "nodejs"), *options, program),
        seconds=_SECONDS,
        KEYSTEAD_E2E=json.dumps(world.description),
        **environment,
    )
    # Node is content with a program that tests nothing.
    assert " pass 0\n" not in report
    assert " skipped 0\n" in report

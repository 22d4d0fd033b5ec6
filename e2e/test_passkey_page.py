"""The passkey page in Chromium, which tests by itself what `passkey_page/` says."""

from collections.abc import AsyncIterator, Mapping

import pytest

from e2e.conftest import kept_log
from e2e.programs import PROGRAM_SECONDS, required, run_node_tests
from tests.support.databases import MakeDatabase
from tests.support.process import free_port, serve


@pytest.fixture(scope="module")
async def described(
    make_database: MakeDatabase, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Mapping[str, object]]:
    """A server whose passkeys are for its own page, and what `world.js` tells of it."""
    web_port, listed_port = free_port(), free_port()
    data_dir = tmp_path_factory.mktemp("data")
    origin = f"http://localhost:{web_port}"
    async with (
        serve(
            data_dir,
            database_url=await make_database(),
            http_address=f"127.0.0.1:{web_port}",
            rp_origins=origin,
            cors_origins=f"http://localhost:{listed_port}",
        ) as server,
        kept_log(server, "passkey_page.log"),
    ):
        yield {
            "webUrl": f"http://127.0.0.1:{await server.web_port()}",
            "origin": origin,
            "listedPort": listed_port,
            "token": (data_dir / "admin.token").read_text().strip(),
        }


@pytest.mark.timeout(PROGRAM_SECONDS + 30)
@pytest.mark.parametrize(
    "program",
    [
        "passkey_page.test.js",
        "passkey_page_refusals.test.js",
        "passkey_page_looks.test.js",
        "account_pages.test.js",
        "account_pages_cross_site.test.js",
        "account_pages_looks.test.js",
    ],
)
async def test_people_can_use_the_page(described: Mapping[str, object], program: str) -> None:
    await run_node_tests(program, described, CHROMIUM=required("chromium", "chromium"))

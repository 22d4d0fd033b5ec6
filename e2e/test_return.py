"""The pages lead people back: the server reads URLs as browsers do, and the pages in Chromium."""

import asyncio
import json
import random
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator, Mapping
from typing import Any

import pytest

from e2e.conftest import kept_log
from e2e.programs import PROGRAM_SECONDS, chromium, required, run_node_tests
from server.validation.uris import page_origin
from tests.support.databases import MakeDatabase
from tests.support.process import free_port, serve
from tests.support.url_spellings import REFUSED, TAKEN

_SEED, _COUNT = 28, 40_000
_INSERTED = [
    *"\\/@:#?%.;,\t\n\r\0 []|'\"",
    *("%2f", "%5c", "%00", "%2e", "%09", "//", "/../", "/.", ":443", ":80", ":8443", "\u3002"),
    *("\uff0f", "\u00ad", "javascript:", "evil.example", "https://", "http://", "A", "\u0131"),
    *("xn--", "127.1", "0x7f", "1", "a", "/b", "?c", "=d", "#e", "-", "_", "~"),
]
_PARSE = """
const urls = JSON.parse(require("node:fs").readFileSync(0, "utf8"));
console.log(JSON.stringify(urls.map((url) => {
  try { const { origin, href } = new URL(url); return [origin, href]; } catch { return null; }
})));
"""


def _accepted() -> dict[str, str]:
    """Spellings that the server accepts, each with the origin that it reads."""
    choose = random.Random(_SEED)  # noqa: S311 -- not for cryptography
    spellings = [*TAKEN, *REFUSED]
    for _ in range(_COUNT):
        url = choose.choice([*TAKEN, *TAKEN, *TAKEN, *REFUSED])
        for _ in range(choose.randint(1, 3)):
            at = choose.randint(0, len(url))
            url = url[:at] + choose.choice(_INSERTED) + url[at + choose.choice([0, 0, 1, 2]) :]
        spellings.append(url)
    accepted = {}
    for url in spellings:
        try:
            accepted[url] = page_origin(url)
        except ValueError:
            continue
    return accepted


async def _parsed_by_node(urls: list[str]) -> list[list[str] | None]:
    process = await asyncio.create_subprocess_exec(
        required("node", "nodejs"), "-e", _PARSE, stdin=PIPE, stdout=PIPE
    )
    written, _ = await process.communicate(json.dumps(urls).encode())
    parsed: list[Any] = json.loads(written)
    return parsed


def _with_path(url: str, origin: str) -> str:
    """Browsers write the path `/` if there is none."""
    rest = url.removeprefix(origin)
    return url if rest.startswith("/") else f"{origin}/{rest}"


async def test_an_accepted_url_leads_where_the_server_reads_it() -> None:
    accepted = _accepted()
    assert len(accepted) > 1000

    parsed = await _parsed_by_node(list(accepted))

    for (url, origin), browser in zip(accepted.items(), parsed, strict=True):
        # Browsers refuse a few hosts that are no Punycode, such as xn--b.
        # They write ' in a query as %27.
        read = [browser[0], browser[1].replace("%27", "'")] if browser else None
        assert read in ([origin, _with_path(url, origin)], None), url
    assert parsed.count(None) < len(parsed) / 20


@pytest.fixture(scope="module")
async def described(
    make_database: MakeDatabase, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Mapping[str, object]]:
    """A server whose pages lead to another port of this machine, and its description."""
    web_port, target_port = free_port(), free_port()
    data_dir = tmp_path_factory.mktemp("data")
    origin = f"http://localhost:{web_port}"
    async with (
        serve(
            data_dir,
            database_url=await make_database(),
            http_address=f"127.0.0.1:{web_port}",
            rp_origins=origin,
            return_origins=f"http://localhost:{target_port}",
        ) as server,
        kept_log(server, "return.log"),
    ):
        yield {
            "webUrl": f"http://127.0.0.1:{await server.web_port()}",
            "origin": origin,
            "target": f"http://localhost:{target_port}",
            "token": (data_dir / "admin.token").read_text().strip(),
            "artifacts": "return",
        }


@pytest.mark.timeout(PROGRAM_SECONDS + 30)
async def test_people_return(described: Mapping[str, object]) -> None:
    await run_node_tests("return.test.js", described, **chromium())

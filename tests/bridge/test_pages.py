"""Pages without a token: `/`, `/livez`, `/readyz` and `/metrics`.

Readiness during an outage and a shutdown: `tests/rpc/test_health.py` and `test_shutdown.py`.
"""

from html.parser import HTMLParser
from urllib.parse import urljoin

import httpx2
import pytest
from prometheus_client.parser import text_string_to_metric_families

from tests.bridge.test_people_pages import PAGES


@pytest.mark.parametrize("path", ["/livez", "/readyz", "/openapi.json", "/nowhere", "/v1/users"])
async def test_json_ends_its_line(web: httpx2.AsyncClient, path: str) -> None:
    answer = await web.get(path)

    assert answer.headers["content-type"] == "application/json"
    assert answer.text.endswith("}\n")
    assert int(answer.headers["content-length"]) == int(answer.num_bytes_downloaded)


async def test_a_server_that_runs_is_live_and_ready(web: httpx2.AsyncClient) -> None:
    live, ready = await web.get("/livez"), await web.get("/readyz")

    assert (live.status_code, live.json()) == (200, {"status": "ok"})
    assert (ready.status_code, ready.json()) == (
        200,
        {"status": "ok", "parts": {"database": "ok", "schema": "ok", "shutdown": "ok"}},
    )
    assert "retry-after" not in ready.headers


@pytest.mark.parametrize("accept", ["*/*", "application/openmetrics-text;version=1.0.0"])
async def test_metrics_come_in_the_text_format(web: httpx2.AsyncClient, accept: str) -> None:
    answer = await web.get("/metrics", headers={"accept": accept})

    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
    families = {family.name for family in text_string_to_metric_families(answer.text)}
    assert "keystead_calls" in families


class _Links(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, _tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [value for name, value in attrs if name == "href" and value]


async def test_every_link_of_the_start_page_leads_somewhere(web: httpx2.AsyncClient) -> None:
    index = await web.get("/")
    links = _Links()
    links.feed(index.text)

    assert index.headers["content-type"] == "text/html; charset=utf-8"
    assert {"docs", "openapi.json", "metrics"} <= set(links.found)
    for link in links.found:
        assert (await web.get(urljoin("/", link))).status_code == 200


@pytest.mark.parametrize("page", ["/", "/livez", "/readyz", "/metrics"])
async def test_a_page_is_never_cached_and_answers_head_without_a_body(
    web: httpx2.AsyncClient, page: str
) -> None:
    got, asked = await web.get(page), await web.head(page)

    assert got.headers["cache-control"] == asked.headers["cache-control"] == "no-store"
    assert (asked.status_code, asked.content) == (200, b"")
    assert asked.headers["content-type"] == got.headers["content-type"]


@pytest.mark.parametrize("page", ["/livez", "/readyz", "/metrics", *PAGES])
async def test_a_page_cannot_be_written(web: httpx2.AsyncClient, page: str) -> None:
    answer = await web.post(page, content=b"{}")

    assert answer.status_code == 405
    assert answer.headers["allow"] == "GET, HEAD, OPTIONS"
    assert answer.json()["details"][0]["reason"] == "METHOD_NOT_ALLOWED"
    assert answer.headers["x-request-id"]


@pytest.mark.parametrize("page", ["/livez", "/metrics", "/openapi.json", "/docs", *PAGES[1:4]])
async def test_a_page_is_found_with_and_without_a_slash_below_any_path(
    web: httpx2.AsyncClient, page: str
) -> None:
    other = page.removesuffix("/") if page.endswith("/") else f"{page}/"

    got, asked = await web.get(other), await web.head(other)

    assert (got.status_code, asked.status_code) == (308, 308)
    assert urljoin(f"http://proxy/below{other}", got.headers["location"]) == (
        f"http://proxy/below{page}"
    )
    assert (await web.get(other, follow_redirects=True)).url.path == page
    assert (await web.post(other)).headers["allow"] == "GET, HEAD, OPTIONS"


async def test_an_unknown_path_is_answered_with_the_places_of_api_and_pages(
    web: httpx2.AsyncClient,
) -> None:
    message = (await web.get("/nowhere")).json()["message"]

    assert message.endswith(" Find the paths of the API in /openapi.json, and the pages at /.")


_BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"


@pytest.mark.parametrize(
    "path", ["/nowhere", "/signin/nowhere/", "/v1/nowhere", "/%6detrics", "/" + 100 * "a/"]
)
async def test_a_browser_gets_a_page_at_an_unknown_path(web: httpx2.AsyncClient, path: str) -> None:
    answer = await web.get(path, headers={"accept": _BROWSER, "accept-language": "de"})
    head = await web.head(path, headers={"accept": _BROWSER})
    links = _Links()
    links.feed(answer.text)

    assert (answer.status_code, head.status_code, head.content) == (404, 404, b"")
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["cache-control"] == "no-store"
    assert "accept" in answer.headers["vary"].split(", ")
    assert "<title>Seite nicht gefunden</title>" in answer.text
    assert "script-src 'self'" in answer.headers["content-security-policy"]
    if path.count("/") < 100:
        found = [urljoin(f"/below{path}", link) for link in links.found]
        assert found[-2:] == ["/below/", "/below/licenses.txt"]
        for link in found:
            assert (await web.get(link.removeprefix("/below"))).status_code == 200


@pytest.mark.parametrize(
    ("verb", "path", "accept"),
    [
        ("GET", "/nowhere", "*/*"),
        ("GET", "/nowhere", "application/json"),
        ("GET", "/nowhere", "text/html;q=0, */*"),
        ("POST", "/nowhere", _BROWSER),
        ("GET", "/v1/users", _BROWSER),
        ("GET", "/keystead.user.v1.UserService/GetCurrentUser", _BROWSER),
        ("DELETE", "/signin/", _BROWSER),
    ],
)
async def test_programs_get_json_everywhere(
    web: httpx2.AsyncClient, verb: str, path: str, accept: str
) -> None:
    answer = await web.request(verb, path, headers={"accept": accept})

    assert answer.headers["content-type"] == "application/json"
    assert answer.status_code >= 400


async def test_browsers_find_the_icon_where_they_look_for_it(web: httpx2.AsyncClient) -> None:
    icon = await web.get("/favicon.ico")

    assert icon.headers["content-type"] == "image/vnd.microsoft.icon"
    assert icon.content[:6] == b"\0\0\1\0\3\0"  # an icon with three images

"""The pages for people, as they are served: what is in them, `e2e/` says in a browser."""

import re
from collections.abc import AsyncIterator

import httpx
import pytest

from tests.support.given import Instance

PAGES = ["/account/", "/passkeys/", "/signin/"]


@pytest.fixture
async def web(instance: Instance) -> AsyncIterator[httpx.AsyncClient]:
    url = f"http://127.0.0.1:{instance.web_port}"
    async with httpx.AsyncClient(base_url=url) as client:
        yield client


async def _loaded(web: httpx.AsyncClient, page: str) -> list[str]:
    """The addresses of the files that the page refers to."""
    answer = await web.get(page)
    found = re.findall(r'(?:src|href)="([^"]+)"', answer.text)
    return [str(answer.url.join(address)) for address in found]


def _policy(answer: httpx.Response) -> dict[str, str]:
    directives = answer.headers["content-security-policy"].split("; ")
    return dict(directive.split(" ", 1) for directive in directives)


def _varies_by_coding(answer: httpx.Response) -> bool:
    return "accept-encoding" in answer.headers["vary"].split(", ")


@pytest.fixture(params=PAGES)
def page(request: pytest.FixtureRequest) -> str:
    """The path of one of the pages."""
    return str(request.param)


async def test_all_that_a_page_loads_comes_from_this_server_below_any_path(
    web: httpx.AsyncClient, page: str
) -> None:
    text = (await web.get(page)).text

    for address in re.findall(r'(?:src|href)="([^"]+)"', text):
        assert re.match(r"\.\.?/", address), address
        assert (await web.get(page + address)).status_code == 200, address


async def test_every_file_is_of_its_type(web: httpx.AsyncClient, page: str) -> None:
    types = {
        address.rsplit(".", 1)[1]: (await web.head(address)).headers["content-type"]
        for address in await _loaded(web, page)
    }

    assert (await web.get(page)).headers["content-type"] == "text/html; charset=utf-8"
    assert types == {
        "css": "text/css; charset=utf-8",
        "js": "text/javascript; charset=utf-8",
        "svg": "image/svg+xml",
        "txt": "text/plain; charset=utf-8",
    }


async def test_the_page_runs_no_script_but_those_of_this_server(
    web: httpx.AsyncClient, page: str
) -> None:
    answer = await web.get(page)

    policy = _policy(answer)
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == policy["connect-src"] == "'self'"
    assert policy["base-uri"] == policy["form-action"] == policy["frame-ancestors"] == "'none'"
    assert policy["require-trusted-types-for"] == "'script'"
    assert re.findall(r"<script(?![^>]*\ssrc=)|<style|\s(?:on\w+|style)=", answer.text) == []


async def test_the_page_tells_nobody_and_belongs_to_nobody_else(
    web: httpx.AsyncClient, page: str
) -> None:
    headers = (await web.get(page)).headers

    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cross-origin-opener-policy"] == "same-origin"
    assert "publickey-credentials-get=(self)" in headers["permissions-policy"]


async def test_the_page_is_asked_for_each_time_and_sent_once(
    web: httpx.AsyncClient, page: str
) -> None:
    first = await web.get(page)
    again = await web.get(page, headers={"if-none-match": first.headers["etag"]})

    assert first.headers["cache-control"] == "no-cache"
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["content-security-policy"] == first.headers["content-security-policy"]


async def test_what_has_a_hash_in_its_name_is_kept_for_good(
    web: httpx.AsyncClient, page: str
) -> None:
    hashed = [address for address in await _loaded(web, page) if re.search(r"-[\w-]{8}\.", address)]

    kept = {(await web.get(address)).headers["cache-control"] for address in hashed}

    assert len(hashed) >= 3
    assert kept == {"max-age=31536000, immutable"}
    assert (await web.get("/licenses.txt")).headers["cache-control"] == "no-cache"


async def test_what_is_text_is_sent_compressed_to_who_accepts_that(
    web: httpx.AsyncClient, page: str
) -> None:
    plain, zipped = {"accept-encoding": "identity"}, {"accept-encoding": "br, GZIP;q=0.5"}

    for address in (page, *await _loaded(web, page)):
        whole, small = [await web.get(address, headers=each) for each in (plain, zipped)]
        assert small.content == whole.content  # as httpx has decompressed it
        assert "content-encoding" not in whole.headers
        assert small.headers["content-encoding"] == "gzip"
        assert int(small.headers["content-length"]) < int(whole.headers["content-length"])
        assert _varies_by_coding(small)
        assert _varies_by_coding(whole)
        assert small.headers["etag"] != whole.headers["etag"]
        again = await web.get(address, headers={**zipped, "if-none-match": small.headers["etag"]})
        assert again.status_code == 304
        assert _varies_by_coding(again)
        assert "content-encoding" not in again.headers


@pytest.mark.parametrize("accepted", ["gzip;q=0", "br, gzip; q=0.000", "identity", "*", "gzippy"])
async def test_who_does_not_accept_that_gets_it_as_it_is(
    web: httpx.AsyncClient, page: str, accepted: str
) -> None:
    answer = await web.get(page, headers={"accept-encoding": accepted})

    assert "content-encoding" not in answer.headers
    assert _varies_by_coding(answer)


async def test_head_tells_the_length_of_what_get_would_send(
    web: httpx.AsyncClient, page: str
) -> None:
    for accepted in ("identity", "gzip"):
        head, get = [
            await web.request(verb, page, headers={"accept-encoding": accepted})
            for verb in ("HEAD", "GET")
        ]

        assert head.headers["content-length"] == get.headers["content-length"]
        assert head.headers["etag"] == get.headers["etag"]


async def test_the_address_without_a_slash_leads_there_below_any_path(
    web: httpx.AsyncClient, page: str
) -> None:
    answer = await web.get(page.removesuffix("/"))

    assert answer.status_code == 308
    assert answer.headers["location"] == page.removeprefix("/")


async def test_the_licences_of_what_is_bundled_are_told(web: httpx.AsyncClient, page: str) -> None:
    licenses = (await web.get("/licenses.txt")).text

    for package in ("@bufbuild/protobuf", "@connectrpc/connect", "@connectrpc/connect-web"):
        assert re.search(rf"^{package} \d+\.\d+\.\d+: ", licenses, re.MULTILINE), package
    assert "Redistributions in binary form must reproduce" in licenses
    assert "END OF TERMS AND CONDITIONS" in licenses


async def test_the_scripts_are_small(web: httpx.AsyncClient, page: str) -> None:
    scripts = [address for address in await _loaded(web, page) if address.endswith(".js")]

    assert sum([len((await web.get(script)).content) for script in scripts]) < 200_000


@pytest.mark.parametrize(
    "path", ["index.html", "../assets/", "../assets/none.js", "../app.py", "%2e"]
)
async def test_nothing_else_is_there(web: httpx.AsyncClient, page: str, path: str) -> None:
    assert (await web.get(page + path)).status_code == 404


async def test_the_page_cannot_be_written(web: httpx.AsyncClient, page: str) -> None:
    answer = await web.post(page, content=b"{}")

    assert answer.status_code == 405
    assert answer.headers["allow"] == "GET, HEAD, OPTIONS"

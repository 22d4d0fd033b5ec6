"""`/passkeys/`, as it is served: what is in it, `e2e/passkey_page.test.js` says in a browser."""

import re
from collections.abc import AsyncIterator

import httpx
import pytest

from tests.support.given import Instance

PAGE = "/passkeys/"


@pytest.fixture
async def web(instance: Instance) -> AsyncIterator[httpx.AsyncClient]:
    url = f"http://127.0.0.1:{instance.web_port}"
    async with httpx.AsyncClient(base_url=url) as client:
        yield client


async def _loaded(web: httpx.AsyncClient) -> list[str]:
    """The addresses that the page refers to, as it spells them."""
    return re.findall(r'(?:src|href)="([^"]+)"', (await web.get(PAGE)).text)


def _policy(answer: httpx.Response) -> dict[str, str]:
    directives = answer.headers["content-security-policy"].split("; ")
    return dict(directive.split(" ", 1) for directive in directives)


def _varies_by_coding(answer: httpx.Response) -> bool:
    return "accept-encoding" in answer.headers["vary"].split(", ")


async def test_all_that_the_page_loads_comes_from_below_it(web: httpx.AsyncClient) -> None:
    page = await web.get(PAGE)

    addresses = await _loaded(web)

    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert {address.rsplit(".", 1)[1] for address in addresses} == {"css", "js", "svg", "txt"}
    for address in addresses:
        assert address.startswith("./"), address
        assert (await web.get(str(page.url.join(address)))).status_code == 200, address


async def test_every_file_is_of_its_type(web: httpx.AsyncClient) -> None:
    types = {
        address.rsplit(".", 1)[1]: (await web.head(PAGE + address)).headers["content-type"]
        for address in await _loaded(web)
    }

    assert types == {
        "css": "text/css; charset=utf-8",
        "js": "text/javascript; charset=utf-8",
        "svg": "image/svg+xml",
        "txt": "text/plain; charset=utf-8",
    }


async def test_the_page_runs_no_script_but_those_of_this_server(web: httpx.AsyncClient) -> None:
    page = await web.get(PAGE)

    policy = _policy(page)
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == policy["connect-src"] == "'self'"
    assert policy["base-uri"] == policy["form-action"] == policy["frame-ancestors"] == "'none'"
    assert policy["require-trusted-types-for"] == "'script'"
    assert re.findall(r"<script(?![^>]*\ssrc=)|<style|\s(?:on\w+|style)=", page.text) == []


async def test_the_page_tells_nobody_and_belongs_to_nobody_else(web: httpx.AsyncClient) -> None:
    headers = (await web.get(PAGE)).headers

    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cross-origin-opener-policy"] == "same-origin"
    assert "publickey-credentials-create=(self)" in headers["permissions-policy"]


async def test_the_page_is_asked_for_each_time_and_sent_once(web: httpx.AsyncClient) -> None:
    first = await web.get(PAGE)
    again = await web.get(PAGE, headers={"if-none-match": first.headers["etag"]})

    assert first.headers["cache-control"] == "no-cache"
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["content-security-policy"] == first.headers["content-security-policy"]


async def test_what_has_a_hash_in_its_name_is_kept_for_good(web: httpx.AsyncClient) -> None:
    hashed = [address for address in await _loaded(web) if re.search(r"-[\w-]{8}\.", address)]

    kept = {(await web.get(PAGE + address)).headers["cache-control"] for address in hashed}

    assert len(hashed) >= 3
    assert kept == {"max-age=31536000, immutable"}
    assert (await web.get(f"{PAGE}licenses.txt")).headers["cache-control"] == "no-cache"


async def test_what_is_text_is_sent_compressed_to_who_accepts_that(web: httpx.AsyncClient) -> None:
    plain, zipped = {"accept-encoding": "identity"}, {"accept-encoding": "br, GZIP;q=0.5"}

    for address in ("", *await _loaded(web)):
        whole, small = [await web.get(PAGE + address, headers=each) for each in (plain, zipped)]
        assert small.content == whole.content  # as httpx has decompressed it
        assert "content-encoding" not in whole.headers
        assert small.headers["content-encoding"] == "gzip"
        assert int(small.headers["content-length"]) < int(whole.headers["content-length"])
        assert _varies_by_coding(small)
        assert _varies_by_coding(whole)
        assert small.headers["etag"] != whole.headers["etag"]
        again = await web.get(
            PAGE + address, headers={**zipped, "if-none-match": small.headers["etag"]}
        )
        assert again.status_code == 304
        assert _varies_by_coding(again)
        assert "content-encoding" not in again.headers


@pytest.mark.parametrize("accepted", ["gzip;q=0", "br, gzip; q=0.000", "identity", "*", "gzippy"])
async def test_who_does_not_accept_that_gets_it_as_it_is(
    web: httpx.AsyncClient, accepted: str
) -> None:
    answer = await web.get(PAGE, headers={"accept-encoding": accepted})

    assert "content-encoding" not in answer.headers
    assert _varies_by_coding(answer)


async def test_head_tells_the_length_of_what_get_would_send(web: httpx.AsyncClient) -> None:
    for accepted in ("identity", "gzip"):
        head, get = [
            await web.request(verb, PAGE, headers={"accept-encoding": accepted})
            for verb in ("HEAD", "GET")
        ]

        assert head.headers["content-length"] == get.headers["content-length"]
        assert head.headers["etag"] == get.headers["etag"]


async def test_the_address_without_a_slash_leads_there_below_any_path(
    web: httpx.AsyncClient,
) -> None:
    answer = await web.get("/passkeys")

    assert answer.status_code == 308
    assert answer.headers["location"] == "passkeys/"


async def test_the_licences_of_what_is_bundled_are_told(web: httpx.AsyncClient) -> None:
    licenses = (await web.get(f"{PAGE}licenses.txt")).text

    for package in ("@bufbuild/protobuf", "@connectrpc/connect", "@connectrpc/connect-web"):
        assert re.search(rf"^{package} \d+\.\d+\.\d+: ", licenses, re.MULTILINE), package
    assert "Redistributions in binary form must reproduce" in licenses
    assert "END OF TERMS AND CONDITIONS" in licenses


async def test_the_script_is_small(web: httpx.AsyncClient) -> None:
    (script,) = [address for address in await _loaded(web) if address.endswith(".js")]

    assert len((await web.get(PAGE + script)).content) < 150_000


@pytest.mark.parametrize("path", ["index.html", "assets/", "assets/none.js", "../app.py", "%2e"])
async def test_nothing_else_is_there(web: httpx.AsyncClient, path: str) -> None:
    assert (await web.get(PAGE + path)).status_code == 404


async def test_the_page_cannot_be_written(web: httpx.AsyncClient) -> None:
    answer = await web.post(PAGE, content=b"{}")

    assert answer.status_code == 405
    assert answer.headers["allow"] == "GET, HEAD, OPTIONS"

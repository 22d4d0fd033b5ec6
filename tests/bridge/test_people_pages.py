"""The served pages for people; `e2e/` tests them in a browser."""

import json
import re
from pathlib import Path
from urllib.parse import urljoin

import httpx2
import pytest

from server.values.languages import LANGUAGES
from tests.conftest import MakeInstance
from tests.support.web_client import web_client

# Identity providers redirect to the last one.
PAGES = [
    "/",
    "/account/",
    "/console/",
    "/device/",
    "/passkeys/",
    "/signin/",
    "/signin/callback/0199d3a8",
]


async def _loaded(web: httpx2.AsyncClient, page: str) -> list[str]:
    """The URLs of the files that the page refers to, without those of other pages."""
    answer = await web.get(page)
    found = re.findall(r'(?:src|href)="([^"]+\.(?:css|js|svg|txt))"', answer.text)
    return [str(answer.url.join(address)) for address in found]


def _policy(answer: httpx2.Response) -> dict[str, str]:
    directives = answer.headers["content-security-policy"].split("; ")
    return dict(directive.split(" ", 1) for directive in directives)


def _varies_by_coding(answer: httpx2.Response) -> bool:
    return "accept-encoding" in answer.headers["vary"].split(", ")


@pytest.fixture(params=PAGES)
def page(request: pytest.FixtureRequest) -> str:
    """The path of one of the pages."""
    return str(request.param)


@pytest.mark.parametrize("path", [*PAGES, "/docs"])
async def test_all_that_a_page_loads_comes_from_this_server_below_any_path(
    web: httpx2.AsyncClient, path: str
) -> None:
    found = re.findall(r'(?:src|href)="([^"]+)"', (await web.get(path)).text)

    assert len(found) >= 3
    for address in found:
        assert "//" not in address
        assert not address.startswith("/")
        assert (await web.get(urljoin(path, address))).status_code == 200, address


_TITLES = {
    "": "Welcome",
    "account": "Your account",
    "console": "Console",
    "device": "Connect a device",
    "passkeys": "Passkeys",
    "signin": "Sign in",
}
_WORDS = Path(__file__).parents[2] / "web" / "words"


@pytest.mark.parametrize("language", LANGUAGES)
async def test_every_page_is_in_the_language_of_its_reader_before_any_script_runs(
    web: httpx2.AsyncClient, page: str, language: str
) -> None:
    title = _TITLES[page.split("/")[1]]
    if language != "en":
        title = json.loads((_WORDS / language / "html.json").read_text())[title]

    answer = await web.get(page, headers={"accept-language": language})

    assert answer.text.startswith(f'<!doctype html>\n<html lang="{language}">')
    assert f"<title>{title}</title>" in answer.text[:500]
    assert answer.headers["content-language"] == language
    assert "accept-language" in answer.headers["vary"].split(", ")


@pytest.mark.parametrize(
    ("accepted", "language"),
    [
        ("", "en"),
        ("de", "de"),
        ("de-AT,de;q=0.9,en;q=0.8", "de"),
        ("sv-FI, DE;q=0.5", "de"),
        ("en;q=0.5, de;q=0.7", "de"),
        ("en-GB,en;q=0.9,de;q=0.8", "en"),
        ("de;q=0, sv", "en"),
        ("den, *;q=0.5", "en"),
        ("de;q=x, ;q=1", "en"),
    ],
)
async def test_the_language_is_the_best_one_that_the_reader_accepts(
    web: httpx2.AsyncClient, accepted: str, language: str
) -> None:
    answer = await web.get("/signin/", headers={"accept-language": accepted})

    assert answer.headers["content-language"] == language


async def test_a_page_in_one_language_is_not_taken_for_that_in_another(
    web: httpx2.AsyncClient, page: str
) -> None:
    english = await web.get(page)

    known = {"if-none-match": english.headers["etag"], "accept-language": "de"}
    assert (await web.get(page, headers=known)).status_code == 200


async def test_every_file_is_of_its_type(web: httpx2.AsyncClient, page: str) -> None:
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


@pytest.mark.parametrize("path", [*PAGES, "/docs"])
async def test_a_page_runs_no_script_but_those_of_this_server(
    web: httpx2.AsyncClient, path: str
) -> None:
    answer = await web.get(path)

    policy = _policy(answer)
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == policy["connect-src"] == "'self'"
    assert policy["base-uri"] == policy["form-action"] == policy["frame-ancestors"] == "'none'"
    assert re.findall(r"<script(?![^>]*\ssrc=)|<style|\s(?:on\w+|style)=", answer.text) == []
    if path in PAGES:
        assert policy["require-trusted-types-for"] == "'script'"
        # The templates of Lit are constants of its modules.
        assert policy["trusted-types"] == ("lit-html" if path == "/console/" else "'none'")


async def test_the_page_tells_nobody_and_belongs_to_nobody_else(
    web: httpx2.AsyncClient, page: str
) -> None:
    headers = (await web.get(page)).headers

    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cross-origin-opener-policy"] == "same-origin"
    assert "publickey-credentials-get=(self)" in headers["permissions-policy"]


async def test_browsers_do_not_store_the_page(web: httpx2.AsyncClient, page: str) -> None:
    assert (await web.get(page)).headers["cache-control"] == "no-store"


async def test_every_page_names_the_origins_at_which_it_works(
    make_instance: MakeInstance,
) -> None:
    settings = {
        "rp_origins": ("https://localhost:8443", "android:apk-key-hash:" + "A" * 43),
        "rp_related_origins": ("https://login.example.org",),
        "idp_redirect_uris": ("https://sso.example.net/signin/callback/{idp_id}",),
    }
    async with make_instance(**settings) as instance, web_client(instance.web_port) as web:
        answers = [
            await web.get(page, headers={"accept-language": language})
            for page in PAGES
            for language in LANGUAGES
        ]

    origins = "https://localhost:8443 https://login.example.org https://sso.example.net"
    for answer in answers:
        assert f'<meta name="keystead-origins" content="{origins}" />' in answer.text


async def test_files_with_a_hash_in_their_names_are_cached_for_a_year(
    web: httpx2.AsyncClient, page: str
) -> None:
    hashed = [address for address in await _loaded(web, page) if re.search(r"-[\w-]{8}\.", address)]

    kept = {(await web.get(address)).headers["cache-control"] for address in hashed}

    assert len(hashed) >= 3
    assert kept == {"max-age=31536000, immutable"}
    assert (await web.get("/licenses.txt")).headers["cache-control"] == "no-cache"


async def test_text_is_compressed_for_clients_that_accept_gzip(
    web: httpx2.AsyncClient, page: str
) -> None:
    plain, zipped = {"accept-encoding": "identity"}, {"accept-encoding": "br, GZIP;q=0.5"}

    for address in (page, *await _loaded(web, page)):
        whole, small = [await web.get(address, headers=each) for each in (plain, zipped)]
        assert small.content == whole.content  # httpx2 has decompressed it
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
async def test_other_clients_get_a_page_uncompressed(
    web: httpx2.AsyncClient, accepted: str
) -> None:
    answer = await web.get("/signin/", headers={"accept-encoding": accepted})

    assert "content-encoding" not in answer.headers
    assert _varies_by_coding(answer)


async def test_head_has_the_length_and_etag_of_get(web: httpx2.AsyncClient, page: str) -> None:
    for accepted in ("identity", "gzip"):
        head, get = [
            await web.request(verb, page, headers={"accept-encoding": accepted})
            for verb in ("HEAD", "GET")
        ]

        assert head.headers["content-length"] == get.headers["content-length"]
        assert head.headers["etag"] == get.headers["etag"]


async def test_the_licences_of_bundled_packages_are_listed(web: httpx2.AsyncClient) -> None:
    licenses = (await web.get("/licenses.txt")).text

    buf = ("@bufbuild/protobuf", "@connectrpc/connect", "@connectrpc/connect-web")
    for package in (*buf, "lit", "simple-icons"):
        assert re.search(rf"^{package} \d+\.\d+\.\d+: ", licenses, re.MULTILINE), package
    assert "Redistributions in binary form must reproduce" in licenses
    assert "END OF TERMS AND CONDITIONS" in licenses


async def test_the_scripts_are_small(web: httpx2.AsyncClient, page: str) -> None:
    scripts = [address for address in await _loaded(web, page) if address.endswith(".js")]

    # The console loads more with each view; `e2e/console` measures its first one, compressed.
    most = 300_000 if page == "/console/" else 200_000
    assert sum([len((await web.get(script)).content) for script in scripts]) < most


@pytest.mark.parametrize(
    "path", ["index.html", "../assets/", "../assets/none.js", "../app.py", "%2e"]
)
async def test_no_other_file_is_served_below_a_page(
    web: httpx2.AsyncClient, page: str, path: str
) -> None:
    assert (await web.get(page + path)).status_code == 404

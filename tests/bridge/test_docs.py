"""The page that shows the API document and tries calls, and the document itself.

More tests of the page, with those of pages for people: `test_people_pages.py`.
"""

import re

import httpx2
import pytest

PAGE = "/docs"
DOCUMENT = "/openapi.json"


async def test_the_page_shows_the_document_of_this_server(web: httpx2.AsyncClient) -> None:
    start = await web.get(f"{PAGE}/start.js")

    assert start.headers["content-type"] == "text/javascript; charset=utf-8"
    assert f'url: "{DOCUMENT.removeprefix("/")}"' in start.text
    assert "persistAuthorization: false" in start.text  # a token is not stored


async def test_the_page_follows_the_colors_of_the_system(web: httpx2.AsyncClient) -> None:
    start = await web.get(f"{PAGE}/start.js")
    styles = await web.get(f"{PAGE}/swagger-ui.css")

    [class_name] = re.findall(r'classList\.toggle\("([a-z-]+)"', start.text)
    assert "prefers-color-scheme: dark" in start.text
    assert f"html.{class_name} .swagger-ui" in styles.text


async def test_swagger_ui_can_show_the_document(web: httpx2.AsyncClient) -> None:
    script = await web.get(f"{PAGE}/swagger-ui-bundle.js")

    version = re.findall(r'PACKAGE_VERSION:"([0-9]+)\.', script.text)
    assert int(version[0]) >= 5  # OpenAPI 3.1


async def test_nothing_else_of_the_package_is_served(web: httpx2.AsyncClient) -> None:
    for name in ("__init__.py", "none.js", "../main.py"):
        assert (await web.get(f"{PAGE}/{name}")).status_code == 404


@pytest.mark.parametrize("path", [DOCUMENT, PAGE, f"{PAGE}/swagger-ui-bundle.js"])
async def test_a_cached_file_is_not_sent_again(web: httpx2.AsyncClient, path: str) -> None:
    first = await web.get(path)
    tag = first.headers["etag"]

    again = await web.get(path, headers={"if-none-match": f'"another", W/{tag}'})
    other = await web.get(path, headers={"if-none-match": '"another"'})

    assert first.headers["cache-control"] == "no-cache"
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["etag"] == tag
    assert (other.status_code, other.content) == (200, first.content)


@pytest.mark.parametrize("path", [DOCUMENT, f"{PAGE}/start.js", f"{PAGE}/swagger-ui.css"])
@pytest.mark.parametrize("range_", ["lines=1-2", "bytes=0-1", "bytes=99999999-", "nonsense"])
async def test_a_range_of_a_file_is_ignored(
    web: httpx2.AsyncClient, path: str, range_: str
) -> None:
    whole = await web.get(path)

    answer = await web.get(path, headers={"range": range_})

    assert (answer.status_code, answer.content) == (200, whole.content)


async def test_every_file_is_of_its_type(web: httpx2.AsyncClient) -> None:
    names = ("swagger-ui-bundle.js", "page.css", "favicon-32x32.png")

    types = [(await web.head(f"{PAGE}/{name}")).headers["content-type"] for name in names]

    assert types == ["text/javascript; charset=utf-8", "text/css; charset=utf-8", "image/png"]


async def test_a_picture_is_not_compressed_once_more(web: httpx2.AsyncClient) -> None:
    picture = await web.get(f"{PAGE}/favicon-32x32.png", headers={"accept-encoding": "gzip"})
    script = await web.get(f"{PAGE}/swagger-ui-bundle.js", headers={"accept-encoding": "gzip"})

    assert "content-encoding" not in picture.headers
    assert int(script.headers["content-length"]) < len(script.content) / 3


async def test_the_document_is_the_same_json_for_everybody(web: httpx2.AsyncClient) -> None:
    document = await web.get(DOCUMENT)

    assert document.status_code == 200
    assert document.headers["content-type"] == "application/json"
    assert document.json()["info"]["title"] == "Keystead"

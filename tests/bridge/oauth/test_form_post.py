"""The page that posts an authorization response to the application."""

import re
from base64 import b64encode
from hashlib import sha256
from html.parser import HTMLParser
from urllib.parse import urlsplit

import pytest

from bridge.oauth import form_post
from tests.bridge.oauth.web_app import WebApp, location, sealed_request
from tests.oauth import flow
from tests.oauth.flow import CALLBACK
from tests.session.sessions import SignedIn

HOSTILE = "\"'><script>alert(1)</script>&amp;\u00fc</form><form action=//evil.example>"


class _Page(HTMLParser):
    """The forms, inputs and scripts of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.actions: list[str | None] = []
        self.inputs: dict[str | None, str | None] = {}
        self.tags: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        given = dict(attrs)
        if tag == "form":
            self.actions.append(given["action"])
            assert given["method"] == "post"
        if tag == "input":
            assert given["type"] == "hidden"
            self.inputs[given["name"]] = given["value"]


@pytest.mark.parametrize("state", ["a state", HOSTILE])
async def test_the_page_posts_the_response_to_the_application(
    web_app: WebApp, ada: SignedIn, state: str
) -> None:
    address = await web_app.authorize(response_mode="form_post", state=state)
    approved = await flow.approve(ada.client, sealed_request(address))
    target = urlsplit(approved.redirect_uri)

    answer = await web_app.http.get(f"{target.path}?{target.query}")

    page = _Page(answer.text)
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert page.actions == [CALLBACK]
    assert page.inputs.keys() == {"code", "state", "iss"}
    assert page.inputs["state"] == state
    assert page.tags.count("script") == page.tags.count("button") == 1
    assert "<script>alert" not in answer.text


async def test_the_code_of_the_page_works(web_app: WebApp, ada: SignedIn) -> None:
    verifier = "v" * 43
    address = await web_app.authorize(response_mode="form_post", **flow.with_challenge(verifier))
    approved = await flow.approve(ada.client, sealed_request(address))
    target = urlsplit(approved.redirect_uri)
    page = _Page((await web_app.http.get(f"{target.path}?{target.query}")).text)

    parameters = {name: value for name, value in page.inputs.items() if name and value}
    tokens = await web_app.redeem(flow.Approved(parameters, verifier))

    assert tokens.status_code == 200


async def test_an_error_is_posted_to_the_application_too(web_app: WebApp) -> None:
    target = urlsplit(await web_app.authorize(response_mode="form_post", prompt="none unknown"))

    page = _Page((await web_app.http.get(f"{target.path}?{target.query}")).text)

    assert page.inputs.keys() == {"error", "error_description", "state", "iss"}


async def test_the_page_may_do_nothing_else(web_app: WebApp) -> None:
    target = urlsplit(await web_app.authorize(response_mode="form_post", prompt="none unknown"))

    answer = await web_app.http.get(f"{target.path}?{target.query}")

    found = re.search("<script>(.*?)</script>", answer.text)
    assert found is not None
    digest = b64encode(sha256(found[1].encode()).digest()).decode()
    [policy] = answer.headers.get_list("content-security-policy")
    assert policy == (
        f"default-src 'none'; script-src 'sha256-{digest}';"
        " form-action https://shop.example.com; frame-ancestors 'none'; base-uri 'none'"
    )
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert answer.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize(
    ("redirect_uri", "source"),
    [
        ("https://a.example.com:8443/b?c=d", "https://a.example.com:8443"),
        ("http://127.0.0.1:49152/callback", "http://127.0.0.1:49152"),
        ("http://[::1]:49152/callback", "http:"),
        ("com.example.app:/callback", "com.example.app:"),
    ],
)
def test_the_form_goes_to_the_origin_of_the_application(redirect_uri: str, source: str) -> None:
    answer = form_post.page(redirect_uri, {})

    assert f" form-action {source};" in dict(answer.headers)[b"content-security-policy"].decode()


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        ("response=unknown", "AUTHORIZATION_REQUEST_EXPIRED"),
        ("", "INVALID_FIELDS"),
        ("response=a&response=b", "INVALID_REQUEST"),
        ("response=%", "INVALID_REQUEST"),
    ],
)
async def test_a_response_that_cannot_be_opened_goes_to_the_error_page(
    web_app: WebApp, query: str, reason: str
) -> None:
    answer = await web_app.http.get(f"/oauth/form_post?{query}")

    page = f"https://proxy.example.com/below/signin/#error={reason}"
    assert location(answer) == f"{page}&request_id={answer.headers['x-request-id']}"

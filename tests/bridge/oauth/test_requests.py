"""Requests that the endpoints refuse before a method: verbs, forms, sizes; and those they allow."""

from collections.abc import Mapping
from urllib.parse import urlencode, urlsplit

import httpx2
import pytest

from tests.bridge.oauth.web_app import (
    CROSS_ORIGIN,
    DOCUMENTS,
    ENDPOINTS,
    WebApp,
    error_of,
    location,
    sealed_request,
)
from tests.oauth import flow
from tests.session.sessions import SignedIn

pytestmark = pytest.mark.python_differs("urllib.parse refuses more since 3.11.4 and 3.14")

FORM = {"content-type": "application/x-www-form-urlencoded"}
VERBS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "QUERY")
ALL: Mapping[str, tuple[str, ...]] = {**ENDPOINTS, **dict.fromkeys(DOCUMENTS, ("GET", "HEAD"))}


@pytest.mark.parametrize(
    ("path", "verb"),
    [(path, verb) for path, verbs in ALL.items() for verb in VERBS if verb not in verbs],
)
async def test_a_wrong_verb_is_answered_with_the_allowed_ones(
    web: httpx2.AsyncClient, path: str, verb: str
) -> None:
    answer = await web.request(verb, path)

    allowed = ", ".join((*ALL[path], "OPTIONS"))
    assert answer.headers["allow"] == allowed
    if verb == "HEAD":
        assert (answer.status_code, answer.content) == (405, b"")
    else:
        assert error_of(answer) == (405, "invalid_request", "METHOD_NOT_ALLOWED")
        assert f"Use one of {allowed}." in answer.json()["error_description"]


@pytest.mark.parametrize("path", ["/oauth/authorize/", "/oauth/%74oken", "/oauth/", "/oauth/x"])
async def test_an_endpoint_has_only_one_spelling(web: httpx2.AsyncClient, path: str) -> None:
    answer = await web.get("/", extensions={"target": path.encode()})

    assert answer.status_code == 404


@pytest.mark.parametrize("name", ["client_id", "redirect_uri", "state", "scope", "max_age"])
@pytest.mark.parametrize("verb", ["GET", "POST"])
async def test_a_repeated_parameter_of_a_request_is_refused(
    web_app: WebApp, name: str, verb: str
) -> None:
    request = web_app.request(max_age="5")
    text = urlencode([*request.items(), (name, request[name])])

    if verb == "GET":
        answer = await web_app.http.get(f"/oauth/authorize?{text}")
    else:
        answer = await web_app.http.post("/oauth/authorize", content=text, headers=FORM)

    assert urlsplit(location(answer)).fragment.startswith("error=INVALID_REQUEST&request_id=")


@pytest.mark.parametrize("endpoint", ["par", "token", "device", "introspect", "revoke"])
async def test_a_repeated_parameter_of_an_application_is_refused(
    web_app: WebApp, endpoint: str
) -> None:
    credentials = web_app.app.credentials
    text = urlencode([*credentials.items(), ("client_id", credentials["client_id"])])

    answer = await web_app.http.post(f"/oauth/{endpoint}", content=text, headers=FORM)

    assert error_of(answer) == (400, "invalid_request", "INVALID_REQUEST")
    assert "parameter client_id is sent twice" in answer.json()["error_description"]


async def test_a_parameter_with_one_value_and_empty_ones_is_sent_once(web_app: WebApp) -> None:
    text = urlencode([("state", ""), *web_app.request().items(), ("scope", ""), ("&", "")])

    answer = await web_app.http.get(f"/oauth/authorize?{text}")

    assert sealed_request(location(answer))


async def test_resource_may_repeat_and_the_provider_decides(web_app: WebApp) -> None:
    request = [
        *web_app.request(prompt="none").items(),
        *[("resource", "https://a.example.com")] * 2,
    ]

    answer = await web_app.http.get(f"/oauth/authorize?{urlencode(request)}")

    assert flow.parameters(location(answer))["error"] == "invalid_target"


async def test_unknown_parameters_are_ignored_even_twice(web_app: WebApp) -> None:
    parameters = [*web_app.app.credentials.items(), ("token", "x"), ("a", "1"), ("a", "2")]
    text = urlencode([*parameters, ("resource", "x"), ("resource", "y")])

    answer = await web_app.http.post("/oauth/introspect", content=text, headers=FORM)

    assert answer.json() == {"active": False}


@pytest.mark.parametrize(
    "headers",
    [
        {"content-type": "application/json"},
        {"content-type": "text/plain"},
        {"content-type": "multipart/form-data; boundary=x"},
        {"content-type": "application/x-www-form-urlencodedx"},
        {**FORM, "content-encoding": "gzip"},
        {},
    ],
)
@pytest.mark.parametrize("endpoint", ["par", "token", "device", "introspect", "revoke"])
async def test_only_a_form_is_read(web_app: WebApp, endpoint: str, headers: dict[str, str]) -> None:
    text = urlencode({**web_app.app.credentials, "token": "x"})

    answer = await web_app.http.post(f"/oauth/{endpoint}", content=text.encode(), headers=headers)

    assert error_of(answer) == (415, "invalid_request", "UNSUPPORTED_MEDIA_TYPE")
    assert answer.headers["accept-post"] == FORM["content-type"]


@pytest.mark.parametrize(
    "content_type",
    ["Application/X-WWW-Form-Urlencoded", "application/x-www-form-urlencoded; charset=UTF-8"],
)
async def test_a_form_may_have_parameters_of_its_type(web_app: WebApp, content_type: str) -> None:
    text = urlencode({**web_app.app.credentials, "token": "x"})

    answer = await web_app.http.post(
        "/oauth/introspect", content=text, headers={"content-type": content_type}
    )

    assert answer.json() == {"active": False}


async def test_the_parameters_of_a_post_are_not_in_the_query(web_app: WebApp) -> None:
    text = urlencode({**web_app.app.credentials, "token": "x"})

    in_query = await web_app.http.post(f"/oauth/introspect?{text}", headers=FORM)
    in_both = await web_app.http.post("/oauth/introspect?a=b", content=text, headers=FORM)

    for answer in (in_query, in_both):
        assert error_of(answer) == (400, "invalid_request", "INVALID_REQUEST")


@pytest.mark.parametrize(
    "text", ["token=%", "token=%zz", "token=%ff", "%ff=a", "&".join(["a=b"] * 101)]
)
async def test_a_malformed_form_is_refused(web_app: WebApp, text: str) -> None:
    answer = await web_app.http.post("/oauth/introspect", content=text, headers=FORM)

    assert error_of(answer) == (400, "invalid_request", "INVALID_REQUEST")


@pytest.mark.parametrize(
    ("name", "size", "is_too_large"),
    [
        ("unknown", 64 * 1024, True),
        ("unknown", 60 * 1024, False),
        ("token", 17 * 1024, True),
    ],
)
async def test_a_form_has_a_largest_size(
    web_app: WebApp, name: str, size: int, is_too_large: bool
) -> None:
    parameters = {**web_app.app.credentials, "token": "x", name: "x" * size}

    answer = await web_app.post("introspect", **parameters)

    if is_too_large:
        assert error_of(answer) == (413, "invalid_request", "MESSAGE_TOO_LARGE")
    else:
        assert answer.json() == {"active": False}


@pytest.mark.parametrize(
    "path", ["/oauth/authorize", "/oauth/form_post", "/oauth/device", "/oauth/introspect"]
)
async def test_pages_of_other_origins_may_not_call_an_endpoint_for_people(
    web: httpx2.AsyncClient, path: str
) -> None:
    headers = {
        "origin": "https://shop.example.com",
        "access-control-request-method": "POST",
        "access-control-request-headers": "authorization",
    }

    preflight = await web.options(path, headers=headers)
    answer = await web.request(ENDPOINTS[path][0], path, headers=headers)

    assert (preflight.status_code, preflight.content) == (204, b"")
    for each in (preflight, answer):
        assert not [name for name in each.headers if name.startswith("access-control-")]


@pytest.mark.parametrize("path", sorted(CROSS_ORIGIN))
async def test_pages_of_every_origin_may_call_the_endpoints_of_browser_applications(
    web: httpx2.AsyncClient, path: str
) -> None:
    origin = {"origin": "https://shop.example.com"}
    asked = {
        "access-control-request-method": ALL[path][0],
        "access-control-request-headers": "authorization,content-type",
    }

    preflight = await web.options(path, headers={**origin, **asked})
    answer = await web.request(ALL[path][0], path, headers=origin)

    assert (preflight.status_code, preflight.content) == (204, b"")
    assert ALL[path][0] in preflight.headers["access-control-allow-methods"]
    assert preflight.headers["access-control-allow-headers"] == (
        "authorization, content-type, mcp-protocol-version"
    )
    for each in (preflight, answer):
        assert each.headers.get_list("access-control-allow-origin") == ["*"]
        assert "access-control-allow-credentials" not in each.headers
    assert "www-authenticate" in answer.headers["access-control-expose-headers"]


@pytest.mark.parametrize(
    ("path", "verb"), [(path, verb) for path, verbs in ALL.items() for verb in verbs]
)
async def test_the_session_cookie_is_neither_used_nor_set(
    web: httpx2.AsyncClient, ada: SignedIn, path: str, verb: str
) -> None:
    token = ada.answer.session_token
    headers = {
        "cookie": f"__Host-keystead={token}",
        "origin": str(web.base_url).rstrip("/"),
        "sec-fetch-site": "same-origin",
        "x-keystead-session": "cookie",
    }

    answer = await web.request(verb, path, headers=headers)

    assert "set-cookie" not in answer.headers
    if path == "/oauth/userinfo":
        assert (answer.status_code, answer.headers["www-authenticate"]) == (401, "Bearer")

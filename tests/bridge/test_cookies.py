"""The session cookie authenticates no request that a page of another site can cause."""

import itertools
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest
from starlette.types import ASGIApp, Receive, Scope, Send

from bridge.cookies import KEPT_IN_COOKIE, SessionCookies

HOST = "id.example.com"
OWN = f"https://{HOST}"
LISTED = "https://app.example.com"
TOKEN = "kss_0123456789abcdef-_XYZ"
COOKIE = ("cookie", f"__Host-keystead={TOKEN}")
JSON = ("content-type", "application/json")
OPT_IN = ("x-keystead-session", "cookie")

Headers = Sequence[tuple[str, str]]


async def passed_on(
    middleware: Callable[[ASGIApp], ASGIApp],
    headers: Headers,
    *,
    method: str = "POST",
    host: str = HOST,
    further: Mapping[str, Any] | None = None,
) -> Scope:
    """The scope of the request, as the middleware passes it on; `further` are its other keys."""
    seen: list[Scope] = []

    async def application(scope: Scope, _receive: Receive, _send: Send) -> None:
        seen.append(scope)

    async def nothing(*_message: Any) -> Any:
        raise AssertionError("headers alone decide")

    scope: Scope = {
        "type": "http",
        "method": method,
        "headers": [(name.encode(), value.encode()) for name, value in [("host", host), *headers]],
        **(further or {}),
    }
    await middleware(application)(scope, nothing, nothing)
    (scope,) = seen
    return scope


async def _passed_on(headers: Headers, *, method: str = "POST", host: str = HOST) -> Scope:
    return await passed_on(
        lambda app: SessionCookies(app, [LISTED]), headers, method=method, host=host
    )


def _authorization(scope: Scope) -> list[str]:
    return [value.decode() for name, value in scope["headers"] if name == b"authorization"]


async def _is_authenticated(headers: Headers, **request: str) -> bool:
    found = _authorization(await _passed_on([COOKIE, *headers], **request))
    assert found in ([], [f"Bearer {TOKEN}"])
    return bool(found)


# The headers of browsers about the page that makes a request, and whether it is a page of ours.
SITES = {
    "own page": ([("origin", OWN), ("sec-fetch-site", "same-origin")], True),
    "own page, old browser": ([("origin", OWN)], True),
    "own page, without Origin": ([("sec-fetch-site", "same-origin")], True),
    "listed page": ([("origin", LISTED), ("sec-fetch-site", "same-site")], True),
    "page of the same site": (
        [("origin", "https://other.example.com"), ("sec-fetch-site", "same-site")],
        False,
    ),
    "same site, without Origin": ([("sec-fetch-site", "same-site")], False),
    "foreign page": ([("origin", "https://evil.test"), ("sec-fetch-site", "cross-site")], False),
    "foreign page, old browser": ([("origin", "https://evil.test")], False),
    "foreign page, without Origin": ([("sec-fetch-site", "cross-site")], False),
    "sandboxed page": ([("origin", "null"), ("sec-fetch-site", "cross-site")], False),
    "redirected by our own": ([("origin", "null"), ("sec-fetch-site", "same-origin")], False),
    "address bar": ([("sec-fetch-site", "none")], False),
    "plain http": ([("origin", f"http://{HOST}"), ("sec-fetch-site", "cross-site")], False),
    "other port": ([("origin", f"{OWN}:8443"), ("sec-fetch-site", "same-site")], False),
    "longer name": ([("origin", f"{OWN}.evil.test"), ("sec-fetch-site", "cross-site")], False),
    "two origins": ([("origin", OWN), ("origin", "https://evil.test")], False),
    "two fetch sites": ([("sec-fetch-site", "same-origin")] * 2, False),
    "no browser": ([], False),
}

# Content types, and whether a browser sends a preflight before another site may use them.
CONTENT_TYPES = {
    "application/json": True,
    "Application/JSON; charset=utf-8": True,
    "application/grpc-web": True,
    "application/grpc-web+proto": True,
    "application/grpc-web-text": True,
    "application/grpc-web-text+proto": True,
    "application/x-www-form-urlencoded": False,
    "multipart/form-data; boundary=x": False,
    "text/plain": False,
    "text/plain; application/json": False,
    "text/plain, application/json": False,
    "application/octet-stream": False,
    "": False,
}


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE"])
async def test_a_request_with_content_is_of_our_page_and_of_no_form(method: str) -> None:
    authenticated = {
        (site, content_type)
        for (site, (headers, _)), content_type in itertools.product(SITES.items(), CONTENT_TYPES)
        if await _is_authenticated([*headers, ("content-type", content_type)], method=method)
    }

    assert authenticated == {
        (site, content_type)
        for (site, (_, is_ours)), (content_type, has_preflight) in itertools.product(
            SITES.items(), CONTENT_TYPES.items()
        )
        if is_ours and has_preflight
    }


@pytest.mark.parametrize(
    ("method", "is_possible"),
    [("GET", True), ("HEAD", True), ("DELETE", True), ("POST", False), ("PUT", False)],
)
async def test_a_request_without_content_is_of_our_page_and_no_post(
    method: str, is_possible: bool
) -> None:
    authenticated = {
        site
        for site, (headers, _) in SITES.items()
        if await _is_authenticated(headers, method=method)
    }

    assert authenticated == {
        site for site, (_, is_ours) in SITES.items() if is_ours and is_possible
    }


@pytest.mark.parametrize(
    ("host", "origin", "is_own"),
    [
        ("ID.Example.com", OWN, True),
        (f"{HOST}:8443", f"{OWN}:8443", True),
        ("localhost:8080", "http://localhost:8080", True),
        ("127.0.0.1:8080", "http://127.0.0.1:8080", True),
        ("[::1]:8080", "http://[::1]:8080", True),
        ("localhost:8080", "http://localhost:8081", False),
        ("localhost:8080", "http://127.0.0.1:8080", False),
        ("localhost.evil.test", "http://localhost.evil.test", False),
        ("192.0.2.7:8080", "http://192.0.2.7:8080", False),
    ],
)
async def test_own_is_the_host_of_the_request_by_https_or_on_this_machine(
    host: str, origin: str, is_own: bool
) -> None:
    assert await _is_authenticated([("origin", origin), JSON], host=host) is is_own


@pytest.mark.parametrize("more", [("host", "other.test"), ("content-type", "text/plain")])
async def test_a_header_that_is_sent_twice_is_not_believed(more: tuple[str, str]) -> None:
    assert not await _is_authenticated([more, ("origin", OWN), JSON])


@pytest.mark.parametrize("sent", ["Bearer kst_other", "Basic eDp5", ""])
async def test_an_authorization_that_is_sent_is_kept(sent: str) -> None:
    scope = await _passed_on([COOKIE, ("authorization", sent), ("origin", OWN), JSON])

    assert _authorization(scope) == [sent]
    assert not scope[KEPT_IN_COOKIE]


@pytest.mark.parametrize(
    "cookies",
    [
        [],
        ["theme=dark"],
        ["__Host-keystead="],
        ["__Host-keystead=kst_0123456789"],
        [f"__Host-keystead={TOKEN}!"],
        [f'__Host-keystead="{TOKEN}"'],
        [f"__host-keystead={TOKEN}"],
        [f"keystead={TOKEN}"],
        [f"__Host-keystead={TOKEN}; __Host-keystead=kss_other"],
        [f"__Host-keystead={TOKEN}", f"__Host-keystead={TOKEN}"],
        [f"__Host-keystead=kss_{'x' * 257}"],
    ],
)
async def test_no_cookie_but_one_of_a_session_means_anything(cookies: list[str]) -> None:
    headers = [("origin", OWN), JSON, *(("cookie", each) for each in cookies)]

    scope = await _passed_on(headers)

    assert _authorization(scope) == []
    assert not scope.get(KEPT_IN_COOKIE)


async def test_the_cookie_is_found_among_others_and_no_method_sees_one() -> None:
    more = [("cookie", "theme=dark"), ("cookie", f"a=b=c;{COOKIE[1]} ; x")]

    own = await _passed_on([*more, ("origin", OWN), JSON])
    foreign = await _passed_on([*more, ("origin", "https://evil.test"), JSON])

    assert (_authorization(own), _authorization(foreign)) == ([f"Bearer {TOKEN}"], [])
    assert own[KEPT_IN_COOKIE] is True
    for scope in (own, foreign):
        assert b"cookie" not in dict(scope["headers"])


@pytest.mark.parametrize("site", SITES)
async def test_only_a_page_of_ours_may_ask_for_a_cookie(site: str) -> None:
    headers, is_ours = SITES[site]

    asked = await _passed_on([*headers, JSON, OPT_IN])
    not_asked = await _passed_on([*headers, JSON])

    assert asked.get(KEPT_IN_COOKIE, False) is is_ours
    assert not not_asked.get(KEPT_IN_COOKIE, False)

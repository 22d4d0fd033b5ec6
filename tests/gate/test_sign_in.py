"""Signing in at the gate, over both ways to ask it."""

import asyncio
import time
from collections.abc import Callable
from datetime import timedelta
from unittest.mock import AsyncMock
from urllib.parse import parse_qsl, quote, urlsplit

import asyncpg
import grpc
import pytest

from server.gate import commands, cookie
from server.oauth.visits import Visits
from server.values.errors import Failure, Kind
from tests.application import calls
from tests.gate import behind
from tests.gate.behind import CALLBACK, COOKIE, Answer, Browser, EnvoyProxy
from tests.group import calls as groups
from tests.oauth import flow
from tests.oauth.flow import App
from tests.session import jwts, sessions
from tests.session.sessions import SignedIn
from tests.support import given
from tests.support.given import Client

pytestmark = pytest.mark.usefixtures("application")

_STARTED = {"accept": "text/html"}
_SOON = 0.2  # seconds


@pytest.fixture
async def application(owner: Client, host: str) -> str:
    """The ID of an application at the host."""
    return await behind.application(owner, host)


@pytest.fixture
def asks_again_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """The gate reads an application and a person again after `_SOON`, in place of five seconds.

    That these are five seconds is proved by the test of signing out.
    """
    monkeypatch.setattr(commands, "CACHE_SECONDS", _SOON)


def _location(answer: Answer) -> str:
    assert answer.status in (302, 401), answer
    return answer.headers["location"]


@pytest.mark.parametrize(
    ("path", "returned"),
    [
        ("/", "/"),
        ("/dashboards?from=now&to=%2F", "/dashboards?from=now&to=%2F"),
        ("//evil.example/\\evil.example", "//evil.example/%5Cevil.example"),
        ("/a b\u00fc\r\nset-cookie: a#b", "/a%20b%C3%BC%0D%0Aset-cookie:%20a%23b"),
        ("*", "/"),
        ("https://evil.example/", "/"),
        (f"/a?{'x' * 1200}", "/a"),
        (f"/{'x' * 1200}", "/"),
    ],
)
async def test_a_person_signs_in_and_returns_to_the_page_at_the_same_origin(
    gate: Client, host: str, ada: SignedIn, path: str, returned: str
) -> None:
    browser = Browser(EnvoyProxy(gate), host)

    entered = await browser.get(await browser.approved(path, ada.client))

    assert _location(entered) == f"https://{host}{returned}"
    assert (await browser.get("/")).is_allowed


async def test_a_person_signs_in_over_both_ways(browser: Browser, ada: SignedIn) -> None:
    assert (await browser.enter(ada.client, "/a?b=c")).is_allowed


async def test_the_sign_in_is_that_of_the_application(
    browser: Browser, application: str, host: str
) -> None:
    answer = await browser.get("/")

    location = urlsplit(_location(answer))
    parameters = dict(parse_qsl(location.query))
    assert location.path == "/oauth/authorize"
    assert parameters["client_id"] == application
    assert parameters["redirect_uri"] == f"https://{host}{CALLBACK}"
    assert parameters["scope"] == "openid profile email groups"
    assert parameters["code_challenge_method"] == "S256"
    attributes = answer.headers["set-cookie"].split("; ")
    assert {"Path=/", "Secure", "HttpOnly", "SameSite=Lax", "Max-Age=900"} <= {*attributes}
    assert host not in parameters["state"]


async def test_nobody_chooses_the_audience_of_the_token(
    browser: Browser, application: str, ada: SignedIn
) -> None:
    """The application would get a token of the user for another server."""
    started = _location(await browser.get("/"))
    parameters = dict(parse_qsl(urlsplit(started).query)) | {"resource": ["https://api.example"]}

    answer = await App(ada.client, application, "").start(**parameters, nonce="")

    assert not answer.sealed_request
    assert flow.parameters(answer.redirect_uri)["error"] == "invalid_target"


async def test_a_cookie_lives_as_long_as_its_session(browser: Browser, ada: SignedIn) -> None:
    entered = await browser.get(await browser.approved("/", ada.client))

    [lifetime] = [
        each for each in entered.headers["set-cookie"].split("; ") if each.startswith("Max-Age=")
    ]
    assert 86_300 < int(lifetime.removeprefix("Max-Age=")) <= 86_400


@pytest.mark.parametrize(
    ("method", "headers"),
    [
        ("GET", {"accept": "application/json"}),
        ("GET", {"accept": "*/*"}),
        ("GET", {}),
        ("HEAD", {"accept": "text/html"}),
        ("POST", {"accept": "text/html"}),
        ("OPTIONS", {"origin": "https://a.example", "access-control-request-method": "POST"}),
    ],
)
async def test_a_program_without_a_cookie_gets_401(
    browser: Browser, method: str, headers: dict[str, str]
) -> None:
    answer = await browser.ask(method, "/", **headers)

    assert answer.status == 401
    assert "location" not in answer.headers
    assert answer.headers["www-authenticate"] == "Keystead-Gate"


async def test_several_tabs_sign_in_at_once(browser: Browser, ada: SignedIn, host: str) -> None:
    callbacks = [await browser.approved(f"/{tab}", ada.client) for tab in range(3)]

    for tab, callback in enumerate(callbacks):
        assert _location(await browser.get(callback)) == f"https://{host}/{tab}"
        assert (await browser.get("/")).is_allowed


async def test_another_browser_cannot_complete_the_sign_in(
    browser: Browser, browsers: Callable[[str], Browser], host: str, ada: SignedIn
) -> None:
    callback = await browser.approved("/", ada.client)
    other, begun = browsers(host), browsers(host)
    await begun.get("/")

    assert (await other.get(callback)).status == 403
    assert (await begun.get(callback)).status == 403
    assert not (await begun.get("/")).is_allowed
    assert _location(await browser.get(callback)) == f"https://{host}/"


@pytest.mark.parametrize(
    "change",
    [
        lambda callback: callback.replace("state=", "state=A"),
        lambda callback: callback.partition("&state=")[0],
        lambda callback: f"{callback}&state=a",
        lambda callback: callback + "&a=b" * 20,
        lambda _callback: CALLBACK,
    ],
    ids=["forged", "missing", "twice", "too many parameters", "nothing"],
)
async def test_a_response_without_the_state_of_the_gate_leads_nowhere(
    browser: Browser, ada: SignedIn, change: Callable[[str], str]
) -> None:
    answer = await browser.get(change(await browser.approved("/", ada.client)))

    assert answer.status == 400
    assert "location" not in answer.headers
    assert "This sign-in has expired" in answer.body


async def test_a_state_of_another_application_leads_nowhere(
    browser: Browser,
    browsers: Callable[[str], Browser],
    owner: Client,
    host: str,
    ada: SignedIn,
) -> None:
    other = browsers(f"sibling.{host}")
    await behind.application(owner, other.host)
    await other.get("/")

    answer = await other.get(await browser.approved("/", ada.client))

    assert answer.status == 400


async def test_the_response_of_another_server_is_refused(browser: Browser, ada: SignedIn) -> None:
    callback = await browser.approved("/", ada.client)
    other = f"&iss={quote('https://evil.example', safe='')}"
    parts = [each for each in callback.split("&") if not each.startswith("iss=")]

    assert (await browser.get("&".join(parts) + other)).status == 403
    assert (await browser.get("&".join(parts))).status == 403


async def test_a_person_may_refuse_to_sign_in(browser: Browser, host: str) -> None:
    parameters = dict(parse_qsl(urlsplit(_location(await browser.get("/a?b"))).query))
    issuer = quote(_issuer(await browser.get("/")), safe="")

    answer = await browser.get(
        f"{CALLBACK}?error=access_denied&iss={issuer}&state={quote(parameters['state'])}"
    )

    assert answer.status == 403
    assert "You are not signed in" in answer.body
    assert f'href="https://{host}/a?b"' in answer.body


def _issuer(answer: Answer) -> str:
    return (
        _location(answer)
        .removesuffix(urlsplit(_location(answer)).query + "?")
        .partition("/oauth/")[0]
    )


@pytest.mark.usefixtures("asks_again_soon")
async def test_a_code_is_used_once(browser: Browser, ada: SignedIn) -> None:
    callback = await browser.approved("/", ada.client)
    begun = dict(browser.cookies)
    assert (await browser.get(callback)).status == 302
    entered = dict(browser.cookies)
    browser.cookies = begun

    again = await browser.get(callback)

    assert again.status == 403
    assert "This sign-in has expired" in again.body
    # RFC 6749, section 4.1.2: the second use ends the authorization of the first.
    browser.cookies = entered
    await _until_closed(browser)


async def test_a_session_that_has_just_ended_opens_nothing(browser: Browser, ada: SignedIn) -> None:
    callback = await browser.approved("/", ada.client)
    await sessions.sign_out(ada.client)

    answer = await browser.get(callback)

    assert answer.status == 403
    assert not (await browser.get("/")).is_allowed


async def test_a_sign_in_may_take_a_quarter_of_an_hour(
    browser: Browser, ada: SignedIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cookie, "_LIFETIME", timedelta(seconds=-1))
    late = await browser.approved("/", ada.client)
    monkeypatch.undo()
    assert (await browser.get(late)).status == 400

    intime = await browser.approved("/", ada.client)
    monkeypatch.setattr(cookie, "_is_over", lambda _expiry: False)
    assert (await browser.get(intime)).status == 302


async def test_a_cookie_of_a_sign_in_expires(
    browser: Browser, ada: SignedIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    callback = await browser.approved("/", ada.client)
    begun = browser.cookies
    monkeypatch.setattr(cookie, "_LIFETIME", timedelta(seconds=-1))
    await browser.get("/")  # renews the cookie
    assert browser.cookies is begun
    monkeypatch.undo()

    assert (await browser.get(callback)).status == 403


async def test_a_server_that_cannot_take_the_code_says_so(
    gate: Client, host: str, ada: SignedIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    browser = Browser(EnvoyProxy(gate), host)
    callback = await browser.approved("/", ada.client)
    failure = Failure(Kind.UNAVAILABLE, "DATABASE_UNAVAILABLE", "Try again.")
    monkeypatch.setattr(Visits, "enter", AsyncMock(side_effect=failure))

    refused = await given.refusal(browser.get(callback))

    assert refused.code is grpc.StatusCode.UNAVAILABLE
    monkeypatch.undo()
    assert (await browser.get(callback)).status == 302


async def test_the_callback_of_a_form_is_not_of_the_gate(browser: Browser, ada: SignedIn) -> None:
    callback = await browser.approved("/", ada.client)

    assert (await browser.ask("POST", callback, **_STARTED)).status == 401
    await browser.get(callback)
    assert (await browser.ask("POST", callback, **_STARTED)).is_allowed


async def _until_closed(browser: Browser) -> None:
    """Waits until a request is refused. Those that begin five seconds from now must be."""
    until = time.monotonic() + 5

    async def is_closed() -> bool:
        is_late = time.monotonic() >= until
        is_allowed = (await browser.get("/")).is_allowed
        assert not (is_allowed and is_late)
        return not is_allowed

    await given.eventually(is_closed)


async def test_signing_out_closes_the_gate_within_five_seconds(
    gate: Client, host: str, ada: SignedIn
) -> None:
    browser = Browser(EnvoyProxy(gate), host)
    await browser.enter(ada.client)
    await sessions.sign_out(ada.client)

    await _until_closed(browser)

    assert (await browser.get("/")).status == 302
    assert (await browser.ask("GET", "/")).status == 401


@pytest.mark.usefixtures("asks_again_soon")
async def test_the_end_of_the_grant_closes_the_gate(
    browser: Browser, ada: SignedIn, application: str
) -> None:
    await browser.enter(ada.client)
    await calls.revoke_grant(ada.client, application)

    await _until_closed(browser)

    assert (await browser.get("/")).status == 302
    assert (await browser.ask("GET", "/")).status == 401


@pytest.mark.usefixtures("asks_again_soon")
async def test_a_group_that_a_person_leaves_closes_the_gate(
    browser: Browser, owner: Client, application: str, ada: SignedIn
) -> None:
    group_id = await groups.group(owner)
    await groups.add_member(owner, group_id, ada.person.user_id)
    await calls.patch(
        owner, application, ["allowed_groups", "admits_groups_only"],
        allowed_groups=[group_id], admits_groups_only=True,
    )  # fmt: skip
    assert (await browser.enter(ada.client)).is_allowed
    await groups.remove_member(owner, group_id, ada.person.user_id)

    await _until_closed(browser)

    answer = await browser.get("/")
    assert answer.status == 403
    assert "may not use this application" in answer.body


@pytest.mark.usefixtures("asks_again_soon")
async def test_an_application_that_lost_scopes_gets_no_more_of_them(
    gate: Client, host: str, owner: Client, application: str, ada: SignedIn
) -> None:
    browser = Browser(EnvoyProxy(gate), host)
    before = (await browser.enter(ada.client)).headers["authorization"]
    await calls.patch(owner, application, scopes=["openid"])
    await asyncio.sleep(_SOON * 1.5)  # until the gate asks again for the application
    await browser.get("/")
    await asyncio.sleep(_SOON * 1.5)  # and for the user

    after = (await browser.get("/")).headers["authorization"]

    for token, scope in ((before, "openid profile email groups"), (after, "openid")):
        claims = jwts.unverified(token.partition(" ")[2])
        assert claims["scope"] == scope
        assert ("preferred_username" in claims) == ("profile" in scope)


@pytest.mark.usefixtures("asks_again_soon")
async def test_a_request_is_a_use_of_the_session(
    browser: Browser, ada: SignedIn, sql: asyncpg.Connection
) -> None:
    await browser.enter(ada.client)
    await asyncio.sleep(_SOON * 1.5)  # until the gate asks again
    ago = "update session_activity set last_seen_at = now() - interval '30 minutes'"
    await sql.execute(f"{ago} where session_id = $1", ada.session_id)

    assert (await browser.get("/")).is_allowed

    idle = "select now() - last_seen_at from session_activity where session_id = $1"
    assert await sql.fetchval(idle, ada.session_id) < timedelta(minutes=1)


@pytest.mark.parametrize("value", ["", "a", "gAAAAA==", "\u00fc"])
async def test_a_cookie_that_is_no_cookie_of_the_gate_opens_nothing(
    gate: Client, host: str, value: str
) -> None:
    browser = Browser(EnvoyProxy(gate), host, {COOKIE: value})

    assert (await browser.ask("GET", "/")).status == 401

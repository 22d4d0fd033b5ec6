"""`GET /gate/check` as HTTP: the proxy's headers, and the answers that proxies understand.

The decisions are tested in `tests/gate`.
"""

import httpx2
import pytest

from keystead.application.v1 import application_service_pb2 as application_pb
from tests.gate import behind
from tests.gate.behind import COOKIE, GIVEN, Browser, EnvoyProxy
from tests.gate.conftest import gate, host
from tests.oauth.conftest import ada
from tests.session.sessions import SignedIn
from tests.support.given import Client

__all__ = ["ada", "gate", "host"]  # fixtures

_PATH = "/gate/check"


def _headers(token: str, host: str, **further: str) -> dict[str, str]:
    regular = {
        "authorization": f"Bearer {token}",
        "x-forwarded-method": "GET",
        "x-forwarded-proto": "https",
        "x-forwarded-host": host,
        "x-forwarded-uri": "/",
        "accept": "text/html",
    }
    return {**regular, **{name.replace("_", "-"): value for name, value in further.items()}}


@pytest.fixture
async def cookie(owner: Client, gate: Client, host: str, ada: SignedIn) -> str:
    """The cookie of a person at an application."""
    await behind.application(owner, host, gate_identity_headers=True)
    browser = Browser(EnvoyProxy(gate), host)
    await browser.enter(ada.client)
    return f"{COOKIE}={browser.cookies[COOKIE]}"


async def test_all_headers_are_in_an_answer_that_allows(
    web: httpx2.AsyncClient, gate: Client, host: str, cookie: str, ada: SignedIn
) -> None:
    answer = await web.get(_PATH, headers=_headers(gate.token, host, cookie=cookie))

    assert (answer.status_code, answer.content) == (200, b"")
    assert {name: answer.headers.get_list(name) for name in GIVEN if name != "authorization"} == {
        "cookie": [""],
        "x-auth-request-email": [""],
        "x-auth-request-groups": [""],
        "x-auth-request-user": [ada.person.user_id],
        "x-keystead-jwt": [""],
    }
    assert answer.headers["cache-control"] == "no-store"


async def test_the_bytes_of_other_cookies_stay(
    web: httpx2.AsyncClient, gate: Client, host: str, cookie: str
) -> None:
    """A site of the same domain can set any."""
    headers = _headers(gate.token, host, cookie=f"{cookie}; city=Köln")

    answer = await web.get(
        _PATH, headers=[(name.encode(), value.encode()) for name, value in headers.items()]
    )

    assert answer.status_code == 200
    assert dict(answer.headers.raw)[b"cookie"] == "city=Köln".encode()


@pytest.mark.parametrize("name", ["x_auth_request_user", "x.keystead.jwt", "x-auth-request-roles"])
async def test_a_spelling_that_the_proxy_does_not_remove_is_refused(
    web: httpx2.AsyncClient, gate: Client, host: str, cookie: str, name: str
) -> None:
    headers = _headers(gate.token, host, cookie=cookie) | {name: "admin"}

    answer = await web.get(_PATH, headers=headers)

    assert answer.status_code == 403
    assert name in answer.text
    assert "authorization" not in answer.headers


async def test_a_proxy_that_takes_no_redirect_gets_401_with_a_location(
    web: httpx2.AsyncClient, owner: Client, gate: Client, host: str
) -> None:
    await behind.application(owner, host)
    headers = _headers(gate.token, host)

    redirected = await web.get(_PATH, headers=headers, follow_redirects=False)
    unauthorized = await web.get(f"{_PATH}?redirect=401", headers=headers)
    program = await web.get(f"{_PATH}?redirect=401", headers=headers | {"accept": "*/*"})

    assert redirected.status_code == 302
    assert unauthorized.status_code == program.status_code == 401
    assert "/oauth/authorize?" in unauthorized.headers["location"]
    assert "location" not in program.headers
    assert "set-cookie" not in program.headers


@pytest.mark.parametrize("token", ["kst_a", None])
async def test_no_caller_but_a_gate_may_ask(
    web: httpx2.AsyncClient, host: str, cookie: str, token: str | None
) -> None:
    headers = _headers(token or "", host, cookie=cookie)
    if token is None:
        del headers["authorization"]

    answer = await web.get(_PATH, headers=headers)

    assert answer.status_code == 401
    assert answer.headers["www-authenticate"] == "Bearer"
    assert "location" not in answer.headers


async def test_a_person_may_not_ask_for_a_decision(
    web: httpx2.AsyncClient, ada: SignedIn, host: str, cookie: str
) -> None:
    answer = await web.get(_PATH, headers=_headers(ada.client.token, host, cookie=cookie))

    assert answer.status_code == 403


@pytest.mark.parametrize("name", ["method", "proto", "host", "uri"])
@pytest.mark.parametrize("times", [0, 2])
async def test_each_forwarded_header_is_sent_once(
    web: httpx2.AsyncClient, gate: Client, host: str, name: str, times: int
) -> None:
    sent = _headers(gate.token, host)
    [value] = [sent.pop(f"x-forwarded-{name}")]
    headers = [*sent.items(), *[(f"x-forwarded-{name}", value)] * times]

    answer = await web.get(_PATH, headers=headers)

    assert answer.status_code == 400
    assert f"x-forwarded-{name}" in answer.json()["message"]


async def test_a_proxy_that_forwards_nothing_learns_all_headers_at_once(
    web: httpx2.AsyncClient, gate: Client
) -> None:
    answer = await web.get(_PATH, headers={"authorization": f"Bearer {gate.token}"})

    assert answer.status_code == 400
    for name in ("method", "proto", "host", "uri"):
        assert f"x-forwarded-{name}" in answer.json()["message"]


async def test_headers_of_the_client_are_none_of_the_call(
    web: httpx2.AsyncClient, gate: Client, host: str, cookie: str
) -> None:
    further = {
        "x-service-orgid": "another",
        "grpc-timeout": "0n",
        "x-validate-only": "true",
        "if-match": '"1"',
        "a-bin": "!",
    }

    answer = await web.get(_PATH, headers=_headers(gate.token, host, cookie=cookie) | further)

    assert answer.status_code == 200


@pytest.mark.parametrize("verb", ["POST", "HEAD", "OPTIONS"])
async def test_only_get_asks_for_a_decision(
    web: httpx2.AsyncClient, gate: Client, host: str, verb: str
) -> None:
    answer = await web.request(verb, _PATH, headers=_headers(gate.token, host))

    assert answer.status_code == 405
    assert answer.headers["allow"] == "GET"


async def test_only_this_path_is_of_the_gate(
    web: httpx2.AsyncClient, gate: Client, host: str
) -> None:
    for path in (f"{_PATH}/", "/gate%2fcheck", "/gate/Check"):
        assert (await web.get(path, headers=_headers(gate.token, host))).status_code == 404


async def test_the_application_may_get_the_token_in_another_header(
    web: httpx2.AsyncClient, owner: Client, gate: Client, host: str, ada: SignedIn
) -> None:
    header = application_pb.GATE_JWT_HEADER_X_KEYSTEAD_JWT
    await behind.application(owner, host, gate_jwt_header=header)
    browser = Browser(EnvoyProxy(gate), host)
    await browser.enter(ada.client)
    cookie = f"{COOKIE}={browser.cookies[COOKIE]}"

    answer = await web.get(_PATH, headers=_headers(gate.token, host, cookie=cookie))

    assert answer.headers["authorization"] == ""
    assert answer.headers["x-keystead-jwt"].startswith("ey")

"""The authentication of applications: in the header, in the body, and never in both."""

import base64
import json
from urllib.parse import quote_plus

import pytest
from joserfc.jwk import ECKey

from bridge.oauth.client_authentication import complete
from keystead.application.v1 import application_service_pb2 as application_pb
from keystead.oauth.v1 import oauth_service_pb2 as pb
from tests.application import calls
from tests.bridge.oauth.web_app import WebApp, basic, error_of
from tests.oauth import flow
from tests.oauth.flow import ASSERTION_TYPE
from tests.session.sessions import SignedIn
from tests.support.given import Client

ENDPOINTS = ("token", "device", "introspect", "revoke")


def _sent(text: str) -> list[tuple[bytes, bytes]]:
    return [(b"authorization", text.encode())]


def _basic(credentials: bytes) -> str:
    return f"Basic {base64.b64encode(credentials).decode()}"


async def test_basic_may_be_escaped_in_every_character(web_app: WebApp, ada: SignedIn) -> None:
    app = web_app.app
    approved = await web_app.approved(ada.client)

    answer = await web_app.post(
        "token",
        basic(app.client_id, app.secret, escaped=True),
        grant_type="authorization_code",
        code=approved.code,
        redirect_uri=flow.CALLBACK,
        code_verifier=approved.verifier,
    )

    assert answer.status_code == 200, answer.text


def test_basic_may_have_any_characters() -> None:
    client_id, secret = "a:b c", "p:\u00fc+%& =w"
    request = pb.ExchangeTokenRequest(client_id=client_id)

    complete(request, _sent(basic(client_id, secret)["authorization"]))

    assert (request.client_id, request.client_secret) == (client_id, secret)


@pytest.mark.parametrize("secret", ["ab+cd/ef=", "p:w", "~!*'()", "&=?#@"])
@pytest.mark.parametrize("is_encoded", [False, True])
def test_basic_may_be_sent_as_it_is(secret: str, is_encoded: bool) -> None:
    """RFC 6749, section 2.3.1 asks for form encoding, which many programs leave out.

    So does requests (requests.auth._basic_auth_str), and Authlib by it.
    """
    request = pb.ExchangeTokenRequest()
    raw = f"My_App.1~:{quote_plus(secret) if is_encoded else secret}"

    complete(request, _sent(_basic(raw.encode())))

    assert (request.client_id, request.client_secret) == ("My_App.1~", secret)


def test_basic_needs_no_secret() -> None:
    request = pb.RevokeOAuthTokenRequest()

    complete(request, _sent(_basic(b"ab:").replace("Basic", "bASIC ")))

    assert (request.client_id, request.client_secret) == ("ab", "")


@pytest.mark.parametrize("endpoint", ENDPOINTS)
async def test_a_wrong_secret_is_answered_in_the_way_it_was_sent(
    web_app: WebApp, endpoint: str
) -> None:
    parameters = {"grant_type": "authorization_code", "code": "x", "token": "x"}
    client_id = web_app.app.client_id

    by_header = await web_app.post(endpoint, basic(client_id, "wrong"), **parameters)
    in_body = await web_app.post(endpoint, **parameters, client_id=client_id, client_secret="wrong")

    assert error_of(by_header) == (401, "invalid_client", "INVALID_CLIENT")
    assert by_header.headers["www-authenticate"] == 'Basic realm="keystead"'
    assert error_of(in_body) == (400, "invalid_client", "INVALID_CLIENT")
    assert "www-authenticate" not in in_body.headers


@pytest.mark.parametrize(
    "authorization",
    [
        "",
        "Basic",
        "Basic !",
        "Basic YTpi\u00e9",
        _basic(b"no colon"),
        _basic(b"a:%zz"),
        _basic(b"a:\xff"),
        "Bearer YTpi",
    ],
)
async def test_a_header_that_is_not_basic_is_no_authentication(
    web_app: WebApp, authorization: str
) -> None:
    headers = {b"authorization": authorization.encode("latin-1")}

    answer = await web_app.http.post(
        "/oauth/token", data={"grant_type": "refresh_token"}, headers=headers
    )

    assert error_of(answer) == (401, "invalid_client", "INVALID_CLIENT")
    assert answer.headers["www-authenticate"] == 'Basic realm="keystead"'


async def test_two_headers_are_no_authentication(web_app: WebApp) -> None:
    header = basic(web_app.app.client_id, web_app.app.secret)["authorization"]

    answer = await web_app.http.post(
        "/oauth/introspect",
        data={"token": "x"},
        headers=[("authorization", header), ("authorization", header)],
    )

    assert error_of(answer) == (401, "invalid_client", "INVALID_CLIENT")


@pytest.mark.parametrize("endpoint", ENDPOINTS)
@pytest.mark.parametrize(
    ("by_header", "parameters"),
    [
        (True, {"client_secret": "<secret>"}),
        (True, {"client_id": "<id>", "client_secret": "<secret>"}),
        (True, {"client_assertion": "x"}),
        (True, {"client_assertion_type": ASSERTION_TYPE}),
        (True, {"client_id": "another"}),
        (False, {"client_id": "<id>", "client_secret": "<secret>", "client_assertion": "x"}),
    ],
)
async def test_two_authentications_are_refused(
    web_app: WebApp, endpoint: str, by_header: bool, parameters: dict[str, str]
) -> None:
    app = web_app.app
    known = {"<id>": app.client_id, "<secret>": app.secret}
    sent = {name: known.get(value, value) for name, value in parameters.items()}
    headers = basic(app.client_id, app.secret) if by_header else {}

    answer = await web_app.post(
        endpoint, headers, **sent, token="x", grant_type="authorization_code", code="x"
    )

    assert error_of(answer) == (400, "invalid_request", "INVALID_REQUEST")


async def test_the_same_client_id_may_be_in_the_body(web_app: WebApp) -> None:
    app = web_app.app

    answer = await web_app.post(
        "introspect", basic(app.client_id, app.secret), client_id=app.client_id, token="x"
    )

    assert answer.json() == {"active": False}


async def test_the_application_of_an_assertion_may_be_in_the_body(
    web_app: WebApp, owner: Client
) -> None:
    key = ECKey.generate_key("P-256", {"alg": "ES256", "use": "sig"})
    client_id = await calls.application(
        owner,
        kind=application_pb.APPLICATION_KIND_SERVICE,
        scopes=["read"],
        token_endpoint_auth_method=application_pb.TOKEN_ENDPOINT_AUTH_METHOD_PRIVATE_KEY_JWT,
        jwks=json.dumps({"keys": [key.as_dict(private=False)]}),
    )
    issuer = (await web_app.http.get("/.well-known/openid-configuration")).json()["issuer"]

    answer = await web_app.post(
        "token",
        client_id=client_id,
        grant_type="client_credentials",
        **flow.assertion(client_id, issuer, key),
    )

    assert answer.status_code == 200, answer.text


@pytest.mark.parametrize(
    ("payload", "expected"),
    [
        (b"{", (400, "invalid_request", "INVALID_FIELDS")),
        (b"\xff", (400, "invalid_request", "INVALID_FIELDS")),
        (b"[]", (400, "invalid_request", "INVALID_FIELDS")),
        (b"[" * 5000, (400, "invalid_request", "INVALID_FIELDS")),
        (b"{}", (400, "invalid_request", "INVALID_FIELDS")),
        (b'{"sub":1}', (400, "invalid_request", "INVALID_FIELDS")),
        (rb'{"sub":"\ud800"}', (400, "invalid_request", "INVALID_FIELDS")),
        (b'{"sub":"unknown"}', (400, "invalid_client", "INVALID_CLIENT")),
    ],
)
async def test_an_assertion_of_nobody_is_no_authentication(
    web_app: WebApp, payload: bytes, expected: tuple[int, str, str]
) -> None:
    encoded = base64.urlsafe_b64encode(payload).decode().rstrip("=")

    answer = await web_app.post(
        "introspect",
        client_assertion_type=ASSERTION_TYPE,
        client_assertion=f"e30.{encoded}.x",
        token="x",
    )

    assert error_of(answer) == expected

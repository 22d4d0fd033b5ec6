"""Every refused request of an application is in a log line with its cause, and counted."""

import asyncio
from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any, cast

import pytest
import structlog

from keystead.oauth.v1 import oauth_service_pb2 as pb
from server.oauth.refused.causes import Cause
from server.oauth.refused.recorder import Refusable, Refusals
from server.store.database import Statements
from server.telemetry.metrics import Metrics
from tests.oauth import devices, flow, shared
from tests.oauth.flow import App
from tests.session.sessions import SignedIn
from tests.support import given
from tests.support.given import Client, Instance
from tests.support.scrape import scrape

org_id, owner, app, ada = shared.org_id, shared.owner, shared.app, shared.ada

_OTHER = "https://other.example.com/cb"


async def _line(call: Any, **fields: Any) -> Mapping[str, Any]:
    """The log line of a call."""
    with structlog.testing.capture_logs() as logs:
        await given.outcome(call)
        async with asyncio.timeout(5):
            return await given.call_line(logs, **fields)


@pytest.mark.parametrize(
    ("fields", "cause", "parameter", "value"),
    [
        ({"nonce": ""}, "PKCE_MISSING", "code_challenge", ""),
        (
            {"code_challenge": "a" * 43, "code_challenge_method": "plain"},
            "CODE_CHALLENGE_METHOD",
            "code_challenge_method",
            "plain",
        ),
        (
            {"code_challenge": "short", "code_challenge_method": "S256"},
            "CODE_CHALLENGE_MALFORMED",
            "code_challenge",
            "",
        ),
        (
            {"redirect_uri": f"https://user:pw@other.example.com/cb?token=secret#{'x' * 9}"},
            "REDIRECT_URI_NOT_REGISTERED",
            "redirect_uri",
            "https://…@other.example.com/cb…",
        ),
        ({"redirect_uri": _OTHER}, "REDIRECT_URI_NOT_REGISTERED", "redirect_uri", _OTHER),
        ({"redirect_uri": ""}, "INVALID_FIELDS", "redirect_uri", ""),
        ({"response_type": "token"}, "UNSUPPORTED_RESPONSE_TYPE", "response_type", "token"),
        ({"response_mode": "jwt"}, "UNSUPPORTED_RESPONSE_MODE", "response_mode", "jwt"),
        ({**flow.with_challenge(), "prompt": "now"}, "PROMPT", "prompt", "now"),
        ({**flow.with_challenge(), "scope": "admin"}, "INVALID_SCOPE", "scope", "admin"),
        ({**flow.with_challenge(), "scope": '"'}, "SCOPE_MALFORMED", "scope", '"'),
        (
            {**flow.with_challenge(), "resource": ["not a URI"]},
            "INVALID_TARGET",
            "resource",
            "not a URI",
        ),
        ({**flow.with_challenge(), "claims": "no JSON"}, "CLAIMS", "claims", ""),
        ({**flow.with_challenge(), "id_token_hint": "x"}, "ID_TOKEN_HINT", "id_token_hint", ""),
        ({"request": "a.b.c"}, "REQUEST_NOT_SUPPORTED", "request", ""),
        ({"state": "s" * 5000}, "INVALID_FIELDS", "state", ""),
    ],
)
async def test_a_refused_authorization_names_its_cause(
    app: App, fields: Mapping[str, Any], cause: str, parameter: str, value: str
) -> None:
    line = await _line(app.start(**fields), refused=cause)
    assert line["endpoint"] == "authorize"
    assert line["client_id"] == app.client_id
    assert line["parameter"] == parameter
    assert line.get("value", "") == value
    assert line["request_id"]
    assert "a state" not in str(line)


async def test_the_client_id_that_came_is_logged_if_it_is_unknown(app: App) -> None:
    line = await _line(app.start(client_id="nobody"), refused="UNKNOWN_CLIENT")
    assert line["client_id"] == "nobody"


async def test_a_method_without_a_challenge_is_refused(owner: Client) -> None:
    app = await flow.app(owner, pkce="APPLICATION_PKCE_NONE")
    await _line(app.start(code_challenge_method="S256"), refused="CODE_CHALLENGE_MISSING")


async def test_a_service_signs_nobody_in(owner: Client) -> None:
    service = await flow.service(owner)
    await _line(service.start(), refused="KIND_WITHOUT_SIGN_IN")


async def test_a_refused_token_request_names_its_cause(
    app: App, owner: Client, ada: SignedIn
) -> None:
    approved = await flow.approved(app, ada.client)
    public = await flow.public_app(owner)
    assertion = {"client_assertion_type": flow.ASSERTION_TYPE, "client_assertion": "a.b.c"}
    for by, fields, cause in (
        (app, {"client_secret": "ks wrong"}, "SECRET_WRONG"),
        (app, {"client_secret": ""}, "SECRET_MISSING"),
        (app, {"client_secret": "", **assertion}, "ASSERTION_NOT_EXPECTED"),
        (public, {"client_secret": "a secret"}, "SECRET_NOT_EXPECTED"),
        (app, {"grant_type": "password"}, "UNSUPPORTED_GRANT_TYPE"),
        (app, {"grant_type": "client_credentials"}, "UNAUTHORIZED_CLIENT"),
        (app, {"code": ""}, "INVALID_FIELDS"),
        (app, {"redirect_uri": _OTHER}, "REDIRECT_URI_NOT_REGISTERED"),
        (app, {"code_verifier": "v" * 43}, "CODE_INVALID"),
        (app, {"grant_type": "refresh_token", "refresh_token": "x"}, "REFRESH_TOKEN_INVALID"),
    ):
        line = await _line(by.redeem(approved, **fields), refused=cause)
        assert line["endpoint"] == "token"
        assert approved.code not in str(line)
        assert app.secret not in str(line)
    line = await _line(App(app.client, app.client_id, "wrong").revoke("x"), refused="SECRET_WRONG")
    assert line["endpoint"] == "revoke"
    line = await _line(app.push(redirect_uri=_OTHER), refused="REDIRECT_URI_NOT_REGISTERED")
    assert line["endpoint"] == "par"


async def test_a_refused_user_and_a_denial_are_refusals_of_the_application(
    owner: Client, ada: SignedIn
) -> None:
    app = await flow.app(owner, admits_groups_only=True)
    request = await flow.sealed(app)
    line = await _line(flow.approve(ada.client, request), refused="APPLICATION_NOT_ALLOWED")
    assert line["client_id"] == app.client_id
    await _line(flow.deny(app.client, request), refused="ACCESS_DENIED")
    await _line(flow.deny(app.client, request, error="login_required"), refused="LOGIN_REQUIRED")
    # The error was noted at the start of the request, and is not noted again.
    invalid = (await app.start()).sealed_refusal
    denial = flow.deny(app.client, invalid)
    method = "/keystead.oauth.v1.OAuthService/DenyAuthorization"
    assert "refused" not in await _line(denial, method=method)


async def test_a_missing_consent_is_a_step_and_no_refusal(owner: Client, ada: SignedIn) -> None:
    app = await flow.app(owner)
    call = flow.approve(ada.client, await flow.sealed(app), consents=False)
    assert "refused" not in await _line(call, reason="CONSENT_REQUIRED")


async def test_a_device_that_polls_is_not_refused_but_its_user_may_be(
    owner: Client, ada: SignedIn
) -> None:
    app = await flow.app(owner, admits_groups_only=True)
    started = await devices.start(app)
    poll = devices.poll(app, started.device_code)
    assert "refused" not in await _line(poll, reason="AUTHORIZATION_PENDING")
    approval = devices.approve(ada.client, started.user_code)
    line = await _line(approval, refused="APPLICATION_NOT_ALLOWED")
    assert (line["endpoint"], line["client_id"]) == ("device", app.client_id)


async def test_a_refused_logout_names_the_uri(app: App) -> None:
    request = pb.StartLogoutRequest(client_id=app.client_id, post_logout_redirect_uri=_OTHER)
    call = app.client.call(app.client.oauth.StartLogout, request)
    line = await _line(call, refused="POST_LOGOUT_REDIRECT_URI_NOT_REGISTERED")
    assert (line["endpoint"], line["value"]) == ("logout", _OTHER)


async def test_a_logout_names_its_application_by_the_hint(app: App, ada: SignedIn) -> None:
    tokens = await flow.tokens(app, ada.client)
    request = pb.StartLogoutRequest(id_token_hint=tokens.id_token, post_logout_redirect_uri=_OTHER)
    call = app.client.call(app.client.oauth.StartLogout, request)
    line = await _line(call, refused="POST_LOGOUT_REDIRECT_URI_NOT_REGISTERED")
    assert line["client_id"] == app.client_id


async def test_an_ended_access_token_is_a_refusal_at_userinfo(app: App, ada: SignedIn) -> None:
    tokens = await flow.tokens(app, ada.client, scope="openid offline_access")
    await app.revoke(tokens.refresh_token)
    line = await _line(flow.user_info(app.client, tokens.access_token), refused="INVALID_TOKEN")
    assert (line["endpoint"], line["client_id"]) == ("userinfo", app.client_id)


async def test_refusals_are_counted_by_reason(app: App, instance: Instance) -> None:
    labels = {"endpoint": "authorize", "reason": "PKCE_MISSING"}
    await app.start(nonce="")
    before = (await scrape(instance.web_port)).value("keystead_refusals_total", **labels)
    for redirect in ("https://a.example", "https://b.example"):
        await given.outcome(app.start(redirect_uri=redirect))
    await app.start(nonce="")
    after = await scrape(instance.web_port)
    assert after.value("keystead_refusals_total", **labels) == before + 1
    reasons = after.labels("keystead_refusals_total", "reason")
    assert reasons <= {each.value for each in Cause}


@pytest.mark.parametrize(
    ("parameter", "sent", "shown"),
    [
        ("scope", "a\x1b[2Jb\u202ec", "a?[2Jb?c"),
        ("scope", "x" * 400, f"{'x' * 300}…"),
        ("redirect_uri", "https://[::1/cb?a", "https://[::1/cb…"),
        ("redirect_uri", "https://a.example/p@th", "https://a.example/p@th"),
        ("redirect_uri", "com.example.app:/cb", "com.example.app:/cb"),
        ("resource", ["https://a.example/x#y"], "https://a.example/x…"),
        (
            "resource",
            ["https://a.example", "https://user:pw@b.example/x"],
            "https://a.example https://…@b.example/x",
        ),
    ],
)
async def test_a_value_is_short_printable_and_without_secrets(
    parameter: str, sent: Any, shown: str
) -> None:
    causes = {
        "scope": Cause.INVALID_SCOPE,
        "redirect_uri": Cause.REDIRECT_URI_NOT_REGISTERED,
        "resource": Cause.INVALID_TARGET,
    }
    call = SimpleNamespace()
    # Of a metadata document, so nothing is kept.
    client_id = f"https://{'x' * 300}"
    refusable = Refusable("authorize", client_id, SimpleNamespace(**{parameter: sent}))
    refusals = Refusals(cast(Statements, None), Metrics().refusals)
    await refusals.note(call, refusable, causes[parameter])
    noted = cast(Mapping[str, str], call.noted)
    assert noted["value"] == shown
    assert len(noted["client_id"]) == 200

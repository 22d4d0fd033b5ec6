"""Authorization requests that an application pushes to the server (RFC 9126)."""

import asyncio
import secrets
from typing import Any

import asyncpg
import grpc
import pytest

from tests.application import calls
from tests.oauth import flow, shared
from tests.oauth.flow import CALLBACK, App, Approved
from tests.session import sessions
from tests.session.sessions import SignedIn
from tests.support import given
from tests.support.given import Client

org_id, owner = shared.org_id, shared.owner

_EXPIRED = "AUTHORIZATION_REQUEST_EXPIRED"


async def test_a_pushed_request_leads_to_tokens(app: App, ada: SignedIn) -> None:
    verifier = secrets.token_urlsafe(32)
    request_uri = await app.push(**flow.with_challenge(verifier), state="pushed")

    answer = await flow.approve(ada.client, await app.start_pushed(request_uri))

    parameters = flow.parameters(answer.redirect_uri)
    assert parameters["state"] == "pushed"
    assert (await app.redeem(Approved(parameters, verifier))).id_token


async def test_a_public_application_pushes_by_its_client_id(owner: Client) -> None:
    app = await flow.public_app(owner)

    request_uri = await app.push()

    assert request_uri.startswith("urn:ietf:params:oauth:request_uri:")
    assert await app.start_pushed(request_uri)


async def test_an_application_that_must_push_starts_no_other_request(
    owner: Client, ada: SignedIn
) -> None:
    app = await flow.app(owner, requires_pushed_authorization_requests=True)

    refused = await app.start(state="not pushed")
    pushed = await app.start_pushed(await app.push())

    assert not refused.sealed_request
    assert refused.redirect_uri.startswith(f"{CALLBACK}?")
    parameters = flow.parameters(refused.redirect_uri)
    assert (parameters["error"], parameters["state"]) == ("invalid_request", "not pushed")
    assert "must be pushed" in parameters["error_description"]
    assert flow.parameters((await flow.approve(ada.client, pushed)).redirect_uri)["code"]


async def test_an_application_that_lost_scopes_starts_no_request_for_them(
    app: App, owner: Client
) -> None:
    request_uri = await app.push(scope="openid email")
    other = await app.push(scope="openid")
    await calls.patch(owner, app.client_id, scopes=["openid", "profile"])

    assert await given.outcome(app.start_pushed(request_uri)) == _EXPIRED
    assert await app.start_pushed(other)


async def test_nothing_is_stored(app: App, sql: asyncpg.Connection) -> None:
    before = await _rows(sql)

    await app.start_pushed(await app.push())

    assert await _rows(sql) == before


async def _rows(sql: asyncpg.Connection) -> int:
    tables = ("used_values", "oauth_authorizations", "events")
    counts = [await sql.fetchval(f"select count(*) from {table}") for table in tables]  # noqa: S608
    return sum(counts)


async def test_only_an_authenticated_application_pushes(app: App, owner: Client) -> None:
    other = await flow.app(owner)

    for secret in ("", "wrong", other.secret):
        refused = await given.refusal(app.push(client_secret=secret))
        assert refused.code is grpc.StatusCode.UNAUTHENTICATED
        assert refused.reason == "INVALID_CLIENT"


async def test_a_service_without_people_pushes_nothing(owner: Client) -> None:
    app = await flow.service(owner)

    assert await given.outcome(app.push()) == "UNAUTHORIZED_CLIENT"


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"response_type": "token"}, "UNSUPPORTED_RESPONSE_TYPE"),
        ({"response_mode": "fragment"}, "INVALID_REQUEST"),
        ({"request": "e30.e30."}, "REQUEST_NOT_SUPPORTED"),
        ({"request_uri": "urn:ietf:params:oauth:request_uri:x"}, "INVALID_REQUEST"),
        ({"scope": "admin"}, "INVALID_SCOPE"),
        ({"resource": ["/relative"]}, "INVALID_TARGET"),
        ({"code_challenge": ""}, "INVALID_REQUEST"),
        ({"code_challenge_method": "plain"}, "INVALID_REQUEST"),
        ({"id_token_hint": "e30.e30.e30"}, "INVALID_REQUEST"),
        (
            {"claims": '{"id_token": {"acr": {"essential": true, "value": "urn:other"}}}'},
            "UNMET_AUTHENTICATION_REQUIREMENTS",
        ),
        ({"redirect_uri": f"{CALLBACK}/"}, "REDIRECT_URI_NOT_REGISTERED"),
    ],
)
async def test_a_wrong_request_is_refused_to_the_application(
    app: App, fields: dict[str, Any], reason: str
) -> None:
    refused = await given.refusal(app.push(**fields))

    assert (refused.code, refused.reason) == (grpc.StatusCode.FAILED_PRECONDITION, reason)


async def test_the_redirect_uri_is_part_of_the_pushed_request(app: App) -> None:
    refused = await given.refusal(app.push(redirect_uri=""))

    assert refused.violations.keys() == {"redirectUri"}


async def test_a_request_uri_fits_into_a_url(app: App) -> None:
    assert len(await app.push(state="x" * 2000, nonce="x" * 2000)) <= 7000

    refused = await given.refusal(app.push(state="x" * 4000, nonce="x" * 2000))
    assert refused.code is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert refused.reason == "MESSAGE_TOO_LARGE"


async def test_parameters_beside_a_request_uri_are_ignored(app: App) -> None:
    """RFC 9101, section 6.3."""
    request_uri = await app.push(scope="openid", login_hint="ada")

    sealed = await app.start_pushed(
        request_uri,
        redirect_uri="https://evil.example",
        response_type="token",
        scope="openid email",
        login_hint="eve",
        prompt="none",
    )

    described = await flow.describe(app.client, sealed)
    assert (described.redirect_host, described.scopes) == ("shop.example.com", ["openid"])
    assert (described.login_hint, described.prompts) == ("ada", [])


async def test_a_request_uri_that_this_server_did_not_make_is_refused(app: App) -> None:
    made = await app.push()
    sealed = await app.start_pushed(made)

    for text in (made[:-4], f"{made}=", made[:34], f"{made[:34]}{sealed}"):
        assert await given.outcome(app.start_pushed(text)) == _EXPIRED


async def test_a_pushed_request_is_no_request_of_the_page(app: App, ada: SignedIn) -> None:
    made = await app.push()

    assert await given.outcome(flow.approve(ada.client, made[34:])) == _EXPIRED


async def test_a_request_begins_when_the_browser_comes_with_it(
    app: App, ada: SignedIn, sql: asyncpg.Connection
) -> None:
    """A sign-in between the push and the start is not a new one."""
    made = await app.push(prompt="login")
    await sessions.set_sign_in(sql, ada)
    await asyncio.sleep(1)  # times of requests are whole seconds

    refused = await given.refusal(flow.approve(ada.client, await app.start_pushed(made)))

    assert refused.reason == "SIGN_IN_REQUIRED"


async def test_an_application_that_changed_meanwhile_is_refused(app: App, owner: Client) -> None:
    made = await app.push()
    await calls.patch(owner, app.client_id, redirect_uris=["https://new.example.com"])

    assert await given.outcome(app.start_pushed(made)) == "REDIRECT_URI_NOT_REGISTERED"

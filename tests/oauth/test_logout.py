"""Requests of applications to sign a person out, up to the page that does it."""

from datetime import timedelta
from typing import Any

import grpc
import pytest

from keystead.oauth.v1 import oauth_service_pb2 as pb
from server.oauth import logout
from tests.application import calls
from tests.oauth import flow, shared
from tests.oauth.flow import App
from tests.session.sessions import SignedIn
from tests.support import given
from tests.support.given import Client

org_id, owner = shared.org_id, shared.owner

_GOODBYE = "https://shop.example.com/goodbye"
_UNREGISTERED = "POST_LOGOUT_REDIRECT_URI_NOT_REGISTERED"
_INVALID = "LOGOUT_REQUEST_INVALID"


@pytest.fixture
async def app(owner: Client) -> App:
    return await flow.app(owner, post_logout_redirect_uris=[_GOODBYE, f"{_GOODBYE}?a=b"])


def _start(client: Client, **fields: Any) -> Any:
    return client.call(client.oauth.StartLogout, pb.StartLogoutRequest(**fields))


def _describe(client: Client, sealed_request: str) -> Any:
    request = pb.DescribeLogoutRequest(sealed_request=sealed_request)
    return client.call(client.oauth.DescribeLogout, request)


async def _described(client: Client, **fields: Any) -> pb.DescribeLogoutResponse:
    started = await _start(client, **fields)
    return await _describe(client, started.sealed_request)


async def test_an_application_names_the_session_and_where_to_go(app: App, ada: SignedIn) -> None:
    tokens = await flow.tokens(app, ada.client)

    answer = await _described(
        app.client,
        id_token_hint=tokens.id_token,
        post_logout_redirect_uri=_GOODBYE,
        state="a state",
    )

    assert answer.client_name == "Application"
    assert answer.session_id == ada.session_id
    assert answer.redirect_uri == f"{_GOODBYE}?state=a+state"


@pytest.mark.parametrize(
    ("fields", "redirect_uri"),
    [
        ({}, ""),
        ({"state": "a state"}, ""),
        ({"post_logout_redirect_uri": _GOODBYE}, _GOODBYE),
        ({"post_logout_redirect_uri": f"{_GOODBYE}?a=b", "state": "s"}, f"{_GOODBYE}?a=b&state=s"),
    ],
)
async def test_without_a_hint_the_user_is_asked(
    app: App, fields: dict[str, str], redirect_uri: str
) -> None:
    answer = await _described(app.client, client_id=app.client_id, **fields)

    assert (answer.redirect_uri, answer.session_id) == (redirect_uri, "")


async def test_a_request_can_name_no_application(app: App) -> None:
    answer = await _described(app.client)

    assert answer == pb.DescribeLogoutResponse()


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"post_logout_redirect_uri": f"{_GOODBYE}/"}, _UNREGISTERED),
        ({"post_logout_redirect_uri": flow.CALLBACK}, _UNREGISTERED),
        ({"post_logout_redirect_uri": "https://evil.example"}, _UNREGISTERED),
        ({"post_logout_redirect_uri": f"{_GOODBYE}#x"}, _UNREGISTERED),
        ({"post_logout_redirect_uri": _GOODBYE.replace("//", "//a@")}, _UNREGISTERED),
        ({"post_logout_redirect_uri": _GOODBYE.replace("/good", "/a/../good")}, _UNREGISTERED),
        ({"post_logout_redirect_uri": f"javascript:{_GOODBYE}"}, _UNREGISTERED),
        ({"post_logout_redirect_uri": _GOODBYE, "client_id": ""}, _UNREGISTERED),
        ({"post_logout_redirect_uri": _GOODBYE, "client_id": "unknown"}, _UNREGISTERED),
        ({"id_token_hint": "e30.e30.e30"}, _INVALID),
    ],
)
async def test_a_wrong_request_is_refused(app: App, fields: dict[str, str], reason: str) -> None:
    refused = await given.refusal(_start(app.client, **{"client_id": app.client_id, **fields}))

    assert (refused.code, refused.reason) == (grpc.StatusCode.FAILED_PRECONDITION, reason)


async def test_a_hint_of_another_application_is_refused(
    app: App, owner: Client, ada: SignedIn
) -> None:
    other = await flow.tokens(await flow.app(owner), ada.client)

    for text in (other.id_token, other.access_token):
        refused = await given.refusal(
            _start(app.client, id_token_hint=text, client_id=app.client_id)
        )
        assert refused.reason == _INVALID


async def test_an_application_that_was_removed_meanwhile_has_no_name(
    app: App, owner: Client
) -> None:
    started = await _start(app.client, client_id=app.client_id)
    await calls.remove(owner, app.client_id)

    assert not (await _describe(app.client, started.sealed_request)).client_name


@pytest.mark.parametrize("change", ["removed", "moved"])
async def test_nobody_is_sent_to_an_address_that_was_unregistered_meanwhile(
    app: App, owner: Client, change: str
) -> None:
    started = await _start(
        app.client, client_id=app.client_id, post_logout_redirect_uri=_GOODBYE, state="a state"
    )
    if change == "removed":
        await calls.remove(owner, app.client_id)
    else:
        others = [f"{_GOODBYE}/other"]
        await calls.patch(owner, app.client_id, post_logout_redirect_uris=others)

    assert not (await _describe(app.client, started.sealed_request)).redirect_uri


async def test_a_request_expires_and_is_of_no_other_kind(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    of_an_authorization = await flow.sealed(app)
    monkeypatch.setattr(logout, "_LIFETIME", timedelta(0))
    expired = (await _start(app.client)).sealed_request

    for text in (expired, of_an_authorization, "text"):
        assert await given.outcome(_describe(app.client, text)) == _INVALID

"""The approval and the denial of a request by a person with a session."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import asyncpg
import grpc
import pytest

from keystead.application.v1 import application_service_pb2 as application_pb
from server.crypto.keyring import Keyring, read_key_file
from server.crypto.sealed import Sealed
from server.idp.signin.flow_token import flow_tokens, new_flow
from server.oauth import authorization
from server.oauth.request import AuthorizationRequest
from tests.application import calls
from tests.group import calls as groups
from tests.oauth import flow, shared
from tests.oauth.flow import CALLBACK, App
from tests.session import sessions
from tests.session.sessions import SignedIn
from tests.support import given
from tests.support.given import Client, Instance

org_id, owner = shared.org_id, shared.owner


async def _refused(person: Client, sealed: str, *, consents: bool = True) -> str:
    return await given.outcome(flow.approve(person, sealed, consents=consents))


# Consent


async def test_consent_is_asked_for_once(app: App, ada: SignedIn) -> None:
    first, second = await flow.sealed(app), await flow.sealed(app)

    assert await _refused(ada.client, first, consents=False) == "CONSENT_REQUIRED"
    await flow.approve(ada.client, first)
    assert (await flow.approve(ada.client, second, consents=False)).redirect_uri


@pytest.mark.parametrize(
    "fields",
    [
        {"scope": "openid profile email"},
        {"claims": '{"userinfo": {"email": null}}'},
        {"claims": '{"id_token": {"groups": {"essential": true}}}'},
        {"prompt": "consent"},
    ],
)
async def test_consent_is_asked_for_again(app: App, ada: SignedIn, fields: dict[str, Any]) -> None:
    await flow.approve(ada.client, await flow.sealed(app))

    sealed = await flow.sealed(app, **fields)

    assert await _refused(ada.client, sealed, consents=False) == "CONSENT_REQUIRED"


async def test_an_application_of_the_organization_itself_asks_for_no_consent(
    owner: Client, ada: SignedIn
) -> None:
    app = await flow.app(owner, first_party=True)

    answer = await flow.approve(ada.client, await flow.sealed(app), consents=False)
    again = await flow.sealed(app, prompt="consent")

    assert flow.parameters(answer.redirect_uri)["code"]
    assert await _refused(ada.client, again, consents=False) == "CONSENT_REQUIRED"


# The sign-in


async def test_a_session_that_just_ended_approves_nothing(
    app: App, ada: SignedIn, sql: asyncpg.Connection
) -> None:
    sealed = await flow.sealed(app)
    await sessions.current(ada.client)  # cached now
    await sql.execute("delete from sessions where session_id = $1", ada.session_id)

    refused = await given.refusal(flow.approve(ada.client, sealed))

    assert refused.code is grpc.StatusCode.UNAUTHENTICATED


async def test_only_a_session_approves(app: App, ada: SignedIn) -> None:
    sealed = await flow.sealed(app)

    by_token = await given.refusal(flow.approve(ada.person.client, sealed))
    by_nobody = await given.refusal(flow.approve(app.client, sealed))

    assert (by_token.code, by_token.reason) == (grpc.StatusCode.NOT_FOUND, "SESSION_NOT_FOUND")
    assert by_nobody.code is grpc.StatusCode.UNAUTHENTICATED


@pytest.mark.parametrize(
    ("fields", "ago", "reason"),
    [
        ({"prompt": "login"}, {"seconds": 2}, "SIGN_IN_REQUIRED"),
        ({"max_age": 0}, {"seconds": 2}, "SIGN_IN_REQUIRED"),
        ({"max_age": 60}, {"seconds": 62}, "SIGN_IN_REQUIRED"),
        ({"max_age": 60}, {"seconds": 50}, ""),
        ({"prompt": "select_account"}, {"hours": 3}, ""),
    ],
)
async def test_a_request_says_how_old_the_sign_in_may_be(
    app: App,
    ada: SignedIn,
    sql: asyncpg.Connection,
    fields: dict[str, Any],
    ago: dict[str, float],
    reason: str,
) -> None:
    await sessions.set_sign_in(sql, ada, **ago)
    sealed = await flow.sealed(app, **fields)

    if not reason:
        assert (await flow.approve(ada.client, sealed)).redirect_uri
        return
    assert await _refused(ada.client, sealed) == reason
    options = await sessions.start_reauthentication(ada.client)
    renewed = await sessions.reauthenticate(ada.client, ada.person.assertion(options))
    person = ada.client.with_token(renewed.session_token)
    assert (await flow.approve(person, sealed)).redirect_uri


async def test_a_hint_asks_for_one_account(app: App, ada: SignedIn, admin: Client) -> None:
    tokens = await flow.tokens(app, ada.client)
    bob = await sessions.signed_in(admin)
    hinted = await flow.sealed(app, id_token_hint=tokens.id_token)
    claimed = await flow.sealed(
        app, claims=f'{{"id_token": {{"sub": {{"value": "{ada.person.user_id}"}}}}}}'
    )

    for sealed in (hinted, claimed):
        assert await _refused(bob.client, sealed) == "ANOTHER_ACCOUNT_REQUIRED"
        assert (await flow.approve(ada.client, sealed)).redirect_uri


async def test_the_id_token_of_another_application_is_no_hint(
    app: App, owner: Client, ada: SignedIn
) -> None:
    tokens = await flow.tokens(await flow.app(owner), ada.client)

    for text in (tokens.id_token, tokens.access_token):
        answer = await app.start(id_token_hint=text, **flow.with_challenge())
        assert flow.parameters(answer.redirect_uri)["error"] == "invalid_request"


async def test_a_request_can_require_user_verification(
    app: App, ada: SignedIn, sql: asyncpg.Connection
) -> None:
    phr = '{"id_token": {"acr": {"essential": true, "values": ["phr", "urn:other"]}}}'
    sealed = await flow.sealed(app, claims=phr)

    assert (await flow.approve(ada.client, sealed)).redirect_uri
    await sql.execute(
        "update sessions set user_verified = false where session_id = $1", ada.session_id
    )
    assert await _refused(ada.client, sealed) == "PASSKEY_REQUIRED"


# The application


async def test_an_application_admits_its_organization(app: App, admin: Client) -> None:
    outsider = await sessions.signed_in(admin)

    refused = await given.refusal(flow.approve(outsider.client, await flow.sealed(app)))

    assert refused.code is grpc.StatusCode.PERMISSION_DENIED
    assert refused.reason == "APPLICATION_NOT_ALLOWED"


async def test_an_application_can_admit_everybody(admin: Client, owner: Client) -> None:
    app = await flow.app(owner, audience=application_pb.APPLICATION_AUDIENCE_ALL)
    outsider = await sessions.signed_in(admin)

    assert (await flow.approve(outsider.client, await flow.sealed(app))).redirect_uri


async def test_an_application_can_admit_members_of_groups_only(
    owner: Client, ada: SignedIn
) -> None:
    group_id = await groups.group(owner)
    app = await flow.app(owner, allowed_groups=[group_id], admits_groups_only=True)
    sealed = await flow.sealed(app, scope="openid offline_access")

    assert await _refused(ada.client, sealed) == "APPLICATION_NOT_ALLOWED"
    await groups.add_member(owner, group_id, ada.person.user_id)
    approved = await flow.approved(app, ada.client, scope="openid offline_access")
    tokens = await app.redeem(approved)
    await groups.remove_member(owner, group_id, ada.person.user_id)

    assert await given.outcome(app.refresh(tokens.refresh_token)) == "INVALID_GRANT"


@pytest.mark.parametrize("is_removed", [True, False])
async def test_an_application_that_changed_meanwhile_is_refused(
    app: App, owner: Client, ada: SignedIn, is_removed: bool
) -> None:
    sealed = await flow.sealed(app)
    if is_removed:
        await calls.remove(owner, app.client_id)
    else:
        await calls.patch(owner, app.client_id, redirect_uris=["https://new.example.com"])

    reason = "UNKNOWN_CLIENT" if is_removed else "REDIRECT_URI_NOT_REGISTERED"
    assert await _refused(ada.client, sealed) == reason
    assert await given.outcome(flow.deny(app.client, sealed)) == reason


# The sealed request


async def test_a_request_that_this_server_did_not_seal_is_refused(
    app: App, ada: SignedIn, instance: Instance
) -> None:
    keyring = Keyring(read_key_file(instance.data_dir / "encryption.keys"))
    sealed = await flow.sealed(app)
    now = (await sessions.current(ada.client)).authenticated_at.ToDatetime()
    of_a_flow = flow_tokens(keyring).sealed(
        new_flow(idp_id="idp", sequence=1, redirect_uri=CALLBACK, reauthenticates=False, now=now)
    )

    for text in (of_a_flow, sealed[:-4], f"{sealed}=", f" {sealed}", "gAAAAA"):
        assert await _refused(ada.client, text) == "AUTHORIZATION_REQUEST_EXPIRED"


async def test_a_request_expires_after_ten_minutes(
    app: App, ada: SignedIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    sealed = await flow.sealed(app)
    monkeypatch.setattr(authorization, "_LIFETIME", timedelta(0))

    for call in (
        flow.approve(ada.client, sealed),
        flow.deny(app.client, sealed),
        flow.describe(app.client, sealed),
    ):
        assert await given.outcome(call) == "AUTHORIZATION_REQUEST_EXPIRED"


async def test_a_request_of_an_older_server_has_no_id(
    app: App, ada: SignedIn, instance: Instance
) -> None:
    keyring = Keyring(read_key_file(instance.data_dir / "encryption.keys"))
    requests = Sealed(keyring, AuthorizationRequest, purpose="keystead authorization request")
    request = requests.opened(await flow.sealed(app))
    assert request is not None
    older = requests.sealed(replace(request, request_id=""))

    for _ in range(2):
        assert (await flow.approve(ada.client, older)).redirect_uri


# The denial


@pytest.mark.parametrize(
    ("error", "answered"),
    [
        ("", "access_denied"),
        ("login_required", "login_required"),
        ("consent_required", "consent_required"),
        ("interaction_required", "interaction_required"),
        ("unmet_authentication_requirements", "unmet_authentication_requirements"),
    ],
)
async def test_a_denial_tells_the_application(app: App, error: str, answered: str) -> None:
    answer = await flow.deny(app.client, await flow.sealed(app), error=error)

    parameters = flow.parameters(answer.redirect_uri)
    assert (parameters["error"], parameters["state"]) == (answered, "a state")
    assert parameters.keys() == {"error", "state", "iss"}


async def test_a_denial_has_no_other_error(app: App) -> None:
    refused = await given.refusal(
        flow.deny(app.client, await flow.sealed(app), error="server_error")
    )

    assert refused.violations.keys() == {"error"}


async def test_an_approval_is_an_event_of_the_user(
    app: App, ada: SignedIn, sql: asyncpg.Connection
) -> None:
    await flow.approve(ada.client, await flow.sealed(app))
    await flow.approve(ada.client, await flow.sealed(app))

    [event] = await given.logged(sql, ada.person.user_id, "user.application_granted")

    assert event["payload"]["application_id"] == app.client_id

"""ListGrants and RevokeGrant."""

import asyncio
from typing import Any

import asyncpg
import grpc
import pytest
from google.protobuf.message import Message

from keystead.application.v1 import application_service_pb2 as pb
from tests.application import calls
from tests.oauth import flow, shared
from tests.oauth.flow import App
from tests.session import jwts, sessions
from tests.session.sessions import SignedIn
from tests.support import given
from tests.support.given import METHOD, Client
from tests.support.transports import PROTOBUF, Call, Transport, Transports, authorization

org_id, owner = shared.org_id, shared.owner


@pytest.fixture(params=[*PROTOBUF, "JSON"])
def transport(transports: Transports, request: pytest.FixtureRequest) -> Transport:
    """Each transport."""
    return transports.all[request.param]


async def _answer(transport: Transport, caller: Client, request: Message) -> Any:
    method = METHOD[request.DESCRIPTOR.name.removesuffix("Request")]
    answer = await transport.answer(Call(method, request, authorization(caller.token)))
    assert answer.code is grpc.StatusCode.OK, answer
    return answer.response


async def test_a_user_lists_its_grants_and_revokes_one(
    transport: Transport, app: App, ada: SignedIn
) -> None:
    await flow.tokens(app, ada.client, scope="profile openid email")
    listing = pb.ListGrantsRequest(user_id=ada.person.user_id)
    revoking = pb.RevokeGrantRequest(user_id=ada.person.user_id, application_id=app.client_id)

    listed = await _answer(transport, ada.client, listing)

    [grant] = listed.grants
    assert (grant.application_id, grant.application_name) == (app.client_id, "Application")
    assert grant.scopes == ["email", "openid", "profile"]
    revoked = await _answer(transport, ada.client, revoking)
    assert revoked.details.creation_date == grant.details.creation_date
    assert revoked.details.sequence > grant.details.sequence
    assert revoked.details.resource_owner == grant.details.resource_owner
    assert not (await _answer(transport, ada.client, listing)).grants


async def test_a_grant_that_grows_has_all_scopes(app: App, ada: SignedIn) -> None:
    await flow.tokens(app, ada.client, scope="openid email")
    [first] = await calls.grants(ada.client)

    await flow.tokens(app, ada.client, scope="openid profile")

    [second] = await calls.grants(ada.client)
    assert second.scopes == ["email", "openid", "profile"]
    assert second.details.creation_date == first.details.creation_date
    assert second.details.sequence > first.details.sequence


async def test_a_revoked_application_loses_its_codes_and_tokens(
    app: App, owner: Client, ada: SignedIn
) -> None:
    other = await flow.app(owner)
    kept = await flow.tokens(other, ada.client, scope="openid offline_access")
    tokens = await flow.tokens(app, ada.client, scope="openid offline_access")
    approved = await flow.approved(app, ada.client)

    await calls.revoke_grant(ada.client, app.client_id)

    refused = [
        await given.refusal(app.refresh(tokens.refresh_token)),
        await given.refusal(app.redeem(approved)),
        await given.refusal(flow.user_info(app.client, tokens.access_token)),
    ]
    assert [each.reason for each in refused] == ["INVALID_GRANT", "INVALID_GRANT", "INVALID_TOKEN"]
    assert await app.introspect(tokens.access_token) is None
    assert (await other.refresh(kept.refresh_token)).access_token
    assert [each.application_id for each in await calls.grants(ada.client)] == [other.client_id]


async def test_a_revoked_application_asks_for_consent_again(app: App, ada: SignedIn) -> None:
    await flow.tokens(app, ada.client)
    await flow.approve(ada.client, await flow.sealed(app), consents=False)

    await calls.revoke_grant(ada.client, app.client_id)

    asked = await given.refusal(flow.approve(ada.client, await flow.sealed(app), consents=False))
    assert asked.reason == "CONSENT_REQUIRED"


async def test_the_grants_are_listed_page_by_page(owner: Client, ada: SignedIn) -> None:
    apps = [await flow.app(owner) for _ in range(3)]
    for each in reversed(apps):
        await flow.approved(each, ada.client)

    request = pb.ListGrantsRequest(user_id=ada.person.user_id, page_size=2)
    first = await ada.client.call(ada.client.applications.ListGrants, request)
    rest = await calls.grants(ada.client, page_token=first.next_page_token)

    assert [each.application_id for each in (*first.grants, *rest)] == [
        each.client_id for each in apps
    ]


async def test_a_removed_application_is_left_out_in_every_organization(
    admin: Client, owner: Client, ada: SignedIn
) -> None:
    everywhere = pb.APPLICATION_AUDIENCE_ALL
    apps = [await flow.app(owner, audience=everywhere) for _ in range(2)]
    people = [ada.client, (await sessions.signed_in(admin)).client]
    for person in people:
        for each in apps:
            await flow.approved(each, person)

    await calls.remove(owner, apps[0].client_id)

    for person in people:
        [grant] = await calls.grants(person)
        assert grant.application_id == apps[1].client_id


async def test_an_approval_with_a_grant_that_another_user_revokes_remains(
    admin: Client, app: App, ada: SignedIn, org_id: str
) -> None:
    another = await sessions.signed_in(admin, org_id=org_id)
    tokens = await flow.tokens(app, ada.client)
    await flow.tokens(app, another.client)

    await calls.revoke_grant(another.client, app.client_id)

    assert await app.introspect(tokens.access_token) is not None
    assert len(await calls.grants(ada.client)) == 1


async def test_a_grant_that_does_not_exist_cannot_be_revoked(app: App, ada: SignedIn) -> None:
    refused = await given.refusal(calls.revoke_grant(ada.client, app.client_id))

    assert refused.code is grpc.StatusCode.NOT_FOUND
    assert refused.reason == "APPLICATION_GRANT_NOT_FOUND"


async def test_a_grant_that_has_changed_is_not_revoked_by_its_old_sequence(
    app: App, ada: SignedIn, transports: Transports
) -> None:
    await flow.approved(app, ada.client, scope="openid")
    [first] = await calls.grants(ada.client)
    await flow.approved(app, ada.client, scope="openid email")
    request = pb.RevokeGrantRequest(user_id=ada.person.user_id, application_id=app.client_id)
    old = ("if-match", f'"{first.details.sequence}"')

    answer = await transports.json.answer(
        Call(METHOD["RevokeGrant"], request, [*authorization(ada.client.token), old])
    )

    assert answer.refusal.reason == "ETAG_MISMATCH"
    assert len(await calls.grants(ada.client)) == 1


async def test_a_revocation_and_an_approval_leave_no_tokens_without_a_grant(
    app: App, ada: SignedIn, sql: asyncpg.Connection
) -> None:
    for _ in range(5):
        await flow.approved(app, ada.client)
        request = await flow.sealed(app)

        await asyncio.gather(
            calls.revoke_grant(ada.client, app.client_id),
            flow.approve(ada.client, request),
        )

        grants = len(await calls.grants(ada.client))
        left = "select count(*) from oauth_authorizations where user_id = $1"
        assert (await sql.fetchval(left, ada.person.user_id) > 0) is (grants > 0)
        if grants:
            await calls.revoke_grant(ada.client, app.client_id)


async def test_the_revocation_is_an_event_of_the_user(
    app: App, ada: SignedIn, sql: asyncpg.Connection
) -> None:
    await flow.approved(app, ada.client)

    await calls.revoke_grant(ada.client, app.client_id)

    event = await sql.fetchrow(
        "select payload::json->>'application_id' as application_id, creator from events"
        " where aggregate_id = $1 and event_type = 'user.application_revoked'",
        ada.person.user_id,
    )
    assert event is not None
    assert dict(event) == {"application_id": app.client_id, "creator": ada.person.user_id}


# Single scopes

_ALL = "openid profile email groups offline_access"


async def test_a_user_takes_back_a_scope(
    transport: Transport, app: App, ada: SignedIn, sql: asyncpg.Connection
) -> None:
    user_id = ada.person.user_id
    await flow.tokens(app, ada.client, scope="openid profile email")
    [before] = await calls.grants(ada.client)
    request = pb.RevokeGrantRequest(
        user_id=user_id, application_id=app.client_id, scopes=["email", "profile"]
    )

    answer = await _answer(transport, ada.client, request)

    [grant] = await calls.grants(ada.client)
    assert grant.scopes == ["openid"]
    assert grant.details == answer.details
    assert grant.details.creation_date == before.details.creation_date
    assert grant.details.sequence > before.details.sequence
    [event] = await given.logged(sql, user_id, "user.application_scopes_revoked")
    assert event["payload"] == {
        "application_id": app.client_id,
        "scopes": ["email", "profile"],
    }


async def test_a_scope_that_was_taken_back_counts_for_no_code_and_no_token(
    app: App, owner: Client, ada: SignedIn
) -> None:
    named = '{"userinfo": {"preferred_username": null}, "id_token": {"name": null}}'
    other = await flow.app(owner)
    kept = await flow.tokens(other, ada.client, scope=_ALL)
    tokens = await flow.tokens(app, ada.client, scope=_ALL, claims=named)
    approved = await flow.approved(app, ada.client, scope=_ALL, claims=named)
    before = await flow.user_info(app.client, tokens.access_token)
    rest = "openid email offline_access"

    await calls.revoke_grant(ada.client, app.client_id, scopes=["profile", "groups"])

    introspected = await app.introspect(tokens.access_token)
    redeemed, refreshed = await app.redeem(approved), await app.refresh(tokens.refresh_token)
    assert before.keys() == {"sub", "name", "preferred_username", "updated_at", "groups"}
    assert "name" in jwts.unverified(tokens.id_token)
    assert introspected is not None
    assert "groups" not in introspected
    assert introspected["scope"] == rest
    for each in (redeemed, refreshed):
        assert each.scope == rest
        assert before.keys() & jwts.unverified(each.id_token).keys() == {"sub"}
    for access_token in (tokens.access_token, redeemed.access_token, refreshed.access_token):
        assert (await flow.user_info(app.client, access_token)).keys() == {"sub"}
    refused = await given.refusal(app.refresh(refreshed.refresh_token, scope="openid profile"))
    assert refused.reason == "INVALID_SCOPE"
    assert (await flow.user_info(other.client, kept.access_token)).keys() == before.keys()
    assert (await other.refresh(kept.refresh_token)).scope == _ALL


async def test_without_offline_access_no_refresh_token_follows(app: App, ada: SignedIn) -> None:
    tokens = await flow.tokens(app, ada.client, scope="openid offline_access")

    await calls.revoke_grant(ada.client, app.client_id, scopes=["offline_access"])

    assert not (await app.refresh(tokens.refresh_token)).refresh_token
    await sessions.sign_out(ada.client)
    assert await app.introspect(tokens.access_token) is None


@pytest.mark.parametrize(
    "scopes", [["openid"], ["openid", "email"], ["openid", "email", "profile"]]
)
async def test_without_openid_the_access_ends(app: App, ada: SignedIn, scopes: list[str]) -> None:
    tokens = await flow.tokens(app, ada.client, scope="openid profile email")

    await calls.revoke_grant(ada.client, app.client_id, scopes=scopes)

    assert not await calls.grants(ada.client)
    assert await app.introspect(tokens.access_token) is None


async def test_an_authorization_of_a_scope_alone_ends_with_it(app: App, ada: SignedIn) -> None:
    narrow = await flow.tokens(app, ada.client, scope="email offline_access")
    alone = await flow.tokens(app, ada.client, scope="email")
    approved = await flow.approved(app, ada.client, scope="email")
    await flow.tokens(app, ada.client, scope="openid profile")

    await calls.revoke_grant(ada.client, app.client_id, scopes=["email"])

    assert await app.introspect(alone.access_token) is None
    assert await given.outcome(app.redeem(approved)) == "INVALID_GRANT"
    introspected = await app.introspect(narrow.access_token)
    assert introspected is not None
    assert introspected["scope"] == "offline_access"


async def test_a_scope_that_was_taken_back_needs_consent_again(app: App, ada: SignedIn) -> None:
    await flow.tokens(app, ada.client, scope="openid email")

    await calls.revoke_grant(ada.client, app.client_id, scopes=["email"])

    request = await flow.sealed(app, scope="openid email")
    asked = await given.refusal(flow.approve(ada.client, request, consents=False))
    assert asked.reason == "CONSENT_REQUIRED"
    await flow.approve(ada.client, await flow.sealed(app, scope="openid"), consents=False)
    await flow.approve(ada.client, request)
    [grant] = await calls.grants(ada.client)
    assert grant.scopes == ["email", "openid"]


async def test_a_scope_that_was_not_granted_cannot_be_taken_back(app: App, ada: SignedIn) -> None:
    unknown = await given.refusal(calls.revoke_grant(ada.client, app.client_id, scopes=["email"]))
    await flow.tokens(app, ada.client, scope="openid email")

    refused = [
        await given.refusal(calls.revoke_grant(ada.client, app.client_id, scopes=scopes))
        for scopes in (["emial"], ["email", "profile"], ["two words"])
    ]

    assert unknown.reason == "APPLICATION_GRANT_NOT_FOUND"
    assert all(any("scopes" in name for name in each.violations) for each in refused)
    [grant] = await calls.grants(ada.client)
    assert grant.scopes == ["email", "openid"]

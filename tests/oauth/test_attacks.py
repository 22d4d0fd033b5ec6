"""Attacks on the provider: by another organization, another program, and another time.

`docs/security/oauth.md` names the requirement that each test covers.
"""

import asyncio
from collections.abc import Awaitable
from functools import partial
from typing import Any

import asyncpg
import grpc
import pytest

from keystead.application.v1 import application_service_pb2 as application_pb
from keystead.oauth.v1 import oauth_service_pb2 as pb
from keystead.user.v1 import user_service_pb2 as user_pb
from server.oauth import grant_store
from tests.application import calls
from tests.group import calls as groups
from tests.oauth import devices, flow, shared
from tests.oauth.flow import CALLBACK, App
from tests.session import jwts, sessions
from tests.session.sessions import SignedIn
from tests.support import given
from tests.support.given import Client, Instance
from tests.user import attribute_calls
from tests.user import calls as users

org_id, owner = shared.org_id, shared.owner

_ALL = application_pb.APPLICATION_AUDIENCE_ALL


@pytest.fixture
async def outsider(admin: Client) -> SignedIn:
    """A person of another organization than the application."""
    return await sessions.signed_in(admin)


# Another organization


async def test_an_application_of_another_house_asks_for_consent(
    owner: Client, ada: SignedIn, outsider: SignedIn
) -> None:
    """Every organization can have an application for all users, and say that it is first-party."""
    app = await flow.app(owner, audience=_ALL, first_party=True)

    refused = await given.refusal(
        flow.approve(outsider.client, await flow.sealed(app), consents=False)
    )

    assert refused.reason == "CONSENT_REQUIRED"
    assert await flow.approve(ada.client, await flow.sealed(app), consents=False)
    assert await flow.approve(outsider.client, await flow.sealed(app))
    assert await flow.approve(outsider.client, await flow.sealed(app), consents=False)


async def test_groups_of_another_organization_have_no_names(
    admin: Client, owner: Client, ada: SignedIn
) -> None:
    """Its owner would choose the names that an application takes for administrators."""
    other_id = await given.organization(admin)
    other = await given.user(admin, org_id=other_id, roles=[user_pb.ROLE_ORG_OWNER])
    outsider = await sessions.signed_in(admin, org_id=other_id)
    for by, person in ((owner, ada), (other, outsider)):
        group_id = await groups.group(by, "administrators")
        await groups.add_member(by, group_id, person.person.user_id)
    app = await flow.app(owner, audience=_ALL)

    async def claims(person: SignedIn) -> list[Any]:
        tokens = await flow.tokens(app, person.client, scope="openid groups offline_access")
        refreshed = await app.refresh(tokens.refresh_token)
        texts = [
            text for each in (tokens, refreshed) for text in (each.access_token, each.id_token)
        ]
        info = await flow.user_info(app.client, tokens.access_token)
        return [each["groups"] for each in (info, *map(jwts.unverified, texts))]

    assert await claims(ada) == [["administrators"]] * 5
    assert await claims(outsider) == [[]] * 5


async def test_attributes_of_another_organization_are_no_claims(
    admin: Client, owner: Client, ada: SignedIn
) -> None:
    """Its owner would choose the values that an application takes for roles or employees."""
    other_id = await given.organization(admin)
    other = await given.user(admin, org_id=other_id, roles=[user_pb.ROLE_ORG_OWNER])
    outsider = await sessions.signed_in(admin, org_id=other_id)
    values = {"attributes": given.struct({"level": "administrator"}), "external_id": "E-1"}
    for by, person in ((owner, ada), (other, outsider)):
        await attribute_calls.create(by, "level")
        await users.patch(by, person.person.user_id, [*values], **values)
    table: tuple[dict[str, Any], ...] = (
        {"name": "level", "attribute": "level"},
        {"name": "employee", "attribute": "external_id"},
        {"name": "tenant", "text": "acme"},
    )
    app = await flow.app(
        owner,
        audience=_ALL,
        claims=[application_pb.ApplicationClaim(**each) for each in table],
    )

    async def claims(person: SignedIn) -> list[dict[str, Any]]:
        tokens = await flow.tokens(app, person.client, scope="openid")
        info = await flow.user_info(app.client, tokens.access_token)
        return [
            {name: each[name] for name in ("level", "employee", "tenant") if name in each}
            for each in (info, jwts.unverified(tokens.id_token))
        ]

    own = {"level": "administrator", "employee": "E-1", "tenant": "acme"}
    assert await claims(ada) == [own] * 2
    assert await claims(outsider) == [{"tenant": "acme"}] * 2


async def test_another_organization_learns_nothing_of_an_application(
    admin: Client, app: App, ada: SignedIn
) -> None:
    """With the client_id alone."""
    other = await given.user(admin, roles=[user_pb.ROLE_ORG_OWNER])
    foreign = await flow.app(other)
    tokens = await flow.tokens(app, ada.client, scope="openid offline_access")
    approved = await flow.approved(app, ada.client)

    await foreign.revoke(tokens.refresh_token)
    await foreign.revoke(tokens.access_token)

    assert await given.outcome(calls.get(other, app.client_id)) == "APPLICATION_NOT_FOUND"
    for call in (foreign.redeem(approved), foreign.refresh(tokens.refresh_token)):
        assert await given.outcome(call) == "INVALID_GRANT"
    for token in (tokens.access_token, tokens.refresh_token):
        assert await foreign.introspect(token) is None
    assert await app.introspect(tokens.access_token)
    assert (await app.redeem(approved)).access_token


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        (
            {"claims": '{"id_token": {"sub": {"value": "248289761001"}}}'},
            "ANOTHER_ACCOUNT_REQUIRED",
        ),
        ({"max_age": 60}, "SIGN_IN_REQUIRED"),
        (
            {"claims": '{"id_token": {"acr": {"essential": true, "value": "phr"}}}'},
            "PASSKEY_REQUIRED",
        ),
        ({}, "APPLICATION_NOT_ALLOWED"),
    ],
)
async def test_an_application_learns_silently_nothing_of_a_person_who_has_not_agreed(
    owner: Client, ada: SignedIn, sql: asyncpg.Connection, fields: dict[str, Any], reason: str
) -> None:
    """Whether the visitor is a certain user, signed in when, how, and a member of which groups."""
    app = await flow.app(owner)
    if reason == "APPLICATION_NOT_ALLOWED":
        await calls.patch(owner, app.client_id, admits_groups_only=True)
    await sql.execute(
        """
        update sessions set authenticated_at = now() - interval '1 hour', user_verified = false
        where user_id = $1""",
        ada.person.user_id,
    )

    silent = await flow.sealed(app, prompt="none", **fields)
    shown = await flow.sealed(app, **fields)

    for consents in (False, True):  # nobody is asked, so nobody consents
        outcome = await given.outcome(flow.approve(ada.client, silent, consents=consents))
        assert outcome == "CONSENT_REQUIRED"
    assert await given.outcome(flow.approve(ada.client, shown, consents=False)) == reason


async def test_nobody_consents_to_a_request_without_a_page(app: App, ada: SignedIn) -> None:
    silent = await flow.sealed(app, prompt="none")

    assert await given.outcome(flow.approve(ada.client, silent)) == "CONSENT_REQUIRED"


# Another program


@pytest.mark.parametrize(
    ("redirect_uri", "is_asked"),
    [
        ("http://127.0.0.1/cb", True),
        ("com.example.app:/cb", True),
        ("https://app.example.com/cb", False),
    ],
)
async def test_a_person_is_asked_each_time_where_another_program_gets_the_code(
    owner: Client, ada: SignedIn, redirect_uri: str, is_asked: bool
) -> None:
    """RFC 8252, section 8.6."""
    app = await flow.public_app(
        owner,
        kind=application_pb.APPLICATION_KIND_NATIVE,
        redirect_uris=[redirect_uri],
        first_party=True,
    )
    sealed = await flow.sealed(app, redirect_uri=redirect_uri)
    await flow.approve(ada.client, sealed)

    call = flow.approve(
        ada.client, await flow.sealed(app, redirect_uri=redirect_uri), consents=False
    )

    if is_asked:
        assert await given.outcome(call) == "CONSENT_REQUIRED"
    else:
        assert (await call).redirect_uri


async def test_a_request_that_one_person_began_gives_another_account_only_by_its_own_session(
    app: App, ada: SignedIn, admin: Client, org_id: str
) -> None:
    """The sealed request of one browser is approved in another: the code is of the approver."""
    bob = await sessions.signed_in(admin, org_id=org_id)
    verifier = "v" * 43
    begun_by_ada = await flow.sealed(app, **flow.with_challenge(verifier))

    answer = await flow.approve(bob.client, begun_by_ada)

    code = flow.parameters(answer.redirect_uri)
    tokens = await app.redeem(flow.Approved(code, verifier))
    claims = await flow.user_info(app.client, tokens.access_token)
    assert answer.redirect_uri.startswith(f"{CALLBACK}?")
    assert claims["sub"] == bob.person.user_id
    refused = await given.refusal(flow.approve(ada.client, begun_by_ada))
    assert refused.reason == "AUTHORIZATION_REQUEST_EXPIRED"


async def test_every_response_names_the_issuer(app: App, ada: SignedIn) -> None:
    """RFC 9207, against mix-up."""
    code = flow.parameters((await flow.approve(ada.client, await flow.sealed(app))).redirect_uri)
    denied = flow.parameters((await flow.deny(app.client, await flow.sealed(app))).redirect_uri)
    wrong = flow.parameters((await app.start(scope="")).redirect_uri)
    posted = await flow.approve(ada.client, await flow.sealed(app, response_mode="form_post"))
    form = await flow.form(app.client, flow.parameters(posted.redirect_uri)["response"])

    issuers = {each.get("iss") for each in (code, denied, wrong, form.parameters)}

    tokens = await flow.tokens(app, ada.client)
    assert issuers == {jwts.unverified(tokens.id_token)["iss"]}


# Another audience


issuing = jwts.issuing


async def test_no_token_of_an_application_is_the_jwt_of_a_session(issuing: Instance) -> None:
    """Services that verify issuer, audience and type would take it for the user's own session."""
    owner = await given.user(issuing.admin, roles=[user_pb.ROLE_ORG_OWNER])
    app, tv = await flow.app(owner), await devices.app(owner)
    service = await flow.service(
        owner,
        workload_issuers=[
            {"issuer": "https://ci.example.com", "audience": "a", "subject": "repo:a"}
        ],
    )
    target = {"resource": [jwts.AUDIENCE]}

    started = await app.start(**target, **flow.with_challenge())
    assert flow.parameters(started.redirect_uri)["error"] == "invalid_target"
    for call in (
        app.push(**target),
        devices.start(tv, **target),
        *(
            service.exchange(
                grant_type="urn:ietf:params:oauth:grant-type:token-exchange",
                subject_token="e30.e30.e30",
                subject_token_type="urn:ietf:params:oauth:token-type:jwt",
                **{name: [jwts.AUDIENCE]},
            )
            for name in ("resource", "audience")
        ),
    ):
        assert await given.outcome(call) == "INVALID_TARGET"


async def test_the_jwt_of_a_session_is_no_token_of_an_application(issuing: Instance) -> None:
    org_id = await given.organization(issuing.admin)
    owner = await given.user(issuing.admin, org_id=org_id, roles=[user_pb.ROLE_ORG_OWNER])
    person = await sessions.signed_in(issuing.admin, org_id=org_id)
    app = await flow.app(owner)

    session = (await jwts.issue(person.client)).jwt

    assert await app.introspect(session) is None
    assert await given.outcome(flow.user_info(app.client, session)) == "INVALID_TOKEN"
    hinted = await app.start(id_token_hint=session, **flow.with_challenge())
    assert flow.parameters(hinted.redirect_uri)["error"] == "invalid_request"
    request = pb.StartLogoutRequest(id_token_hint=session)
    refused = await given.refusal(app.client.call(app.client.oauth.StartLogout, request))
    assert refused.reason == "LOGOUT_REQUEST_INVALID"


async def test_an_authorization_for_an_audience_of_sessions_ends(
    issuing: Instance,
) -> None:
    """The audience was added to the settings after the approval."""
    org_id = await given.organization(issuing.admin)
    owner = await given.user(issuing.admin, org_id=org_id, roles=[user_pb.ROLE_ORG_OWNER])
    person = await sessions.signed_in(issuing.admin, org_id=org_id)
    app, api = await flow.app(owner), await flow.api(owner)
    tokens = await flow.tokens(
        app, person.client, scope="openid offline_access", resource=[api.identifier]
    )
    async with given.sql(issuing.dsn) as rows:
        for statement in (
            "update oauth_authorizations set resources = array[$1]",
            "update applications set identifier = $1 where identifier <> ''",
            "update unique_claims set value = $1 where kind = 'application_audience'",
        ):
            await rows.execute(statement, jwts.AUDIENCE)

    assert await given.outcome(app.refresh(tokens.refresh_token)) == "INVALID_TARGET"


# At another time


async def test_an_application_that_lost_scopes_gets_no_more_of_them(
    app: App, owner: Client, ada: SignedIn
) -> None:
    named = '{"userinfo": {"preferred_username": null}, "id_token": {"preferred_username": null}}'
    scope = "openid groups offline_access"
    tokens = await flow.tokens(app, ada.client, scope=scope, claims=named)
    before = await flow.user_info(app.client, tokens.access_token)
    await calls.patch(owner, app.client_id, scopes=["openid"])

    refreshed = await app.refresh(tokens.refresh_token)

    assert before.keys() == {"sub", "groups", "preferred_username"}
    assert refreshed.scope == "openid"
    assert not refreshed.refresh_token
    assert "preferred_username" not in jwts.unverified(refreshed.id_token)
    for each in (tokens, refreshed):
        assert (await flow.user_info(app.client, each.access_token)).keys() == {"sub"}


async def test_an_application_that_lost_openid_reads_no_user_info(
    app: App, owner: Client, ada: SignedIn
) -> None:
    tokens = await flow.tokens(app, ada.client, scope="openid profile")
    await calls.patch(owner, app.client_id, scopes=["profile"])

    refused = await given.refusal(flow.user_info(app.client, tokens.access_token))

    assert refused.reason == "INSUFFICIENT_SCOPE"


async def test_of_two_tokens_none_reads_user_info(app: App, ada: SignedIn) -> None:
    token = (await flow.tokens(app, ada.client)).access_token
    client = app.client.with_token(token)

    refused = await given.refusal(
        client.call(
            client.oauth.GetUserInfo, pb.GetUserInfoRequest(), authorization=f"Bearer {token}"
        )
    )

    assert refused.reason == "INVALID_REQUEST"


async def test_an_application_that_lost_all_scopes_gets_no_tokens(
    app: App, owner: Client, ada: SignedIn
) -> None:
    """A resource server would see the user in a token without a scope."""
    tokens = await flow.tokens(app, ada.client, scope="openid offline_access")
    approved = await flow.approved(app, ada.client, scope="openid")
    await calls.patch(owner, app.client_id, scopes=["orders"])

    assert await app.introspect(tokens.refresh_token) is None
    for call in (app.redeem(approved), app.refresh(tokens.refresh_token)):
        assert await given.outcome(call) == "INVALID_SCOPE"


async def test_the_token_of_a_service_loses_scopes_with_it(owner: Client) -> None:
    app = await flow.service(owner, scopes=["orders.read", "orders.write"])
    token = (await app.exchange(grant_type="client_credentials")).access_token
    await calls.patch(owner, app.client_id, scopes=["orders.read"])

    claims = await app.introspect(token)

    assert claims is not None
    assert claims["scope"] == "orders.read"


async def test_an_application_that_lost_offline_access_needs_the_session(
    app: App, owner: Client, ada: SignedIn
) -> None:
    tokens = await flow.tokens(app, ada.client, scope="openid offline_access")
    await sessions.sign_out(ada.client)
    assert await app.introspect(tokens.access_token)

    await calls.patch(owner, app.client_id, scopes=["openid"])

    assert await app.introspect(tokens.access_token) is None
    assert await app.introspect(tokens.refresh_token) is None
    assert await given.outcome(flow.user_info(app.client, tokens.access_token)) == "INVALID_TOKEN"
    assert await given.outcome(app.refresh(tokens.refresh_token)) == "INVALID_GRANT"


async def test_the_tokens_of_a_user_who_is_no_longer_admitted_are_not_active(
    owner: Client, ada: SignedIn
) -> None:
    group_id = await groups.group(owner)
    await groups.add_member(owner, group_id, ada.person.user_id)
    app = await flow.app(owner, allowed_groups=[group_id])
    tokens = await flow.tokens(app, ada.client, scope="openid offline_access")
    assert await app.introspect(tokens.access_token)

    await groups.remove_member(owner, group_id, ada.person.user_id)

    assert await app.introspect(tokens.access_token) is None
    assert await app.introspect(tokens.refresh_token) is None
    assert await given.outcome(flow.user_info(app.client, tokens.access_token)) == "INVALID_TOKEN"


async def test_nobody_has_so_many_grants_that_a_lock_takes_long(
    app: App, admin: Client, owner: Client, ada: SignedIn, sql: asyncpg.Connection
) -> None:
    """The lock of a user writes an event for each grant, within the deadline of its call."""
    await flow.approved(app, ada.client)
    await _fill(sql, ada, grant_store.MAX_GRANTS - 1)
    other = await flow.app(owner)

    refused = await given.refusal(flow.approve(ada.client, await flow.sealed(other)))

    assert refused.code is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert refused.reason == "TOO_MANY_GRANTS"
    assert await flow.approved(app, ada.client, scope="openid email")  # no further grant
    await users.lock(admin, ada.person.user_id)
    assert not await calls.grants(admin, ada.person.user_id)


async def test_grants_to_removed_applications_leave_room_for_others(
    app: App, owner: Client, ada: SignedIn, sql: asyncpg.Connection
) -> None:
    removed = [await flow.app(owner) for _ in range(2)]
    for each in (app, *removed):
        await flow.approved(each, ada.client)
    await _fill(sql, ada, grant_store.MAX_GRANTS - 3)
    for each in removed:
        await calls.remove(owner, each.client_id)
    others = [await flow.app(owner) for _ in range(3)]

    for other in others[:2]:
        assert await flow.approved(other, ada.client)

    refused = await given.refusal(flow.approve(ada.client, await flow.sealed(others[2])))
    assert refused.reason == "TOO_MANY_GRANTS"
    ended = await sql.fetch(
        """
        select payload->>'application_id' as application_id, creator from events
        where aggregate_id = $1 and event_type = 'user.application_revoked' order by sequence""",
        ada.person.user_id,
    )
    assert [tuple(each) for each in ended] == [
        (each.client_id, ada.person.user_id) for each in removed
    ]
    assert await flow.approved(app, ada.client)


async def _fill(sql: asyncpg.Connection, ada: SignedIn, count: int) -> None:
    """Gives the user further grants to applications by a metadata document."""
    await sql.execute(
        """
        insert into application_grants (user_id, application_id, scopes, sequence, creation_date,
            change_date)
        select $1, 'https://tools.example/' || n, '{openid}', 1, now(), now()
        from generate_series(1, $2) as n""",
        ada.person.user_id,
        count,
    )


# At the same time


async def test_the_tokens_of_a_removed_application_have_ended(
    app: App, owner: Client, ada: SignedIn
) -> None:
    tokens = await flow.tokens(app, ada.client)
    await calls.remove(owner, app.client_id)

    assert await given.outcome(flow.user_info(app.client, tokens.access_token)) == "INVALID_TOKEN"


async def test_an_exchange_while_the_application_is_removed_gives_nothing_that_lasts(
    owner: Client, ada: SignedIn
) -> None:
    for _ in range(5):
        app = await flow.app(owner)
        approved = await flow.approved(app, ada.client, scope="openid offline_access")

        exchanged, removed = await _together(
            app.redeem(approved), calls.remove(owner, app.client_id)
        )

        assert removed is not None
        if exchanged is not None:
            refused = await given.refusal(flow.user_info(app.client, exchanged.access_token))
            assert refused.reason == "INVALID_TOKEN"
            assert await given.outcome(app.refresh(exchanged.refresh_token)) == "INVALID_CLIENT"


@pytest.mark.parametrize("by", ["application", "person", "removal"])
async def test_a_refresh_while_its_authorization_is_revoked_gives_nothing_that_lasts(
    app: App, admin: Client, org_id: str, by: str, sql: asyncpg.Connection
) -> None:
    for _ in range(5):
        ada = await sessions.signed_in(admin, org_id=org_id)
        tokens = await flow.tokens(app, ada.client, scope="openid offline_access")
        revoke = {
            "application": partial(app.revoke, tokens.refresh_token),
            "person": partial(calls.revoke_grant, ada.client, app.client_id),
            "removal": partial(users.remove, admin, ada.person.user_id),
        }[by]

        refreshed, revoked = await _together(app.refresh(tokens.refresh_token), revoke())

        assert revoked is not None
        count = "select count(*) from oauth_authorizations where user_id = $1"
        assert await sql.fetchval(count, ada.person.user_id) == 0
        if refreshed is not None:
            assert await given.outcome(app.refresh(refreshed.refresh_token)) == "INVALID_GRANT"


async def _together(*simultaneous: Awaitable[Any]) -> list[Any]:
    """The answers of calls at the same time; None of a refused one."""
    answers = await asyncio.gather(*simultaneous, return_exceptions=True)
    return [None if isinstance(each, grpc.RpcError) else each for each in answers]

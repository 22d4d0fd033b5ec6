"""The contents of tokens, and those who accept them."""

import base64
import hashlib
import time
from typing import Any
from uuid import uuid4

import asyncpg
import grpc
import jwt
import pytest

from keystead.application.v1 import application_service_pb2 as application_pb
from tests.group import calls as groups
from tests.oauth import flow, shared
from tests.oauth.flow import App
from tests.session import jwts, sessions
from tests.session.sessions import SignedIn
from tests.support import given
from tests.support.given import Client, Instance

org_id, owner = shared.org_id, shared.owner


async def _read(instance: Instance, token: str, audience: str, **expected: Any) -> dict[str, Any]:
    """The claims, verified as a careful application does."""
    keys = await jwts.key_set(instance)
    issuer = jwts.unverified(token)["iss"]
    return jwts.verified(token, keys, audience=audience, issuer=issuer, **expected)


async def test_an_access_token_is_that_of_rfc_9068(
    instance: Instance, app: App, ada: SignedIn, org_id: str
) -> None:
    tokens = await flow.tokens(app, ada.client)

    claims = await _read(instance, tokens.access_token, app.client_id)

    assert jwt.get_unverified_header(tokens.access_token)["typ"] == "at+jwt"
    assert claims["sub"] == ada.person.user_id
    assert claims["client_id"] == app.client_id
    assert claims["org_id"] == org_id
    assert claims["scope"] == "openid profile"
    assert claims["sid"] == ada.session_id
    assert claims["exp"] - claims["iat"] == 300
    assert claims["acr"] == "phr"
    assert claims["amr"] == ["pop", "user", "mfa"]
    assert "groups" not in claims


async def test_a_token_for_a_resource_reads_no_user_info(
    app: App, owner: Client, ada: SignedIn
) -> None:
    """The resource server has it, too, and could read claims that are for the application."""
    api = await flow.api(owner)
    tokens = await flow.tokens(app, ada.client, resource=[api.identifier])

    assert await given.outcome(flow.user_info(app.client, tokens.access_token)) == "INVALID_TOKEN"


async def test_without_a_resource_it_is_for_the_application(
    instance: Instance, app: App, ada: SignedIn
) -> None:
    tokens = await flow.tokens(app, ada.client)

    assert await _read(instance, tokens.access_token, app.client_id)


@pytest.mark.parametrize("algorithm", ["RS256", "ES256"])
async def test_an_id_token_is_that_of_openid_connect(
    instance: Instance, owner: Client, ada: SignedIn, org_id: str, algorithm: str
) -> None:
    enum = application_pb.IDTokenAlg.Value(f"ID_TOKEN_ALG_{algorithm}")
    app = await flow.app(owner, id_token_alg=enum)
    tokens = await flow.tokens(app, ada.client)

    keys = await jwts.key_set(instance)
    key = keys[jwt.get_unverified_header(tokens.id_token)["kid"]]
    claims = jwt.decode(tokens.id_token, key, algorithms=[algorithm], audience=app.client_id)

    half = hashlib.sha256(tokens.access_token.encode()).digest()[:16]
    session = await sessions.current(ada.client)
    assert (claims["sub"], claims["org_id"]) == (ada.person.user_id, org_id)
    assert claims["nonce"] == "a nonce"
    assert claims["at_hash"] == base64.urlsafe_b64encode(half).rstrip(b"=").decode()
    assert claims["auth_time"] == session.authenticated_at.seconds
    assert claims["sid"] == ada.session_id
    assert claims["exp"] > time.time()
    assert claims["preferred_username"].startswith("user-")


async def test_without_the_scope_openid_there_is_no_id_token(app: App, ada: SignedIn) -> None:
    tokens = await flow.tokens(app, ada.client, scope="profile")

    assert not tokens.id_token
    refused = await given.refusal(flow.user_info(app.client, tokens.access_token))
    assert refused.code is grpc.StatusCode.PERMISSION_DENIED
    assert refused.reason == "INSUFFICIENT_SCOPE"


@pytest.mark.parametrize("omits", [False, True])
async def test_scopes_and_claims_decide_what_is_shared(
    owner: Client, ada: SignedIn, sql: asyncpg.Connection, omits: bool
) -> None:
    await sql.execute(
        "update users set email = 'ada@example.com', display_name = 'Ada' where id = $1",
        ada.person.user_id,
    )
    engineers = f"engineers-{uuid4().hex}"
    group_id = await groups.group(owner, engineers)
    await groups.add_member(owner, group_id, ada.person.user_id)
    app = await flow.app(owner, omits_id_token_claims=omits)

    async def shared(**fields: Any) -> tuple[set[str], dict[str, Any]]:
        tokens = await flow.tokens(app, ada.client, **fields)
        claims = jwts.unverified(tokens.id_token)
        about = {"name", "preferred_username", "email", "groups"} & claims.keys()
        return about, await flow.user_info(app.client, tokens.access_token)

    assert await shared(scope="openid") == (set(), {"sub": ada.person.user_id})
    in_id_token, info = await shared(scope="openid email groups")
    assert in_id_token == (set() if omits else {"email", "groups"})
    assert info == {
        "sub": ada.person.user_id,
        "email": "ada@example.com",
        "email_verified": False,
        "groups": [engineers],
    }
    named = '{"id_token": {"name": null, "phone": null}, "userinfo": {"email": null}}'
    in_id_token, info = await shared(scope="openid", claims=named)
    assert in_id_token == {"name"}
    assert info.keys() == {"sub", "email"}


async def test_an_id_token_has_the_claims_of_the_granted_scopes(app: App, ada: SignedIn) -> None:
    """Streamlit, Synapse and NextAuth read nothing else."""
    tokens = await flow.tokens(app, ada.client, scope="openid profile email groups")

    claims = jwts.unverified(tokens.id_token)
    info = await flow.user_info(app.client, tokens.access_token)
    assert {name: claims[name] for name in info} == info
    assert info.keys() == {"sub", "name", "preferred_username", "updated_at", "groups"}


async def test_tokens_have_no_groups_that_are_too_long_together(
    app: App, ada: SignedIn, owner: Client
) -> None:
    """They would fit into no header and no cookie of 4 KB (keycloak/keycloak#38102).

    Microsoft Entra leaves more than 200 groups out of a JWT, too.
    """
    names = [f"{uuid4().hex}{uuid4().hex}" for _ in range(59)]  # 4012 bytes of JSON
    group_ids = [await groups.group(owner, name) for name in names]
    for group_id in group_ids:
        await groups.add_member(owner, group_id, ada.person.user_id)

    async def shared() -> list[int]:
        tokens = await flow.tokens(
            app, ada.client, scope="openid groups", claims='{"id_token": {"groups": null}}'
        )
        info = await flow.user_info(app.client, tokens.access_token)
        texts = map(jwts.unverified, (tokens.id_token, tokens.access_token))
        return [len(each.get("groups", "")) for each in (info, *texts)]

    assert await shared() == [59, 0, 0]
    await groups.remove_member(owner, group_ids[0], ada.person.user_id)
    assert await shared() == [58, 58, 58]


async def test_claims_of_scopes_that_the_application_may_not_request_are_left_out(
    owner: Client, ada: SignedIn
) -> None:
    app = await flow.app(owner, scopes=["openid"])

    tokens = await flow.tokens(
        app, ada.client, scope="openid email", claims='{"userinfo": {"name": null}}'
    )

    assert tokens.scope == "openid"
    assert (await flow.user_info(app.client, tokens.access_token)).keys() == {"sub"}


async def test_no_token_of_an_application_is_accepted_by_the_api(app: App, ada: SignedIn) -> None:
    tokens = await flow.tokens(app, ada.client, scope="openid offline_access")

    for token in (tokens.access_token, tokens.id_token, tokens.refresh_token, app.secret):
        refused = await given.refusal(sessions.current(app.client.with_token(token)))
        assert refused.code is grpc.StatusCode.UNAUTHENTICATED


async def test_userinfo_accepts_access_tokens_only(app: App, ada: SignedIn) -> None:
    tokens = await flow.tokens(app, ada.client, scope="openid offline_access")
    texts = ["", "text", tokens.id_token, tokens.refresh_token, ada.client.token]
    header, payload, signature = tokens.access_token.split(".")

    for text in (*texts, f"{header}.{payload}.{signature[:-4]}AAAA", f"{header}.{payload}."):
        refused = await given.refusal(flow.user_info(app.client, text))
        assert refused.code is grpc.StatusCode.UNAUTHENTICATED
        assert refused.reason == "INVALID_TOKEN"


async def test_userinfo_ends_with_the_session(app: App, ada: SignedIn) -> None:
    tokens = await flow.tokens(app, ada.client)
    await sessions.sign_out(ada.client)

    assert await given.outcome(flow.user_info(app.client, tokens.access_token)) == "INVALID_TOKEN"
    assert await app.introspect(tokens.access_token) is None


async def test_introspection_tells_the_application_of_a_token(
    app: App, owner: Client, ada: SignedIn, org_id: str
) -> None:
    tokens = await flow.tokens(app, ada.client, scope="openid offline_access")
    other = await flow.app(owner)

    access, refresh = [
        await app.introspect(each) for each in (tokens.access_token, tokens.refresh_token)
    ]

    assert access is not None
    assert refresh is not None
    assert access["client_id"] == refresh["client_id"] == app.client_id
    assert access["sub"] == refresh["sub"] == ada.person.user_id
    assert access["org_id"] == refresh["org_id"] == org_id
    assert access["token_type"] == "Bearer"
    for token in (tokens.access_token, tokens.refresh_token, "text"):
        assert await other.introspect(token) is None


async def test_a_service_gets_a_token_of_its_own(
    instance: Instance, owner: Client, org_id: str
) -> None:
    app = await flow.service(owner, scopes=["orders.read", "orders.write"])

    whole = await app.exchange(grant_type="client_credentials")
    part = await app.exchange(grant_type="client_credentials", scope="orders.read")
    refused = await given.refusal(app.exchange(grant_type="client_credentials", scope="admin"))

    claims = await _read(instance, whole.access_token, app.client_id)
    assert (claims["sub"], claims["scope"]) == (app.client_id, "orders.read orders.write")
    assert claims["org_id"] == org_id
    assert part.scope == "orders.read"
    assert refused.reason == "INVALID_SCOPE"
    target = (await flow.api(owner)).identifier
    for_another = await app.exchange(grant_type="client_credentials", resource=[target])
    twice = app.exchange(grant_type="client_credentials", resource=[target, f"{target}/"])
    assert (await _read(instance, for_another.access_token, target))["sub"] == app.client_id
    assert await given.outcome(twice) == "INVALID_TARGET"
    assert not whole.refresh_token
    assert await app.introspect(whole.access_token)
    assert await given.outcome(flow.user_info(app.client, whole.access_token)) == "INVALID_TOKEN"


async def test_a_grant_of_another_kind_of_application_is_refused(app: App, owner: Client) -> None:
    service = await flow.service(owner)

    for call in (
        service.exchange(grant_type="authorization_code"),
        app.exchange(grant_type="client_credentials"),
    ):
        assert await given.outcome(call) == "UNAUTHORIZED_CLIENT"

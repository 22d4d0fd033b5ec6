"""The header `typ` of access tokens, and tokens of one type in the place of another."""

import jwt
import pytest

from keystead.application.v1 import application_service_pb2 as application_pb
from keystead.user.v1 import user_service_pb2 as user_pb
from tests.oauth import flow, shared
from tests.session import jwts, sessions
from tests.session.sessions import SignedIn
from tests.support import given
from tests.support.given import Client, Instance

org_id, owner = shared.org_id, shared.owner

issuing = jwts.issuing
_AT_JWT = application_pb.ACCESS_TOKEN_TYP_AT_JWT
_JWT = application_pb.ACCESS_TOKEN_TYP_JWT
_TYPES = pytest.mark.parametrize("typ", [_AT_JWT, _JWT], ids=["at+jwt", "JWT"])


async def test_access_tokens_have_the_type_that_the_application_wants(
    owner: Client, ada: SignedIn
) -> None:
    """Spring Security's NimbusJwtDecoder accepts no type but JWT by default.

    spring-projects/spring-security#9900 and #10272, both closed without a change.
    """
    app = await flow.app(owner, access_token_typ=_JWT)
    service = await flow.service(owner, access_token_typ=_JWT)

    of_user = await flow.tokens(app, ada.client)
    of_service = await service.exchange(grant_type="client_credentials")

    for tokens in (of_user, of_service):
        assert jwt.get_unverified_header(tokens.access_token)["typ"] == "JWT"
    assert await app.introspect(of_user.access_token)
    assert await service.introspect(of_service.access_token)
    assert await flow.user_info(app.client, of_user.access_token)


@pytest.mark.parametrize(
    ("of_app", "of_api", "typ"), [(_AT_JWT, _JWT, "JWT"), (_JWT, _AT_JWT, "at+jwt")]
)
async def test_a_token_for_a_resource_has_the_type_that_the_resource_wants(
    owner: Client, ada: SignedIn, of_app: int, of_api: int, typ: str
) -> None:
    app = await flow.app(owner, access_token_typ=of_app)
    api = await flow.api(owner, access_token_typ=of_api)

    tokens = await flow.tokens(app, ada.client, resource=[api.identifier], scope="openid read")

    assert jwt.get_unverified_header(tokens.access_token)["typ"] == typ
    assert await api.introspect(tokens.access_token)


@_TYPES
async def test_an_id_token_is_no_access_token(owner: Client, ada: SignedIn, typ: int) -> None:
    app = await flow.app(owner, access_token_typ=typ)
    tokens = await flow.tokens(app, ada.client)

    assert await given.outcome(flow.user_info(app.client, tokens.id_token)) == "INVALID_TOKEN"
    assert await app.introspect(tokens.id_token) is None
    await app.revoke(tokens.id_token)
    assert await app.introspect(tokens.access_token)


@_TYPES
async def test_an_access_token_is_no_id_token_hint(owner: Client, ada: SignedIn, typ: int) -> None:
    app = await flow.app(owner, access_token_typ=typ)
    tokens = await flow.tokens(app, ada.client)

    right, wrong = [
        await app.start(**flow.with_challenge(), id_token_hint=each)
        for each in (tokens.id_token, tokens.access_token)
    ]

    assert right.sealed_request
    assert flow.parameters(wrong.redirect_uri)["error"] == "invalid_request"


async def test_the_jwt_of_a_session_is_neither(issuing: Instance) -> None:
    owner = await given.user(issuing.admin, roles=[user_pb.ROLE_ORG_OWNER])
    ada = await sessions.signed_in(issuing.admin)
    app = await flow.app(owner, access_token_typ=_JWT)
    of_session = (await jwts.issue(ada.client)).jwt

    assert await given.outcome(flow.user_info(app.client, of_session)) == "INVALID_TOKEN"
    assert await app.introspect(of_session) is None
    answer = await app.start(**flow.with_challenge(), id_token_hint=of_session)
    assert flow.parameters(answer.redirect_uri)["error"] == "invalid_request"

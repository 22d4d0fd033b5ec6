"""GetApplicationClaims: the claims that an application would get of a user."""

from collections.abc import Sequence
from typing import Any

import asyncpg
import grpc
import jwt
import pytest
from google.protobuf import json_format

from keystead.application.v1 import application_service_pb2 as pb
from keystead.user.v1 import user_service_pb2 as user_pb
from server.values.ids import new_id
from tests.application import calls
from tests.group import calls as groups
from tests.oauth import flow
from tests.session.sessions import SignedIn
from tests.support import given
from tests.support.given import Client
from tests.user import calls as users

# Of the sign-in, and not of the user.
_OF_SIGN_IN = {"iat", "exp", "at_hash", "nonce", "sid", "auth_time", "amr", "acr"}


async def _shown(
    client: Client, application_id: str, user_id: str, scopes: Sequence[str] = (), org_id: str = ""
) -> pb.ApplicationClaims:
    request = pb.GetApplicationClaimsRequest(
        application_id=application_id, user_id=user_id, scopes=scopes
    )
    place: Any = {"x_service_orgid": org_id} if org_id else {}
    answer = await client.call(client.applications.GetApplicationClaims, request, **place)
    return answer.claims


@pytest.mark.parametrize("scope", ["openid", "openid profile", "openid email groups"])
@pytest.mark.parametrize("omits", [False, True])
async def test_they_are_those_that_a_sign_in_gives(
    owner: Client, ada: SignedIn, scope: str, omits: bool
) -> None:
    group_id = await groups.group(owner)
    await groups.add_member(owner, group_id, ada.person.user_id)
    table: list[dict[str, Any]] = [
        {"name": "tenant", "text": "acme"},
        {"name": "employee", "attribute": "external_id", "target": pb.CLAIM_TARGET_USERINFO},
    ]
    app = await flow.app(
        owner,
        omits_id_token_claims=omits,
        claims=[pb.ApplicationClaim(**each) for each in table],
    )
    await users.patch(owner, ada.person.user_id, ["external_id"], external_id="E-1")

    shown = await _shown(owner, app.client_id, ada.person.user_id, scope.split())

    tokens = await flow.tokens(app, ada.client, scope=scope)
    id_token = jwt.decode(tokens.id_token, options={"verify_signature": False})
    expected = {name: value for name, value in id_token.items() if name not in _OF_SIGN_IN}
    assert id_token.keys() - expected.keys() >= {"sid", "auth_time", "at_hash"}
    assert json_format.MessageToDict(shown.id_token) == expected
    user_info = await flow.user_info(app.client, tokens.access_token)
    assert json_format.MessageToDict(shown.userinfo) == user_info
    assert shown.is_admitted


async def test_nothing_is_issued(owner: Client, ada: SignedIn, sql: asyncpg.Connection) -> None:
    app = await flow.app(owner)
    written = (
        "select (select count(*) from oauth_authorizations), (select max(sequence) from events)"
    )
    before = await sql.fetchrow(written)

    await _shown(owner, app.client_id, ada.person.user_id)

    assert await sql.fetchrow(written) == before


async def test_it_says_whether_the_application_admits_the_user(
    owner: Client, ada: SignedIn
) -> None:
    group_id = await groups.group(owner)
    app = await flow.app(owner, admits_groups_only=True, allowed_groups=[group_id])
    user_id = ada.person.user_id
    outside = await _shown(owner, app.client_id, user_id)
    await groups.add_member(owner, group_id, user_id)
    inside = await _shown(owner, app.client_id, user_id)
    await users.lock(owner, user_id)
    locked = await _shown(owner, app.client_id, user_id)

    assert [outside.is_admitted, inside.is_admitted, locked.is_admitted] == [False, True, False]


async def test_without_openid_there_are_none(owner: Client, ada: SignedIn) -> None:
    app = await flow.app(owner, scopes=["openid", "profile"])

    shown = await _shown(owner, app.client_id, ada.person.user_id, ["profile"])

    assert (len(shown.id_token.fields), len(shown.userinfo.fields)) == (0, 0)


async def test_groups_of_another_organization_are_not_shown(admin: Client, owner: Client) -> None:
    """They are not in tokens either: its owner chooses the same names."""
    app = await flow.app(owner, audience=pb.APPLICATION_AUDIENCE_ALL)
    org_id = (await users.whoami(owner)).details.resource_owner
    foreign = await given.user(admin, org_id=await given.organization(admin))

    shown = await _shown(admin, app.client_id, foreign.user_id, org_id=org_id)

    assert shown.is_admitted
    assert "groups" not in shown.id_token.fields or not shown.id_token["groups"]
    refused = await given.refusal(_shown(owner, app.client_id, foreign.user_id))
    unknown = await given.refusal(_shown(owner, app.client_id, new_id()))
    assert refused.code is unknown.code is grpc.StatusCode.PERMISSION_DENIED
    missing = await given.refusal(_shown(admin, app.client_id, new_id(), org_id=org_id))
    assert missing.reason == "USER_NOT_FOUND"


async def test_both_permissions_are_needed(admin: Client, owner: Client, ada: SignedIn) -> None:
    app = await flow.app(owner)
    org_id = (await users.whoami(owner)).details.resource_owner
    for role in (user_pb.ROLE_ORG_APPLICATION_MANAGER, user_pb.ROLE_ORG_USER_MANAGER):
        caller = await given.user(admin, org_id=org_id, roles=[role])
        refused = await given.refusal(_shown(caller, app.client_id, ada.person.user_id))
        assert refused.code is grpc.StatusCode.PERMISSION_DENIED
    auditor = await given.user(admin, org_id=org_id, roles=[user_pb.ROLE_ORG_AUDITOR])
    assert (await _shown(auditor, app.client_id, ada.person.user_id)).is_admitted


async def test_scopes_of_others_and_services_are_refused(owner: Client, ada: SignedIn) -> None:
    app, service = await flow.app(owner, scopes=["openid"]), await flow.service(owner)

    foreign = await given.refusal(_shown(owner, app.client_id, ada.person.user_id, ["email"]))
    of_service = await given.refusal(_shown(owner, service.client_id, ada.person.user_id))

    assert foreign.violations == {"scopes": "must be scopes of the application"}
    assert of_service.reason == "APPLICATION_WITHOUT_PEOPLE"
    gone = await given.refusal(_shown(owner, new_id(), ada.person.user_id))
    assert gone.reason == "APPLICATION_NOT_FOUND"
    await calls.remove(owner, app.client_id)

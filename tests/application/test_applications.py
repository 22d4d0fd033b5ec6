"""CreateApplication, GetApplication, ListApplications and RemoveApplication."""

from collections.abc import Awaitable
from typing import Any

import asyncpg
import grpc
import httpx2
import pytest

from keystead.application.v1 import application_service_pb2 as pb
from keystead.user.v1 import user_service_pb2 as user_pb
from tests.application import calls
from tests.group import calls as groups
from tests.idp.oidc_calls import LOGO
from tests.support import given
from tests.support.given import Client

_DEFAULTS: dict[str, Any] = {
    "id_token_alg": pb.ID_TOKEN_ALG_RS256,
    "pkce": pb.APPLICATION_PKCE_REQUIRED,
    "access_token_typ": pb.ACCESS_TOKEN_TYP_AT_JWT,
    "admits_groups_only": False,
    "audience": pb.APPLICATION_AUDIENCE_ORGANIZATION,
    "access_token_lifetime_seconds": 300,
    "refresh_token_lifetime_seconds": 2_592_000,
    "refresh_token_idle_seconds": 604_800,
}
_OF_PEOPLE = ["openid", "profile", "email"]


@pytest.mark.parametrize(
    ("kind", "fields", "defaults"),
    [
        ("WEB", {}, ("CLIENT_SECRET_BASIC", _OF_PEOPLE)),
        ("BROWSER", {}, ("NONE", _OF_PEOPLE)),
        ("NATIVE", {}, ("NONE", _OF_PEOPLE)),
        ("SERVICE", {}, ("CLIENT_SECRET_BASIC", [])),
        ("GATE", {"origins": ["https://wiki-defaults.example.com"]}, ("NONE", _OF_PEOPLE)),
    ],
)
async def test_each_kind_has_its_defaults(
    owner: Client, kind: str, fields: dict[str, Any], defaults: tuple[str, list[str]]
) -> None:
    method, scopes = defaults
    number = pb.ApplicationKind.Value(f"APPLICATION_KIND_{kind}")
    pkce = {"pkce": pb.APPLICATION_PKCE_PKCE_OR_NONCE} if kind == "WEB" else {}

    added = await calls.add(owner, kind=number, **fields)

    assert await calls.get(owner, added.application_id) == pb.Application(
        application_id=added.application_id,
        details=added.details,
        name="Application",
        kind=number,
        token_endpoint_auth_method=pb.TokenEndpointAuthMethod.Value(
            f"TOKEN_ENDPOINT_AUTH_METHOD_{method}"
        ),
        scopes=scopes,
        gate_jwt_header=pb.GATE_JWT_HEADER_AUTHORIZATION
        if kind == "GATE"
        else pb.GATE_JWT_HEADER_UNSPECIFIED,
        **{**_DEFAULTS, **pkce, **fields},
    )


async def test_all_fields_are_read_back(owner: Client) -> None:
    group_id = await groups.group(owner, "staff")
    fields: dict[str, Any] = {
        "name": "Grafana",
        "kind": pb.APPLICATION_KIND_WEB,
        "redirect_uris": ["https://b.example.com/cb", "http://grafana.lan:3000/cb"],
        "allows_http": True,
        "post_logout_redirect_uris": ["http://localhost:3000/"],
        "backchannel_logout_uri": "https://b.example.com/logout",
        "token_endpoint_auth_method": pb.TOKEN_ENDPOINT_AUTH_METHOD_PRIVATE_KEY_JWT,
        "jwks": calls.JWKS,
        "scopes": ["openid", "offline_access"],
        "id_token_alg": pb.ID_TOKEN_ALG_ES256,
        "first_party": True,
        "pkce": pb.APPLICATION_PKCE_NONE,
        "audience": pb.APPLICATION_AUDIENCE_ALL,
        "access_token_lifetime_seconds": 3600,
        "refresh_token_lifetime_seconds": 7200,
        "refresh_token_idle_seconds": 3600,
        "logo": LOGO,
        "omits_id_token_claims": True,
        "access_token_typ": pb.ACCESS_TOKEN_TYP_JWT,
        "requires_pushed_authorization_requests": True,
    }

    added = await calls.add(owner, **fields, allowed_groups=["staff"])

    application = await calls.get(owner, added.application_id)
    assert application == pb.Application(
        application_id=added.application_id,
        details=added.details,
        allowed_groups=[group_id],
        admits_groups_only=True,
        **fields,
    )
    application.ClearField("logo")
    application.ClearField("jwks")
    assert await calls.list_all(owner) == [application]


_TOO_MANY = [f"https://a.example/{n}" for n in range(51)]
_WRONG: list[tuple[dict[str, Any], set[str]]] = [
    ({"name": ""}, {"name"}),
    ({"kind": pb.APPLICATION_KIND_UNSPECIFIED}, {"kind"}),
    ({"kind": 9}, {"kind"}),
    (
        {"redirect_uris": ["https://a.example/", "http://a.example/", "x", "https://a.example/"]},
        {"redirectUris.1", "redirectUris.2", "redirectUris.3"},
    ),
    ({"redirect_uris": _TOO_MANY}, {"redirectUris"}),
    ({"post_logout_redirect_uris": ["https://a@b.example/"]}, {"postLogoutRedirectUris.0"}),
    ({"backchannel_logout_uri": "http://grafana.lan/"}, {"backchannelLogoutUri"}),
    ({"token_endpoint_auth_method": 9}, {"tokenEndpointAuthMethod"}),
    ({"jwks": "{}"}, {"jwks"}),
    ({"jwks_uri": "http://a.example/"}, {"jwksUri"}),
    ({"scopes": ["a b", "openid", "openid", "x" * 201]}, {"scopes.0", "scopes.2", "scopes.3"}),
    ({"id_token_alg": 9, "audience": 9}, {"idTokenAlg", "audience"}),
    ({"token_endpoint_auth_signing_alg": "HS256"}, {"tokenEndpointAuthSigningAlg"}),
    ({"allowed_groups": ["", "a\nb"]}, {"allowedGroups.0", "allowedGroups.1"}),
    ({"access_token_lifetime_seconds": 59}, {"accessTokenLifetimeSeconds"}),
    ({"access_token_lifetime_seconds": 3601}, {"accessTokenLifetimeSeconds"}),
    ({"refresh_token_lifetime_seconds": -1}, {"refreshTokenLifetimeSeconds"}),
    ({"refresh_token_idle_seconds": 34_560_001}, {"refreshTokenIdleSeconds"}),
    ({"logo": b"<svg/>"}, {"logo"}),
    ({"pkce": 9, "access_token_typ": 9}, {"pkce", "accessTokenTyp"}),
    ({"origins": ["https://a.example/x"]}, {"origins.0"}),
    (
        {"name": "", "logo": b"x", "redirect_uris": ["y"], "jwks": "z"},
        {"name", "logo", "redirectUris.0", "jwks"},
    ),
]


@pytest.mark.parametrize(("fields", "wrong"), _WRONG)
async def test_every_wrong_field_is_named(
    owner: Client, fields: dict[str, Any], wrong: set[str]
) -> None:
    refused = [await given.refusal(calls.add(owner, **fields))]
    if "kind" not in fields:  # which a patch ignores
        refused.append(await given.refusal(calls.patch(owner, "any", **fields)))

    for each in refused:
        assert each.code is grpc.StatusCode.INVALID_ARGUMENT
        assert each.violations.keys() == {f"application.{path}" for path in wrong}


_KINDS = {
    kind: {"kind": pb.ApplicationKind.Value(f"APPLICATION_KIND_{kind}")}
    for kind in ("WEB", "BROWSER", "NATIVE", "SERVICE", "GATE")
}
_NONE = {"token_endpoint_auth_method": pb.TOKEN_ENDPOINT_AUTH_METHOD_NONE}
_BASIC = {"token_endpoint_auth_method": pb.TOKEN_ENDPOINT_AUTH_METHOD_CLIENT_SECRET_BASIC}
_KEY = {"token_endpoint_auth_method": pb.TOKEN_ENDPOINT_AUTH_METHOD_PRIVATE_KEY_JWT}
_ORIGIN = {"origins": ["https://gate.example"]}
_URIS = {
    "redirect_uris": ["https://a.example/"],
    "post_logout_redirect_uris": ["https://a.example/"],
    "backchannel_logout_uri": "https://a.example/",
}
_WORKLOADS = {"workload_issuers": [calls.WORKLOADS]}
_HTTP = {
    "redirect_uris": ["http://grafana/"],
    "post_logout_redirect_uris": ["http://192.168.1.2/"],
}
_PUSHED = {"requires_pushed_authorization_requests": True}
_NO_URIS = {"redirectUris", "postLogoutRedirectUris", "backchannelLogoutUri"}
CONTRADICTIONS: list[tuple[str, dict[str, Any], set[str]]] = [
    ("WEB", _NONE, {"tokenEndpointAuthMethod"}),
    ("SERVICE", _NONE, {"tokenEndpointAuthMethod"}),
    ("BROWSER", _BASIC, {"tokenEndpointAuthMethod"}),
    ("NATIVE", _KEY | {"jwks": calls.JWKS}, {"tokenEndpointAuthMethod"}),
    ("GATE", _BASIC | _ORIGIN, {"tokenEndpointAuthMethod"}),
    ("BROWSER", {"pkce": pb.APPLICATION_PKCE_NONE}, {"pkce"}),
    ("NATIVE", {"pkce": pb.APPLICATION_PKCE_PKCE_OR_NONCE}, {"pkce"}),
    ("GATE", {"pkce": pb.APPLICATION_PKCE_NONE} | _ORIGIN, {"pkce"}),
    ("SERVICE", _URIS, _NO_URIS),
    ("GATE", _URIS | _ORIGIN, _NO_URIS),
    ("SERVICE", _PUSHED, {"requiresPushedAuthorizationRequests"}),
    ("WEB", {"token_endpoint_auth_signing_alg": "ES256"}, {"tokenEndpointAuthSigningAlg"}),
    ("WEB", {"allows_token_endpoint_audience": True}, {"allowsTokenEndpointAudience"}),
    ("GATE", _PUSHED | _ORIGIN, {"requiresPushedAuthorizationRequests"}),
    ("GATE", {}, {"origins"}),
    ("WEB", _HTTP, {"redirectUris.0", "postLogoutRedirectUris.0"}),
    ("BROWSER", _HTTP | {"allows_http": True}, {"allowsHttp"}),
    ("NATIVE", _HTTP, {"redirectUris.0", "postLogoutRedirectUris.0"}),
    ("SERVICE", {"allows_http": True}, {"allowsHttp"}),
    ("WEB", _ORIGIN, {"origins"}),
    ("WEB", {"redirect_uris": ["https://a.example/", "a.b:/"]}, {"redirectUris.1"}),
    ("BROWSER", {"post_logout_redirect_uris": ["a.b:/"]}, {"postLogoutRedirectUris.0"}),
    ("WEB", {"jwks": calls.JWKS}, {"jwks"}),
    ("WEB", {"jwks_uri": "https://a.example/"}, {"jwksUri"}),
    ("WEB", _KEY, {"jwks"}),
    ("WEB", _KEY | {"jwks": calls.JWKS, "jwks_uri": "https://a.example/"}, {"jwksUri"}),
    (
        "WEB",
        {"refresh_token_lifetime_seconds": 3600, "refresh_token_idle_seconds": 3601},
        {"refreshTokenIdleSeconds"},
    ),
    ("WEB", _NONE | _ORIGIN, {"tokenEndpointAuthMethod", "origins"}),
    ("WEB", _WORKLOADS, {"workloadIssuers"}),
    ("GATE", _WORKLOADS | _ORIGIN, {"workloadIssuers"}),
    (
        "WEB",
        {"gate_jwt_header": pb.GATE_JWT_HEADER_X_KEYSTEAD_JWT, "gate_identity_headers": True},
        {"gateJwtHeader", "gateIdentityHeaders"},
    ),
    ("WEB", _WORKLOADS | _NONE, {"workloadIssuers", "tokenEndpointAuthMethod"}),
]


@pytest.mark.parametrize(("kind", "fields", "wrong"), CONTRADICTIONS)
async def test_fields_that_contradict_each_other_are_named_together(
    owner: Client, kind: str, fields: dict[str, Any], wrong: set[str]
) -> None:
    valid = {"origins": ["https://contradictions.example"]} if kind == "GATE" else {}
    application_id = await calls.application(owner, **_KINDS[kind], **valid)

    added = await given.refusal(calls.add(owner, **_KINDS[kind], **fields))
    mask = [*fields] if fields else ["origins"]
    patched = await given.refusal(calls.patch(owner, application_id, mask, **fields))
    await calls.remove(owner, application_id)

    for refused in (added, patched):
        assert refused.code is grpc.StatusCode.INVALID_ARGUMENT
        assert refused.violations.keys() == {f"application.{path}" for path in wrong}


async def test_only_a_native_application_has_a_private_scheme(owner: Client) -> None:
    uris = ["com.example.app:/callback", "http://127.0.0.1/cb"]

    application_id = await calls.application(owner, **_KINDS["NATIVE"], redirect_uris=uris)

    assert (await calls.get(owner, application_id)).redirect_uris == uris


async def test_a_short_lifetime_shortens_the_default_of_the_idle_time(owner: Client) -> None:
    application_id = await calls.application(owner, refresh_token_lifetime_seconds=3600)

    assert (await calls.get(owner, application_id)).refresh_token_idle_seconds == 3600


async def test_two_may_have_the_same_name_but_not_the_same_origin(
    admin: Client, owner: Client
) -> None:
    other = await given.user(admin, roles=[user_pb.ROLE_ORG_OWNER])
    gate = {**_KINDS["GATE"], "origins": ["https://same.example"]}
    first = await calls.application(owner, **gate)

    refused = await given.refusal(calls.add(other, **gate))

    assert refused.code is grpc.StatusCode.ALREADY_EXISTS
    assert refused.reason == "ORIGIN_ALREADY_USED"
    await calls.remove(owner, first)
    await calls.add(other, **gate)


async def test_the_origin_of_keystead_itself_is_that_of_no_application(
    owner: Client, web: httpx2.AsyncClient
) -> None:
    issuer = (await web.get("/.well-known/openid-configuration")).json()["issuer"]
    application_id = await calls.application(
        owner, **{**_KINDS["GATE"], "origins": ["https://others.example"]}
    )

    origins = ["https://mine.example", issuer]
    added = await given.refusal(calls.add(owner, **{**_KINDS["GATE"], "origins": origins}))
    patched = await given.refusal(calls.patch(owner, application_id, ["origins"], origins=origins))

    for refused in (added, patched):
        assert refused.violations == {
            "application.origins.1": "must not be an origin of Keystead itself"
        }


async def test_the_list_has_those_of_the_organization_oldest_first(
    admin: Client, owner: Client
) -> None:
    application_ids = [await calls.application(owner) for _ in range(3)]
    await calls.add(admin)

    request = pb.ListApplicationsRequest(page_size=2)
    first = await owner.call(owner.applications.ListApplications, request)
    request.page_token = first.next_page_token
    rest = await owner.call(owner.applications.ListApplications, request)

    listed = [*first.applications, *rest.applications]
    assert [each.application_id for each in listed] == application_ids


def _all_calls(client: Client, application_id: str) -> list[Awaitable[object]]:
    return [
        calls.get(client, application_id),
        calls.patch(client, application_id, name="Mine"),
        calls.create_secret(client, application_id),
        calls.remove_secret(client, application_id, "any"),
        calls.remove(client, application_id),
    ]


async def test_a_removed_application_is_not_found(owner: Client) -> None:
    added = await calls.add(owner)
    await calls.create_secret(owner, added.application_id)

    removed = await calls.remove(owner, added.application_id)

    assert removed.details.sequence > added.details.sequence
    assert await calls.list_all(owner) == []
    for call in _all_calls(owner, added.application_id):
        refused = await given.refusal(call)
        assert refused.reason == "APPLICATION_NOT_FOUND"
        assert refused.code is grpc.StatusCode.NOT_FOUND


async def test_one_of_another_organization_is_not_found(admin: Client, owner: Client) -> None:
    application_id = await calls.application(owner)
    outsider = await given.user(admin, roles=[user_pb.ROLE_ORG_OWNER])

    refused = [await given.refusal(call) for call in _all_calls(outsider, application_id)]

    assert {each.code for each in refused} == {grpc.StatusCode.NOT_FOUND}
    assert (await calls.get(owner, application_id)).name == "Application"


async def test_a_manager_of_applications_reads_groups(
    admin: Client, owner: Client, org_id: str
) -> None:
    role = user_pb.ROLE_ORG_APPLICATION_MANAGER
    manager = await given.user(admin, org_id=org_id, roles=[role])
    await groups.add(owner, "staff")

    application_id = await calls.application(manager, allowed_groups=["staff"])

    await calls.create_secret(manager, application_id)
    assert [each.name for each in await groups.list_all(manager)] == ["staff"]


async def test_the_event_contains_the_whole_configuration(
    owner: Client, sql: asyncpg.Connection
) -> None:
    application_id = await calls.application(owner, name="Logged", logo=LOGO)

    [event] = await given.logged(sql, application_id)

    payload = event["payload"]
    assert event["event_type"] == "application.added"
    assert payload["kind"] == "WEB"
    assert payload["token_endpoint_auth_method"] == "CLIENT_SECRET_BASIC"
    assert set(payload) >= set(_DEFAULTS)

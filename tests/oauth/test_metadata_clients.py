"""Applications that nobody has added: their `client_id` is the URL of a metadata document."""

import json
import time
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any
from unittest.mock import AsyncMock
from uuid import uuid4

import grpc
import pytest

from keystead.application.v1 import application_service_pb2 as application_pb
from keystead.oauth.v1 import oauth_service_pb2 as pb
from keystead.user.v1 import user_service_pb2 as user_pb
from server.relying_party.http_client import Answer
from tests.application import calls
from tests.conftest import MakeInstance
from tests.group import calls as group_calls
from tests.oauth import flow
from tests.oauth.flow import Api, App
from tests.org import calls as orgs
from tests.session import jwts, sessions
from tests.session.sessions import SignedIn
from tests.support import given
from tests.support.certificates import Authority
from tests.support.given import Client, Instance
from tests.support.oidc_provider import Provider, answering

_DOCUMENTS = "server.oauth.client_documents.documents"
_LOOPBACK = "http://127.0.0.1/callback"


@pytest.fixture(scope="module")
async def admitting(
    make_instance: MakeInstance, oidc_authority: Authority
) -> AsyncIterator[Instance]:
    """A server that may fetch documents from this machine, as often as these tests need."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(f"{_DOCUMENTS}._PER_NETWORK", (1000, 1000))
        async with make_instance(
            idp_ca_file=oidc_authority.ca_file, idp_allowed_networks=("127.0.0.0/8", "::1")
        ) as instance:
            yield instance


def _admit(instance: Instance, org_id: str, *hosts: str) -> Any:
    return orgs.patch(instance.admin, org_id, client_metadata_hosts=hosts)


def _host(provider: Provider) -> str:
    return provider.issuer.removeprefix("https://")


@pytest.fixture
async def org_id(admitting: Instance, provider: Provider) -> str:
    """An organization that admits the documents of the provider's host."""
    org_id = await given.organization(admitting.admin)
    await _admit(admitting, org_id, _host(provider))
    return org_id


@pytest.fixture
async def tools_owner(admitting: Instance, org_id: str) -> Client:
    return await given.user(admitting.admin, org_id=org_id, roles=[user_pb.ROLE_ORG_OWNER])


@pytest.fixture
async def tools(tools_owner: Client) -> Api:
    """The MCP server of the organization."""
    return await flow.api(tools_owner, resource_scopes=[{"name": "tools.call"}])


@pytest.fixture
async def ada(admitting: Instance, org_id: str) -> SignedIn:
    return await sessions.signed_in(admitting.admin, org_id=org_id)


def _published(provider: Provider, **members: Any) -> str:
    """Publishes a document; returns its URL."""
    url = f"{provider.issuer}/client.json"
    uris = [_LOOPBACK, f"{provider.issuer}/callback"]
    regular = {"client_id": url, "client_name": "Tools", "redirect_uris": uris}
    content = json.dumps(regular | members).encode()

    headers = "content-type: application/json\r\n"
    provider.handlers["/client.json"] = answering(content, headers=headers)
    return url


@pytest.fixture
def app(admitting: Instance, provider: Provider) -> App:
    return App(admitting.admin.with_token(""), _published(provider), "")


async def _tokens(app: App, person: Client, **fields: Any) -> pb.ExchangeTokenResponse:
    """The tokens of a flow that returns to a loopback address."""
    approved = await flow.approved(app, person, redirect_uri=_LOOPBACK, **fields)
    return await app.redeem(approved, redirect_uri=_LOOPBACK)


async def test_a_person_signs_in_to_an_mcp_server(app: App, ada: SignedIn, tools: Api) -> None:
    sealed = await flow.sealed(app, redirect_uri=_LOOPBACK, resource=[tools.identifier])
    described = await flow.describe(app.client, sealed)
    scope = "openid tools.call offline_access"

    tokens = await _tokens(app, ada.client, resource=[tools.identifier], scope=scope)
    refreshed = await app.refresh(tokens.refresh_token, resource=[tools.identifier])

    assert (described.client_id, described.client_name) == (app.client_id, "Tools")
    assert described.client_host == app.client_id.split("/")[2]
    assert (described.redirect_host, described.org_id) == ("127.0.0.1", "")
    assert [each.identifier for each in described.resources] == [tools.identifier]
    for token in (tokens.access_token, refreshed.access_token):
        claims = jwts.unverified(token)
        assert (claims["aud"], claims["client_id"]) == (tools.identifier, app.client_id)
        assert (claims["scope"], claims["sub"]) == ("tools.call", ada.client.user_id)
    assert jwts.unverified(tokens.id_token)["aud"] == app.client_id
    assert await app.introspect(refreshed.access_token)
    assert await tools.introspect(refreshed.access_token)
    await app.revoke(refreshed.refresh_token)
    assert await app.introspect(refreshed.access_token) is None


async def test_without_a_resource_userinfo_identifies_the_user(app: App, ada: SignedIn) -> None:
    tokens = await _tokens(app, ada.client, scope="openid tools.call")

    assert await flow.user_info(app.client, tokens.access_token) == {"sub": ada.client.user_id}


async def test_a_request_without_scopes_for_a_resource_identifies_the_user(
    app: App, ada: SignedIn, tools: Api
) -> None:
    tokens = await _tokens(app, ada.client, resource=[tools.identifier], scope="")
    without = await app.start(redirect_uri=_LOOPBACK, scope="", **flow.with_challenge())

    assert tokens.scope == ""
    assert jwts.unverified(tokens.id_token)["sub"] == ada.client.user_id
    assert flow.parameters(without.redirect_uri)["error"] == "invalid_scope"


async def test_a_document_can_limit_its_scopes(
    app: App, provider: Provider, ada: SignedIn, tools_owner: Client
) -> None:
    _published(provider, scope="openid tools.read")
    scopes = [{"name": "tools.read"}, {"name": "tools.write"}]
    tools = await flow.api(tools_owner, resource_scopes=scopes)
    asked = {"scope": "openid profile tools.read tools.write"}

    plain = await _tokens(app, ada.client, **asked)
    tokens = await _tokens(app, ada.client, **asked, resource=[tools.identifier])

    assert plain.scope == "openid"
    assert tokens.scope == "tools.read"


async def test_no_scope_that_the_groups_of_the_user_lack(
    app: App, ada: SignedIn, tools_owner: Client
) -> None:
    group = await group_calls.group(tools_owner)
    scopes = [{"name": "tools.call"}, {"name": "tools.admin", "allowed_groups": [group]}]
    tools = await flow.api(tools_owner, resource_scopes=scopes)
    asked = {"scope": "openid tools.call tools.admin", "resource": [tools.identifier]}

    assert (await _tokens(app, ada.client, **asked)).scope == "tools.call"
    await group_calls.add_member(tools_owner, group, ada.client.user_id)
    assert (await _tokens(app, ada.client, **asked)).scope == "tools.call tools.admin"


async def test_a_client_of_two_organizations_reaches_the_resources_of_its_user(
    admitting: Instance, provider: Provider, app: App, tools: Api
) -> None:
    other = await given.organization(admitting.admin)
    await _admit(admitting, other, _host(provider))
    bob = await sessions.signed_in(admitting.admin, org_id=other)

    refused = _tokens(app, bob.client, resource=[tools.identifier])

    assert await given.outcome(refused) == "APPLICATION_NOT_ALLOWED"
    for_all = application_pb.APPLICATION_AUDIENCE_ALL
    owner = await given.user(admitting.admin, org_id=other, roles=[user_pb.ROLE_ORG_OWNER])
    shared = await flow.api(owner, audience=for_all)
    tokens = await _tokens(app, bob.client, resource=[shared.identifier])
    assert jwts.unverified(tokens.access_token)["org_id"] == other


async def test_no_client_id_is_the_identifier_of_a_resource(
    app: App, ada: SignedIn, tools_owner: Client
) -> None:
    """A token for the client would be one for the resource, and the reverse."""
    tokens = await _tokens(app, ada.client, scope="openid offline_access")
    resource = await flow.api(tools_owner, identifier=app.client_id)

    assert await given.outcome(_tokens(app, ada.client)) == "INVALID_TARGET"
    assert await given.outcome(app.refresh(tokens.refresh_token)) == "INVALID_TARGET"
    assert await resource.introspect(tokens.access_token) is None
    answer = await app.start(
        redirect_uri=_LOOPBACK, resource=[app.client_id], **flow.with_challenge()
    )
    assert flow.parameters(answer.redirect_uri)["error"] == "invalid_target"


async def test_scopes_are_those_of_the_standard(app: App, ada: SignedIn) -> None:
    refused = await app.start(
        scope='openid a"b tools.write', redirect_uri=_LOOPBACK, **flow.with_challenge()
    )
    tokens = await _tokens(app, ada.client, scope="openid email a!b tools.write")

    assert flow.parameters(refused.redirect_uri)["error"] == "invalid_scope"
    assert tokens.scope == "openid email"


# Organizations


async def test_users_of_another_organization_are_refused(
    app: App, admitting: Instance, provider: Provider, ada: SignedIn
) -> None:
    other = await given.organization(admitting.admin)
    await _admit(admitting, other, "app.example.com")
    grace = await sessions.signed_in(admitting.admin, org_id=other)
    sealed = await flow.sealed(app, redirect_uri=_LOOPBACK)

    refused = await given.refusal(flow.approve(grace.client, sealed))
    await _admit(admitting, other, _host(provider))

    assert refused.code is grpc.StatusCode.PERMISSION_DENIED
    assert refused.reason == "APPLICATION_NOT_ALLOWED"
    assert await flow.approve(grace.client, sealed)


async def test_a_token_ends_when_the_organization_no_longer_admits_the_host(
    app: App, admitting: Instance, org_id: str, ada: SignedIn
) -> None:
    tokens = await _tokens(app, ada.client, scope="openid")
    assert await flow.user_info(app.client, tokens.access_token)

    await _admit(admitting, org_id, "app.example.com")

    assert await given.outcome(flow.user_info(app.client, tokens.access_token)) == "INVALID_TOKEN"


async def test_no_document_is_fetched_unless_an_organization_admits_its_host(
    admitting: Instance, provider: Provider
) -> None:
    app = App(admitting.admin.with_token(""), _published(provider), "")
    org_id = await given.organization(admitting.admin)

    unknown = [await given.refusal(app.start())]
    await _admit(admitting, org_id, "*")  # not at this port
    unknown.append(await given.refusal(app.start()))
    unknown += [
        await given.refusal(replace(app, client_id=client_id).start())
        for client_id in (f"{app.client_id}?a", "https://", "https://169.254.169.254/latest")
    ]
    unauthenticated = await given.refusal(app.exchange(grant_type="refresh_token"))
    await _admit(admitting, org_id)

    assert {each.reason for each in unknown} == {"UNKNOWN_CLIENT"}
    assert unauthenticated.reason == "INVALID_CLIENT"
    assert provider.connections == 0


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"scope": " "}, "INVALID_SCOPE"),
        ({"response_type": "token"}, "UNSUPPORTED_RESPONSE_TYPE"),
        ({"prompt": "none"}, "INTERACTION_REQUIRED"),
    ],
)
async def test_a_site_that_nobody_names_is_opened_by_no_error(
    admitting: Instance, monkeypatch: pytest.MonkeyPatch, fields: dict[str, str], reason: str
) -> None:
    """With `*`, every site has a document: a link to this server would lead to any of them."""
    host = f"{uuid4().hex}.example"
    url, callback = f"https://{host}/client.json", f"https://{host}/callback"
    document = {"client_id": url, "redirect_uris": [callback, _LOOPBACK]}
    answer = Answer(host, 200, json.dumps(document).encode(), {"content-type": "application/json"})
    monkeypatch.setattr(f"{_DOCUMENTS}.http_client.get", AsyncMock(return_value=answer))
    app = App(admitting.admin.with_token(""), url, "")
    request = {"redirect_uri": callback, **flow.with_challenge()}
    org_id = await given.organization(admitting.admin)
    await _admit(admitting, org_id, "*")

    on_page = [await given.outcome(app.start(**request | fields))]
    pushed = app.push(**request | fields)
    if reason == "INTERACTION_REQUIRED":
        on_page.append(await given.outcome(app.start_pushed(await pushed)))
    else:
        assert await given.outcome(pushed) == reason
    to_program = await app.start(**request | fields | {"redirect_uri": _LOOPBACK})
    await _admit(admitting, org_id, host)
    named = await app.start(**request | fields)
    await _admit(admitting, org_id)

    assert set(on_page) == {reason}
    if reason == "INTERACTION_REQUIRED":
        assert to_program.sealed_request
        assert named.sealed_request
    else:
        assert to_program.redirect_uri.startswith(f"{_LOOPBACK}?error={reason.lower()}")
        assert named.redirect_uri.startswith(f"{callback}?error={reason.lower()}")


async def test_a_host_that_is_removed_gets_no_more_tokens(
    app: App, admitting: Instance, provider: Provider, org_id: str, ada: SignedIn
) -> None:
    other = await given.organization(admitting.admin)
    await _admit(admitting, other, _host(provider))
    tokens = await _tokens(app, ada.client, scope="openid offline_access")
    approved = await flow.approved(app, ada.client, redirect_uri=_LOOPBACK)

    await _admit(admitting, org_id, "app.example.com")
    refused = [
        await given.refusal(app.refresh(tokens.refresh_token)),
        await given.refusal(app.redeem(approved, redirect_uri=_LOOPBACK)),
    ]

    assert {each.reason for each in refused} == {"INVALID_GRANT"}


# Consent


@pytest.mark.parametrize(("path", "is_remembered"), [("", False), ("/callback", True)])
async def test_a_consent_is_not_remembered_for_every_program_of_a_machine(
    app: App, provider: Provider, ada: SignedIn, path: str, *, is_remembered: bool
) -> None:
    uri = f"{provider.issuer}{path}" if path else _LOOPBACK
    await flow.approve(ada.client, await flow.sealed(app, redirect_uri=uri))
    again = flow.approve(ada.client, await flow.sealed(app, redirect_uri=uri), consents=False)

    if is_remembered:
        assert (await again).redirect_uri
    else:
        assert await given.outcome(again) == "CONSENT_REQUIRED"


async def test_a_person_sees_and_ends_the_grant(app: App, ada: SignedIn) -> None:
    tokens = await _tokens(app, ada.client, scope="openid offline_access")

    [grant] = await calls.grants(ada.client)
    await calls.revoke_grant(ada.client, app.client_id)

    assert grant.application_id == app.client_id
    assert grant.application_name == app.client_id.removeprefix("https://")
    assert await given.outcome(app.refresh(tokens.refresh_token)) == "INVALID_GRANT"


# Requests


async def test_a_loopback_address_may_have_any_port(app: App, ada: SignedIn) -> None:
    uri = "http://127.0.0.1:49152/callback"

    approved = await flow.approved(app, ada.client, redirect_uri=uri)

    assert (await app.redeem(approved, redirect_uri=uri)).access_token


@pytest.mark.parametrize(
    "uri",
    ["https://evil.example/callback", "http://127.0.0.1/other", "http://localhost/callback"],
)
async def test_other_redirect_uris_are_refused(app: App, org_id: str, uri: str) -> None:
    assert await given.outcome(app.start(redirect_uri=uri)) == "REDIRECT_URI_NOT_REGISTERED"


async def test_a_request_needs_pkce(app: App, org_id: str) -> None:
    answered = await app.start(redirect_uri=_LOOPBACK)

    assert flow.parameters(answered.redirect_uri)["error"] == "invalid_request"


async def test_a_document_that_changes_before_the_approval_counts(
    app: App, provider: Provider, ada: SignedIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    sealed = await flow.sealed(app, redirect_uri=_LOOPBACK)
    _published(provider, redirect_uris=["http://127.0.0.1/other"])
    assert await flow.describe(app.client, sealed)  # kept

    later = time.monotonic() + 3601
    monkeypatch.setattr("server.values.cache.monotonic", lambda: later)
    assert await given.outcome(flow.approve(ada.client, sealed)) == "REDIRECT_URI_NOT_REGISTERED"


async def test_a_document_that_becomes_invalid_ends_the_exchange(
    app: App, provider: Provider, ada: SignedIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    approved = await flow.approved(app, ada.client, redirect_uri=_LOOPBACK)
    _published(provider, client_id="https://localhost/other")

    later = time.monotonic() + 3601
    monkeypatch.setattr("server.values.cache.monotonic", lambda: later)
    refused = await given.refusal(app.redeem(approved, redirect_uri=_LOOPBACK))

    assert refused.code is grpc.StatusCode.FAILED_PRECONDITION
    assert refused.reason == "CLIENT_METADATA_INVALID"


async def test_an_unreachable_document_is_a_temporary_error(
    admitting: Instance, provider: Provider, org_id: str
) -> None:
    app = App(admitting.admin.with_token(""), f"{provider.issuer}/userinfo", "")
    provider.handlers["/userinfo"] = _closed

    refused = await given.refusal(app.start())

    assert refused.code is grpc.StatusCode.UNAVAILABLE
    assert refused.reason == "CLIENT_METADATA_UNREACHABLE"


async def test_a_resource_introspects_tokens_of_a_client_whose_document_is_gone(
    app: App, provider: Provider, ada: SignedIn, tools: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = {"scope": "openid tools.call", "resource": [tools.identifier]}
    tokens = await _tokens(app, ada.client, **asked)
    provider.handlers["/client.json"] = _closed
    later = time.monotonic() + 90_000  # no old document stands in for it
    monkeypatch.setattr("server.values.cache.monotonic", lambda: later)
    assert await given.outcome(app.start()) == "CLIENT_METADATA_UNREACHABLE"

    introspected = await tools.introspect(tokens.access_token)

    assert introspected is not None
    assert (introspected["client_id"], introspected["scope"]) == (app.client_id, "tools.call")


async def _closed(_writer: Any) -> None:
    pass


async def test_a_device_cannot_start_with_a_document(app: App, provider: Provider) -> None:
    request = pb.StartDeviceAuthorizationRequest(client_id=app.client_id, scope="openid")

    refused = await given.refusal(
        app.client.call(app.client.oauth.StartDeviceAuthorization, request)
    )

    assert refused.reason == "UNAUTHORIZED_CLIENT"
    assert provider.connections == 0


# Keys


@pytest.mark.parametrize("is_embedded", [True, False])
async def test_an_application_authenticates_with_its_keys(
    app: App, provider: Provider, ada: SignedIn, *, is_embedded: bool
) -> None:
    keys = (
        {"jwks": provider.documents["/keys"]}
        if is_embedded
        else {"jwks_uri": f"{provider.issuer}/keys"}
    )
    _published(provider, token_endpoint_auth_method="private_key_jwt", **keys)
    approved = await flow.approved(app, ada.client, redirect_uri=_LOOPBACK)
    issuer = approved.parameters["iss"]
    assertion = flow.assertion(app.client_id, issuer, provider.key, alg="RS256")

    without = await given.refusal(app.redeem(approved, redirect_uri=_LOOPBACK))
    tokens = await app.redeem(approved, redirect_uri=_LOOPBACK, **assertion)
    again = await given.refusal(app.redeem(approved, redirect_uri=_LOOPBACK, **assertion))

    assert tokens.access_token
    assert (without.reason, again.reason) == ("INVALID_CLIENT", "INVALID_CLIENT")


# Resources at the token endpoint (RFC 8707, section 2.2), of every application


async def test_a_token_is_for_the_resource_of_its_authorization(
    app: App, ada: SignedIn, tools: Api
) -> None:
    approved = await flow.approved(
        app,
        ada.client,
        redirect_uri=_LOOPBACK,
        resource=[tools.identifier],
        scope="openid offline_access",
    )

    async def redeemed(*resource: str) -> Any:
        return await app.redeem(approved, redirect_uri=_LOOPBACK, resource=resource)

    refused = [
        await given.refusal(redeemed(*resource))
        for resource in (
            ["https://other.example"],
            [f"{tools.identifier}/"],
            [tools.identifier, "x"],
            ["x"],
        )
    ]
    tokens = await redeemed(tools.identifier)
    refused += [
        await given.refusal(app.refresh(tokens.refresh_token, resource=resource))
        for resource in (["https://other.example"], ["x"])
    ]
    refreshed = await app.refresh(tokens.refresh_token)

    assert {each.reason for each in refused} == {"INVALID_TARGET"}
    assert jwts.unverified(refreshed.access_token)["aud"] == tools.identifier


async def test_a_code_for_no_resource_is_for_none(app: App, ada: SignedIn, tools: Api) -> None:
    approved = await flow.approved(app, ada.client, redirect_uri=_LOOPBACK)

    refused = await given.refusal(
        app.redeem(approved, redirect_uri=_LOOPBACK, resource=[tools.identifier])
    )

    assert refused.reason == "INVALID_TARGET"
    assert (await app.redeem(approved, redirect_uri=_LOOPBACK)).access_token

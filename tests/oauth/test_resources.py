"""Access tokens for resources (RFC 8707), and the attacks on them."""

from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias

import pytest

from keystead.application.v1 import application_service_pb2 as application_pb
from keystead.user.v1 import user_service_pb2 as user_pb
from server.oauth import resources
from server.oauth.capabilities import capabilities
from server.validation.scopes import OF_OPENID
from tests.application import calls
from tests.group import calls as group_calls
from tests.oauth import devices, flow
from tests.oauth.flow import Api, App
from tests.session import jwts, sessions
from tests.session.sessions import SignedIn
from tests.support import given
from tests.support.given import Client

_ALL = application_pb.APPLICATION_AUDIENCE_ALL
_SCOPE = "openid offline_access read write"


@pytest.fixture
async def staff(owner: Client) -> str:
    return await group_calls.group(owner)


@pytest.fixture
async def api(owner: Client, staff: str) -> Api:
    """A resource with a scope for everybody, and one for a group."""
    return await flow.api(owner, resource_scopes=_scopes(staff))


@pytest.fixture
async def other_owner(admin: Client) -> Client:
    """The owner of organization B."""
    return await given.user(admin, roles=[user_pb.ROLE_ORG_OWNER])


def _scopes(*groups: str) -> list[dict[str, Any]]:
    return [
        {"name": "read", "description": "Read everything"},
        {"name": "write", "description": "", "allowed_groups": groups},
    ]


def _scope_of(answer: Any) -> str:
    claims = jwts.unverified(answer.access_token)
    assert answer.scope == claims["scope"]
    return str(claims["scope"])


async def test_a_token_for_a_resource_has_its_scopes_only(
    owner: Client, ada: SignedIn, api: Api, staff: str, app: App, org_id: str
) -> None:
    await group_calls.add_member(owner, staff, ada.person.user_id)
    tokens = await flow.tokens(app, ada.client, resource=[api.identifier], scope=_SCOPE)

    claims = jwts.unverified(tokens.access_token)

    assert (claims["aud"], claims["client_id"]) == (api.identifier, app.client_id)
    assert (claims["scope"], claims["org_id"]) == ("read write", org_id)
    assert tokens.scope == "read write"
    assert jwts.unverified(tokens.id_token)["aud"] == app.client_id
    assert _scope_of(await app.refresh(tokens.refresh_token, scope="read")) == "read"
    assert _scope_of(await app.refresh(tokens.refresh_token)) == "read write"


async def test_the_page_shows_the_resources_and_what_their_scopes_allow(
    app: App, ada: SignedIn, api: Api
) -> None:
    sealed = await flow.sealed(app, resource=[api.identifier], scope="openid write read")

    described = await flow.describe(app.client, sealed)

    [shown] = described.resources
    assert (shown.identifier, shown.name) == (api.identifier, "Application")
    assert [(each.name, each.description) for each in shown.scopes] == [
        ("read", "Read everything"),
        ("write", ""),
    ]
    assert list(described.scopes) == ["openid"]


async def test_the_shorter_lifetime_counts(owner: Client, ada: SignedIn) -> None:
    short = await flow.api(owner, access_token_lifetime_seconds=60)
    long = await flow.api(owner, access_token_lifetime_seconds=3600)
    app = await flow.app(owner, access_token_lifetime_seconds=600)

    lifetimes = [
        (await flow.tokens(app, ada.client, resource=[each.identifier])).expires_in
        for each in (short, long)
    ]

    assert lifetimes == [60, 600]


async def test_of_several_resources_the_token_request_names_one(
    owner: Client, ada: SignedIn, api: Api, app: App
) -> None:
    second = await flow.api(owner)
    both = [api.identifier, second.identifier]
    approved = await flow.approved(app, ada.client, resource=both, scope=_SCOPE)

    # RFC 8707, section 2: a server may refuse requests that name none with invalid_target.
    assert await given.outcome(app.redeem(approved)) == "INVALID_TARGET"
    assert await given.outcome(app.redeem(approved, resource=both)) == "INVALID_TARGET"
    first = await app.redeem(approved, resource=[api.identifier])
    refreshed = await app.refresh(first.refresh_token, resource=[second.identifier])

    assert jwts.unverified(first.access_token)["aud"] == api.identifier
    assert jwts.unverified(refreshed.access_token)["aud"] == second.identifier
    assert await given.outcome(app.refresh(first.refresh_token)) == "INVALID_TARGET"
    third = await flow.api(owner)
    refused = app.refresh(first.refresh_token, resource=[third.identifier])
    assert await given.outcome(refused) == "INVALID_TARGET"


async def test_pushed_requests_and_devices_name_several_resources(
    owner: Client, ada: SignedIn, api: Api, app: App
) -> None:
    second = await flow.api(owner)
    both = [api.identifier, second.identifier]

    pushed = await app.start_pushed(await app.push(resource=both))
    tv = await devices.app(owner)
    started = await devices.start(tv, resource=both, scope="openid read")
    shown = await devices.describe(ada.client, started.user_code)
    await devices.approve(ada.client, started.user_code)
    tokens = await devices.poll(tv, started.device_code, resource=[second.identifier])

    for described in (await flow.describe(app.client, pushed), shown):
        assert [each.identifier for each in described.resources] == both
    assert jwts.unverified(tokens.access_token)["aud"] == second.identifier
    assert _scope_of(tokens) == "read"


async def test_a_consent_is_for_a_resource(owner: Client, ada: SignedIn, app: App) -> None:
    first, second = await flow.api(owner), await flow.api(owner)
    of_first = {"resource": [first.identifier], "scope": "openid read"}
    await flow.tokens(app, ada.client, **of_first)

    again = await flow.sealed(app, **of_first)
    assert await given.outcome(flow.approve(ada.client, again, consents=False)) == "OK"
    other = await flow.sealed(app, **of_first | {"resource": [second.identifier]})
    refused = flow.approve(ada.client, other, consents=False)
    assert await given.outcome(refused) == "CONSENT_REQUIRED"

    [grant] = await calls.grants(ada.client)
    assert list(grant.scopes) == ["openid", "read"]


async def test_a_scope_of_a_resource_can_be_taken_back(ada: SignedIn, api: Api, app: App) -> None:
    tokens = await flow.tokens(app, ada.client, resource=[api.identifier], scope=_SCOPE)

    await calls.revoke_grant(ada.client, app.client_id, scopes=["read"])

    assert _scope_of(await app.refresh(tokens.refresh_token)) == ""
    assert await api.introspect(tokens.access_token) is None
    [grant] = await calls.grants(ada.client)
    assert list(grant.scopes) == ["offline_access", "openid"]


@pytest.mark.parametrize("resource", ["https://unknown.example.com", "orders", "x y"])
async def test_anything_else_is_no_target(
    owner: Client, ada: SignedIn, app: App, resource: str
) -> None:
    answer = await app.start(resource=[resource], **flow.with_challenge())
    service, tv = await flow.service(owner), await devices.app(owner)

    assert flow.parameters(answer.redirect_uri)["error"] == "invalid_target"
    for call in (
        app.push(resource=[resource]),
        devices.start(tv, resource=[resource]),
        service.exchange(grant_type="client_credentials", resource=[resource]),
    ):
        assert await given.outcome(call) in ("INVALID_TARGET", "INVALID_FIELDS")


async def test_another_resource_than_that_of_the_code_is_no_target(
    owner: Client, ada: SignedIn, api: Api, app: App
) -> None:
    other = await flow.api(owner)
    for granted in ([api.identifier], []):
        approved = await flow.approved(app, ada.client, resource=granted)
        refused = app.redeem(approved, resource=[other.identifier])
        assert await given.outcome(refused) == "INVALID_TARGET"
        assert (await app.redeem(approved)).access_token


async def test_the_gate_names_no_resource(owner: Client, api: Api) -> None:
    origin = "https://gate-of-resources.example.com"
    client_id = await calls.application(
        owner, kind=application_pb.APPLICATION_KIND_GATE, origins=[origin]
    )
    behind = App(owner.with_token(""), client_id, "")

    answer = await behind.start(
        redirect_uri=f"{origin}/.keystead/callback",
        resource=[api.identifier],
        **flow.with_challenge(),
    )

    assert flow.parameters(answer.redirect_uri)["error"] == "invalid_target"


async def test_a_resource_signs_nobody_in(owner: Client, api: Api) -> None:
    for grant_type in ("client_credentials", "authorization_code", "refresh_token"):
        refused = await given.outcome(api.exchange(grant_type=grant_type))
        assert refused == "UNAUTHORIZED_CLIENT"
    assert await given.outcome(api.start(**flow.with_challenge())) == "UNKNOWN_CLIENT"
    assert await given.outcome(api.push()) == "UNAUTHORIZED_CLIENT"
    assert await given.outcome(devices.start(api)) == "UNAUTHORIZED_CLIENT"


async def test_an_application_of_organization_b_reaches_no_resource_of_a(
    ada: SignedIn, api: Api, other_owner: Client
) -> None:
    app = await flow.app(other_owner, audience=_ALL)

    answer = await app.start(resource=[api.identifier], **flow.with_challenge())

    assert flow.parameters(answer.redirect_uri)["error"] == "invalid_target"


async def test_a_user_of_organization_b_gets_no_token_for_a_resource_of_a(
    admin: Client, owner: Client, api: Api, other_owner: Client
) -> None:
    """The application admits everybody, and names its own resource."""
    app = await flow.app(owner, audience=_ALL)
    bob = await sessions.signed_in(admin, org_id=await _organization_of(other_owner))

    refused = flow.approved(app, bob.client, resource=[api.identifier])

    assert await given.outcome(refused) == "APPLICATION_NOT_ALLOWED"


async def test_the_token_of_a_user_of_b_for_a_resource_for_all_names_b(
    admin: Client, owner: Client, staff: str, other_owner: Client
) -> None:
    api = await flow.api(owner, resource_scopes=_scopes(staff), audience=_ALL)
    org_id = await _organization_of(other_owner)
    app = await flow.app(other_owner)
    bob = await sessions.signed_in(admin, org_id=org_id)

    tokens = await flow.tokens(app, bob.client, resource=[api.identifier], scope=_SCOPE)

    assert jwts.unverified(tokens.access_token)["org_id"] == org_id
    assert _scope_of(tokens) == "read"
    assert await api.introspect(tokens.access_token)


async def test_a_service_of_b_gets_no_token_for_a_resource_of_a(
    owner: Client, api: Api, staff: str, other_owner: Client
) -> None:
    """Neither what groups guard, whatever its own organization lets it request."""
    scopes = ["read", "write", "else"]
    own, foreign = [await flow.service(each, scopes=scopes) for each in (owner, other_owner)]
    for_all = await flow.api(owner, resource_scopes=_scopes(staff), audience=_ALL)
    guarded = await flow.api(owner, audience=_ALL, allowed_groups=[staff])

    async def asked(service: App, resource: Api, scope: str = "") -> str:
        call = service.exchange(
            grant_type="client_credentials", resource=[resource.identifier], scope=scope
        )
        if (outcome := await given.outcome(call)) != "OK":
            return outcome
        answer = await service.exchange(
            grant_type="client_credentials", resource=[resource.identifier], scope=scope
        )
        assert await resource.introspect(answer.access_token)
        assert await service.introspect(answer.access_token)
        return _scope_of(answer)

    assert await asked(own, api) == "read write"
    assert await asked(own, api, "else") == "INVALID_SCOPE"
    assert await asked(own, guarded) == "read"
    assert await asked(foreign, api) == "INVALID_TARGET"
    assert await asked(foreign, guarded) == "INVALID_TARGET"
    assert await asked(foreign, for_all) == "read"
    assert await asked(foreign, for_all, "write") == "INVALID_SCOPE"


_Way: TypeAlias = Callable[[Client, Client, Api], Awaitable[Any]]


async def _by_code(owner: Client, person: Client, api: Api) -> Any:
    app = await flow.app(owner)
    return await flow.tokens(app, person, resource=[api.identifier], scope=_SCOPE)


async def _by_refresh(owner: Client, person: Client, api: Api) -> Any:
    app = await flow.app(owner)
    tokens = await flow.tokens(app, person, resource=[api.identifier], scope=_SCOPE)
    return await app.refresh(tokens.refresh_token)


async def _by_device(owner: Client, person: Client, api: Api) -> Any:
    tv = await devices.app(owner)
    code = await devices.approved(tv, person, resource=[api.identifier], scope=_SCOPE)
    return await devices.poll(tv, code)


@pytest.mark.parametrize("way", [_by_code, _by_refresh, _by_device])
async def test_a_scope_that_the_groups_of_the_user_lack_is_left_out(
    owner: Client, ada: SignedIn, api: Api, staff: str, way: _Way
) -> None:
    assert _scope_of(await way(owner, ada.client, api)) == "read"
    await group_calls.add_member(owner, staff, ada.person.user_id)
    assert _scope_of(await way(owner, ada.client, api)) == "read write"


async def test_a_scope_of_one_resource_is_not_granted_for_another_with_the_same_name(
    owner: Client, ada: SignedIn, api: Api, staff: str, app: App
) -> None:
    """The user could not grant `read` of the second one, and joins its group later."""
    guarded = [{"name": "read", "description": "", "allowed_groups": [staff]}]
    second = await flow.api(owner, resource_scopes=guarded)
    both = [api.identifier, second.identifier]
    approved = await flow.approved(app, ada.client, resource=both, scope=_SCOPE)
    tokens = await app.redeem(approved, resource=[api.identifier])
    await group_calls.add_member(owner, staff, ada.person.user_id)

    refreshed = await app.refresh(tokens.refresh_token, resource=[second.identifier])

    assert _scope_of(tokens) == "read"
    assert _scope_of(refreshed) == ""


async def test_nothing_but_a_scope_that_the_groups_lack_is_refused(
    ada: SignedIn, api: Api, app: App
) -> None:
    refused = flow.approved(app, ada.client, resource=[api.identifier], scope="write")

    assert await given.outcome(refused) == "APPLICATION_NOT_ALLOWED"


async def test_a_group_removed_from_the_user_takes_the_scope_at_once(
    owner: Client, ada: SignedIn, api: Api, staff: str, app: App
) -> None:
    await group_calls.add_member(owner, staff, ada.person.user_id)
    asked = {"resource": [api.identifier], "scope": _SCOPE}
    tokens = await flow.tokens(app, ada.client, **asked)
    approved = await flow.approved(app, ada.client, **asked)

    await group_calls.remove_member(owner, staff, ada.person.user_id)

    assert _scope_of(await app.redeem(approved)) == "read"
    assert _scope_of(await app.refresh(tokens.refresh_token)) == "read"
    for asking in (app, api):
        found = await asking.introspect(tokens.access_token)
        assert found is not None
        assert found["scope"] == "read"


async def test_a_resource_that_admits_groups_only_admits_nobody_else(
    owner: Client, ada: SignedIn, staff: str, app: App
) -> None:
    api = await flow.api(owner, allowed_groups=[staff])
    asked = {"resource": [api.identifier], "scope": _SCOPE}
    assert await given.outcome(flow.approved(app, ada.client, **asked)) == (
        "APPLICATION_NOT_ALLOWED"
    )
    await group_calls.add_member(owner, staff, ada.person.user_id)
    tokens = await flow.tokens(app, ada.client, **asked)

    await group_calls.remove_member(owner, staff, ada.person.user_id)

    assert await given.outcome(app.refresh(tokens.refresh_token)) == "INVALID_TARGET"
    assert await api.introspect(tokens.access_token) is None


async def _renamed(owner: Client, api: Api) -> None:
    await calls.patch(owner, api.client_id, identifier=f"{api.identifier}/2")


async def _removed(owner: Client, api: Api) -> None:
    await calls.remove(owner, api.client_id)


async def _replaced(owner: Client, api: Api) -> None:
    """Another application has the identifier."""
    await calls.remove(owner, api.client_id)
    await flow.api(owner, identifier=api.identifier)


@pytest.mark.parametrize("change", [_renamed, _removed, _replaced])
async def test_a_resource_that_is_renamed_or_removed_has_no_tokens(
    owner: Client,
    ada: SignedIn,
    api: Api,
    app: App,
    change: Callable[[Client, Api], Awaitable[None]],
) -> None:
    asked = {"resource": [api.identifier], "scope": _SCOPE}
    tokens = await flow.tokens(app, ada.client, **asked)
    approved = await flow.approved(app, ada.client, **asked)
    sealed = await flow.sealed(app, **asked)

    await change(owner, api)

    assert await given.outcome(app.redeem(approved)) == "INVALID_TARGET"
    assert await given.outcome(app.refresh(tokens.refresh_token)) == "INVALID_TARGET"
    assert await app.introspect(tokens.access_token) is None
    if change is not _removed:
        assert await _introspected(owner, api, tokens.access_token) is None
    if change is not _replaced:
        expired = await given.outcome(flow.approve(ada.client, sealed))
        assert expired == "AUTHORIZATION_REQUEST_EXPIRED"
        assert not (await flow.describe(app.client, sealed)).resources


async def _introspected(owner: Client, api: Api, token: str) -> Any:
    """The answer to whoever has the identifier now, or has had it."""
    found = [
        each for each in await calls.list_all(owner) if each.identifier.startswith(api.identifier)
    ]
    [current] = found
    secret = api.secret
    if current.application_id != api.client_id:
        secret = (await calls.create_secret(owner, current.application_id)).secret
    return await App(api.client, current.application_id, secret).introspect(token)


async def test_a_resource_that_is_moved_to_its_organization_has_no_tokens_of_others(
    admin: Client, owner: Client, other_owner: Client
) -> None:
    api = await flow.api(owner, audience=_ALL)
    app = await flow.app(other_owner)
    bob = await sessions.signed_in(admin, org_id=await _organization_of(other_owner))
    tokens = await flow.tokens(app, bob.client, resource=[api.identifier], scope=_SCOPE)
    assert await api.introspect(tokens.access_token)

    organization = application_pb.APPLICATION_AUDIENCE_ORGANIZATION
    await calls.patch(owner, api.client_id, audience=organization)

    assert await api.introspect(tokens.access_token) is None
    assert await app.introspect(tokens.access_token) is None
    assert await given.outcome(app.refresh(tokens.refresh_token)) == "INVALID_TARGET"


async def test_a_resource_introspects_the_tokens_that_are_for_it_alone(
    owner: Client, ada: SignedIn, api: Api, app: App
) -> None:
    another = await flow.api(owner)
    outsider = await flow.app(owner)
    tokens = await flow.tokens(app, ada.client, resource=[api.identifier], scope=_SCOPE)
    plain = await flow.tokens(app, ada.client)

    found = await api.introspect(tokens.access_token)

    assert found is not None
    assert found["sub"] == ada.person.user_id
    assert (found["client_id"], found["scope"]) == (app.client_id, "read")
    assert await app.introspect(tokens.access_token)
    for asking in (another, outsider):
        assert await asking.introspect(tokens.access_token) is None
    for token in (plain.access_token, tokens.refresh_token, tokens.id_token):
        assert await api.introspect(token) is None
    await sessions.sign_out(ada.client)
    assert await api.introspect(tokens.access_token)  # offline_access
    await app.revoke(tokens.refresh_token)
    assert await api.introspect(tokens.access_token) is None


async def test_a_resource_learns_nothing_of_tokens_of_ended_users_and_applications(
    owner: Client, ada: SignedIn, api: Api
) -> None:
    apps = [await flow.app(owner) for _ in range(2)]
    tokens = [
        (await flow.tokens(app, ada.client, resource=[api.identifier])).access_token for app in apps
    ]

    await calls.remove(owner, apps[0].client_id)
    assert await api.introspect(tokens[0]) is None
    assert await api.introspect(tokens[1])
    await sessions.sign_out(ada.client)
    assert await api.introspect(tokens[1]) is None


async def test_a_resource_does_not_end_tokens_of_others(ada: SignedIn, api: Api, app: App) -> None:
    tokens = await flow.tokens(app, ada.client, resource=[api.identifier])

    await api.revoke(tokens.access_token)

    assert await api.introspect(tokens.access_token)


def test_the_scopes_of_the_provider_are_no_resources() -> None:
    assert set(capabilities("https://id.example.com")["scopes_supported"]) == OF_OPENID


def test_scopes_of_resources_cannot_be_taken_for_those_of_the_application() -> None:
    """A scope has no space (RFC 6749, section 3.3)."""
    assert resources.scope_names(["openid", " id", "read id", "read other"]) == ("openid", "read")


async def _organization_of(owner: Client) -> str:
    application_id = await calls.application(owner)
    return (await calls.get(owner, application_id)).details.resource_owner

"""Administrators find refused requests of their applications, each with its remedy."""

import asyncio
import secrets
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any, cast

import pytest

from keystead.application.v1 import application_service_pb2 as pb
from keystead.user.v1 import user_service_pb2 as user_pb
from server import app as serving
from server.application.configuration import ApplicationKind, Configuration
from server.application.store import Application
from server.oauth.refused import remedies, store
from server.oauth.refused.causes import Cause
from server.oauth.refused.store import KeptRefusal
from server.store.counted import MAX_ROWS, MAX_VALUES
from server.store.database import connected
from tests.application import calls
from tests.conftest import MakeInstance
from tests.oauth import flow
from tests.oauth.flow import App
from tests.support import given
from tests.support.given import Client, Instance
from tests.support.transports import Call, Transports

_URI = "https://shop.example.com/other"


@pytest.fixture(scope="module")
async def instance(make_instance: MakeInstance) -> AsyncIterator[Instance]:
    """A server that writes its refusals soon."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(serving, "WRITE_SECONDS", 0.05)
        async with make_instance() as own:
            yield own


async def _list(client: Client, **fields: Any) -> list[pb.ApplicationRefusal]:
    request = pb.ListRefusalsRequest(**fields)
    answer = await client.call(client.applications.ListRefusals, request)
    return [*answer.refusals]


async def _written(client: Client, **fields: Any) -> list[pb.ApplicationRefusal]:
    """The refusals, once there is one."""
    async with asyncio.timeout(10):
        while not (found := await _list(client, **fields)):  # noqa: ASYNC110 -- in the background
            await asyncio.sleep(0.02)
    return found


async def test_a_refused_request_is_found_by_its_id_with_a_setting_that_mends_it(
    app: App, owner: Client
) -> None:
    refused = await given.refusal(app.start(redirect_uri=_URI))

    [found] = await _written(owner, request_id=refused.request_id)

    assert found.application_id == app.client_id
    assert found.application_name == "Application"
    assert (found.endpoint, found.reason) == ("authorize", "REDIRECT_URI_NOT_REGISTERED")
    assert (found.parameter, found.value, found.count) == ("redirect_uri", _URI, 1)
    assert _URI in found.remedy
    assert found.patch_mask.paths == ["redirect_uris"]
    assert found.patch.redirect_uris == [flow.CALLBACK, _URI]
    patch = pb.PatchApplicationRequest(application=found.patch, update_mask=found.patch_mask)
    await owner.call(owner.applications.PatchApplication, patch)
    assert (await app.start(redirect_uri=_URI, **flow.with_challenge())).sealed_request
    [found] = await _list(owner, application_id=app.client_id)
    assert not found.HasField("patch")


async def test_all_content_types_answer_alike(
    app: App, owner: Client, transports: Transports
) -> None:
    await given.outcome(app.start(redirect_uri=_URI))
    await _written(owner, application_id=app.client_id)
    request = pb.ListRefusalsRequest(application_id=app.client_id)
    method = pb.DESCRIPTOR.services_by_name["ApplicationService"].methods_by_name["ListRefusals"]
    headers = (("authorization", f"Bearer {owner.token}"),)
    call = Call(method, request, headers)
    first, *others = [(await each.answer(call)).response for each in transports.all.values()]
    assert cast(pb.ListRefusalsResponse, first).refusals
    assert others == [first] * len(others)


async def test_another_organization_finds_nothing(app: App, owner: Client, admin: Client) -> None:
    refused = await given.refusal(app.start(redirect_uri=_URI))
    await _written(owner, application_id=app.client_id)
    org_id = await given.organization(admin)
    stranger = await given.user(admin, org_id=org_id, roles=[user_pb.ROLE_ORG_OWNER])

    assert await _list(stranger, request_id=refused.request_id) == []
    outcome = await given.outcome(_list(stranger, application_id=app.client_id))
    assert outcome == "APPLICATION_NOT_FOUND"


async def test_the_refusals_of_a_removed_application_are_gone(app: App, owner: Client) -> None:
    refused = await given.refusal(app.start(redirect_uri=_URI))
    await _written(owner, application_id=app.client_id)
    await calls.remove(owner, app.client_id)

    assert await _list(owner, request_id=refused.request_id) == []
    outcome = await given.outcome(_list(owner, application_id=app.client_id))
    assert outcome == "APPLICATION_NOT_FOUND"


async def test_refusals_of_a_removed_application_displace_no_others(
    app: App, owner: Client, instance: Instance
) -> None:
    removed = await flow.app(owner)
    org_id = (await calls.get(owner, removed.client_id)).details.resource_owner
    many = [_refusal(f"REASON_{number}") for number in range(MAX_ROWS)]
    for each in many:
        each.application_id, each.owner = removed.client_id, org_id
        each.refused_at += timedelta(minutes=1)
    async with connected(instance.dsn, pool_size=1) as database:
        await store.add(database, many)
    await calls.remove(owner, removed.client_id)
    await given.outcome(app.start(redirect_uri=_URI))

    [found] = await _written(owner)

    assert found.application_id == app.client_id


async def test_a_flood_leaves_few_rows_and_the_others(app: App, owner: Client) -> None:
    other = await flow.app(owner)
    mine = await given.refusal(other.start(redirect_uri=_URI))
    await other.start(nonce="")
    for number in range(60):
        await given.outcome(
            app.start(redirect_uri=f"https://{number}.example/{secrets.token_hex()}")
        )
    await _written(owner, application_id=app.client_id)

    async def is_whole() -> bool:
        return any("59.example" in each.value for each in await _list(owner))

    await given.eventually(is_whole)
    assert len(await _list(owner, application_id=app.client_id)) <= MAX_VALUES
    assert await _list(owner, request_id=mine.request_id)
    reasons = {each.reason for each in await _list(owner, application_id=other.client_id)}
    assert reasons == {"REDIRECT_URI_NOT_REGISTERED", "PKCE_MISSING"}


async def test_a_server_writes_its_last_refusals_as_it_stops_for_the_next_one(
    make_instance: MakeInstance, dsn: str, tmp_path: Any
) -> None:
    async with make_instance(dsn=dsn, data_dir=tmp_path) as first:
        app = await flow.app(first.admin)
        refused = await given.refusal(app.start(redirect_uri=_URI))
    async with make_instance(dsn=dsn, data_dir=tmp_path) as second:
        [found] = await _list(second.admin, request_id=refused.request_id)
    assert found.value == _URI


def _refusal(reason: str, value: str = "") -> KeptRefusal:
    return KeptRefusal("id", "org", "authorize", reason, "x", value, 1, datetime.now(UTC), ["r"])


@pytest.mark.parametrize("cause", Cause)
def test_every_cause_of_a_known_application_has_a_remedy(cause: Cause) -> None:
    of_unknown = {
        Cause.UNKNOWN_CLIENT,
        Cause.UNKNOWN_ORIGIN,
        Cause.CLIENT_METADATA_INVALID,
        Cause.CLIENT_METADATA_UNREACHABLE,
    }
    assert (cause in remedies.TEXTS) == (cause not in of_unknown)
    assert "{" not in remedies.text_of(_refusal(cause, "a value"))


def test_a_reason_of_a_newer_server_has_a_remedy() -> None:
    assert remedies.text_of(_refusal("OF_TOMORROW"))


@pytest.mark.parametrize(
    ("reason", "value", "kind", "setting"),
    [
        ("PKCE_MISSING", "", "WEB", {"pkce": "APPLICATION_PKCE_PKCE_OR_NONCE"}),
        ("PKCE_MISSING", "", "BROWSER", {}),
        ("REDIRECT_URI_NOT_REGISTERED", "https://a.example/…", "WEB", {}),
        ("REDIRECT_URI_NOT_REGISTERED", "https://a@b.example/", "WEB", {}),
        ("REDIRECT_URI_NOT_REGISTERED", "http://grafana.lan/cb", "WEB", {}),
        ("REDIRECT_URI_NOT_REGISTERED", "com.example.app:/cb", "WEB", {}),
        (
            "REDIRECT_URI_NOT_REGISTERED",
            "com.example.app:/cb",
            "NATIVE",
            {"redirect_uris": (flow.CALLBACK, "com.example.app:/cb")},
        ),
        ("REDIRECT_URI_NOT_REGISTERED", "https://a.example/", "GATE", {}),
        (
            "POST_LOGOUT_REDIRECT_URI_NOT_REGISTERED",
            "https://a.example/",
            "BROWSER",
            {"post_logout_redirect_uris": ("https://a.example/",)},
        ),
        ("NOT_PUSHED", "", "WEB", {"requires_pushed_authorization_requests": False}),
        ("INVALID_SCOPE", "openid admin", "WEB", {"scopes": (*flow.SCOPES, "admin")}),
        ("INVALID_SCOPE", 'a"b', "WEB", {}),
        ("INVALID_SCOPE", "openid", "WEB", {}),
        ("ASSERTION_AUDIENCE", "", "WEB", {"allows_token_endpoint_audience": True}),
        ("SECRET_WRONG", "", "WEB", {}),
    ],
)
async def test_only_a_valid_value_becomes_a_proposal(
    reason: str, value: str, kind: str, setting: Any
) -> None:
    configuration = Configuration(
        "Shop", redirect_uris=(flow.CALLBACK,), scopes=flow.SCOPES, pkce="REQUIRED"
    )
    application = SimpleNamespace(kind=ApplicationKind(kind), configuration=configuration)
    found = remedies.setting_of(_refusal(reason, value), cast(Application, application))
    assert found == setting


@pytest.mark.parametrize(
    ("pkce", "setting"),
    [("PKCE_OR_NONCE", {"pkce": "APPLICATION_PKCE_NONE"}), ("NONE", {})],
)
def test_the_protection_of_codes_is_weakened_by_one_step(pkce: str, setting: Any) -> None:
    application = SimpleNamespace(
        kind=ApplicationKind.WEB, configuration=Configuration("Shop", pkce=pkce)
    )
    found = remedies.setting_of(_refusal("PKCE_MISSING"), cast(Application, application))
    assert found == setting

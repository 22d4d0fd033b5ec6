"""APIs are applications of the kind RESOURCE, with an identifier and scopes."""

import asyncio
from typing import Any
from uuid import uuid4

import grpc
import pytest

from keystead.application.v1 import application_service_pb2 as pb
from keystead.user.v1 import user_service_pb2 as user_pb
from tests.application import calls
from tests.conftest import MakeInstance
from tests.group import calls as group_calls
from tests.support import given
from tests.support.given import Client

# Of a case that is refused.
_API = "https://orders.example.com/api"


def _new() -> str:
    """An identifier that no other test has."""
    return f"https://{uuid4().hex}.example.com/api"


def _scope(name: str, **fields: Any) -> dict[str, Any]:
    return {"name": name, "description": f"Use {name}", **fields}


async def test_a_resource_has_an_identifier_and_scopes(owner: Client) -> None:
    api, name = _new(), f"orders-{uuid4().hex}"
    staff = await group_calls.group(owner, "warehouse")

    resource_id = await calls.resource(
        owner,
        api,
        resource_scopes=[_scope("read"), _scope("write", allowed_groups=["warehouse"])],
    )

    found = await calls.get(owner, resource_id)
    assert (found.kind, found.identifier) == (pb.APPLICATION_KIND_RESOURCE, api)
    read, write = found.resource_scopes
    assert (read.name, read.description, list(read.allowed_groups)) == ("read", "Use read", [])
    assert list(write.allowed_groups) == [staff]
    assert not found.scopes
    assert (await calls.create_secret(owner, resource_id)).secret
    changed = [_scope("read", allowed_groups=[staff])]
    await calls.patch(owner, resource_id, resource_scopes=changed, identifier=name)
    found = await calls.get(owner, resource_id)
    assert found.identifier == name
    assert [list(each.allowed_groups) for each in found.resource_scopes] == [[staff]]


@pytest.mark.parametrize(
    "identifier",
    [
        "orders",
        "a" * 128,
        f"https://{'a' * 492}",
        "urn:example:orders",
        "https://orders.example.com/api?tenant=1",
        "api://0b1e/orders",
    ],
)
async def test_an_identifier_is_a_name_or_an_absolute_uri(owner: Client, identifier: str) -> None:
    assert await calls.resource(owner, identifier)


@pytest.mark.parametrize(
    "identifier",
    [
        "",
        "a" * 129,
        f"https://{'a' * 493}",
        "/orders",
        "https:",
        "https://orders.example.com/#part",
        "https://orders.example.com/a b",
        "https://\u00f6rders.example.com",
        "two words",
        "01a2b3c4-0000-7000-8000-000000000000",
    ],
)
async def test_other_identifiers_are_refused(owner: Client, identifier: str) -> None:
    refused = await given.refusal(calls.resource(owner, identifier))

    assert refused.code is grpc.StatusCode.INVALID_ARGUMENT
    assert [*refused.violations] == ["application.identifier"]


@pytest.mark.parametrize(
    ("kind", "fields", "wrong"),
    [
        ("WEB", {"identifier": _API}, {"application.identifier"}),
        ("WEB", {"resource_scopes": [_scope("read")]}, {"application.resourceScopes"}),
        ("RESOURCE", {"redirect_uris": ["https://a.example"]}, {"application.redirectUris"}),
        ("RESOURCE", {"scopes": ["openid"]}, {"application.scopes"}),
        ("RESOURCE", {"first_party": True}, {"application.firstParty"}),
        ("RESOURCE", {"origins": ["https://a.example"]}, {"application.origins"}),
        (
            "RESOURCE",
            {"backchannel_logout_uri": "https://a.example"},
            {"application.backchannelLogoutUri"},
        ),
        (
            "RESOURCE",
            {"token_endpoint_auth_method": pb.TOKEN_ENDPOINT_AUTH_METHOD_NONE},
            {"application.tokenEndpointAuthMethod"},
        ),
        (
            "RESOURCE",
            {"resource_scopes": [_scope("openid")]},
            {"application.resourceScopes.0.name"},
        ),
        ("RESOURCE", {"resource_scopes": [_scope("a b")]}, {"application.resourceScopes.0.name"}),
        (
            "RESOURCE",
            {"resource_scopes": [_scope("read"), _scope("read")]},
            {"application.resourceScopes"},
        ),
        (
            "RESOURCE",
            {"resource_scopes": [_scope(f"s{n}") for n in range(51)]},
            {"application.resourceScopes"},
        ),
        (
            "RESOURCE",
            {"resource_scopes": [_scope("read", allowed_groups=["unknown"])]},
            {"application.resourceScopes.0.allowedGroups.0"},
        ),
        (
            "RESOURCE",
            {"resource_scopes": [_scope("read", allowed_groups=[""])]},
            {"application.resourceScopes.0.allowedGroups.0"},
        ),
    ],
)
async def test_fields_that_contradict_are_named(
    owner: Client, kind: str, fields: dict[str, Any], wrong: set[str]
) -> None:
    values = {"identifier": _API} if kind == "RESOURCE" else {}
    number = pb.ApplicationKind.Value(f"APPLICATION_KIND_{kind}")

    refused = await given.refusal(calls.add(owner, kind=number, **values | fields))

    assert refused.code is grpc.StatusCode.INVALID_ARGUMENT
    assert {*refused.violations} == wrong


async def test_an_identifier_is_unique_in_the_instance(owner: Client, admin: Client) -> None:
    api = _new()
    other = await given.user(admin, roles=[user_pb.ROLE_ORG_OWNER])
    first = await calls.resource(owner, api)
    second = await calls.resource(other, _new())

    for call in (calls.resource(other, api), calls.patch(other, second, identifier=api)):
        refused = await given.refusal(call)
        assert refused.code is grpc.StatusCode.ALREADY_EXISTS
        assert refused.reason == "IDENTIFIER_ALREADY_USED"
    await calls.patch(owner, first, identifier=f"{api}/2")
    await calls.patch(owner, first, name="Orders")
    await calls.patch(other, second, identifier=api)
    assert await given.outcome(calls.resource(owner, f"{api}/2")) == "IDENTIFIER_ALREADY_USED"
    await calls.remove(owner, first)
    assert await calls.resource(owner, f"{api}/2") != first


async def test_two_creations_of_one_identifier_at_once_have_one_winner(
    owner: Client, admin: Client
) -> None:
    api = _new()
    other = await given.user(admin, roles=[user_pb.ROLE_ORG_OWNER])

    answers = await asyncio.gather(
        *(given.outcome(calls.resource(each, api)) for each in (owner, other) * 4)
    )

    assert sorted(answers) == ["IDENTIFIER_ALREADY_USED"] * 7 + ["OK"]


async def test_no_identifier_is_the_id_of_an_application(owner: Client) -> None:
    """A token for the application would be one for the resource."""
    application_id = await calls.application(owner)

    refused = await given.refusal(calls.resource(owner, application_id))

    assert [*refused.violations] == ["application.identifier"]


async def test_no_identifier_is_an_audience_of_sessions(make_instance: MakeInstance) -> None:
    async with make_instance(jwt_audiences="https://reports.example.com,reports") as instance:
        for identifier in ("https://reports.example.com", "reports"):
            refused = await given.refusal(calls.resource(instance.admin, identifier))
            assert [*refused.violations] == ["application.identifier"]


async def test_a_removed_group_does_not_open_a_scope(owner: Client) -> None:
    staff = await group_calls.group(owner, "warehouse")
    scopes = [_scope("write", allowed_groups=[staff])]
    resource_id = await calls.resource(owner, _new(), resource_scopes=scopes)

    await group_calls.remove(owner, staff)

    found = await calls.get(owner, resource_id)
    assert list(found.resource_scopes[0].allowed_groups) == [staff]

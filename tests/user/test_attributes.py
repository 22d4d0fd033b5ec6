"""The attributes of an organization, and their values of users."""

from collections.abc import Awaitable
from typing import Any

import grpc
import pytest
from google.protobuf.json_format import MessageToDict

from keystead.attribute.v1 import attribute_service_pb2 as pb
from keystead.user.v1 import user_service_pb2 as user_pb
from server.operate.rebuild.run import rebuild
from server.store.database import connected
from tests.support import given
from tests.support.given import Client, Instance
from tests.user import calls
from tests.user.attribute_calls import create, definition, patch, remove

_TYPES = {
    "text": pb.ATTRIBUTE_TYPE_TEXT,
    "number": pb.ATTRIBUTE_TYPE_NUMBER,
    "truth": pb.ATTRIBUTE_TYPE_BOOLEAN,
    "texts": pb.ATTRIBUTE_TYPE_TEXT_LIST,
}
_AN_ID = "0199d3a8-5f1c-7c3a-9b7e-7f1b0c9d2e44"
_VALUES = {"text": "Ä\U0001f600", "number": -1.5, "truth": False, "texts": ["a", ""]}


async def list_all(client: Client) -> list[pb.AttributeDefinition]:
    request = pb.ListAttributeDefinitionsRequest()
    answer = await client.call(client.attributes.ListAttributeDefinitions, request)
    return list(answer.definitions)


async def values(client: Client, user_id: str) -> dict[str, Any]:
    return MessageToDict((await calls.get(client, user_id)).attributes)


def set_values(client: Client, user_id: str, **given_values: Any) -> Awaitable[Any]:
    return calls.patch(client, user_id, ["attributes"], attributes=given.struct(given_values))


@pytest.fixture
async def ada(admin: Client, org_id: str) -> Client:
    return await given.user(admin, org_id=org_id, name="ada")


async def test_a_definition_is_read_back_changed_and_removed(owner: Client) -> None:
    added = await create(owner, "cost.center_1-a", display_name="Cost center")
    expected = pb.AttributeDefinition(
        attribute_id=added.attribute_id,
        details=added.details,
        name="cost.center_1-a",
        display_name="Cost center",
        type=pb.ATTRIBUTE_TYPE_TEXT,
        user_access=pb.ATTRIBUTE_ACCESS_NONE,
    )
    assert await definition(owner, added.attribute_id) == expected
    assert await list_all(owner) == [expected]

    changed = await patch(owner, added.attribute_id, ["*"], user_access=pb.ATTRIBUTE_ACCESS_WRITE)
    expected.details.CopyFrom(changed.details)
    expected.display_name = "cost.center_1-a"
    expected.user_access = pb.ATTRIBUTE_ACCESS_WRITE
    assert await definition(owner, added.attribute_id) == expected
    assert await patch(
        owner, added.attribute_id, ["user_access"], user_access=pb.ATTRIBUTE_ACCESS_WRITE
    ) == pb.PatchAttributeDefinitionResponse(details=changed.details)

    await remove(owner, added.attribute_id)
    gone = await given.refusal(definition(owner, added.attribute_id))
    assert gone.reason == "ATTRIBUTE_DEFINITION_NOT_FOUND"


@pytest.mark.parametrize(
    "name", ["", "x" * 65, "two words", "caf\u00e9", "a/b", "email", "roles", _AN_ID]
)
async def test_every_wrong_field_of_a_definition_is_named(owner: Client, name: str) -> None:
    request = pb.CreateAttributeDefinitionRequest(
        name=name, display_name="x" * 201, type=pb.ATTRIBUTE_TYPE_UNSPECIFIED
    )
    refused = await given.refusal(owner.call(owner.attributes.CreateAttributeDefinition, request))

    assert refused.violations.keys() == {"name", "displayName", "type"}


async def test_a_name_is_unique_and_50_attributes_are_the_maximum(owner: Client) -> None:
    assert await given.outcomes(create(owner, "same") for _ in range(3)) == {
        "OK": 1,
        "ATTRIBUTE_DEFINITION_ALREADY_EXISTS": 2,
    }
    ended = await given.outcomes(create(owner) for _ in range(52))

    assert ended == {"OK": 49, "TOO_MANY_ATTRIBUTE_DEFINITIONS": 3}


async def test_values_of_every_type_are_stored_merged_and_removed(own_instance: Instance) -> None:
    """On a server of its own: other tests change rows of users that the log does not tell of."""
    org_id = await given.organization(own_instance.admin)
    owner = await given.user(own_instance.admin, org_id=org_id, roles=[user_pb.ROLE_ORG_OWNER])
    for name, kind in _TYPES.items():
        await create(owner, name, type=kind)
    created = await calls.create(owner, org_id=org_id, attributes=given.struct(_VALUES))

    assert await values(owner, created.user_id) == _VALUES
    await set_values(owner, created.user_id, number=2, texts=None)
    assert await values(owner, created.user_id) == {
        "text": _VALUES["text"],
        "truth": False,
        "number": 2,
    }
    async with given.sql(own_instance.dsn) as sql:
        before = await given.logged(sql, created.user_id)
        await set_values(owner, created.user_id, number=2, texts=None)
        assert await given.logged(sql, created.user_id) == before
    async with connected(own_instance.dsn, pool_size=2) as database:
        assert (await rebuild(database, repair=False)).differences == ()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("unknown", "a"),
        ("text", 1),
        ("text", "a\nb"),
        ("text", "\u00e4" * 1024),
        ("number", True),
        ("number", "1"),
        ("truth", 1),
        ("texts", "a"),
        ("texts", ["a", 1]),
        ("texts", ["a"] * 51),
        ("text", {"a": 1}),
    ],
)
async def test_a_wrong_value_is_named_and_nothing_is_set(
    owner: Client, org_id: str, name: str, value: Any
) -> None:
    for each, kind in _TYPES.items():
        await create(owner, each, type=kind)
    user_id = (await calls.create(owner, org_id=org_id)).user_id

    refused = await given.refusal(set_values(owner, user_id, **{"truth": True, name: value}))

    assert refused.violations.keys() == {f"user.attributes.{name}"}
    assert await values(owner, user_id) == {}


@pytest.mark.parametrize(
    "wrong",
    [
        {f"a{number}": "" for number in range(51)},
        {"a": ["x"] * 3000},
        {"a": float("nan")},
        {"a\0b": "x"},
        {"x" * 65: "x"},
    ],
    ids=["members", "values", "nan", "NUL", "name"],
)
async def test_an_object_that_is_too_large_is_refused(
    owner: Client, org_id: str, wrong: dict[str, Any]
) -> None:
    refused = await given.refusal(
        calls.create(owner, org_id=org_id, attributes=given.struct(wrong))
    )

    assert refused.violations.keys() == {"attributes"}


async def test_a_removed_attribute_has_no_values_and_neither_has_a_new_one_of_its_name(
    owner: Client, org_id: str
) -> None:
    first = await create(owner, "level")
    user_id = (
        await calls.create(owner, org_id=org_id, attributes=given.struct({"level": "1"}))
    ).user_id

    await remove(owner, first.attribute_id)
    assert await values(owner, user_id) == {}
    await create(owner, "level")

    assert await values(owner, user_id) == {}


@pytest.mark.parametrize(
    ("access", "sees", "writes"),
    [
        (pb.ATTRIBUTE_ACCESS_NONE, False, False),
        (pb.ATTRIBUTE_ACCESS_READ, True, False),
        (pb.ATTRIBUTE_ACCESS_WRITE, True, True),
    ],
)
async def test_a_user_sees_and_writes_as_far_as_the_definition_says(
    owner: Client, ada: Client, access: Any, sees: bool, writes: bool
) -> None:
    await create(owner, "level", user_access=access)
    await set_values(owner, ada.user_id, level="1")

    for seen in (await calls.get(ada, ada.user_id), await calls.whoami(ada)):
        assert MessageToDict(seen.attributes) == ({"level": "1"} if sees else {})
    outcome = await given.outcome(set_values(ada, ada.user_id, level="2"))
    assert outcome == ("OK" if writes else "PERMISSION_DENIED")
    assert await values(owner, ada.user_id) == {"level": "2" if writes else "1"}


async def test_an_attribute_of_another_organization_is_not_found(
    admin: Client, owner: Client, ada: Client
) -> None:
    other = await given.user(admin, roles=[user_pb.ROLE_ORG_OWNER])
    added = await create(other, "level")

    assert (await given.refusal(definition(owner, added.attribute_id))).code is (
        grpc.StatusCode.NOT_FOUND
    )
    refused = await given.refusal(set_values(owner, ada.user_id, level="1"))
    assert refused.violations.keys() == {"user.attributes.level"}


async def test_a_user_manager_reads_definitions_and_does_not_write_them(
    admin: Client, owner: Client, org_id: str
) -> None:
    manager = await given.user(admin, org_id=org_id, roles=[user_pb.ROLE_ORG_USER_MANAGER])
    added = await create(owner, "level")

    assert [each.name for each in await list_all(manager)] == ["level"]
    assert await given.outcome(create(manager)) == "PERMISSION_DENIED"
    assert await given.outcome(remove(manager, added.attribute_id)) == "PERMISSION_DENIED"


async def test_a_user_gets_the_definitions_of_the_attributes_that_it_may_read(
    owner: Client, ada: Client
) -> None:
    for access in (pb.ATTRIBUTE_ACCESS_NONE, pb.ATTRIBUTE_ACCESS_READ, pb.ATTRIBUTE_ACCESS_WRITE):
        await create(owner, f"access-{access}", user_access=access)
    declared = await list_all(owner)

    answer = await ada.call(ada.users.GetCurrentUser, user_pb.GetCurrentUserRequest())

    assert list(answer.attribute_definitions) == declared[1:]

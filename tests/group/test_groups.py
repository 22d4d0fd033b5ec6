"""CreateGroup, GetGroup, ListGroups, PatchGroup and RemoveGroup."""

from collections.abc import Awaitable

import asyncpg
import grpc
import pytest

from keystead.group.v1 import group_service_pb2 as pb
from keystead.user.v1 import user_service_pb2 as user_pb
from server.values.ids import new_id
from tests.group import calls
from tests.support import given
from tests.support.given import Client


async def test_an_added_group_is_read_back(owner: Client) -> None:
    added = await calls.add(owner, "a.group_1-2", display_name="Engineering")

    group = await calls.get(owner, added.group_id)

    assert group == pb.Group(
        group_id=added.group_id,
        details=added.details,
        name="a.group_1-2",
        display_name="Engineering",
    )
    assert await calls.list_all(owner) == [group]


async def test_without_a_display_name_a_group_has_its_name(owner: Client) -> None:
    group_id = await calls.group(owner, "staff")

    assert (await calls.get(owner, group_id)).display_name == "staff"


_WRONG_NAMES = ["", "x" * 65, "Staff", "two words", "caf\u00e9", "a/b", "a\n", new_id()]


async def test_every_wrong_field_is_named(owner: Client) -> None:
    group_id = await calls.group(owner)
    for name in _WRONG_NAMES:
        request = pb.CreateGroupRequest(name=name, display_name="x" * 201)

        added = await given.refusal(owner.call(owner.groups.CreateGroup, request))
        patched = await given.refusal(
            calls.patch(owner, group_id, ["*"], name=name, display_name="x" * 201)
        )

        assert added.code is patched.code is grpc.StatusCode.INVALID_ARGUMENT, name
        assert added.violations.keys() == {"name", "displayName"}, name
        assert patched.violations.keys() == {"group.name", "group.displayName"}, name


async def test_a_name_is_unique_in_its_organization(admin: Client, owner: Client) -> None:
    other = await given.user(admin, roles=[user_pb.ROLE_ORG_OWNER])
    await calls.add(owner, "staff")
    second = await calls.group(owner, "others")

    refused = [
        await given.refusal(call)
        for call in (
            calls.add(owner, "staff"),
            calls.patch(owner, second, ["name"], name="staff"),
        )
    ]

    assert {each.reason for each in refused} == {"GROUP_ALREADY_EXISTS"}
    assert {each.code for each in refused} == {grpc.StatusCode.ALREADY_EXISTS}
    await calls.add(other, "staff")


async def test_of_concurrent_additions_of_one_name_one_wins(owner: Client) -> None:
    ended = await given.outcomes(calls.add(owner, "staff") for _ in range(10))

    assert ended == {"OK": 1, "GROUP_ALREADY_EXISTS": 9}
    assert len(await calls.list_all(owner)) == 1


async def test_a_name_is_free_after_a_removal_and_after_a_change(owner: Client) -> None:
    removed = await calls.group(owner, "first")
    renamed = await calls.group(owner, "second")

    await calls.remove(owner, removed)
    await calls.patch(owner, renamed, ["name"], name="first")

    await calls.add(owner, "second")
    assert (await given.refusal(calls.add(owner, "first"))).reason == "GROUP_ALREADY_EXISTS"


@pytest.mark.parametrize(
    ("mask", "expected"),
    [
        (["name"], ("patched", "Added")),
        (["display_name"], ("added", "Patched")),
        (["*"], ("patched", "Patched")),
    ],
    ids=",".join,
)
async def test_only_the_fields_of_the_mask_change(
    owner: Client, mask: list[str], expected: tuple[str, str]
) -> None:
    added = await calls.add(owner, "added", display_name="Added")

    patched = await calls.patch(owner, added.group_id, mask, name="patched", display_name="Patched")

    group = await calls.get(owner, added.group_id)
    assert (group.name, group.display_name) == expected
    assert group.details == patched.details
    assert group.details.sequence > added.details.sequence
    assert group.details.creation_date == added.details.creation_date


@pytest.mark.parametrize(("mask", "reset"), [(["display_name"], "added"), (["*"], "patched")])
async def test_an_empty_display_name_resets_it_to_the_name(
    owner: Client, mask: list[str], reset: str
) -> None:
    group_id = await calls.group(owner, "added", display_name="Added")

    await calls.patch(owner, group_id, mask, name="patched")

    assert (await calls.get(owner, group_id)).display_name == reset


async def test_a_patch_that_changes_nothing_writes_no_event(
    owner: Client, sql: asyncpg.Connection
) -> None:
    group_id = await calls.group(owner, "added")
    first = await calls.patch(owner, group_id, ["name"], name="patched")

    again = await calls.patch(owner, group_id, ["name"], name="patched")

    assert again == first
    [_added, changed] = await given.logged(sql, group_id)
    assert changed["payload"] == {"name": "patched"}
    assert changed["creator"] == owner.user_id


async def test_a_removed_group_is_not_found(owner: Client, ada: Client) -> None:
    added = await calls.add(owner)

    removed = await calls.remove(owner, added.group_id)

    assert removed.details.sequence > added.details.sequence
    for refused in [await given.refusal(call) for call in _all_calls(owner, added.group_id, ada)]:
        assert refused.code is grpc.StatusCode.NOT_FOUND
    assert await calls.list_all(owner) == []


def _all_calls(client: Client, group_id: str, user: Client) -> list[Awaitable[object]]:
    return [
        calls.get(client, group_id),
        calls.patch(client, group_id, ["name"], name="mine"),
        calls.add_member(client, group_id, user.user_id),
        calls.remove_member(client, group_id, user.user_id),
        calls.members(client, group_id),
        calls.remove(client, group_id),
    ]

"""AddGroupMember, RemoveGroupMember, ListGroupMembers and ListGroupsOfUser."""

import asyncio
from typing import Any
from unittest import mock

import asyncpg
import grpc
import pytest

from keystead.group.v1 import group_service_pb2 as pb
from server.access.caller import OPERATOR
from server.group import commands, member_store
from server.store.database import Database
from server.values.errors import Failure
from tests.group import calls
from tests.support import given
from tests.support.given import Client
from tests.user import calls as users


@pytest.fixture
async def group_id(owner: Client) -> str:
    return await calls.group(owner)


async def test_a_member_is_listed_with_its_names(group_id: str, owner: Client, ada: Client) -> None:
    added = await calls.add_member(owner, group_id, ada.user_id)

    assert await calls.members(owner, group_id) == [
        pb.GroupMember(
            user_id=ada.user_id, details=added.details, user_name="ada", display_name="ada"
        )
    ]
    assert await calls.of_user(owner, ada.user_id) == [await calls.get(owner, group_id)]


async def test_the_members_are_listed_oldest_users_first_page_by_page(
    group_id: str, admin: Client, owner: Client, org_id: str
) -> None:
    user_ids = [(await given.user(admin, org_id=org_id)).user_id for _ in range(3)]
    for user_id in reversed(user_ids):
        await calls.add_member(owner, group_id, user_id)

    request = pb.ListGroupMembersRequest(group_id=group_id, page_size=2)
    first = await owner.call(owner.groups.ListGroupMembers, request)
    rest = await calls.members(owner, group_id, page_token=first.next_page_token)

    assert [each.user_id for each in (*first.members, *rest)] == user_ids


async def test_to_add_a_member_again_changes_nothing(
    group_id: str, owner: Client, ada: Client, sql: asyncpg.Connection
) -> None:
    first = await calls.add_member(owner, group_id, ada.user_id)

    again = await calls.add_member(owner, group_id, ada.user_id)

    assert again == first
    assert len(await given.logged(sql, ada.user_id, "user.group_joined")) == 1


async def test_a_removed_member_can_come_back(group_id: str, owner: Client, ada: Client) -> None:
    added = await calls.add_member(owner, group_id, ada.user_id)

    removed = await calls.remove_member(owner, group_id, ada.user_id)

    assert removed.details.sequence > added.details.sequence
    assert await calls.members(owner, group_id) == []
    assert await calls.of_user(owner, ada.user_id) == []
    refused = await given.refusal(calls.remove_member(owner, group_id, ada.user_id))
    assert refused.code is grpc.StatusCode.NOT_FOUND
    assert refused.reason == "GROUP_MEMBER_NOT_FOUND"
    await calls.add_member(owner, group_id, ada.user_id)
    assert len(await calls.members(owner, group_id)) == 1


async def test_a_membership_ends_with_its_group(owner: Client, ada: Client) -> None:
    ended, kept = await calls.group(owner, "ended"), await calls.group(owner, "kept")
    for group_id in (ended, kept):
        await calls.add_member(owner, group_id, ada.user_id)

    await calls.remove(owner, ended)

    assert [each.name for each in await calls.of_user(owner, ada.user_id)] == ["kept"]


async def test_a_membership_ends_with_its_user(
    group_id: str, admin: Client, owner: Client, ada: Client
) -> None:
    await calls.add_member(owner, group_id, ada.user_id)

    await users.remove(admin, ada.user_id)

    assert await calls.members(owner, group_id) == []


async def test_a_user_lists_its_own_groups(group_id: str, owner: Client, ada: Client) -> None:
    await calls.add_member(owner, group_id, ada.user_id)

    assert [each.group_id for each in await calls.of_user(ada, ada.user_id)] == [group_id]


async def test_a_full_group_takes_no_further_member_but_keeps_its_own(
    group_id: str, database: Database, admin: Client, owner: Client, ada: Client, org_id: str
) -> None:
    await calls.add_member(owner, group_id, ada.user_id)
    another = commands.OneGroupMember(group_id=group_id, user_id=owner.user_id)
    same = commands.OneGroupMember(group_id=group_id, user_id=ada.user_id)

    with mock.patch.object(commands, "MAX_MEMBERS", 1):
        of_org: dict[str, Any] = {"actor": OPERATOR, "organization_id": org_id}
        with pytest.raises(Failure) as refused:
            await commands.add_member(database, another, **of_org)
        await commands.add_member(database, same, **of_org)

    assert refused.value.reason == "TOO_MANY_MEMBERS"
    assert [each.user_id for each in await calls.members(owner, group_id)] == [ada.user_id]


async def test_the_names_of_the_groups_of_a_user_are_sorted(
    database: Database, owner: Client, ada: Client
) -> None:
    group_ids = {name: await calls.group(owner, name) for name in ("b", "c", "a")}
    for name in ("b", "a"):
        await calls.add_member(owner, group_ids[name], ada.user_id)

    names = await member_store.names_of_user(database, ada.user_id)

    assert list(names.items()) == [(group_ids["a"], "a"), (group_ids["b"], "b")]


async def test_a_user_who_is_being_removed_does_not_stay_a_member(
    group_id: str, admin: Client, owner: Client, ada: Client, sql: asyncpg.Connection
) -> None:
    async with sql.transaction():
        await sql.execute("select from users where id = $1 for update", ada.user_id)
        removal = asyncio.ensure_future(users.remove(admin, ada.user_id))
        await given.waiting_for_a_lock(sql)
        late = asyncio.ensure_future(given.refusal(calls.add_member(owner, group_id, ada.user_id)))
        await given.waiting_for_a_lock(sql, statements=2)

    await removal
    assert (await late).reason == "USER_NOT_FOUND"
    assert await calls.members(owner, group_id) == []


async def test_a_group_that_is_being_removed_takes_no_member(
    group_id: str, owner: Client, ada: Client, sql: asyncpg.Connection
) -> None:
    async with sql.transaction():
        await sql.execute("select from groups where id = $1 for update", group_id)
        removal = asyncio.ensure_future(calls.remove(owner, group_id))
        await given.waiting_for_a_lock(sql)
        late = asyncio.ensure_future(given.refusal(calls.add_member(owner, group_id, ada.user_id)))
        await given.waiting_for_a_lock(sql, statements=2)

    await removal
    assert (await late).reason == "GROUP_NOT_FOUND"
    assert await calls.of_user(owner, ada.user_id) == []


async def test_of_concurrent_additions_of_one_member_one_writes_an_event(
    group_id: str, owner: Client, ada: Client, sql: asyncpg.Connection
) -> None:
    added = await asyncio.gather(
        *(calls.add_member(owner, group_id, ada.user_id) for _ in range(10))
    )

    assert len({each.details.sequence for each in added}) == 1
    assert len(await given.logged(sql, ada.user_id, "user.group_joined")) == 1


async def test_additions_and_removals_of_users_and_groups_do_not_deadlock(
    admin: Client, owner: Client, org_id: str, sql: asyncpg.Connection
) -> None:
    group_ids = [await calls.group(owner) for _ in range(3)]
    user_ids = [(await given.user(admin, org_id=org_id)).user_id for _ in range(6)]

    ended = await given.outcomes(
        [
            *(
                calls.add_member(owner, group_id, user_id)
                for user_id in user_ids
                for group_id in group_ids
            ),
            *(users.remove(admin, user_id) for user_id in user_ids[:3]),
            *(calls.remove(owner, group_id) for group_id in group_ids[:1]),
        ]
    )

    assert ended.keys() <= {"OK", "USER_NOT_FOUND", "GROUP_NOT_FOUND"}
    left = "select user_id, group_id from group_members where group_id = any($1)"
    found = {tuple(row) for row in await sql.fetch(left, group_ids)}
    assert found == {(user_id, each) for user_id in user_ids[3:] for each in group_ids[1:]}

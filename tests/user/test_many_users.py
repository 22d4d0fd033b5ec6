"""Calls on many users: each is decided like the call on one."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any
from uuid import uuid4

import asyncpg
import grpc
import pytest

from keystead.common.v1.user_result_pb2 import USER_RESULT_STATE_DONE as DONE
from keystead.common.v1.user_result_pb2 import USER_RESULT_STATE_REFUSED as REFUSED
from keystead.group.v1 import group_service_pb2 as group_pb
from keystead.user.v1 import user_service_pb2 as pb
from tests.conftest import MakeInstance
from tests.group import calls as group_calls
from tests.support import given
from tests.support.given import Client, Instance
from tests.user import calls


async def _lock(client: Client, users: Sequence[str], **headers: Any) -> Mapping[str, str]:
    request = pb.LockUsersRequest(user_ids=users, reason="The contract ended.")
    return _reasons(users, await client.call(client.users.LockUsers, request, **headers))


async def _unlock(client: Client, users: Sequence[str], **headers: Any) -> Mapping[str, str]:
    request = pb.UnlockUsersRequest(user_ids=users)
    return _reasons(users, await client.call(client.users.UnlockUsers, request, **headers))


async def _remove(client: Client, users: Sequence[str], **headers: Any) -> Mapping[str, str]:
    request = pb.RemoveUsersRequest(user_ids=users)
    return _reasons(users, await client.call(client.users.RemoveUsers, request, **headers))


def _reasons(users: Sequence[str], answer: Any) -> Mapping[str, str]:
    """The reason of each refusal by the ID of the user; empty if it was not refused."""
    assert [each.user_id for each in answer.results] == list(users)
    for each in answer.results:
        assert each.state == (REFUSED if each.reason else DONE)
        assert bool(each.message) == bool(each.reason)
    return {each.user_id: each.reason for each in answer.results}


@pytest.fixture
async def ids(admin: Client, org_id: str) -> list[str]:
    """The IDs of three users of an organization."""
    return [(await calls.create(admin, org_id=org_id)).user_id for _ in range(3)]


async def test_many_users_are_locked_unlocked_and_removed(
    admin: Client, owner: Client, ids: list[str]
) -> None:
    assert await _lock(owner, ids) == dict.fromkeys(ids, "")
    assert await _lock(owner, ids[:1]) == {ids[0]: ""}
    locked = [await calls.get(admin, each) for each in ids]
    assert {each.lock_reason for each in locked} == {"The contract ended."}

    assert await _unlock(owner, ids) == dict.fromkeys(ids, "")
    assert not (await calls.get(admin, ids[0])).HasField("locked_at")

    assert await _remove(owner, ids) == dict.fromkeys(ids, "")
    assert await _remove(owner, ids) == dict.fromkeys(ids, "USER_NOT_FOUND")


@pytest.mark.parametrize("act", [_lock, _unlock, _remove])
async def test_each_user_is_decided_on_its_own(
    admin: Client, owner: Client, ids: list[str], org_id: str, act: Any
) -> None:
    elsewhere = (await calls.create(admin)).user_id
    manager = await given.user(admin, org_id=org_id, roles=[pb.ROLE_ORG_USER_MANAGER])
    asked = [ids[0], owner.user_id, elsewhere, "unknown", ids[1]]

    results = await act(manager, asked)

    assert results == {
        ids[0]: "",
        owner.user_id: "PERMISSION_DENIED",
        elsewhere: "USER_NOT_FOUND",
        "unknown": "USER_NOT_FOUND",
        ids[1]: "",
    }


async def test_nobody_locks_itself_or_a_user_elsewhere(
    admin: Client, ids: list[str], org_id: str
) -> None:
    results = await _lock(admin, [admin.user_id, ids[0]], x_service_orgid=org_id)
    assert results == {admin.user_id: "USER_NOT_FOUND", ids[0]: ""}

    assert await _lock(admin, [admin.user_id]) == {admin.user_id: "CANNOT_LOCK_YOURSELF"}


async def test_the_last_instance_owner_is_not_removed(make_instance: MakeInstance) -> None:
    async with make_instance() as instance:  # others may have several
        admin = instance.admin
        assert await _remove(admin, [admin.user_id]) == {admin.user_id: "LAST_INSTANCE_OWNER"}


@pytest.mark.parametrize("headers", [{}, {"x_validate_only": "true"}])
async def test_who_removes_itself_and_others_gets_all_results(
    owner: Client, ids: list[str], headers: dict[str, str]
) -> None:
    asked = [owner.user_id, *ids]

    assert await _remove(owner, asked, **headers) == dict.fromkeys(asked, "")


async def test_a_call_with_an_idempotency_key_locks_the_users_in_the_order_of_their_ids(
    owner: Client, ids: list[str], sql: asyncpg.Connection, instance: Instance
) -> None:
    """It is one transaction, so two of them would deadlock in another order."""
    first, *others = sorted(ids)
    asked = [*others, first]

    async with given.sql(instance.dsn) as holder, holder.transaction():
        await holder.execute("select from users where id = $1 for update", first)
        removing = asyncio.ensure_future(_remove(owner, asked, x_idempotency_key=str(uuid4())))
        await given.waiting_for_a_lock(sql)
        await sql.execute("select from users where id = any($1) for update nowait", others)

    assert await removing == dict.fromkeys(asked, "")


async def test_a_preview_has_the_results_and_changes_nothing(
    admin: Client, owner: Client, ids: list[str]
) -> None:
    asked = [*ids, "unknown"]

    results = await _remove(owner, asked, x_validate_only="true")

    assert results == dict.fromkeys(ids, "") | {"unknown": "USER_NOT_FOUND"}
    assert {(await calls.get(admin, each)).user_id for each in ids} == set(ids)


@pytest.mark.parametrize(
    ("users", "problem"),
    [
        ([], "must have 1 to 500 entries"),
        ([f"user-{n}" for n in range(501)], "must have 1 to 500 entries"),
        (["ada", "ada"], "must have each user once"),
    ],
)
async def test_a_call_has_one_to_500_users_each_once(
    owner: Client, users: list[str], problem: str
) -> None:
    refused = await given.refusal(_lock(owner, users))

    assert (refused.code, dict(refused.violations)) == (
        grpc.StatusCode.INVALID_ARGUMENT,
        {"userIds": problem},
    )


async def test_a_caller_without_the_permission_gets_no_results(
    admin: Client, ids: list[str], org_id: str
) -> None:
    desk = await given.user(admin, org_id=org_id, roles=[pb.ROLE_ORG_HELP_DESK])

    assert await _lock(desk, ids) == dict.fromkeys(ids, "")
    refused = await given.refusal(_remove(desk, ids))
    assert refused.code is grpc.StatusCode.PERMISSION_DENIED


async def test_many_users_join_a_group(admin: Client, owner: Client, ids: list[str]) -> None:
    group_id = await group_calls.group(owner)
    elsewhere = (await calls.create(admin)).user_id
    users = [*ids, elsewhere]

    async def add(group_id: str) -> Mapping[str, str]:
        request = group_pb.AddGroupMembersRequest(group_id=group_id, user_ids=users)
        return _reasons(users, await owner.call(owner.groups.AddGroupMembers, request))

    assert await add(group_id) == dict.fromkeys(ids, "") | {elsewhere: "USER_NOT_FOUND"}
    assert {each.user_id for each in await group_calls.members(owner, group_id)} == set(ids)
    refused = await given.refusal(add("unknown"))
    assert refused.reason == "GROUP_NOT_FOUND"

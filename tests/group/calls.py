"""Calls that several tests of groups make."""

from collections.abc import Awaitable, Sequence
from typing import Any
from uuid import uuid4

from google.protobuf.field_mask_pb2 import FieldMask

from keystead.group.v1 import group_service_pb2 as pb
from tests.support.given import Client


def add(client: Client, name: str = "", **fields: Any) -> Awaitable[pb.CreateGroupResponse]:
    request = pb.CreateGroupRequest(name=name or f"group-{uuid4().hex}", **fields)
    return client.call(client.groups.CreateGroup, request)


async def group(client: Client, name: str = "", **fields: Any) -> str:
    """A new group's id."""
    return (await add(client, name, **fields)).group_id


async def get(client: Client, group_id: str) -> pb.Group:
    request = pb.GetGroupRequest(group_id=group_id)
    return (await client.call(client.groups.GetGroup, request)).group


async def list_all(client: Client, **fields: Any) -> Sequence[pb.Group]:
    request = pb.ListGroupsRequest(**fields)
    return (await client.call(client.groups.ListGroups, request)).groups


def patch(
    client: Client, group_id: str, mask: Sequence[str], **fields: Any
) -> Awaitable[pb.PatchGroupResponse]:
    request = pb.PatchGroupRequest(
        group=pb.Group(group_id=group_id, **fields), update_mask=FieldMask(paths=mask)
    )
    return client.call(client.groups.PatchGroup, request)


def remove(client: Client, group_id: str) -> Awaitable[pb.RemoveGroupResponse]:
    request = pb.RemoveGroupRequest(group_id=group_id)
    return client.call(client.groups.RemoveGroup, request)


def add_member(client: Client, group_id: str, user_id: str) -> Awaitable[pb.AddGroupMemberResponse]:
    request = pb.AddGroupMemberRequest(group_id=group_id, user_id=user_id)
    return client.call(client.groups.AddGroupMember, request)


def remove_member(
    client: Client, group_id: str, user_id: str
) -> Awaitable[pb.RemoveGroupMemberResponse]:
    request = pb.RemoveGroupMemberRequest(group_id=group_id, user_id=user_id)
    return client.call(client.groups.RemoveGroupMember, request)


async def members(client: Client, group_id: str, **fields: Any) -> Sequence[pb.GroupMember]:
    request = pb.ListGroupMembersRequest(group_id=group_id, **fields)
    return (await client.call(client.groups.ListGroupMembers, request)).members


async def of_user(client: Client, user_id: str) -> Sequence[pb.Group]:
    request = pb.ListGroupsOfUserRequest(user_id=user_id)
    return (await client.call(client.groups.ListGroupsOfUser, request)).groups

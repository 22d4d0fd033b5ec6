"""The RPC methods of groups: convert messages, and call commands."""

from functools import partial
from typing import Any

from keystead.group.v1 import group_service_pb2 as pb
from keystead.group.v1 import group_service_pb2_grpc as pb_grpc
from server.group import commands, member_store, store
from server.rpc.call import AnyCall
from server.rpc.declared import checks_caller
from server.rpc.messages import details_message, nested, result_message
from server.rpc.preconditions.changes import Objects
from server.rpc.update_mask import read_patch
from server.store.database import Database
from server.validation.fields import Commands, read

COMMANDS: Commands = {
    "CreateGroup": commands.CreateGroup,
    "GetGroup": commands.OneGroup,
    "ListGroups": commands.ListGroups,
    "PatchGroup": commands.PatchGroup,
    "RemoveGroup": commands.OneGroup,
    "AddGroupMember": commands.OneGroupMember,
    "AddGroupMembers": commands.AddGroupMembers,
    "RemoveGroupMember": commands.OneGroupMember,
    "ListGroupMembers": commands.ListGroupMembers,
    "ListGroupsOfUser": commands.ListGroupsOfUser,
}

OBJECTS: Objects = {
    "/v1/groups/{group_id}": store.LOCK_SEQUENCE,
    "/v1/groups/{group_id}/members/{user_id}": member_store.LOCK_SEQUENCE,
}

_group = partial(nested, pb.Group)
_member = partial(nested, pb.GroupMember)


class GroupService(pb_grpc.GroupServiceServicer):
    """See `keystead/group/v1/group_service.proto`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @checks_caller
    async def CreateGroup(
        self, request: pb.CreateGroupRequest, call: AnyCall
    ) -> pb.CreateGroupResponse:
        group_id, details = await commands.add(
            self._database, read(commands.CreateGroup, request), **call.by_caller
        )
        return pb.CreateGroupResponse(details=details_message(details), group_id=group_id)

    async def GetGroup(self, request: pb.GetGroupRequest, call: AnyCall) -> pb.GetGroupResponse:
        command = read(commands.OneGroup, request)
        group = await store.GET.one(
            self._database, group_id=command.group_id, organization_id=call.organization_id
        )
        return pb.GetGroupResponse(group=_group(group))

    async def ListGroups(
        self, request: pb.ListGroupsRequest, call: AnyCall
    ) -> pb.ListGroupsResponse:
        command = read(commands.ListGroups, request)
        listed = await store.LISTING.read(self._database, command, call.organization_id)
        return pb.ListGroupsResponse(groups=map(_group, listed.items), **listed.size_fields)

    @checks_caller
    async def PatchGroup(
        self, request: pb.PatchGroupRequest, call: AnyCall
    ) -> pb.PatchGroupResponse:
        command = read_patch(commands.PatchGroup, request, "group", "group_id", commands.PATCHABLE)
        details = await commands.patch(self._database, command.group, **call.by_caller)
        return pb.PatchGroupResponse(details=details_message(details))

    @checks_caller
    async def RemoveGroup(
        self, request: pb.RemoveGroupRequest, call: AnyCall
    ) -> pb.RemoveGroupResponse:
        command = read(commands.OneGroup, request)
        details = await commands.remove(self._database, command, **call.by_caller)
        return pb.RemoveGroupResponse(details=details_message(details))

    @checks_caller
    async def AddGroupMember(
        self, request: pb.AddGroupMemberRequest, call: AnyCall
    ) -> pb.AddGroupMemberResponse:
        command = read(commands.OneGroupMember, request)
        details = await commands.add_member(self._database, command, **call.by_caller)
        return pb.AddGroupMemberResponse(details=details_message(details))

    async def AddGroupMembers(
        self, request: pb.AddGroupMembersRequest, call: AnyCall
    ) -> pb.AddGroupMembersResponse:
        command = read(commands.AddGroupMembers, request)
        results = await commands.add_members(self._database, command, **call.by_caller)
        return pb.AddGroupMembersResponse(results=map(result_message, results))

    @checks_caller
    async def RemoveGroupMember(
        self, request: pb.RemoveGroupMemberRequest, call: AnyCall
    ) -> pb.RemoveGroupMemberResponse:
        command = read(commands.OneGroupMember, request)
        details = await commands.remove_member(self._database, command, **call.by_caller)
        return pb.RemoveGroupMemberResponse(details=details_message(details))

    async def ListGroupMembers(
        self, request: pb.ListGroupMembersRequest, call: AnyCall
    ) -> pb.ListGroupMembersResponse:
        page = read(commands.ListGroupMembers, request)
        await store.GET.one(
            self._database, group_id=page.group_id, organization_id=call.organization_id
        )
        members, next_page_token = await page.read(
            member_store.LIST.all,
            self._database,
            lambda member: member.user_id,
            group_id=page.group_id,
        )
        return pb.ListGroupMembersResponse(
            members=map(_member, members), next_page_token=next_page_token
        )

    async def ListGroupsOfUser(
        self, request: pb.ListGroupsOfUserRequest, _context: Any
    ) -> pb.ListGroupsOfUserResponse:
        page = read(commands.ListGroupsOfUser, request)
        groups, next_page_token = await page.read(
            member_store.LIST_OF_USER.all,
            self._database,
            lambda group: group.group_id,
            user_id=page.user_id,
        )
        return pb.ListGroupsOfUserResponse(
            groups=map(_group, groups), next_page_token=next_page_token
        )

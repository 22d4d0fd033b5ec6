"""The RPC methods that move users: convert messages, and call commands."""

import hashlib
from typing import Any, Final

from google.protobuf.message import Message
from google.protobuf.struct_pb2 import Struct

from keystead.user.v1 import user_import_pb2 as pb
from server.moving import commands
from server.moving.commands import ImportPolicy, ImportResult, ImportState
from server.moving.imported import GivenUser, ImportUsers
from server.rpc.call import AnyCall
from server.rpc.declared import checks_caller
from server.rpc.messages import Nested, instant, json_object
from server.store.database import Statements
from server.user.attributes.values import MAX_VALUES
from server.validation.fields import Commands, read

COMMANDS: Commands = {"ImportUsers": ImportUsers}

_TIMES: Final = ("created_at", "last_used_at")
_STATES: Final = {
    ImportState.IMPORTED: pb.IMPORT_STATE_IMPORTED,
    ImportState.SAME: pb.IMPORT_STATE_SAME,
    ImportState.REFUSED: pb.IMPORT_STATE_REFUSED,
}


class MovingUsers:
    """The methods of UserService for users who move. See `user_import.proto`."""

    def __init__(self, database: Statements, *, policy: ImportPolicy) -> None:
        self._database = database
        self._policy = policy

    @checks_caller
    async def ImportUsers(
        self, request: pb.ImportUsersRequest, call: AnyCall
    ) -> pb.ImportUsersResponse:
        command = read(ImportUsers, request, users=tuple(map(_given, request.users)))
        results = await commands.import_users(
            self._database, command, **call.by_caller, policy=self._policy
        )
        return pb.ImportUsersResponse(results=map(_result, results))


def _given(user: pb.ImportedUser) -> GivenUser:
    fields = _fields(user)
    digest = hashlib.sha256(user.SerializeToString(deterministic=True)).digest()
    return GivenUser(user.user_id, fields, digest)


def _fields(message: Message) -> dict[str, Any]:
    """The fields of a message, with None for times that it lacks."""
    return {
        field.name: _value(message, field.name, is_list=field.is_repeated)
        for field in message.DESCRIPTOR.fields
    }


def _value(message: Message, name: str, *, is_list: bool) -> object:
    value = getattr(message, name)
    if is_list:
        return [_fields(each) if isinstance(each, Message) else each for each in value]
    if isinstance(value, Struct):
        return json_object(value, most_values=MAX_VALUES)
    if name in _TIMES:
        return instant(value) if message.HasField(name) else None
    return value


def _result(result: ImportResult) -> Nested:
    return {
        "user_id": result.user_id,
        "state": _STATES[result.state],
        "wrong_fields": [
            {"field": each.field, "description": each.description} for each in result.wrong_fields
        ],
    }

"""The RPC methods that move users: convert messages, and call commands."""

import asyncio
import hashlib
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, Final

from google.protobuf.message import Message
from google.protobuf.struct_pb2 import Struct
from webauthn.helpers import bytes_to_base64url

from keystead.user.v1 import user_import_pb2 as pb
from server.moving import commands
from server.moving.commands import ImportPolicy, ImportResult, ImportState
from server.moving.exported import ExportedUser, ExportUsers, export_page
from server.moving.imported import MAX_ENTRIES, MAX_USERS, GivenUser, ImportUsers
from server.passkey.import_store import ExportedPasskey
from server.rpc.call import AnyCall
from server.rpc.declared import checks_caller
from server.rpc.messages import Nested, instant, json_object, nested, timestamp
from server.rpc.requests import OF_BATCHES
from server.store.database import Statements
from server.user.attributes.values import MAX_VALUES
from server.validation.fields import Commands, read
from server.values.errors import Violation, invalid

COMMANDS: Commands = {"ImportUsers": ImportUsers, "ExportUsers": ExportUsers}

# The fields of a user that an export has as they are.
_EXPORTED: Final = (
    "user_id",
    "user_name",
    "display_name",
    "email",
    "given_name",
    "family_name",
    "locale",
    "zoneinfo",
    "external_id",
    "lock_reason",
)
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
        command = read(ImportUsers, request, users=await _given_users(request))
        results = await commands.import_users(
            self._database, command, **call.by_caller, policy=self._policy
        )
        return pb.ImportUsersResponse(results=map(_result, results))

    async def ExportUsers(
        self, request: pb.ExportUsersRequest, call: AnyCall
    ) -> pb.ExportUsersResponse:
        users, next_page_token = await export_page(
            self._database, read(ExportUsers, request), **call.by_caller
        )
        return pb.ExportUsersResponse(users=map(_exported, users), next_page_token=next_page_token)


def _exported(exported: ExportedUser) -> Nested:
    user = exported.user
    verification = user.email_verification
    return {
        **{name: getattr(user, name) for name in _EXPORTED},
        "attributes": {name: each.value for name, each in user.attributes.items()} or None,
        "email_verified": verification is not None and verification.is_claimed,
        "groups": exported.groups.get(None, ()),
        "idp_links": [
            {
                "idp": each.idp,
                "subject": each.subject,
                "groups": exported.groups.get(each.link_id, ()),
            }
            for each in exported.links
        ],
        "passkeys": map(_exported_passkey, exported.passkeys),
        "created_at": timestamp(user.details.creation_date),
        "is_locked": user.locked_at is not None,
        "picture": exported.picture,
    }


def _exported_passkey(passkey: ExportedPasskey) -> Nested:
    return nested(
        pb.ImportedPasskey,
        passkey,
        credential_id=bytes_to_base64url(passkey.credential_id),
        public_key=bytes_to_base64url(passkey.public_key),
        user_handle=bytes_to_base64url(passkey.user_handle),
    )


async def _given_users(request: pb.ImportUsersRequest) -> Sequence[GivenUser]:
    """The users of a request. Other tasks have a turn in between.

    One user and one entry more than the limits are converted, which validation refuses. `Failure`
    INVALID_ARGUMENT: all lists and attributes together have more values than a call may have.
    """
    left, given = iter(range(OF_BATCHES.values + 1)), []
    for user in request.users[: MAX_USERS + 1]:
        await asyncio.sleep(0)
        digest = hashlib.sha256(user.SerializeToString(deterministic=True)).digest()
        given.append(GivenUser(user.user_id, _fields(user, left), digest))
    if next(left, None) is None:
        problem = f"must have at most {OF_BATCHES.values:,} values in lists and attributes together"
        raise invalid(Violation("users", f"{problem}. Send fewer users in a call"))
    return given


def _fields(message: Message, left: Iterator[int]) -> dict[str, Any]:
    """The fields of a message, with None for times that it lacks."""
    return {
        field.name: _value(message, field.name, left, is_list=field.is_repeated)
        for field in message.DESCRIPTOR.fields
    }


def _value(message: Message, name: str, left: Iterator[int], *, is_list: bool) -> object:
    value = getattr(message, name)
    if is_list:
        return [
            _fields(each, left) if isinstance(each, Message) else each
            for each, _ in zip(value[: MAX_ENTRIES + 1], left, strict=False)
        ]
    if isinstance(value, Struct):
        return json_object(value, left=islice(left, MAX_VALUES))
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

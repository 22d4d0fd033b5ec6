"""The RPC methods of changes of one's own mail address: convert messages, and call commands."""

from keystead.user.v1 import user_service_pb2 as pb
from server.rpc.call import AnyCall
from server.rpc.messages import details_message, timestamp
from server.user.email_change import commands
from server.user.email_change.commands import EmailChanges
from server.validation.fields import Commands, read

COMMANDS: Commands = {
    "RequestEmailChange": commands.RequestEmailChange,
    "ConfirmEmailChange": commands.ConfirmEmailChange,
}


class EmailChangeMethods:
    """The methods of UserService by which a user changes its address. See `user_service.proto`."""

    def __init__(self, changes: EmailChanges) -> None:
        self._changes = changes

    async def RequestEmailChange(
        self, request: pb.RequestEmailChangeRequest, call: AnyCall
    ) -> pb.RequestEmailChangeResponse:
        command = read(commands.RequestEmailChange, request)
        details, expires_at = await self._changes.request(command, **call.by_caller)
        return pb.RequestEmailChangeResponse(
            details=details_message(details), expires_at=timestamp(expires_at)
        )

    async def ConfirmEmailChange(
        self, request: pb.ConfirmEmailChangeRequest, call: AnyCall
    ) -> pb.ConfirmEmailChangeResponse:
        command = read(commands.ConfirmEmailChange, request)
        details = await self._changes.confirm(command, **call.by_caller)
        return pb.ConfirmEmailChangeResponse(details=details_message(details))

"""The RPC methods of sign-up: convert messages, and call commands."""

from typing import Any

from keystead.signin.v1 import signin_service_pb2 as pb
from server.rpc.call import AnyCall
from server.rpc.messages import timestamp
from server.signup import commands
from server.signup.commands import SignUps
from server.validation.fields import Commands, read

COMMANDS: Commands = {
    "RequestSignUp": commands.RequestSignUp,
    "ConfirmSignUp": commands.ConfirmSignUp,
}


class SignUpMethods:
    """The methods of SignInService for sign-up. See `keystead/signin/v1/signin_service.proto`."""

    def __init__(self, sign_ups: SignUps) -> None:
        self._sign_ups = sign_ups

    async def RequestSignUp(
        self, request: pb.RequestSignUpRequest, call: AnyCall
    ) -> pb.RequestSignUpResponse:
        command = read(commands.RequestSignUp, request)
        await self._sign_ups.request(command, network=call.client.network)
        return pb.RequestSignUpResponse()

    async def ConfirmSignUp(
        self, request: pb.ConfirmSignUpRequest, _context: Any
    ) -> pb.ConfirmSignUpResponse:
        user_id, link = await self._sign_ups.confirm(read(commands.ConfirmSignUp, request))
        return pb.ConfirmSignUpResponse(
            user_id=user_id, code=link.code, link=link.url, expires_at=timestamp(link.expires_at)
        )

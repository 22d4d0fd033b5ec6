"""The RPC methods of sign-ins by passkeys: convert messages, and call commands."""

from collections.abc import Callable
from typing import Any

from webauthn.helpers import bytes_to_base64url

from keystead.signin.v1 import signin_service_pb2 as pb
from server.crypto.keyring import Keyring
from server.passkey.signin import commands
from server.passkey.signin.commands import SignInPolicy
from server.rpc.call import AnyCall
from server.rpc.messages import details_message, json_object, timestamp
from server.rpc.requests import MAX_STRANGERS_VALUES
from server.session.fragments import Device
from server.store.database import Database
from server.validation.fields import Commands, read

# The command of each method. Methods without one take no fields.
COMMANDS: Commands = {"CompletePasskeySignIn": commands.CompletePasskeySignIn}


class PasskeySignIn:
    """The methods of SignInService for passkeys.

    See `keystead/signin/v1/signin_service.proto`. `forget` removes a user whose sessions ended from
    the cache of callers.
    """

    def __init__(
        self,
        database: Database,
        keyring: Keyring,
        *,
        policy: SignInPolicy,
        forget: Callable[[str], None],
    ) -> None:
        self._database = database
        self._keyring = keyring
        self._policy = policy
        self._forget = forget

    async def StartPasskeySignIn(
        self, _request: pb.StartPasskeySignInRequest, _context: Any
    ) -> pb.StartPasskeySignInResponse:
        started = commands.start(self._keyring, self._policy)
        response = pb.StartPasskeySignInResponse(expiry_date=timestamp(started.expires_at))
        response.public_key_credential_request_options.update(started.options)
        return response

    async def CompletePasskeySignIn(
        self, request: pb.CompletePasskeySignInRequest, call: AnyCall
    ) -> pb.SignedIn:
        command = read(
            commands.CompletePasskeySignIn,
            request,
            public_key_credential=json_object(
                request.public_key_credential, most_values=MAX_STRANGERS_VALUES
            ),
        )
        client = call.client
        session = await commands.complete(
            self._database,
            self._keyring,
            command,
            policy=self._policy,
            device=Device(client.user_agent, client.ip_address, command.device_name),
            forget=self._forget,
        )
        return pb.SignedIn(
            details=details_message(session.token.details),
            session_id=session.session_id,
            session_token=session.token.token,
            user_id=session.user_id,
            expiry_date=timestamp(session.token.expires_at),
            accepted_credential_ids=map(bytes_to_base64url, session.accepted_credential_ids),
            user_handle=bytes_to_base64url(session.user_handle),
        )

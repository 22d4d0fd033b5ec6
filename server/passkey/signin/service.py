"""The RPC methods of sign-ins by passkeys: convert messages, and call commands."""

from collections.abc import Callable
from functools import partial
from typing import Any

from webauthn.helpers import bytes_to_base64url

from keystead.common.v1 import former_relying_party_pb2 as common_pb
from keystead.session.v1 import session_service_pb2 as session_pb
from keystead.signin.v1 import signin_service_pb2 as pb
from server.access.caller import AnyCaller
from server.crypto.keyring import Keyring
from server.passkey.links import CheckReturn
from server.passkey.signin import commands
from server.passkey.signin.commands import PasskeySession, SignInPolicy
from server.rpc.call import AnyCall
from server.rpc.messages import details_message, json_text, nested, timestamp
from server.rpc.requests import MAX_ANONYMOUS_VALUES
from server.session.commands import SignInMethod, session_of
from server.session.fragments import Device
from server.session.refused import RefusedSignIns
from server.session.service import signed_in
from server.store.database import Database
from server.validation.fields import Commands, read

COMMANDS: Commands = {
    "CheckReturn": commands.CheckReturn,
    "SignInAfterRegistration": commands.SignInAfterRegistration,
    "StartPasskeySignIn": commands.StartPasskeySignIn,
    "StartReauthentication": commands.StartReauthentication,
    "CompletePasskeySignIn": commands.CompletePasskeySignIn,
    "CompleteReauthentication": commands.CompleteReauthentication,
}

_former = partial(nested, common_pb.FormerRelyingParty)


class PasskeySignIn:
    """The methods of SignInService for passkeys, and the reauthentication of SessionService.

    See the `.proto` files of both. `forget` removes a user whose sessions ended from
    the cache of callers.
    """

    def __init__(
        self,
        database: Database,
        keyring: Keyring,
        *,
        policy: SignInPolicy,
        check_return: CheckReturn,
        forget: Callable[[str], None],
        refused: RefusedSignIns,
    ) -> None:
        self._database = database
        self._keyring = keyring
        self._policy = policy
        self._check_return = check_return
        self._forget = forget
        self._refused = refused

    async def CheckReturn(
        self, request: pb.CheckReturnRequest, _context: Any
    ) -> pb.CheckReturnResponse:
        command = read(commands.CheckReturn, request)
        await self._check_return(self._database, command.return_to)
        return pb.CheckReturnResponse(return_to=command.return_to)

    async def SignInAfterRegistration(
        self, request: pb.SignInAfterRegistrationRequest, call: AnyCall
    ) -> pb.SignedIn:
        command = read(commands.SignInAfterRegistration, request)
        session = await commands.sign_in_after_registration(
            self._database,
            command,
            policy=self._policy,
            device=Device(call.client.user_agent, call.client.ip_address, command.device_name),
            forget=self._forget,
        )
        return _signed_in(session)

    async def StartPasskeySignIn(
        self, request: pb.StartPasskeySignInRequest, _context: Any
    ) -> pb.StartPasskeySignInResponse:
        command = read(commands.StartPasskeySignIn, request)
        started = commands.start(self._keyring, command, self._policy)
        response = pb.StartPasskeySignInResponse(
            expires_at=timestamp(started.expires_at),
            former_relying_parties=map(_former, started.former),
        )
        response.public_key_credential_request_options.update(started.options)
        return response

    async def CompletePasskeySignIn(
        self, request: pb.CompletePasskeySignInRequest, call: AnyCall
    ) -> pb.SignedIn:
        command = read(
            commands.CompletePasskeySignIn, request, public_key_credential=_credential(request)
        )
        session = await self._complete(command, call, device_name=command.device_name)
        return _signed_in(session)

    async def StartReauthentication(
        self, request: session_pb.StartReauthenticationRequest, call: AnyCall
    ) -> session_pb.StartReauthenticationResponse:
        started = await commands.start_reauthentication(
            self._database,
            self._keyring,
            read(commands.StartReauthentication, request),
            caller=call.caller,
            policy=self._policy,
        )
        response = session_pb.StartReauthenticationResponse(
            expires_at=timestamp(started.expires_at),
            former_relying_parties=map(_former, started.former),
        )
        response.public_key_credential_request_options.update(started.options)
        return response

    async def CompleteReauthentication(
        self, request: session_pb.CompleteReauthenticationRequest, call: AnyCall
    ) -> session_pb.CompleteReauthenticationResponse:
        session_of(call.caller)  # refuses other tokens before it reads the credential
        command = read(
            commands.CompleteReauthentication, request, public_key_credential=_credential(request)
        )
        session = await self._complete(command, call, renewing=call.caller)
        return session_pb.CompleteReauthenticationResponse(
            details=details_message(session.details),
            session_token=session.token,
            expires_at=timestamp(session.expires_at),
        )

    async def _complete(
        self,
        command: commands.CompletePasskeySignIn | commands.CompleteReauthentication,
        call: AnyCall,
        *,
        device_name: str = "",
        renewing: AnyCaller | None = None,
    ) -> PasskeySession:
        return await commands.complete(
            self._database,
            self._keyring,
            command.public_key_credential,
            policy=self._policy,
            device=Device(call.client.user_agent, call.client.ip_address, device_name),
            forget=self._forget,
            noted=self._refused.noted(SignInMethod.PASSKEY, call),
            renewing=renewing,
        )


def _signed_in(session: PasskeySession) -> pb.SignedIn:
    return signed_in(
        session,
        accepted_credential_ids=map(bytes_to_base64url, session.accepted_credential_ids),
        user_handle=bytes_to_base64url(session.user_handle),
    )


def _credential(
    request: pb.CompletePasskeySignInRequest | session_pb.CompleteReauthenticationRequest,
) -> str:
    return json_text(
        request.public_key_credential,
        field="publicKeyCredential",
        most_values=MAX_ANONYMOUS_VALUES,
    )

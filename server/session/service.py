"""The RPC methods of sessions: convert, call, convert."""

from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from typing import Any, Protocol

from keystead.session.v1 import session_service_pb2 as pb
from keystead.session.v1 import session_service_pb2_grpc as pb_grpc
from server.access.caller import AnyCaller, Caller
from server.rpc.call import current_call
from server.rpc.messages import details_message, json_object, timestamp
from server.session import commands
from server.session.commands import EndCeremonies, SessionToken
from server.session.store import Session
from server.store.database import Database
from server.validation.fields import Commands, read

# The command that each method reads its request into. A method that is missing takes no fields.
COMMANDS: Commands = {
    "CompleteReauthentication": commands.CompleteReauthentication,
    "ListSessions": commands.ListSessions,
    "EndSession": commands.EndSession,
    "EndSessions": commands.EndSessions,
}


class StartedCeremony(Protocol):
    """A ceremony that waits for its credential."""

    @property
    def options(self) -> dict[str, Any]:
        """For `navigator.credentials.get()`."""

    @property
    def expires_at(self) -> datetime:
        """When its challenge expires."""


class SessionService(pb_grpc.SessionServiceServicer):
    """See `keystead/session/v1/session_service.proto`.

    `forget` makes the end of a user's sessions count at once. The ceremonies of a reauthentication
    take the user and the session.
    """

    def __init__(
        self,
        database: Database,
        *,
        forget: Callable[[str], None],
        idle_timeout: timedelta,
        start_reauthentication: Callable[[str, str], Awaitable[StartedCeremony]],
        reauthenticate: Callable[[str, str, dict[str, Any]], Awaitable[SessionToken]],
        end_ceremonies: EndCeremonies,
    ) -> None:
        self._database = database
        self._forget = forget
        self._idle_timeout = idle_timeout
        self._start_reauthentication = start_reauthentication
        self._reauthenticate = reauthenticate
        self._end_ceremonies = end_ceremonies

    async def GetCurrentSession(
        self, _request: pb.GetCurrentSessionRequest, _context: Any
    ) -> pb.GetCurrentSessionResponse:
        caller = current_call().caller
        session = await commands.get_current(
            self._database, caller, idle_timeout=self._idle_timeout
        )
        return pb.GetCurrentSessionResponse(session=_session(session, caller))

    async def SignOut(self, _request: pb.SignOutRequest, _context: Any) -> pb.SignOutResponse:
        caller = current_call().caller
        details = await commands.sign_out(
            self._database, caller, end_ceremonies=self._end_ceremonies
        )
        self._forget(caller.user_id)
        return pb.SignOutResponse(details=details_message(details))

    async def StartReauthentication(
        self, _request: pb.StartReauthenticationRequest, _context: Any
    ) -> pb.StartReauthenticationResponse:
        caller = current_call().caller
        started = await self._start_reauthentication(
            caller.user_id, commands.session_of(caller).session_id
        )
        response = pb.StartReauthenticationResponse(expiry_date=timestamp(started.expires_at))
        response.public_key_credential_request_options.update(started.options)
        return response

    async def CompleteReauthentication(
        self, request: pb.CompleteReauthenticationRequest, _context: Any
    ) -> pb.CompleteReauthenticationResponse:
        caller = current_call().caller
        session_id = commands.session_of(caller).session_id
        command = read(
            commands.CompleteReauthentication,
            request,
            public_key_credential=json_object(request.public_key_credential),
        )
        renewed = await self._reauthenticate(
            caller.user_id, session_id, command.public_key_credential
        )
        self._forget(caller.user_id)
        return pb.CompleteReauthenticationResponse(
            details=details_message(renewed.details),
            session_token=renewed.token,
            expiry_date=timestamp(renewed.expires_at),
        )

    async def ListSessions(
        self, request: pb.ListSessionsRequest, _context: Any
    ) -> pb.ListSessionsResponse:
        command = read(commands.ListSessions, request)
        found = await commands.list_sessions(
            self._database, command, idle_timeout=self._idle_timeout
        )
        sessions, next_page_token = command.cut(
            found, command.user_id, lambda session: session.session_id
        )
        caller = current_call().caller
        return pb.ListSessionsResponse(
            sessions=[_session(session, caller) for session in sessions],
            next_page_token=next_page_token,
        )

    async def EndSession(
        self, request: pb.EndSessionRequest, _context: Any
    ) -> pb.EndSessionResponse:
        command = read(commands.EndSession, request)
        details = await commands.end(
            self._database,
            command,
            caller_id=current_call().caller.user_id,
            end_ceremonies=self._end_ceremonies,
        )
        self._forget(command.user_id)
        return pb.EndSessionResponse(details=details_message(details))

    async def EndSessions(
        self, request: pb.EndSessionsRequest, _context: Any
    ) -> pb.EndSessionsResponse:
        command = read(commands.EndSessions, request)
        details, ended = await commands.end_all(
            self._database,
            command,
            caller=current_call().caller,
            end_ceremonies=self._end_ceremonies,
        )
        self._forget(command.user_id)
        return pb.EndSessionsResponse(details=details_message(details), ended_count=ended)


def _session(session: Session, caller: AnyCaller) -> pb.Session:
    current = caller.session if isinstance(caller, Caller) else None
    return pb.Session(
        session_id=session.session_id,
        details=details_message(session.details),
        user_id=session.user_id,
        passkey_id=session.passkey_id,
        device_name=session.device_name,
        user_agent=session.user_agent,
        ip_address=session.ip_address,
        authenticated_date=timestamp(session.authenticated_at),
        last_seen_date=timestamp(session.last_seen_at),
        expiry_date=timestamp(session.expires_at),
        idle_expiry_date=timestamp(session.idle_expires_at),
        current=current is not None and current.session_id == session.session_id,
    )

"""The RPC methods of sessions: convert messages, and call commands."""

import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from datetime import timedelta
from typing import Any

from keystead.session.v1 import session_service_pb2 as pb
from keystead.signin.v1 import signin_service_pb2 as signin_pb
from server.access.caller import AnyCaller, Caller
from server.access.forgetting import forgetting
from server.log.feed import Topic
from server.rpc.call import AnyCall
from server.rpc.declared import checks_caller
from server.rpc.messages import Nested, details_message, nested, timestamp
from server.rpc.preconditions.changes import Objects
from server.session import commands, jwt, refused, store
from server.session.commands import EndCeremonies, NewSession
from server.session.ended import Ended
from server.session.jwt import JWTPolicy
from server.session.refused import ListedRefusal
from server.session.store import Session
from server.signing.signer import Signer
from server.store.database import Database
from server.validation.fields import Commands, read
from server.validation.paging import place_of

COMMANDS: Commands = {
    "IntrospectSession": commands.IntrospectSession,
    "WatchEndedSessions": commands.WatchEndedSessions,
    "IssueSessionJWT": jwt.IssueSessionJWT,
    "ListSessions": commands.ListSessions,
    "ListOrganizationSessions": commands.ListOrganizationSessions,
    "ListSignInRefusals": commands.ListSignInRefusals,
    "EndSession": commands.EndSession,
    "EndSessions": commands.EndSessions,
}

OBJECTS: Objects = {
    "/v1/sessions/current": store.LOCK_SEQUENCE,
    "/v1/users/{user_id}/sessions/{session_id}": store.LOCK_SEQUENCE,
}

# A message ends with the event that exceeds this number of sessions, each of about 0.2 KiB. Clients
# accept 4 MiB by default.
_SESSIONS_OF_MESSAGE = 4_000


class Sessions:
    """The methods of SessionService, except for the reauthentication.

    See `keystead/session/v1/session_service.proto`. `forget` removes a user whose sessions ended
    from the cache of callers. `introspect` looks up a session token.
    """

    def __init__(
        self,
        database: Database,
        *,
        forget: Callable[[str], None],
        idle_timeout: timedelta,
        end_ceremonies: EndCeremonies,
        introspect: Callable[[str], Awaitable[Caller | None]],
        ended: Topic[Ended],
        signer: Signer,
        jwt_policy: JWTPolicy,
    ) -> None:
        self._database = database
        self._forget = forget
        self._idle_timeout = idle_timeout
        self._end_ceremonies = end_ceremonies
        self._introspect = introspect
        self._ended = ended
        self._signer = signer
        self._jwt_policy = jwt_policy

    async def GetCurrentSession(
        self, _request: pb.GetCurrentSessionRequest, call: AnyCall
    ) -> pb.GetCurrentSessionResponse:
        caller = call.caller
        session = await commands.get_current(
            self._database, actor=caller, idle_timeout=self._idle_timeout
        )
        return pb.GetCurrentSessionResponse(session=_session(session, caller))

    async def SignOut(self, _request: pb.SignOutRequest, call: AnyCall) -> pb.SignOutResponse:
        caller = call.caller
        with forgetting(self._forget, caller.user_id):
            details = await commands.sign_out(
                self._database, actor=caller, end_ceremonies=self._end_ceremonies
            )
        return pb.SignOutResponse(details=details_message(details))

    async def IntrospectSession(
        self, request: pb.IntrospectSessionRequest, _context: Any
    ) -> pb.IntrospectSessionResponse:
        command = read(commands.IntrospectSession, request)
        found = await self._introspect(command.session_token.get_secret_value())
        return _introspected(found) if found else pb.IntrospectSessionResponse()

    async def WatchEndedSessions(
        self, request: pb.WatchEndedSessionsRequest, _context: Any
    ) -> AsyncIterator[pb.WatchEndedSessionsResponse]:
        command = read(commands.WatchEndedSessions, request)
        after = place_of(command.after_cursor)
        async with contextlib.aclosing(self._ended.watch(after)) as stream:
            async for batch in stream:
                answer = pb.WatchEndedSessionsResponse()
                for ended in batch.items:
                    answer.ended_sessions.extend(_ended_sessions(ended))
                    answer.cursor = str(ended.position)
                    if len(answer.ended_sessions) >= _SESSIONS_OF_MESSAGE:
                        yield answer
                        answer = pb.WatchEndedSessionsResponse()
                answer.cursor = str(batch.position)
                yield answer

    async def IssueSessionJWT(
        self, request: pb.IssueSessionJWTRequest, call: AnyCall
    ) -> pb.IssueSessionJWTResponse:
        issued = await jwt.issue(
            self._database,
            self._signer,
            read(jwt.IssueSessionJWT, request),
            actor=call.caller,
            policy=self._jwt_policy,
            idle_timeout=self._idle_timeout,
        )
        return pb.IssueSessionJWTResponse(jwt=issued.jwt, expires_at=timestamp(issued.expires_at))

    async def ListSessions(
        self, request: pb.ListSessionsRequest, call: AnyCall
    ) -> pb.ListSessionsResponse:
        sessions, next_page_token = await commands.list_of_user(
            self._database,
            read(commands.ListSessions, request),
            idle_timeout=self._idle_timeout,
        )
        caller = call.caller
        return pb.ListSessionsResponse(
            sessions=[_session(session, caller) for session in sessions],
            next_page_token=next_page_token,
        )

    async def ListOrganizationSessions(
        self, request: pb.ListOrganizationSessionsRequest, call: AnyCall
    ) -> pb.ListOrganizationSessionsResponse:
        listed = await commands.list_page(
            self._database,
            read(commands.ListOrganizationSessions, request),
            organization_id=call.organization_id,
            idle_timeout=self._idle_timeout,
        )
        return pb.ListOrganizationSessionsResponse(
            sessions=[_session(session, call.caller) for session in listed.items],
            **listed.size_fields,
        )

    async def ListSignInRefusals(
        self, request: pb.ListSignInRefusalsRequest, call: AnyCall
    ) -> pb.ListSignInRefusalsResponse:
        found, next_page_token = await refused.list_refusals(
            self._database,
            read(commands.ListSignInRefusals, request),
            organization_id=call.organization_id,
        )
        return pb.ListSignInRefusalsResponse(
            refusals=map(_refusal, found), next_page_token=next_page_token
        )

    @checks_caller
    async def EndSession(
        self, request: pb.EndSessionRequest, call: AnyCall
    ) -> pb.EndSessionResponse:
        command = read(commands.EndSession, request)
        with forgetting(self._forget, command.user_id):
            details = await commands.end(
                self._database,
                command,
                actor=call.caller,
                end_ceremonies=self._end_ceremonies,
            )
        return pb.EndSessionResponse(details=details_message(details))

    @checks_caller
    async def EndSessions(
        self, request: pb.EndSessionsRequest, call: AnyCall
    ) -> pb.EndSessionsResponse:
        command = read(commands.EndSessions, request)
        with forgetting(self._forget, command.user_id):
            details, ended = await commands.end_all(
                self._database,
                command,
                actor=call.caller,
                end_ceremonies=self._end_ceremonies,
            )
        return pb.EndSessionsResponse(details=details_message(details), ended_count=ended)


def signed_in(session: NewSession, **further: Any) -> signin_pb.SignedIn:
    """The answer to a sign-in; `further` are the fields of its kind."""
    return signin_pb.SignedIn(
        details=details_message(session.details),
        session_id=session.session_id,
        session_token=session.token,
        user_id=session.user_id,
        expires_at=timestamp(session.expires_at),
        **further,
    )


def _introspected(caller: Caller) -> pb.IntrospectSessionResponse:
    session = caller.session
    if session is None or caller.expires_at is None:
        raise TypeError("the caller has no session, or its session does not expire")
    return pb.IntrospectSessionResponse(
        active=True,
        session=pb.IntrospectedSession(
            session_id=session.session_id,
            authenticated_at=timestamp(session.authenticated_at),
            expires_at=timestamp(session.expires_at),
            idle_expires_at=timestamp(caller.expires_at),
        ),
        user=pb.IntrospectedUser(
            user_id=caller.user_id,
            org_id=caller.organization_id,
            user_name=session.user_name,
            display_name=session.display_name,
        ),
    )


def _ended_sessions(ended: Ended) -> Iterator[pb.EndedSession]:
    for session_id in ended.session_ids:
        yield pb.EndedSession(
            session_id=session_id,
            user_id=ended.user_id,
            org_id=ended.organization_id,
            reason=pb.EndReason.Value(f"END_REASON_{ended.reason}"),
            ended_at=timestamp(ended.ended_at),
        )


def _session(session: Session, caller: AnyCaller) -> Nested:
    current = caller.session if isinstance(caller, Caller) else None
    return nested(
        pb.Session,
        session,
        current=current is not None and current.session_id == session.session_id,
    )


def _refusal(refusal: ListedRefusal) -> Nested:
    return nested(
        pb.SignInRefusal,
        refusal,
        method=f"SIGN_IN_METHOD_{refusal.method}",
        request_id=refusal.request_ids[0],
    )

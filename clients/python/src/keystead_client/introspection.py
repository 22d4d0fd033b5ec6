"""Asks the server for the session and the user of a session token."""

import hashlib
from datetime import timedelta
from typing import Final

import cachetools
import grpc

from keystead.session.v1 import session_service_pb2 as pb
from keystead.session.v1 import session_service_pb2_grpc as pb_grpc
from keystead_client.ended_sessions import EndedSessions

_CACHED: Final = timedelta(seconds=5)
_MAX_ANSWERS: Final = 10_000


class Introspector:
    """IntrospectSession with a cache. The caller needs ROLE_SESSION_VERIFIER.

    Call it when the user acts: it counts as a use of the session. Answers are cached for `cached`,
    and by the server for up to 5 seconds. With `ended`, an ended session is inactive at once.
    """

    def __init__(
        self,
        channel: grpc.aio.Channel,
        *,
        cached: timedelta = _CACHED,
        ended: EndedSessions | None = None,
    ) -> None:
        self._sessions = pb_grpc.SessionServiceStub(channel)
        self._ended = ended
        # By the hash of the token, so that no token stays in memory.
        self._answers: cachetools.TTLCache[bytes, pb.IntrospectSessionResponse] = (
            cachetools.TTLCache(_MAX_ANSWERS, cached.total_seconds())
        )

    async def introspect(self, session_token: str) -> pb.IntrospectSessionResponse:
        """The session and its user. `active` is false for every other token. `KeysteadError`."""
        hashed = hashlib.sha256(session_token.encode()).digest()
        answer = self._answers.get(hashed)
        if answer is None:
            request = pb.IntrospectSessionRequest(session_token=session_token)
            answer = await self._sessions.IntrospectSession(request)
            self._answers[hashed] = answer
        if self._ended is not None and answer.session.session_id in self._ended:
            return pb.IntrospectSessionResponse()
        return answer

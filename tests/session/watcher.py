"""A watcher of ended sessions."""

import contextlib

from keystead.session.v1 import session_service_pb2 as pb
from tests.support.given import Client
from tests.support.streams import Watcher


class SessionWatcher(Watcher):
    """A stream of ended sessions."""

    async def ended(self, *session_ids: str) -> list[pb.EndedSession]:
        """The next ends, which must be those of these sessions in any order."""
        ended: list[pb.EndedSession] = []
        while len(ended) < len(session_ids):
            ended += (await self.read()).ended_sessions
        assert sorted(each.session_id for each in ended) == sorted(session_ids)
        return ended


def stream(client: Client, after: str = "") -> SessionWatcher:
    request = pb.WatchEndedSessionsRequest(after_cursor=after)
    return SessionWatcher(client.call(client.sessions.WatchEndedSessions, request))


def watching(
    client: Client, after: str = ""
) -> contextlib.AbstractAsyncContextManager[SessionWatcher]:
    """A watcher that has read the first message, which contains only the position."""
    return stream(client, after).begun(after)

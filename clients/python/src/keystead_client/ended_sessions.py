"""Watches the ends of sessions, in a background task."""

import asyncio
import contextlib
import logging
import time
from collections.abc import Iterator
from datetime import timedelta
from typing import Final, Self

import grpc

from keystead.session.v1 import session_service_pb2 as pb
from keystead.session.v1 import session_service_pb2_grpc as pb_grpc
from keystead_client import backoff
from keystead_client.errors import KeysteadError

_log = logging.getLogger(__name__)

# The server sends a message after 25 seconds of silence.
_SILENCE_SECONDS: Final = 60.0
# JWTs are valid for 5 minutes; clocks differ.
_KEPT: Final = timedelta(minutes=15)
# The stream cannot resume: the database was restored from a backup, or the events were archived.
_LOST_PLACES: Final = ("LOG_RESTORED", "SEQUENCE_UNKNOWN", "EVENTS_ARCHIVED")


class EndedSessions:
    """The sessions that have ended recently: `session_id in ended`.

    A background task reads WatchEndedSessions; its caller needs ROLE_SESSION_VERIFIER. After a
    failure it resumes after the last message. While it cannot, an ended session is accepted until
    its JWT expires, 5 minutes after its issue. A service that must not accept that refuses all
    sessions while `behind` is more than a minute.

    `cursor` can be stored and passed as `after_cursor` to resume after a restart. Without it,
    the watch begins when it is started.
    """

    def __init__(
        self,
        channel: grpc.aio.Channel,
        *,
        after_cursor: str = "",
        kept: timedelta = _KEPT,
        silence: float = _SILENCE_SECONDS,
    ) -> None:
        self._sessions = pb_grpc.SessionServiceStub(channel)
        self.cursor = after_cursor
        self._kept_seconds = kept.total_seconds()
        self._silence = silence
        self._forget_at: dict[str, float] = {}
        self._told_at: float | None = None
        self._task: asyncio.Task[None] | None = None

    def __contains__(self, session_id: str) -> bool:
        return session_id in self._forget_at

    @property
    def behind(self) -> timedelta:
        """The time since the last message; at most 25 seconds while the stream is open."""
        if self._told_at is None:
            return timedelta.max
        return timedelta(seconds=time.monotonic() - self._told_at)

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self._watch(), name="keystead ended sessions")
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task

    async def _watch(self) -> None:
        attempt = 0
        while True:
            told_at = self._told_at
            error = await self._read()
            attempt = 1 if self._told_at != told_at else attempt + 1
            _log.warning("The watch of ended sessions is interrupted: %r", error)
            if isinstance(error, KeysteadError) and error.reason in _LOST_PLACES:
                self.cursor = ""
            await asyncio.sleep(backoff.delay(attempt))

    async def _read(self) -> Exception | None:
        """Reads the stream to its end, and gives the error that ended it, if any."""
        request = pb.WatchEndedSessionsRequest(after_cursor=self.cursor)
        call = self._sessions.WatchEndedSessions(request)
        messages = aiter(call)
        try:
            while True:
                async with asyncio.timeout(self._silence):
                    self._add(await anext(messages))
        except StopAsyncIteration:
            return None
        except Exception as error:  # noqa: BLE001 -- a token function can raise anything
            return error
        finally:
            call.cancel()

    def _add(self, message: pb.WatchEndedSessionsResponse) -> None:
        now = time.monotonic()
        for session_id in list(self._expired(now)):
            del self._forget_at[session_id]
        for ended in message.ended_sessions:
            self._forget_at[ended.session_id] = now + self._kept_seconds
        self.cursor, self._told_at = message.cursor, now

    def _expired(self, now: float) -> Iterator[str]:
        for session_id, forget_at in self._forget_at.items():  # ordered by time
            if forget_at > now:
                return
            yield session_id

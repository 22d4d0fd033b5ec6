"""The body of an HTTP request. Watches whether the client leaves once the body is read."""

import asyncio
import contextlib
from types import TracebackType
from typing import Any, cast

from starlette.types import Receive

from bridge.metadata import Headers
from server.rpc.requests import message_too_large

# Calls that take longer are ended when their client leaves. Most calls are shorter, and save the
# task that watches the client.
_WATCHED_AFTER_SECONDS = 0.1


class RequestBody(contextlib.AbstractContextManager["RequestBody"]):
    """The body of one request, and a context manager for the block that reads and answers it.

    When the client leaves, the task that read the body is cancelled, and the block ends silently.
    """

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self._timer: asyncio.TimerHandle | None = None
        self._watcher: asyncio.Task[None] | None = None
        self._has_more = True
        self._is_abandoned = False

    def __exit__(
        self,
        _type: type[BaseException] | None,
        error: BaseException | None,
        _traceback: TracebackType | None,
    ) -> bool:
        """Stops watching the client. True for a cancellation because the client has left."""
        if self._timer is not None:
            self._timer.cancel()
        if self._watcher is not None:
            self._watcher.cancel()
        return self._is_abandoned and isinstance(error, asyncio.CancelledError)

    async def next_part(self) -> bytes | None:
        """The next part of the body; None after the last one, when the watch begins."""
        if not self._has_more:
            return None
        event = await self._receive()
        if event["type"] == "http.disconnect":
            self._is_abandoned = True
            raise asyncio.CancelledError
        self._has_more = event.get("more_body", False)
        if not self._has_more:
            call = cast(asyncio.Task[Any], asyncio.current_task())
            self._timer = call.get_loop().call_later(_WATCHED_AFTER_SECONDS, self._watch, call)
        part: bytes = event.get("body", b"")
        return part

    async def whole(self, headers: Headers, most_bytes: int) -> bytes:
        """The whole body. `Failure` RESOURCE_EXHAUSTED when it is larger."""
        for name, value in headers:
            if name == b"content-length" and int(value) > most_bytes:
                raise message_too_large(most_bytes)
        content = bytearray()
        while (part := await self.next_part()) is not None:
            content += part
            if len(content) > most_bytes:
                raise message_too_large(most_bytes)
        return bytes(content)

    def _watch(self, call: asyncio.Task[Any]) -> None:
        self._watcher = asyncio.create_task(self._cancel_when_abandoned(call))

    async def _cancel_when_abandoned(self, call: asyncio.Task[Any]) -> None:
        while (await self._receive())["type"] != "http.disconnect":
            pass
        self._is_abandoned = True
        call.cancel()

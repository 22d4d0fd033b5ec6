"""How responses are written to a connection, and how it ends without losing them."""

import asyncio
import socket
import struct
from collections.abc import Callable
from typing import Any

from bridge.limits import Limits

_RESET = struct.pack("ii", 1, 0)  # struct linger, socket(7)


class Transport(asyncio.Transport):
    """A connection as uvicorn's requests see it, who call `on_close` when it is to end."""

    def __init__(
        self,
        connection: asyncio.Transport,
        loop: asyncio.AbstractEventLoop,
        limits: Limits,
        on_close: Callable[[], None],
    ) -> None:
        super().__init__()
        self._connection = connection
        self._loop = loop
        self._limits = limits
        self._on_close = on_close
        self._held = b""
        self._closing = False
        self._watch: asyncio.TimerHandle | None = None

    # asyncio.Transport, as much of it as uvicorn uses

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return self._connection.get_extra_info(name, default)

    def pause_reading(self) -> None:
        self._connection.pause_reading()

    def resume_reading(self) -> None:
        self._connection.resume_reading()

    def write(self, data: bytes | bytearray | memoryview) -> None:
        """Joins the two pieces that uvicorn makes of a response, which is half of the cost."""
        if self._closing:
            return
        if self._held:
            self._connection.write(self._held + data)
            self._held = b""
        else:
            self._held = bytes(data)
            self._loop.call_soon(self._flush)

    def is_closing(self) -> bool:
        return self._closing

    def close(self) -> None:
        self._on_close()

    def abort(self) -> None:
        self._connection.abort()

    # Ours

    def end(self, *, client_may_send: bool) -> None:
        """Closes when everything is written, and when the client has closed if it may still send.

        To close a socket with unread bytes resets it, and the response may be lost with it (RFC
        9112, section 9.6).
        """
        self._flush()
        self._closing = True
        if client_may_send:
            self._connection.write_eof()
        else:
            self._connection.close()
        self.watch_progress()

    def lost(self) -> None:
        """There is no connection any more."""
        self._closing = True
        self.unwatch_progress()

    def reset(self) -> None:
        """Ends the connection, and gives up what is not yet sent."""
        # Otherwise the kernel would go on to offer the response, and keep it in memory.
        connection = self._connection.get_extra_info("socket")
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
        self._connection.abort()

    def watch_progress(self) -> None:
        """Resets the connection unless the client goes on to take what is written, or to close."""
        self.unwatch_progress()
        unsent = self._connection.get_write_buffer_size()
        seconds = self._limits.write_seconds if unsent else self._limits.drain_seconds
        self._watch = self._loop.call_later(seconds, self._reset_unless_less, unsent)

    def unwatch_progress(self) -> None:
        """The client may take its time."""
        if self._watch is not None:
            self._watch.cancel()

    def _reset_unless_less(self, unsent: int) -> None:
        if self._connection.get_write_buffer_size() < unsent:
            self.watch_progress()
        else:
            self.reset()

    def _flush(self) -> None:
        """Writes what waits for its other half; at the latest in the next turn of the loop."""
        if self._held:
            self._connection.write(self._held)
            self._held = b""

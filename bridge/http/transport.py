"""Writes responses to a connection, and closes it without losing the last one."""

import asyncio
import contextlib
from collections.abc import Callable
from typing import Any

# A larger body is not copied: clients that do not read a page share its bytes.
_MOST_JOINED_BYTES = 16 * 1024


class Transport(asyncio.Transport):
    """A connection as uvicorn's requests see it; their `close` calls `on_close`."""

    # Of the held bytes.
    _flushing: asyncio.Handle

    def __init__(
        self,
        connection: asyncio.Transport,
        loop: asyncio.AbstractEventLoop,
        on_close: Callable[[], None],
    ) -> None:
        super().__init__()
        self._connection = connection
        self._loop = loop
        self._on_close = on_close
        self._held = b""
        self._closing = False

    # asyncio.Transport: the methods that uvicorn calls

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return self._connection.get_extra_info(name, default)

    def pause_reading(self) -> None:
        self._connection.pause_reading()

    def resume_reading(self) -> None:
        self._connection.resume_reading()

    def write(self, data: bytes | bytearray | memoryview) -> None:
        """Joins head and body of a response, which uvicorn writes separately, in one write."""
        if self._closing:
            return
        if not self._held:
            self._held = bytes(data)
            self._flushing = self._loop.call_soon(self._flush)
            return
        self._flushing.cancel()
        if len(data) <= _MOST_JOINED_BYTES:
            self._connection.write(self._held + data)
            self._held = b""
        else:
            self._flush()
            self._connection.write(data)

    def is_closing(self) -> bool:
        return self._closing

    def close(self) -> None:
        self._on_close()

    def abort(self) -> None:
        self._connection.abort()

    # Ours

    @property
    def can_half_close(self) -> bool:
        """Whether a client that has closed its half still gets answers; not with asyncio's TLS."""
        return self._connection.can_write_eof()

    def end(self, *, linger_seconds: float) -> None:
        """Closes the connection once everything is written.

        A close with unread bytes resets the connection, and the response may be lost (RFC 9112,
        section 9.6). So a client that may still be sending first gets this time to close.
        """
        self._flush()
        self._closing = True
        if linger_seconds:
            if self.can_half_close:
                with contextlib.suppress(OSError):  # reset by the client a moment ago
                    self._connection.write_eof()
            self._loop.call_later(linger_seconds, self._connection.abort)
        else:
            self._connection.close()

    def lost(self) -> None:
        """Drops unwritten bytes: the connection is gone, and uvloop refuses to write to it."""
        self._held = b""
        self._closing = True

    def _flush(self) -> None:
        """Writes a head whose body has not followed by the end of the event loop's turn."""
        if self._held:
            self._connection.write(self._held)
            self._held = b""

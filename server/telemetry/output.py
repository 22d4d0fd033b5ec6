"""Where the lines of the log go: to standard error, several in one piece.

The rule: whoever logs neither waits for a write nor hears of one that failed. A disk that is full,
or a reader that has gone or stands still, costs lines and no calls.
"""

import asyncio
import atexit
import contextlib
import io
import os
import select
import threading
from collections import deque
from typing import Protocol

# How long whoever has no event loop waits for room: a command, or the end of the process.
_PATIENCE_SECONDS = 1.0
_RETRY_SECONDS = 0.05
# What a reader that stands still may cost in memory; further lines are lost.
_MOST_WAITING_LINES = 10_000


class Sink(Protocol):
    """What bytes are written to."""

    def write(self, data: bytes, patience: float, /) -> int:
        """How many were written; 0 when within so many seconds there was no room for any.

        OSError when they cannot be written.
        """


class Descriptor:
    """An open file, pipe, socket or terminal. Others may use it too, so it stays a blocking one."""

    def __init__(self, number: int) -> None:
        self._number = number
        self._room = select.poll()
        self._room.register(number, select.POLLOUT)

    def write(self, data: bytes, patience: float, /) -> int:
        """See `Sink`. What has room has room for as much as a pipe takes in one."""
        if not self._room.poll(patience * 1000):
            return 0
        return os.write(self._number, data[: select.PIPE_BUF])


class LogOutput(io.TextIOBase):
    """A stream of text lines. `flush` promises that they go out with the event loop's next turn.

    Without an event loop that is now; at the end of the process all of it has gone out, if there is
    room.
    """

    def __init__(self, sink: Sink) -> None:
        self._sink = sink
        # Its ends are safe to use by several threads.
        self._waiting: deque[bytes] = deque()
        self._piece = b""  # of which what is here is still to be written
        self._writing = threading.Lock()
        self._woken_by: asyncio.AbstractEventLoop | None = None
        atexit.register(self._write_out, _PATIENCE_SECONDS)

    def write(self, line: str, /) -> int:
        """Takes a line, which goes out whole."""
        if len(self._waiting) < _MOST_WAITING_LINES:
            self._waiting.append(line.encode(errors="backslashreplace"))
        return len(line)

    def flush(self) -> None:
        """Has what waits written with the other lines of this turn of the event loop."""
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            self._write_out(_PATIENCE_SECONDS)
            return
        if self._woken_by is not loop:
            self._woken_by = loop
            loop.call_soon(self._wake, loop)

    def _wake(self, loop: asyncio.AbstractEventLoop) -> None:
        self._woken_by = None
        self._write_out(0)
        if self._piece:
            self._woken_by = loop
            loop.call_later(_RETRY_SECONDS, self._wake, loop)

    def _write_out(self, patience: float) -> None:
        """As far as there is room. Who comes while another thread writes leaves it to that one."""
        while (self._waiting or self._piece) and self._writing.acquire(blocking=False):
            try:
                has_room = self._write_piece(patience)
            finally:
                self._writing.release()
            if not has_room:
                return

    def _write_piece(self, patience: float) -> bool:
        self._piece = self._piece or self._next_piece()
        if not self._piece:
            return True
        try:
            written = self._sink.write(self._piece, patience)
        except OSError:
            written = len(self._piece)  # it is lost
        self._piece = self._piece[written:]
        return written > 0

    def _next_piece(self) -> bytes:
        """Whole lines, no more than a pipe takes in one: other processes write to the same one."""
        piece = b""
        with contextlib.suppress(IndexError):
            while not piece or len(piece) + len(self._waiting[0]) <= select.PIPE_BUF:
                piece += self._waiting.popleft()
        return piece

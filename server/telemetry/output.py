"""Writes log lines to standard error in batches.

The rule: logging neither waits for a write nor fails with it. A full disk, a closed pipe or a
stalled reader costs lines, but no calls.
"""

import asyncio
import atexit
import contextlib
import io
import os
import select
import threading
from collections import deque
from collections.abc import Callable
from typing import TypeAlias

# Maximum wait for space without an event loop: in a command, or at the end of the process.
_PATIENCE_SECONDS = 1.0
_RETRY_SECONDS = 0.05
# Limits the memory for a stalled reader; further lines are dropped.
_MOST_WAITING_LINES = 10_000

# Writes bytes and gives the number of written ones; 0 if there was no space within this time.
# Raises OSError if they cannot be written.
Write: TypeAlias = Callable[[bytes, float], int]


class Descriptor:
    """An open file, pipe, socket or terminal; blocking, because other processes may share it."""

    def __init__(self, number: int) -> None:
        self._number = number
        self._room = select.poll()
        self._room.register(number, select.POLLOUT)

    def write(self, data: bytes, patience: float, /) -> int:
        """See `Write`. A pipe that is ready has enough space for an atomic write."""
        if not self._room.poll(patience * 1000):
            return 0
        return os.write(self._number, data[: select.PIPE_BUF])


class LogOutput(io.TextIOBase):
    """A stream of text lines. `flush` schedules the write for the next turn of the event loop.

    Without an event loop it writes at once. At the end of the process everything is written if
    there is space.
    """

    def __init__(self, write: Write) -> None:
        self._write_bytes = write
        # A deque, whose ends are thread-safe.
        self._waiting: deque[bytes] = deque()
        self._piece = b""  # the unwritten rest of the current batch
        self._writing = threading.Lock()
        self._woken_by: asyncio.AbstractEventLoop | None = None
        atexit.register(self._write_out, _PATIENCE_SECONDS)

    def write(self, line: str, /) -> int:
        """Appends a line, which is written as a whole."""
        if len(self._waiting) < _MOST_WAITING_LINES:
            self._waiting.append(line.encode(errors="backslashreplace"))
        return len(line)

    def flush(self) -> None:
        """Schedules the write of the lines of this turn of the event loop."""
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
        """Writes while there is space. If another thread writes, leaves the rest to it."""
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
            written = self._write_bytes(self._piece, patience)
        except OSError:
            written = len(self._piece)  # drop the batch
        self._piece = self._piece[written:]
        return written > 0

    def _next_piece(self) -> bytes:
        """Whole lines up to the size of an atomic write, since other processes share the pipe."""
        piece = b""
        with contextlib.suppress(IndexError):
            while not piece or len(piece) + len(self._waiting[0]) <= select.PIPE_BUF:
                piece += self._waiting.popleft()
        return piece

"""Where the lines of the log go: to standard error, several in one piece.

The rule: whoever logs neither waits for a write of its own nor hears of one that failed. A disk
that is full, or a reader that has gone, costs lines and no calls.
"""

import asyncio
import atexit
import contextlib
import io
import select
from collections import deque
from typing import Protocol

# How long a line may wait for others. What is killed without a chance to end loses as much.
_GATHERING_SECONDS = 0.02


class Sink(Protocol):
    """What bytes are written to, as to `io.RawIOBase`."""

    def write(self, data: bytes, /) -> int | None:
        """How many were written, None without waiting for room. OSError when it cannot be."""


class LogOutput(io.TextIOBase):
    """A stream of text lines. `flush` promises that what was written goes out in a moment.

    Without an event loop that is now; at the end of the process all of it has gone out.
    """

    def __init__(self, sink: Sink) -> None:
        self._sink = sink
        # Its ends are safe to use by several threads.
        self._waiting: deque[bytes] = deque()
        self._woken_by: asyncio.AbstractEventLoop | None = None
        atexit.register(self._write_out)

    def write(self, line: str, /) -> int:
        """Takes a line, which goes out whole."""
        self._waiting.append(line.encode(errors="backslashreplace"))
        return len(line)

    def flush(self) -> None:
        """Has what waits written with the other lines of this moment."""
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            self._write_out()
            return
        if self._woken_by is not loop:
            self._woken_by = loop
            loop.call_later(_GATHERING_SECONDS, self._write_out)

    def _write_out(self) -> None:
        self._woken_by = None
        while piece := self._next_piece():
            with contextlib.suppress(OSError):
                while piece and (written := self._sink.write(piece)):
                    piece = piece[written:]

    def _next_piece(self) -> bytes:
        """Whole lines, no more than a pipe takes in one: other processes write to the same one."""
        piece = b""
        with contextlib.suppress(IndexError):
            while not piece or len(piece) + len(self._waiting[0]) <= select.PIPE_BUF:
                piece += self._waiting.popleft()
        return piece

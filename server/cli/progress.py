"""Shows the progress of a long command on standard error."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import TextIO

from server.values.progress import Progress

_SECONDS_BETWEEN_REDRAWS = 0.2
_SECONDS_BETWEEN_LINES = 10.0
# Returns to the first column; the rest of the line after the text is erased (ECMA-48, EL).
_REDRAWN = "\r{}\x1b[K"


class ProgressLine:
    """A line that is redrawn on a terminal; in a file or pipe, a line every ten seconds."""

    def __init__(self, file: TextIO, clock: Callable[[], float] = time.monotonic) -> None:
        self._file = file
        self._clock = clock
        self._redraws = file.isatty()
        self._step: str | None = None
        self._began = (0.0, 0)  # when the step began, with how many events done
        self._shown_at = clock()
        self._is_open = False  # a redrawn line has no end yet

    def tell(self, progress: Progress) -> None:
        """Shows the progress, unless something was shown a moment before.

        A terminal also shows each step at once.
        """
        now = self._clock()
        is_new = progress.step != self._step
        if is_new:
            self.end()
            self._step, self._began = progress.step, (now, progress.done)
        if now >= self._shown_at + self._pause or (self._redraws and is_new):
            self._shown_at = now
            self._show(self._text(progress, now))

    def end(self) -> None:
        """Ends a redrawn line, before other output."""
        if self._is_open:
            print(file=self._file, flush=True)
            self._is_open = False

    @property
    def _pause(self) -> float:
        return _SECONDS_BETWEEN_REDRAWS if self._redraws else _SECONDS_BETWEEN_LINES

    def _show(self, text: str) -> None:
        self._is_open = self._redraws
        if self._redraws:
            print(_REDRAWN.format(text), end="", file=self._file, flush=True)
        else:
            print(text, file=self._file, flush=True)

    def _text(self, progress: Progress, now: float) -> str:
        step, done, total, units = progress
        if not total:
            return f"{step} ..."
        text = f"{step}: {done:,} of {total:,} {units} ({100 * done // total} %)"
        since, done_before = self._began
        if now <= since or done <= done_before:
            return text
        rate = (done - done_before) / (now - since)
        left = timedelta(seconds=round((total - done) / rate))
        return f"{text}, {rate:,.0f} a second, {left} left"


@contextmanager
def shown_progress() -> Iterator[ProgressLine]:
    """A line on standard error, which ends with the block."""
    line = ProgressLine(sys.stderr)
    try:
        yield line
    finally:
        line.end()

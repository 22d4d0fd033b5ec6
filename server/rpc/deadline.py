"""The time that a call has: until its deadline, or until the server cuts it off.

The rule: what a call does ends with it, and its client is told why.
"""

import asyncio
from collections.abc import Callable
from datetime import timedelta
from types import TracebackType
from typing import Any, Self

from server.values.errors import Failure, Kind, deadline_exceeded


class Bounds:
    """Ends what happens in the block at its deadline, or when the server cuts it off.

    `Failure` DEADLINE_EXCEEDED or UNAVAILABLE. It cancels its task and takes that back, as
    `asyncio.timeout` does, which cannot tell the two ends apart and takes more than twice the time;
    every call has one.
    """

    __slots__ = ("_end", "_failure", "_running", "_task", "_timer")

    _task: asyncio.Task[Any]
    _timer: asyncio.TimerHandle

    def __init__(self, running: set["Bounds"], end: float) -> None:
        """`end` is a time of the event loop. In `running` it is found while it goes on."""
        self._running = running
        self._end = end
        self._failure: Failure | None = None

    async def __aenter__(self) -> Self:
        loop = asyncio.get_running_loop()
        task: Any = asyncio.current_task(loop)  # there is one: whoever awaits is it
        self._task = task
        self._timer = loop.call_at(self._end, self._stop, deadline_exceeded)
        self._running.add(self)
        return self

    async def __aexit__(
        self,
        type_: type[BaseException] | None,
        _error: BaseException | None,
        _traceback: TracebackType | None,
    ) -> None:
        self._running.discard(self)
        self._timer.cancel()
        if self._failure is None:
            return
        # What is left are cancellations by others: the client is gone, and nobody asks why.
        others = self._task.uncancel()
        if type_ is asyncio.CancelledError and not others:
            raise self._failure from None

    def lift_unless_set(self, context: Any) -> None:
        """A stream whose client set no deadline goes on as long as the client likes."""
        if context.time_remaining() is None:
            self._timer.cancel()

    def cut_off(self) -> None:
        """Ends it now, if it is not about to end by itself."""
        self._stop(shutting_down)

    def _stop(self, why: Callable[[], Failure]) -> None:
        if self._failure is None:
            self._failure = why()
            self._task.cancel()


def shutting_down() -> Failure:
    """For a call that comes, or is cut off, while the server ends."""
    return Failure(
        Kind.UNAVAILABLE,
        "SHUTTING_DOWN",
        "This server is shutting down. Try again in a moment; another one will answer.",
        retry_after=timedelta(seconds=1),
    )

"""The time that a call has: until its deadline, or until the server cuts it off.

The rule: what a call does ends with it, and its client is told why.
"""

import asyncio
from datetime import timedelta
from types import TracebackType
from typing import Any, Self

from server.errors import Failure, Kind, deadline_exceeded


class Bounds:
    """Ends what happens in the block at its deadline, or when the server cuts it off.

    `Failure` DEADLINE_EXCEEDED or UNAVAILABLE.
    """

    __slots__ = ("_is_cut_off", "_running", "_timeout")

    def __init__(self, running: set["Bounds"], end: float) -> None:
        self._running = running
        self._timeout = asyncio.timeout_at(end)
        self._is_cut_off = False

    async def __aenter__(self) -> Self:
        self._running.add(self)
        await self._timeout.__aenter__()
        return self

    async def __aexit__(
        self,
        type_: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._running.discard(self)
        try:
            await self._timeout.__aexit__(type_, error, traceback)
        except TimeoutError:
            raise (shutting_down() if self._is_cut_off else deadline_exceeded()) from None

    def lift_unless_set(self, context: Any) -> None:
        """A stream whose client set no deadline goes on as long as the client likes."""
        if context.time_remaining() is None:
            self._timeout.reschedule(None)

    def cut_off(self) -> None:
        """Ends it now, if it is not about to end by itself."""
        if not self._timeout.expired():
            self._is_cut_off = True
            self._timeout.reschedule(0)  # long ago on the clock of every loop


def shutting_down() -> Failure:
    """For a call that comes, or is cut off, while the server ends."""
    return Failure(
        Kind.UNAVAILABLE,
        "SHUTTING_DOWN",
        "This server is shutting down. Try again in a moment; another one will answer.",
        retry_after=timedelta(seconds=1),
    )

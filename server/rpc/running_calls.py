"""The calls that have begun and not ended, and their end when the server shuts down.

The rule: a call that is refused or cut off by a shutdown gets a failure with details, so that its
client tries again elsewhere.
"""

import asyncio
import time

from server.rpc.call import Call, shutting_down

_DRAIN_POLL_SECONDS = 0.01
# The server stops once no call has arrived for this time, so that calls in transit get a refusal
# with details. A client whose stream has ended needs a round trip to open it again.
QUIET_SECONDS = 0.25


class RunningCalls:
    """The calls that have begun and not ended, in `all`.

    `is_closed`: new calls are refused. `is_cut_off`: new streams, too.
    """

    def __init__(self) -> None:
        self.all: set[Call] = set()
        self.is_closed = False
        self.is_cut_off = False
        # The number of calls refused during the shutdown.
        self._refused = 0

    @property
    def calls(self) -> list[Call]:
        """Those that a shutdown waits for. Only their clients end streams."""
        return [call for call in self.all if not call.method.is_stream]

    def refuse(self, call: Call) -> None:
        """Refuses a call that begins during the shutdown, or a stream after the cut-off.

        The health service still answers, with NOT_SERVING.
        """
        method = call.method
        if self.is_cut_off if method.is_stream else method.access is not None:
            self._refused += 1
            raise shutting_down()

    def close(self) -> None:
        """From now on new calls are refused; those in flight go on."""
        self.is_closed = True

    async def drained(self, seconds: float) -> bool:
        """Waits at most this time until no call is in flight. False: some still are."""
        until = time.monotonic() + seconds
        # Polls, because an `asyncio.Event` would cost time in every call.
        while self.calls and time.monotonic() < until:  # noqa: ASYNC110
            await asyncio.sleep(_DRAIN_POLL_SECONDS)
        return not self.calls

    async def quiet(self, seconds: float, *, most_seconds: float) -> None:
        """Waits until no call has been refused for this time, at most `most_seconds`."""
        until = time.monotonic() + most_seconds
        refused = -1
        while self._refused != refused and time.monotonic() < until:
            refused = self._refused
            await asyncio.sleep(seconds)

    def cut_off(self) -> None:
        """Ends the remaining calls and streams as UNAVAILABLE, and refuses new streams."""
        self.is_closed = self.is_cut_off = True
        for call in tuple(self.all):
            call.stop(shutting_down())

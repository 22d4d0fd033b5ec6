"""The loop of deliveries: every process makes attempts of due deliveries, several at once.

The rule: an attempt ends before its lease, so that two attempts of one delivery never overlap. The
recording of its result is retried until it succeeds or the process ends.
"""

import asyncio
import contextlib
from abc import ABC, abstractmethod
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import ClassVar, Final, Generic, TypeVar

from prometheus_client import Counter

from server.deliveries.results import DeliveryState
from server.telemetry.background import tried

_LOOK_SECONDS = 10.0
# A slower statement counts as an outage.
STATEMENT_SECONDS: Final = 10.0
# The rest of the lease, for recording the result.
SPARE_SECONDS: Final = 30.0
# The metrics' label for an attempt that lost its lease.
LOST: Final = "lost"


@dataclass(frozen=True, slots=True)
class Pace:
    """The waiting times of a loop, in seconds.

    `poll`: between looks at due deliveries, unless `wake` is called. `record_again`: between
    attempts to record a result. `close`: at the end, for attempts in progress.
    """

    poll: float = 2.0
    record_again: float = 1.0
    close: float = 2.0


PACE = Pace()

_Attempt = TypeVar("_Attempt")
_Result = TypeVar("_Result")
_Backlog = TypeVar("_Backlog")


class DeliveryLoop(ABC, Generic[_Attempt, _Result, _Backlog]):
    """Makes attempts, as one of several processes. A subclass knows the deliveries."""

    # The plural of the deliveries, for logs.
    deliveries: ClassVar[str]

    def __init__(self, backlog: _Backlog, *, failures: Counter, pace: Pace) -> None:
        self._failures = failures
        self._pace = pace
        # The attempts in progress, by their tasks.
        self.in_progress: dict[asyncio.Task[None], _Attempt] = {}
        self._woken = asyncio.Event()
        self._looking = asyncio.Lock()
        # The results to record, by the attempts that wait for it; and the states since recorded.
        self._unrecorded: dict[_Attempt, _Result] = {}
        self._states: dict[_Attempt, DeliveryState | None] = {}
        self._is_closed = False
        self._next_look = 0.0
        self.backlog = backlog

    @abstractmethod
    async def _leased(self) -> Sequence[_Attempt]:
        """Leases due deliveries, as many as may be attempted now."""

    @abstractmethod
    async def _try(self, attempt: _Attempt) -> None:
        """Makes an attempt and records its result by `recorded`."""

    @abstractmethod
    async def _record(
        self, made: Sequence[tuple[_Attempt, _Result]]
    ) -> Sequence[DeliveryState | None]:
        """Records results; the state of each delivery. None: the lease was lost."""

    @abstractmethod
    async def _read_backlog(self) -> _Backlog: ...

    def wake(self) -> None:
        """Looks for due deliveries at once."""
        self._woken.set()

    async def run(self) -> None:
        """Runs until it is cancelled."""
        async with asyncio.TaskGroup() as group:
            while not self._is_closed:
                async with self._looking:
                    self._woken.clear()
                    await self._round(group)
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(self._pace.poll):
                        await self._woken.wait()

    async def close(self) -> None:
        """Starts no further attempt, and waits a moment for attempts in progress.

        The delivery of a cancelled attempt is tried again when its lease has ended.
        """
        self._is_closed = True
        self.wake()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(self._pace.close):
                async with self._looking:  # a cancelled round would leave leases without attempts
                    pass
                if self.in_progress:
                    await asyncio.wait(self.in_progress)

    async def _round(self, group: asyncio.TaskGroup) -> None:
        """Starts an attempt for each due delivery, up to the limit."""
        with self.tried(f"to look for {self.deliveries}"):
            async with asyncio.timeout(STATEMENT_SECONDS):
                for attempt in await self._leased():
                    self._begin(group, attempt)
                await self._look()

    def tried(self, work: str) -> AbstractContextManager[None]:
        """Logs and counts a failure of the block, whose work is repeated."""
        return tried(work, self._failures)

    async def _look(self) -> None:
        now = asyncio.get_running_loop().time()
        if now >= self._next_look:
            self.backlog = await self._read_backlog()
            self._next_look = now + _LOOK_SECONDS

    def _begin(self, group: asyncio.TaskGroup, attempt: _Attempt) -> None:
        task = group.create_task(self._try(attempt))
        self.in_progress[task] = attempt
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        del self.in_progress[task]
        self.wake()  # for the next delivery

    async def recorded(self, attempt: _Attempt, result: _Result) -> DeliveryState | None:
        """Records the result; returns the delivery's state. None: the lease was lost.

        Results that wait meanwhile are recorded together, by the first that can.
        """
        self._unrecorded[attempt] = result
        while attempt in self._unrecorded:
            with self.tried(f"to record results of {self.deliveries}"):
                # The next round must know of a failure, or it would lease the delivery again.
                async with self._looking, asyncio.timeout(STATEMENT_SECONDS):
                    await self._record_all()
            if attempt in self._unrecorded:
                await asyncio.sleep(self._pace.record_again)
        return self._states.pop(attempt)

    async def _record_all(self) -> None:
        made = [*self._unrecorded.items()]
        if made:
            states = await self._record(made)
            for (attempt, _), state in zip(made, states, strict=True):
                del self._unrecorded[attempt]
                self._states[attempt] = state

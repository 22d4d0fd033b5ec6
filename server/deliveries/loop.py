"""The loop of deliveries: every process makes attempts of due deliveries, several at once.

The rule: an attempt ends before its lease, so that two attempts of one delivery never overlap. The
recording of its result is retried until it succeeds or the process ends.
"""

import asyncio
import contextlib
import logging
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import ClassVar, Final, Generic, TypeVar

import structlog
from prometheus_client import Counter

from server.deliveries.results import Attempt, AttemptResult, Backlog, DeliveryState
from server.telemetry import tracing
from server.telemetry.background import tried

_LOOK_SECONDS = 10.0
# A slower statement counts as an outage.
_STATEMENT_SECONDS: Final = 10.0
# The rest of the lease, for recording the result.
SPARE_SECONDS: Final = 30.0
# The metrics' label for an attempt that lost its lease.
_LOST: Final = "lost"


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

_Attempt = TypeVar("_Attempt", bound=Attempt)


class DeliveryLoop(ABC, Generic[_Attempt]):
    """Makes attempts, as one of several processes. A subclass knows the deliveries."""

    # The name of a delivery and its plural, for logs and spans.
    name: ClassVar[str]
    deliveries: ClassVar[str]

    def __init__(
        self, kinds: Iterable[str], *, tries: Counter, failures: Counter, pace: Pace
    ) -> None:
        """`tries` counts attempts by kind and state, `failures` those of the work itself."""
        self._tries = tries
        self._failures = failures
        self._pace = pace
        self.log = structlog.get_logger(self.name)
        # The attempts in progress, by their tasks.
        self.in_progress: dict[asyncio.Task[None], _Attempt] = {}
        self._woken = asyncio.Event()
        self._looking = asyncio.Lock()
        # The results to record, by the attempts that wait for it; and the states since recorded.
        self._unrecorded: dict[_Attempt, AttemptResult] = {}
        self._states: dict[_Attempt, DeliveryState | None] = {}
        self._is_closed = False
        self._next_look = 0.0
        self.backlog = Backlog()
        for kind in kinds:
            for state in (*DeliveryState, _LOST):
                tries.labels(kind, state)

    @abstractmethod
    async def _acquire(self) -> Sequence[_Attempt]:
        """Leases due deliveries, as many as may be attempted now."""

    @abstractmethod
    async def _send(self, attempt: _Attempt) -> AttemptResult:
        """Makes an attempt."""

    @abstractmethod
    async def _record(
        self, made: Sequence[tuple[_Attempt, AttemptResult]]
    ) -> Sequence[DeliveryState | None]:
        """Records results; the state of each delivery. None: the lease was lost."""

    @abstractmethod
    async def _give_up(self, attempt: _Attempt, result: AttemptResult) -> Mapping[str, int]:
        """Ends deliveries that waited for too long for the failing destination of the attempt.

        Returns their numbers by kind.
        """

    @abstractmethod
    async def _look(self) -> Backlog:
        """Reads the backlog."""

    @abstractmethod
    def _named(self, attempt: _Attempt) -> Mapping[str, str]:
        """The IDs of the delivery, for logs."""

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
        with self._tried("to look for"):
            async with asyncio.timeout(_STATEMENT_SECONDS):
                for attempt in await self._acquire():
                    task = group.create_task(self._try(attempt))
                    self.in_progress[task] = attempt
                    task.add_done_callback(self._ended)
                now = asyncio.get_running_loop().time()
                if now >= self._next_look:
                    self.backlog = await self._look()
                    self._next_look = now + _LOOK_SECONDS

    def _ended(self, task: asyncio.Task[None]) -> None:
        del self.in_progress[task]
        self.wake()  # for the next delivery

    def _tried(self, work: str) -> AbstractContextManager[None]:
        """Logs and counts a failure of the block, whose work is repeated."""
        return tried(f"{work} {self.deliveries}", self._failures)

    async def _try(self, attempt: _Attempt) -> None:
        """Makes an attempt, and records its result."""
        kind = {f"keystead.{self.name}.kind": attempt.kind}
        with tracing.span(f"{self.name} attempt", **kind) as span:
            result = await self._send(attempt)
            if span is not None:
                span.set_attribute(f"keystead.{self.name}.result", result.reason or result.state)
        state = await self._recorded(attempt, result) or _LOST
        self._tries.labels(attempt.kind, state).inc()
        event = f"{self.name} tried"
        self.log.log(
            logging.INFO if state is DeliveryState.SENT else logging.WARNING,
            event,
            **self._named(attempt),
            kind=attempt.kind,
            attempt=attempt.number,
            state=state,
            reason=result.reason,
        )
        if result.destination_works is False:
            await self._end_late(attempt, result)

    async def _end_late(self, attempt: _Attempt, result: AttemptResult) -> None:
        # If this fails, the next failure of the destination repeats it.
        with self._tried("to give up late"):
            async with asyncio.timeout(_STATEMENT_SECONDS):
                for kind, number in (await self._give_up(attempt, result)).items():
                    self._tries.labels(kind, DeliveryState.FAILED).inc(number)

    async def _recorded(self, attempt: _Attempt, result: AttemptResult) -> DeliveryState | None:
        """Records the result; returns the delivery's state. None: the lease was lost.

        Results that wait meanwhile are recorded together, by the first that can.
        """
        self._unrecorded[attempt] = result
        while attempt in self._unrecorded:
            with self._tried("to record results of"):
                # The next round must know of a failure, or it would lease the delivery again.
                async with self._looking, asyncio.timeout(_STATEMENT_SECONDS):
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

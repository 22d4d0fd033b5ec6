"""The times until ends were seen, the promises about them, and the table."""

import asyncio
import contextlib
import os
import time
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field

import grpc
import httpx2

from chaos.load import LostError
from chaos.report import Report
from chaos.revocation.places import PLACES, Place

# True or False: whether a request is accepted. None: no answer.
Ask = Callable[[], Awaitable[bool | None]]

_POLL_SECONDS = 0.05
# After it, a place counts as one that never sees the end.
_MOST_SECONDS = 30.0
_LOST = (grpc.aio.AioRpcError, httpx2.TransportError, LostError)


class NotAcceptedError(Exception):
    """A credential was not accepted before its end."""


@dataclass(slots=True)
class Ended:
    """What a kind of end ends: `end` ends it, `asked` are places that accept it until then.

    `told` are places that get a message that contains a text, with the function that waits for it
    and gives the time of its arrival.
    """

    kind: str
    end: Callable[[], Awaitable[object]]
    asked: Mapping[Place, Ask] = field(default_factory=dict)
    told: Mapping[Place, Callable[[], Awaitable[float]]] = field(default_factory=dict)


@dataclass(slots=True)
class Measured:
    """The times of all ends. During a fault, messages may be late."""

    has_faults: bool = False
    seconds: dict[Place, list[float]] = field(default_factory=lambda: defaultdict(list))
    kinds: Counter[str] = field(default_factory=Counter)
    violations: list[str] = field(default_factory=list)
    unanswered: int = 0
    is_disturbed: bool = False

    @property
    def ends(self) -> int:
        """The number of ends."""
        return self.kinds.total()

    async def measure(self, ended: Ended) -> bool:
        """Ends something that all places accept, and waits until they do not.

        Gives whether the end was answered. If it was not, it may have happened.
        """
        for place, ask in ended.asked.items():
            await _accepted(ended, place, ask)
        was_disturbed = self.is_disturbed
        try:
            await ended.end()
        except _LOST:
            self.unanswered += 1
            return False
        ended_at = time.monotonic()
        async with asyncio.TaskGroup() as tasks:
            for place, ask in ended.asked.items():
                tasks.create_task(self._refused(ended, place, ask, ended_at))
            for place, arrival in ended.told.items():
                tasks.create_task(
                    self._told(ended, place, arrival, ended_at, was_disturbed=was_disturbed)
                )
        self.kinds[ended.kind] += 1
        return True

    async def _refused(self, ended: Ended, place: Place, ask: Ask, ended_at: float) -> None:
        while True:
            began = time.monotonic()
            accepted = await answered(ask)
            after = began - ended_at
            if accepted is False:
                self.seconds[place].append(max(0.0, after))
                return
            bound = _MOST_SECONDS if place.bound_seconds is None else place.bound_seconds
            may_be_late = place.is_told and self.is_disturbed
            if accepted and after > bound and not may_be_late:
                self.violations.append(f"{place.name}: accepted {after:.2f} s after: {ended.kind}")
                return
            await asyncio.sleep(_POLL_SECONDS)

    async def _told(
        self,
        ended: Ended,
        place: Place,
        arrival: Callable[[], Awaitable[float]],
        ended_at: float,
        *,
        was_disturbed: bool,
    ) -> None:
        try:
            async with asyncio.timeout(_MOST_SECONDS):
                after = max(0.0, await arrival() - ended_at)
        except TimeoutError:
            self.violations.append(f"{place.name}: not told of: {ended.kind}")
            return
        self.seconds[place].append(after)
        is_disturbed = was_disturbed or self.is_disturbed
        if place.bound_seconds is not None and after > place.bound_seconds and not is_disturbed:
            self.violations.append(f"{place.name}: told {after:.2f} s after: {ended.kind}")

    def judge(self, report: Report) -> None:
        """The promise of all places."""
        kinds = ", ".join(f"{number} {kind}" for kind, number in sorted(self.kinds.items()))
        report.saw(f"{self.ends} ends ({kinds}), {self.unanswered} without an answer")
        for place, seconds in self.seconds.items():
            report.saw(f"{place.name}: p50 {_at(seconds, 0.5):.2f} s, worst {max(seconds):.2f} s")
        report.promise(
            "no place accepts an ended credential, or waits for its message, beyond its bound",
            unless=self.violations,
        )

    def table(self) -> str:
        """The times in Markdown."""
        lines = [
            "| place | ends | p50 | p99 | p99.9 | worst | bound |",
            "|---|---:|---:|---:|---:|---:|---|",
        ]
        for place in PLACES:
            if seconds := self.seconds.get(place):
                times = [_at(seconds, share) for share in (0.5, 0.99, 0.999, 1)]
                cells = " | ".join(f"{each:.2f} s" for each in times)
                lines.append(f"| {place.name} | {len(seconds)} | {cells} | {place.bound} |")
        return "\n".join(lines)


def conditions() -> str:
    """The machine and its load, beside which times have a meaning."""
    one, five, _ = os.getloadavg()
    return f"{os.cpu_count()} processors, load average {one:.1f} (1 minute) and {five:.1f} (5)"


async def answered(ask: Ask) -> bool | None:
    """Asks once. None: no answer."""
    try:
        return await ask()
    except _LOST:
        return None


async def _accepted(ended: Ended, place: Place, ask: Ask) -> None:
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(_MOST_SECONDS):
            while not await answered(ask):  # noqa: ASYNC110 -- there is no event
                await asyncio.sleep(_POLL_SECONDS)
            return
    raise NotAcceptedError(f"{place.name}: never accepted before: {ended.kind}")


def _at(seconds: Sequence[float], share: float) -> float:
    ordered = sorted(seconds)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]

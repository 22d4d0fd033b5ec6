"""The measurement finds a place that refuses too late, or that is never told."""

import asyncio
import itertools
import math
import time
from collections.abc import Awaitable, Callable

import pytest

from chaos.report import Report
from chaos.revocation import measured
from chaos.revocation.measured import Ended, Measured, NotAcceptedError
from chaos.revocation.places import OTHER_SERVER, SAME_SERVER, WATCH


def _accepting(times: float) -> Callable[[], Awaitable[bool]]:
    """Accepts this number of requests."""
    asked = itertools.count()

    async def ask() -> bool:
        return next(asked) < times

    return ask


async def _end() -> None:
    """Ends nothing."""


async def _now() -> float:
    return time.monotonic()


async def _never() -> float:
    await asyncio.Event().wait()
    return 0


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A place has little time."""
    monkeypatch.setattr(measured, "_MOST_SECONDS", 0.05)


def _broken(times: Measured) -> bool:
    report = Report("revocation", "Ends are seen.")
    times.judge(report)
    return bool(report.broken)


async def test_a_place_that_refuses_within_its_bound_keeps_it() -> None:
    times = Measured()

    asked = {SAME_SERVER: _accepting(1), OTHER_SERVER: _accepting(3)}
    await times.measure(Ended("sign-out", _end, asked, {WATCH: _now}))

    assert not _broken(times)
    assert [line.split(" | ")[1] for line in times.table().splitlines()[2:]] == ["1", "1", "1"]


@pytest.mark.parametrize(
    "ended",
    [
        Ended("sign-out", _end, {SAME_SERVER: _accepting(2)}),
        Ended("sign-out", _end, {SAME_SERVER: _accepting(math.inf)}),
        Ended("sign-out", _end, {}, {WATCH: _never}),
    ],
    ids=["late", "never", "not told"],
)
async def test_a_place_beyond_its_bound_breaks_the_promise(ended: Ended) -> None:
    times = Measured()

    await times.measure(ended)

    assert _broken(times)


async def test_a_credential_that_was_never_accepted_measures_nothing() -> None:
    with pytest.raises(NotAcceptedError):
        await Measured().measure(Ended("sign-out", _end, {SAME_SERVER: _accepting(0)}))

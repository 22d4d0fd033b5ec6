"""What is done beside calls goes on, whatever happens to it."""

import asyncio
import contextlib

import pytest
import structlog
from prometheus_client import CollectorRegistry, Counter

from server.background import tried
from server.errors import Failure, Kind
from server.housekeeping import repeatedly

_OUTAGE = Failure(Kind.UNAVAILABLE, "DATABASE_UNAVAILABLE", "It is away.")


@pytest.fixture
def failures() -> Counter:
    return Counter("failures", "Of the test.", registry=CollectorRegistry())


def _count(failures: Counter) -> float:
    [family] = failures.collect()
    return next(sample.value for sample in family.samples if sample.name == "failures_total")


@pytest.mark.parametrize(
    ("error", "level"),
    [(_OUTAGE, "debug"), (TimeoutError(), "debug"), (RuntimeError("a mistake"), "error")],
    ids=["an outage", "too slow", "a mistake"],
)
def test_a_failure_is_counted_and_logged_and_goes_no_further(
    failures: Counter, error: Exception, level: str
) -> None:
    with structlog.testing.capture_logs() as lines, tried("the work", failures):
        raise error

    assert _count(failures) == 1
    [line] = lines
    assert (line["log_level"], line["work"]) == (level, "the work")
    assert bool(line.get("exc_info")) == (level == "error")


def test_what_succeeds_is_not_counted(failures: Counter) -> None:
    with structlog.testing.capture_logs() as lines, tried("the work", failures):
        pass

    assert (_count(failures), lines) == (0, [])


async def test_who_cancels_it_is_obeyed(failures: Counter) -> None:
    with pytest.raises(asyncio.CancelledError), tried("the work", failures):
        raise asyncio.CancelledError

    assert _count(failures) == 0


@pytest.mark.parametrize("error", [_OUTAGE, RuntimeError("a mistake")], ids=["outage", "mistake"])
async def test_housekeeping_is_done_again_after_it_failed(
    failures: Counter, error: Exception
) -> None:
    errors, done = [error, error], asyncio.Event()

    async def work() -> None:
        if errors:
            raise errors.pop()
        done.set()

    keeping = asyncio.create_task(repeatedly(work, failures, interval=0))
    async with asyncio.timeout(10):
        await done.wait()
    keeping.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await keeping

    assert _count(failures) == 2

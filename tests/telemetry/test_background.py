"""Background work continues after failures and outages."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Coroutine
from typing import Any, cast

import pytest
import structlog
from grpc_health.v1.health_pb2 import HealthCheckRequest, HealthCheckResponse
from prometheus_client import CollectorRegistry, Counter

from server.operate.housekeeping import repeatedly
from server.rpc import health
from server.rpc.call_log import CallLog
from server.rpc.health import Health
from server.store.database import Database
from server.telemetry import metrics
from server.telemetry.background import tried
from server.telemetry.metrics import Exposition, Gauges, Metrics
from server.values.errors import Failure, Kind

pytestmark = pytest.mark.python_differs("asyncio cancels and wakes tasks in another order")

_SERVING = HealthCheckResponse.SERVING
_OUTAGE = Failure(Kind.UNAVAILABLE, "DATABASE_UNAVAILABLE", "It is away.")


@pytest.fixture
def failures() -> Counter:
    return Counter("failures", "Of the test.", registry=CollectorRegistry())


def _count(failures: Counter) -> float:
    [family] = failures.collect()
    return next(sample.value for sample in family.samples if sample.name.endswith("failures_total"))


@contextlib.asynccontextmanager
async def _beside(work: Coroutine[Any, Any, None]) -> AsyncIterator[None]:
    """Runs the work during the block, and cancels the block if the work ends."""
    async with asyncio.TaskGroup() as tasks:
        task = tasks.create_task(work)
        yield
        task.cancel()


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

    async with _beside(repeatedly(work, failures, interval=0)):
        await done.wait()

    assert _count(failures) == 2


class _Answers:
    """A database that raises the given errors in order. None, and every later probe, succeeds."""

    writes_refused = 0

    def __init__(self, *errors: Exception | None) -> None:
        self._errors = list(errors)

    async def fetch(self, _probe: object) -> list[dict[str, object]]:
        if self._errors and (error := self._errors.pop(0)):
            raise error
        return [{"server": None, "compatible_since": 0, "may_refuse_writes": False}]

    def drop_connections(self) -> None:
        """There are none."""


def _health(*errors: Exception | None) -> Health:
    database = cast(Database, _Answers(*errors))
    return Health(database, database, [])


@pytest.mark.parametrize(
    "error",
    [OSError("no space left"), RuntimeError("can't start new thread"), ValueError("no pid")],
    ids=lambda error: type(error).__name__,
)
async def test_a_database_that_cannot_be_started_is_started_again(
    failures: Counter, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    monkeypatch.setattr(health, "_PAUSE_SECONDS", 0.01)
    loop, errors, started = asyncio.get_running_loop(), [error, error], asyncio.Event()

    def revive() -> None:
        if errors:
            raise errors.pop()
        loop.call_soon_threadsafe(started.set)

    async with _beside(_health(*[_OUTAGE] * 3).keep_true(revive, failures)):
        await started.wait()

    assert _count(failures) == 2


async def test_an_answer_of_the_database_that_nobody_expected_is_none(
    failures: Counter, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(health, "_PAUSE_SECONDS", 0.01)
    watched = _health(None, RuntimeError("a mistake"), _OUTAGE)
    statuses = watched.Watch(HealthCheckRequest(), None)

    async with _beside(watched.keep_true(None, failures)):
        seen = [(await anext(statuses)).status for _ in range(3)]

    assert seen == [_SERVING, HealthCheckResponse.NOT_SERVING, _SERVING]
    assert _count(failures) == 1  # outages are reported by health checks


async def test_how_things_stand_is_sampled_again_after_it_failed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(metrics, "_SAMPLE_SECONDS", 0)
    counted, done = Metrics(), asyncio.Event()
    errors: list[Exception] = []

    def look() -> Gauges:
        if errors:
            raise errors.pop()
        done.set()
        return Gauges(0, True, 1, 0, 0, 0, 0.0, 0, 0)

    # The exposition looks for the first time.
    exposition = Exposition(counted, look, count=CallLog(counted).write)
    errors += [OSError("too many open files"), ValueError("a mistake")]
    done.clear()
    async with _beside(exposition.keep_current()):
        await done.wait()

    assert _count(counted.housekeeping_failures) == 2

"""An ended call is counted and logged a moment later."""

import asyncio
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import pytest
import structlog

from server.rpc.call import Call
from server.rpc.call_log import CallLog
from server.rpc.declared import Method
from server.telemetry.metrics import Metrics
from server.values.errors import Failure, Kind
from tests.support import given

_METHOD = "/p.S/M"


def _ended(request_id: str, failure: BaseException | None = None) -> Call:
    call = Call(
        Method(_METHOD),
        [("x-request-id", request_id)],
        peer="ipv4:127.0.0.1:1",
        time_left=None,
        default_timeout=10,
    )
    call.end(failure)
    call.seconds = 0.0012345
    return call


@pytest.fixture
def metrics() -> Metrics:
    return Metrics()


@pytest.fixture
def log(metrics: Metrics) -> CallLog:
    log = CallLog(metrics)
    log.expect(_METHOD)
    return log


def _counted(metrics: Metrics) -> float | None:
    return metrics.registry.get_sample_value(
        "keystead_calls_total", {"method": _METHOD, "code": "OK"}
    )


def _request_ids(lines: Sequence[Mapping[str, Any]]) -> list[str]:
    # Without the lines of a server that an earlier test has just stopped.
    return [line["request_id"] for line in lines if line.get("request_id", "-") in "abcd"]


async def test_calls_of_one_moment_are_logged_together_and_in_order(log: CallLog) -> None:
    with structlog.testing.capture_logs() as lines:
        for request_id in ("a", "b", "c"):
            log.add(_ended(request_id))
        assert not _request_ids(list(lines))

        await given.call_line(lines, request_id="c")
        log.add(_ended("d"))
        await given.call_line(lines, request_id="d")

        assert _request_ids(list(lines)) == ["a", "b", "c", "d"]


async def test_a_line_says_when_its_call_ended(log: CallLog) -> None:
    with structlog.testing.capture_logs() as lines:
        log.add(_ended("a"))
        ended_by = datetime.now(UTC)

        line = await given.call_line(lines, request_id="a")

    assert line["timestamp"] <= ended_by
    assert line["milliseconds"] == 1.234


async def test_calls_are_counted_once_with_their_lines_or_when_they_are_asked_for(
    log: CallLog, metrics: Metrics
) -> None:
    with structlog.testing.capture_logs() as lines:
        log.add(_ended("a"))
        log.write()
        assert _counted(metrics) == 1

        log.add(_ended("b"))
        log.add(_ended("c"))
        await given.call_line(lines, request_id="b")

    assert _counted(metrics) == 3


async def test_what_waits_is_logged_when_the_log_is_closed(log: CallLog) -> None:
    with structlog.testing.capture_logs() as lines:
        log.add(_ended("a"))

        await log.aclose()

        assert _request_ids(list(lines)) == ["a"]


@pytest.mark.parametrize(
    ("failure", "level"),
    [
        (KeyError(), "error"),
        (Failure(Kind.INTERNAL, "UNANNOUNCED_COMPRESSION", "Message."), "info"),
        (Failure(Kind.UNAVAILABLE, "UNAVAILABLE", "Message."), "warning"),
        (Failure(Kind.DEADLINE_EXCEEDED, "DEADLINE", "Message."), "warning"),
        (Failure(Kind.NOT_FOUND, "NOT_FOUND", "Message."), "info"),
    ],
    ids=repr,
)
async def test_only_a_fault_of_the_server_is_logged_as_an_error(
    log: CallLog, failure: Exception, level: str
) -> None:
    with structlog.testing.capture_logs() as lines:
        log.add(_ended("a", failure))

        line = await given.call_line(lines, request_id="a")

    assert line["log_level"] == level


async def test_of_many_calls_cancelled_before_their_request_few_have_lines(
    log: CallLog, metrics: Metrics
) -> None:
    arrived = _ended("d", asyncio.CancelledError())
    arrived.has_arrived = True
    with structlog.testing.capture_logs() as lines:
        for _ in range(1_000):
            log.add(_ended("a", asyncio.CancelledError()))
        log.add(arrived)
        await log.aclose()
        log.add(_ended("b", asyncio.CancelledError()))
        await log.aclose()

    assert _request_ids(lines) == ["a"] * 10 + ["d", "b"]
    [counted] = [line for line in lines if line["event"] != "call"]
    assert counted["calls"] == 990
    assert counted["peers"] == {"ipv4:127.0.0.1:1": 990}
    cancelled = {"method": _METHOD, "code": "CANCELLED"}
    assert metrics.registry.get_sample_value("keystead_calls_total", cancelled) == 1_002


async def test_the_lines_of_cancelled_calls_are_counted_anew_each_second(log: CallLog) -> None:
    with structlog.testing.capture_logs() as lines:
        for _ in range(11):
            log.add(_ended("a", asyncio.CancelledError()))
        await given.eventually(lambda: _is_counted(lines))
        log.add(_ended("b", asyncio.CancelledError()))

        await given.call_line(lines, request_id="b")


async def _is_counted(lines: Sequence[Mapping[str, Any]]) -> bool:
    """Whether there is the line; background work of this process writes others."""
    return any(line["event"] == "more calls cancelled before their request" for line in lines)

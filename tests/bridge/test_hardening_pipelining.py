"""Pipelined requests are answered in order, and their number is limited."""

import asyncio

import pytest
import structlog
from structlog.typing import EventDict

from bridge.http.limits import Limits
from tests.support.raw_http import CHUNKED, Gate, LoopFactory, on_both_loops, request, served

pytestmark = on_both_loops


def test_pipelined_requests_are_answered_in_order(loop_factory: LoopFactory) -> None:
    gate = Gate()
    with served(gate, loop_factory=loop_factory) as web, web.connect() as connection:
        connection.send(request("/held") + request("/2", method="POST", body=b"b") + request("/3"))
        web.run(gate.began.wait())
        assert gate.paths == ["/held"]

        web.run(gate.open())

        answers = [connection.answer().body for _ in range(3)]
        assert answers == [b"GET /held ", b"POST /2 b", b"GET /3 "]


@pytest.mark.parametrize(
    "broken", [b"BROKEN\r\n\r\n", CHUNKED + b"no size"], ids=["at its head", "in its body"]
)
def test_a_refusal_waits_for_the_answers_to_earlier_requests(
    loop_factory: LoopFactory, broken: bytes
) -> None:
    gate = Gate()
    with served(gate, loop_factory=loop_factory) as web, web.connect() as connection:
        connection.send(request("/held") + request("/2") + broken)
        web.run(gate.began.wait())

        web.run(gate.open())

        assert connection.answer().body == b"GET /held "
        assert connection.answer().body == b"GET /2 "
        assert connection.answer().status == 400
        assert connection.is_closed()
        assert gate.paths == ["/held", "/2"]


def test_too_many_requests_at_once_are_refused_after_the_answers(
    loop_factory: LoopFactory,
) -> None:
    gate = Gate()
    with (
        served(gate, loop_factory=loop_factory) as web,
        web.connect() as connection,
        structlog.testing.capture_logs() as log,
    ):
        connection.send(request("/held") + request("/next") * 1000)
        web.run(_until_refused(log))

        web.run(gate.open())

        statuses = [connection.answer().status for _ in range(Limits().pipelined + 2)]
        assert statuses == [200] * (Limits().pipelined + 1) + [429]
        assert connection.is_closed()


@pytest.mark.parametrize(("size", "count"), [(70, 1), (30, 3)], ids=["one", "several"])
def test_large_bodies_behind_another_request_are_refused_after_the_answers(
    loop_factory: LoopFactory, size: int, count: int
) -> None:
    gate = Gate()
    with (
        served(gate, loop_factory=loop_factory) as web,
        web.connect() as connection,
        structlog.testing.capture_logs() as log,
    ):
        connection.send(request("/held"))
        web.run(gate.began.wait())
        connection.send(request("/next", method="POST", body=bytes(size * 1024)) * count)
        web.run(_until_refused(log))

        web.run(gate.open())

        statuses = [connection.answer().status for _ in range(count + 1)]
        assert statuses == [200] * count + [429]
        assert connection.is_closed()


def test_the_end_of_a_client_is_noticed_behind_a_large_body(loop_factory: LoopFactory) -> None:
    gate = Gate()
    with served(gate, loop_factory=loop_factory) as web, web.connect() as connection:
        connection.send(request("/left"))
        web.run(gate.began.wait())
        connection.deliver(request("/next", method="POST", body=bytes(70 * 1024)))
        web.settle()

        connection.reset()

        web.run(gate.left.wait())


async def _until_refused(log: list[EventDict]) -> None:
    while not log:  # noqa: ASYNC110 -- the kernel decides when bytes arrive
        await asyncio.sleep(0.005)

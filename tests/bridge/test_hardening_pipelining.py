"""Pipelined requests are answered in order, and their number is limited."""

import asyncio

import pytest
import structlog
from starlette.types import Receive, Scope, Send
from structlog.typing import EventDict

from bridge.http.limits import Limits
from tests.support.raw_http import LoopFactory, body_of, echo, on_both_loops, request, served

pytestmark = on_both_loops

CHUNKED = b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"


class Gate:
    """An application that answers `/slow` only when a test permits it."""

    def __init__(self) -> None:
        self.arrived = asyncio.Event()
        self.open = asyncio.Event()
        self.paths: list[str] = []

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.paths.append(scope["path"])
        if scope["path"] == "/slow":
            self.arrived.set()
            await self.open.wait()
        await echo(scope, receive, send)

    async def let_go(self) -> None:
        """Permits the waiting answers."""
        self.open.set()


class Waiting:
    """An application that waits until its client has left."""

    def __init__(self) -> None:
        self.began = asyncio.Event()
        self.left = asyncio.Event()

    async def __call__(self, _scope: Scope, receive: Receive, _send: Send) -> None:
        await body_of(receive)
        self.began.set()
        await receive()
        self.left.set()


def test_pipelined_requests_are_answered_in_order(loop_factory: LoopFactory) -> None:
    gate = Gate()
    with served(gate, loop_factory=loop_factory) as web, web.connect() as connection:
        connection.send(request("/slow") + request("/2", method="POST", body=b"b") + request("/3"))
        web.run(gate.arrived.wait())
        assert gate.paths == ["/slow"]

        web.run(gate.let_go())

        answers = [connection.answer().body for _ in range(3)]
        assert answers == [b"GET /slow ", b"POST /2 b", b"GET /3 "]


@pytest.mark.parametrize(
    "broken", [b"BROKEN\r\n\r\n", CHUNKED + b"no size"], ids=["at its head", "in its body"]
)
def test_a_refusal_waits_for_the_answers_to_earlier_requests(
    loop_factory: LoopFactory, broken: bytes
) -> None:
    gate = Gate()
    with served(gate, loop_factory=loop_factory) as web, web.connect() as connection:
        connection.send(request("/slow") + request("/2") + broken)
        web.run(gate.arrived.wait())

        web.run(gate.let_go())

        assert connection.answer().body == b"GET /slow "
        assert connection.answer().body == b"GET /2 "
        assert connection.answer().status == 400
        assert connection.is_closed()
        assert gate.paths == ["/slow", "/2"]


def test_too_many_requests_at_once_are_refused_after_the_answers(
    loop_factory: LoopFactory,
) -> None:
    gate = Gate()
    with (
        served(gate, loop_factory=loop_factory) as web,
        web.connect() as connection,
        structlog.testing.capture_logs() as log,
    ):
        connection.send(request("/slow") + request("/next") * 1000)
        web.run(_until_refused(log))

        web.run(gate.let_go())

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
        connection.send(request("/slow"))
        web.run(gate.arrived.wait())
        connection.send(request("/next", method="POST", body=bytes(size * 1024)) * count)
        web.run(_until_refused(log))

        web.run(gate.let_go())

        statuses = [connection.answer().status for _ in range(count + 1)]
        assert statuses == [200] * count + [429]
        assert connection.is_closed()


def test_the_end_of_a_client_is_noticed_behind_a_large_body(loop_factory: LoopFactory) -> None:
    waiting = Waiting()
    with served(waiting, loop_factory=loop_factory) as web, web.connect() as connection:
        connection.send(request("/"))
        web.run(waiting.began.wait())
        connection.deliver(request("/next", method="POST", body=bytes(70 * 1024)))
        web.settle()

        connection.reset()

        web.run(waiting.left.wait())


async def _until_refused(log: list[EventDict]) -> None:
    while not log:  # noqa: ASYNC110 -- the kernel decides when bytes arrive
        await asyncio.sleep(0.005)

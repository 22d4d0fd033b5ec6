"""Limits of time, on a clock that is set forward: where each begins, and what ends it."""

import asyncio
import contextlib
from collections.abc import Iterator
from dataclasses import replace

import pytest
import structlog
from starlette.types import ASGIApp, Receive, Scope, Send

from bridge.limits import Limits
from tests.bridge.raw_http import (
    Served,
    SkippingLoop,
    body_of,
    echo,
    request,
    respond,
    served,
)

_UNLIMITED = Limits(
    head_seconds=10**9,
    body_seconds=10**9,
    idle_seconds=10**9,
    write_seconds=10**9,
    drain_seconds=10**9,
)
# More than both kernels hold for a connection; the larger one several times.
_LARGE = 32 * 1024 * 1024
_UNFINISHED = b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nbo"
_CHUNKED = b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"


class Held:
    """An application that answers `/held` only when it is let go."""

    def __init__(self) -> None:
        self.began = asyncio.Event()
        self._let_go = asyncio.Event()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["path"] == "/held":
            self.began.set()
            await self._let_go.wait()
        await echo(scope, receive, send)

    async def let_go(self) -> None:
        """Answers."""
        self._let_go.set()


async def refuse(_scope: Scope, _receive: Receive, send: Send) -> None:
    """Answers without reading the body."""
    await respond(send, b"no", status=401)


async def large(scope: Scope, receive: Receive, send: Send) -> None:
    """Answers `/large` with a body that needs a client who reads."""
    if scope["path"] == "/large":
        await respond(send, b"x" * _LARGE)
    else:
        await echo(scope, receive, send)


class Early:
    """An application that begins to answer before it reads the body, and tells how that ends."""

    def __init__(self) -> None:
        self.began = asyncio.Event()
        self.bodies: list[bytes | None] = []

    async def __call__(self, _scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        self.began.set()
        self.bodies.append(await body_of(receive))


@contextlib.contextmanager
def _served(application: ASGIApp, **limits: int) -> Iterator[Served]:
    """Without any other limit of time than these."""
    with served(
        application, loop_factory=SkippingLoop, limits=replace(_UNLIMITED, **limits)
    ) as web:
        yield web


def test_a_head_has_its_time_from_the_first_byte() -> None:
    with _served(echo, head_seconds=1_000) as web, web.connect() as connection:
        connection.deliver(request("/1") + b"GET /2 HTTP/1.1\r\n")
        assert connection.answer().body == b"GET /1 "
        web.skip(900)
        connection.deliver(b"Host: a\r\n")
        web.skip(200)

        assert connection.answer().reason == "HEADERS_TOO_SLOW"


def test_a_head_may_take_its_time() -> None:
    with _served(echo, head_seconds=1_000) as web, web.connect() as connection:
        connection.deliver(b"GET /1 HTTP/1.1\r\n")
        web.skip(900)
        connection.deliver(b"Host: a\r\n\r\n")

        assert connection.answer().body == b"GET /1 "


def test_a_head_that_came_late_has_its_time_after_the_answer_before_it() -> None:
    call = Held()
    with _served(call, head_seconds=1_000) as web, web.connect() as connection:
        connection.deliver(request("/held") + b"GET /2 HTTP/1.1\r\n")
        web.run(call.began.wait())
        web.skip(2_000)
        web.run(call.let_go())
        assert connection.answer().body == b"GET /held "
        web.skip(900)
        connection.deliver(b"Host: a\r\n\r\n")

        assert connection.answer().body == b"GET /2 "


@pytest.mark.parametrize(
    ("begin", "more"),
    [
        (request("/", "Content-Length: 4", method="POST"), b"bod"),
        (_UNFINISHED, b"d"),
        (_CHUNKED + b"2\r\nbo", b"\r\n"),
        (_CHUNKED + b"0\r\n", b"X: y\r\n"),
    ],
    ids=["from its beginning", "a part", "a chunk", "trailers"],
)
def test_a_body_has_its_time_from_the_end_of_its_head(begin: bytes, more: bytes) -> None:
    with (
        _served(echo, body_seconds=1_000) as web,
        web.connect() as connection,
        structlog.testing.capture_logs() as log,
    ):
        connection.deliver(begin)
        web.skip(900)
        connection.deliver(more)
        web.skip(200)
        answer = connection.answer()

        assert (answer.status, answer.reason) == (408, "BODY_TOO_SLOW")
        assert answer.headers["connection"] == "close"
        assert connection.is_closed()
    assert [line["status"] for line in log] == [408]


def test_a_body_has_no_part_in_the_time_of_its_head() -> None:
    limits = {"head_seconds": 1_000, "body_seconds": 1_000}
    with _served(echo, **limits) as web, web.connect() as connection:
        connection.deliver(_UNFINISHED[:-10])
        web.skip(900)
        connection.deliver(_UNFINISHED[-10:])
        web.skip(900)
        connection.deliver(b"dy")

        assert connection.answer().body == b"POST / body"


def test_a_body_may_take_its_time_and_its_call_another() -> None:
    call = Held()
    held = _UNFINISHED.replace(b"/", b"/held", 1)
    with _served(call, body_seconds=1_000) as web, web.connect() as connection:
        connection.deliver(held)
        web.run(call.began.wait())
        web.skip(900)
        connection.deliver(b"dy")
        web.skip(2_000)
        web.run(call.let_go())

        assert connection.answer().body == b"POST /held body"
        connection.deliver(request("/next"))
        assert connection.answer().body == b"GET /next "


@pytest.mark.parametrize(("seconds", "status"), [(900, 200), (1_100, 408)])
def test_a_body_that_came_late_has_its_time_after_the_answer_before_it(
    seconds: int, status: int
) -> None:
    call = Held()
    with _served(call, body_seconds=1_000) as web, web.connect() as connection:
        connection.deliver(request("/held") + request("/2") + _UNFINISHED)
        web.run(call.began.wait())
        web.skip(2_000)
        web.run(call.let_go())
        assert connection.answer().body == b"GET /held "
        assert connection.answer().body == b"GET /2 "
        web.skip(seconds)
        if status == 200:
            connection.deliver(b"dy")

        assert connection.answer().status == status


def test_a_body_whose_answer_has_begun_is_not_answered_once_more() -> None:
    call = Early()
    with _served(call, body_seconds=1_000) as web, web.connect() as connection:
        connection.deliver(_UNFINISHED)
        web.run(call.began.wait())
        web.skip(1_100)

        assert connection.answer(head=True).status == 200
        assert connection.is_closed()
    assert call.bodies == [None]


def test_what_follows_the_last_request_is_no_part_of_its_body() -> None:
    call = Held()
    with _served(call, body_seconds=1_000) as web, web.connect() as connection:
        connection.deliver(request("/1") + request("/held", "Connection: close") + b"more")
        assert connection.answer().body == b"GET /1 "
        web.run(call.began.wait())
        web.skip(1_100)
        web.run(call.let_go())

        assert connection.answer().body == b"GET /held "
        assert connection.is_closed()


def test_no_limit_of_time_is_for_a_call() -> None:
    call = Held()
    with served(call, loop_factory=SkippingLoop) as web, web.connect() as connection:
        connection.deliver(request("/1") + b"GET")
        assert connection.answer().body == b"GET /1 "
        connection.deliver(b" /held HTTP/1.1\r\nHost: a\r\n\r\n")
        web.run(call.began.wait())
        web.skip(10_000)
        web.run(call.let_go())
        assert connection.answer().body == b"GET /held "
        connection.deliver(request("/3"))

        assert connection.answer().body == b"GET /3 "


@pytest.mark.parametrize("sent", [b"", b"\r\n", request()], ids=["nothing", "CRLF", "a request"])
def test_an_idle_connection_has_its_time(sent: bytes) -> None:
    with _served(echo, idle_seconds=1_000) as web, web.connect() as connection:
        connection.deliver(sent)
        if sent.startswith(b"GET"):
            assert connection.answer().status == 200
        web.skip(900)
        connection.deliver(request("/next"))
        assert connection.answer().body == b"GET /next "
        web.skip(1_100)

        assert connection.is_closed()


def test_the_time_to_be_idle_is_not_prolonged_by_empty_lines() -> None:
    with _served(echo, idle_seconds=1_000) as web, web.connect() as connection:
        connection.deliver(b"\r\n")
        web.skip(900)
        connection.deliver(b"\r\n")
        web.skip(200)

        assert connection.is_closed()


def test_a_body_that_nobody_reads_has_its_time_and_what_follows_another() -> None:
    limits = {"idle_seconds": 2_000, "drain_seconds": 1_000}
    with _served(refuse, **limits) as web, web.connect() as connection:
        connection.deliver(_UNFINISHED)
        assert connection.answer().status == 401
        web.skip(900)
        connection.deliver(b"dy")
        web.skip(1_900)
        connection.deliver(_UNFINISHED)
        assert connection.answer().status == 401
        web.skip(900)
        connection.deliver(b"d")
        web.skip(200)

        assert connection.is_closed()


def test_a_connection_is_idle_after_a_body_that_nobody_read() -> None:
    with _served(refuse, idle_seconds=1_000) as web, web.connect() as connection:
        connection.deliver(_UNFINISHED)
        assert connection.answer().status == 401
        connection.deliver(b"dy")
        web.skip(1_100)

        assert connection.is_closed()


def test_a_client_that_never_closes_is_cut_off_after_its_refusal() -> None:
    with _served(echo, drain_seconds=1_000) as web, web.connect() as connection:
        connection.deliver(b"BROKEN\r\n\r\n")
        assert connection.answer().status == 400
        assert connection.is_closed()
        web.skip(900)
        connection.deliver(b"still here")
        web.skip(200)

        connection.wait_for_reset()


@pytest.mark.parametrize("line", ["X: y", "Connection: close"])
def test_a_client_that_reads_slowly_gets_everything(line: str) -> None:
    with (
        _served(large, write_seconds=1_000) as web,
        web.connect(receive_buffer=4096) as connection,
    ):
        connection.deliver(request("/large", line))
        assert connection.answer(head=True).status == 200
        for _ in range(4):
            connection.read(_LARGE // 4)
            web.skip(900)


def test_a_client_that_has_read_everything_has_no_more_to_read() -> None:
    limits = {"write_seconds": 1_000, "drain_seconds": 1_000}
    with _served(large, **limits) as web, web.connect() as connection:
        connection.deliver(request("/large"))
        assert len(connection.answer().body) == _LARGE
        for _ in range(3):
            web.skip(1_100)
        connection.deliver(request("/next"))

        assert connection.answer().body == b"GET /next "


@pytest.mark.parametrize("line", ["X: y", "Connection: close"])
def test_a_client_that_reads_no_more_is_cut_off(line: str) -> None:
    with (
        _served(large, write_seconds=1_000) as web,
        web.connect(receive_buffer=4096) as connection,
    ):
        connection.deliver(request("/large", line))
        connection.read(_LARGE // 2)
        # Until then, what the kernels still held was taken.
        for _ in range(3):
            web.skip(1_100)

        connection.wait_for_reset()


def test_the_time_to_read_begins_anew_with_the_end_of_the_connection() -> None:
    with (
        _served(large, write_seconds=1_000, idle_seconds=500) as web,
        web.connect(receive_buffer=4096) as connection,
    ):
        connection.deliver(request("/large"))
        web.skip(600)
        web.skip(600)

        assert len(connection.answer().body) == _LARGE


def test_a_client_that_has_read_everything_has_to_close() -> None:
    limits = {"write_seconds": 1_000, "drain_seconds": 1_000}
    with _served(large, **limits) as web, web.connect() as connection:
        connection.deliver(request("/large", "Connection: close") + b"more")
        assert len(connection.answer().body) == _LARGE
        for _ in range(3):
            web.skip(1_100)

        connection.wait_for_reset()


def test_a_request_is_refused_once() -> None:
    with (
        _served(echo, head_seconds=1_000) as web,
        web.connect() as connection,
        structlog.testing.capture_logs() as log,
    ):
        connection.deliver(b"GET / HTTP/1.1\r\n")
        web.settle()
        connection.deliver(b"BROKEN\r\n")
        assert connection.answer().status == 400
        web.skip(2_000)

        assert connection.is_closed()
    assert [line["status"] for line in log] == [400]


@pytest.mark.parametrize(
    ("sent", "refusals"),
    [
        (b"", []),
        (b"GET / HTTP/1.1\r\n", []),
        (b"BROKEN\r\n\r\n", [400]),
        (_UNFINISHED, []),
        (request("/large"), []),
        (request("/large", "Connection: close"), []),
        (request("/large") + request("/next") + b"GET", []),
    ],
    ids=["idle", "in a head", "refused", "in a body", "reading", "reading the last", "pipelining"],
)
@pytest.mark.parametrize("rude", [True, False], ids=["RST", "FIN"])
def test_nothing_is_done_to_a_connection_that_is_gone(
    sent: bytes, refusals: list[int], rude: bool
) -> None:
    with (
        served(large, loop_factory=SkippingLoop) as web,
        structlog.testing.capture_logs() as log,
    ):
        with web.connect() as connection:
            connection.deliver(sent)
            web.settle()
            if rude:
                connection.reset()
        web.skip(10_000)
    assert [line["status"] for line in log] == refusals

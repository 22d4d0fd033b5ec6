"""Time limits, on a clock that is set forward: the beginning and the end of each."""

import asyncio
import contextlib
from collections.abc import Iterator
from dataclasses import replace

import pytest
import structlog
from starlette.types import ASGIApp, Receive, Scope, Send

from bridge.http.limits import Limits
from tests.support.raw_http import (
    CHUNKED,
    Gate,
    Served,
    SkippingLoop,
    body_of,
    echo,
    refuse,
    request,
    served,
)

pytestmark = pytest.mark.python_differs("asyncio cancels and wakes tasks in another order")

_UNLIMITED = Limits(
    request_seconds=10**9, idle_seconds=10**9, half_closed_seconds=10**9, linger_seconds=10**9
)
_UNFINISHED = b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nbo"


class Early:
    """An application that begins its answer before it reads the body, and records the end."""

    def __init__(self) -> None:
        self.began = asyncio.Event()
        self.bodies: list[bytes | None] = []

    async def __call__(self, _scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        self.began.set()
        self.bodies.append(await body_of(receive))


@contextlib.contextmanager
def _served(application: ASGIApp, **limits: int) -> Iterator[Served]:
    """A port without any other time limit."""
    with served(
        application, loop_factory=SkippingLoop, limits=replace(_UNLIMITED, **limits)
    ) as web:
        yield web


@pytest.mark.parametrize(
    ("begin", "more"),
    [
        (b"GET / HTTP/1.1\r\n", b"Host: a\r\n"),
        (_UNFINISHED[:-10], _UNFINISHED[-10:]),
        (request("/", "Content-Length: 4", method="POST"), b"bod"),
        (CHUNKED + b"2\r\nbo", b"\r\n"),
        (CHUNKED + b"0\r\n", b"X: y\r\n"),
    ],
    ids=["a head", "a head and a body", "a body", "a chunk", "trailers"],
)
def test_a_request_has_its_time_from_its_first_byte(begin: bytes, more: bytes) -> None:
    with (
        _served(echo, request_seconds=1_000) as web,
        web.connect() as connection,
        structlog.testing.capture_logs() as log,
    ):
        connection.deliver(begin)
        web.skip(900)
        connection.deliver(more)
        web.skip(200)
        answer = connection.answer()

        assert (answer.status, answer.reason) == (408, "REQUEST_TOO_SLOW")
        assert connection.is_closed()
        web.skip(2_000)
    assert [line["status"] for line in log] == [408]


def test_a_request_may_take_its_time_and_its_call_another() -> None:
    call = Gate()
    held = _UNFINISHED.replace(b"/", b"/held", 1)
    with _served(call, request_seconds=1_000) as web, web.connect() as connection:
        connection.deliver(held)
        web.run(call.began.wait())
        web.skip(900)
        connection.deliver(b"dy")
        web.skip(2_000)
        web.run(call.open())

        assert connection.answer().body == b"POST /held body"
        connection.deliver(request("/next"))
        assert connection.answer().body == b"GET /next "


@pytest.mark.parametrize(("seconds", "status"), [(900, 200), (1_100, 408)])
def test_the_time_of_a_request_begins_anew_after_the_answer_before_it(
    seconds: int, status: int
) -> None:
    call = Gate()
    with _served(call, request_seconds=1_000) as web, web.connect() as connection:
        connection.deliver(request("/held") + request("/2") + _UNFINISHED)
        web.run(call.began.wait())
        web.skip(900)
        web.run(call.open())
        assert connection.answer().body == b"GET /held "
        assert connection.answer().body == b"GET /2 "
        web.skip(seconds)
        if status == 200:
            connection.deliver(b"dy")

        assert connection.answer().status == status


def test_a_request_whose_answer_has_begun_gets_no_second_one() -> None:
    call = Early()
    with _served(call, request_seconds=1_000) as web, web.connect() as connection:
        connection.deliver(_UNFINISHED)
        web.run(call.began.wait())
        web.skip(1_100)

        assert connection.answer(head=True).status == 200
        assert connection.is_closed()
    assert call.bodies == [None]


def test_a_body_that_nobody_reads_has_its_time() -> None:
    limits = {"request_seconds": 1_000, "idle_seconds": 2_000}
    with _served(refuse, **limits) as web, web.connect() as connection:
        connection.deliver(_UNFINISHED)
        assert connection.answer().status == 401
        web.skip(900)
        connection.deliver(b"dy")
        web.skip(1_900)
        connection.deliver(_UNFINISHED)
        assert connection.answer().status == 401
        web.skip(1_100)

        assert connection.is_closed()


def test_a_client_that_never_closes_is_cut_off_after_its_refusal() -> None:
    with _served(echo, linger_seconds=1_000) as web, web.connect() as connection:
        connection.deliver(b"BROKEN\r\n\r\n")
        assert connection.answer().status == 400
        assert connection.is_closed()
        web.skip(900)
        connection.deliver(b"still here")
        web.skip(200)

        with pytest.raises(ConnectionResetError):
            connection.deliver(b"still here")


def test_a_client_that_has_half_closed_waits_for_a_limited_time() -> None:
    call = Gate()
    with _served(call, half_closed_seconds=1_000) as web, web.connect() as connection:
        connection.deliver(request("/held"))
        web.run(call.began.wait())
        connection.half_close()
        web.settle()
        web.skip(900)
        assert not connection.has_answer(within=0)
        web.skip(200)

        assert connection.is_closed()
        web.run(call.open())


def test_no_limit_of_time_is_for_a_call() -> None:
    call = Gate()
    with served(call, loop_factory=SkippingLoop) as web, web.connect() as connection:
        connection.deliver(request("/1") + b"GET")
        assert connection.answer().body == b"GET /1 "
        connection.deliver(b" /held HTTP/1.1\r\nHost: a\r\n\r\n")
        web.run(call.began.wait())
        web.skip(10_000)
        web.run(call.open())
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


@pytest.mark.parametrize(
    ("sent", "refusals"),
    [
        (b"", []),
        (b"GET / HTTP/1.1\r\n", []),
        (b"BROKEN\r\n\r\n", [400]),
        (_UNFINISHED, []),
        (request("/held"), []),
        (request("/held") + request("/next") + b"GET", []),
    ],
    ids=["idle", "in a head", "refused", "in a body", "calling", "pipelining"],
)
@pytest.mark.parametrize("rude", [True, False], ids=["RST", "FIN"])
def test_timers_do_nothing_to_a_connection_that_is_gone(
    sent: bytes, refusals: list[int], rude: bool
) -> None:
    call = Gate()
    with (
        served(call, loop_factory=SkippingLoop) as web,
        structlog.testing.capture_logs() as log,
    ):
        with web.connect() as connection:
            connection.deliver(sent)
            web.settle()
            if rude:
                connection.reset()
        web.skip(10_000)
        web.run(call.open())
    assert [line["status"] for line in log] == refusals

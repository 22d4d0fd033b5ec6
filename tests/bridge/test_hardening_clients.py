"""Slow, misbehaving and disconnected clients: each costs little, for a limited time."""

import asyncio

import pytest
from starlette.types import Receive, Scope, Send

from bridge.http.limits import Limits
from tests.support.raw_http import (
    LoopFactory,
    body_of,
    echo,
    on_both_loops,
    request,
    respond,
    served,
)

pytestmark = on_both_loops

# More than the socket buffers of both kernels hold.
_LARGE = 32 * 1024 * 1024
_MORE_THAN_IS_BUFFERED = b"x" * _LARGE
_UNFINISHED = b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000000\r\n\r\n"


async def refuse(_scope: Scope, _receive: Receive, send: Send) -> None:
    """Answers without reading the body."""
    await respond(send, b"no", status=401)


class Watched:
    """An application that records the beginnings and the ends of its calls."""

    def __init__(self) -> None:
        self.began = asyncio.Event()
        self.has_body = asyncio.Event()
        self.ended = asyncio.Event()
        self.bodies: list[bytes | None] = []

    async def __call__(self, _scope: Scope, receive: Receive, send: Send) -> None:
        self.began.set()
        self.bodies.append(await body_of(receive))
        self.has_body.set()
        # A call that ends only with its client.
        assert await receive() == {"type": "http.disconnect"}
        self.ended.set()
        await respond(send, b"for nobody")


async def _tasks() -> int:
    return len(asyncio.all_tasks())


async def _large(_scope: Scope, _receive: Receive, send: Send) -> None:
    headers = [(b"content-length", b"%d" % _LARGE)]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": _MORE_THAN_IS_BUFFERED, "more_body": True})
    # Waits until the client has read most of it, or has disconnected.
    await send({"type": "http.response.body", "body": b""})


@pytest.mark.parametrize("line", ["X: y", "Connection: close"])
def test_an_answer_reaches_a_client_that_still_sends(loop_factory: LoopFactory, line: str) -> None:
    size = _LARGE
    with served(refuse, loop_factory=loop_factory) as web, web.connect() as connection:
        connection.send(
            f"POST / HTTP/1.1\r\nHost: a\r\n{line}\r\nContent-Length: {size}\r\n\r\n".encode()
        )
        connection.send(b"x" * size)

        assert connection.answer().status == 401


def test_a_connection_lives_on_after_a_body_that_nobody_read(loop_factory: LoopFactory) -> None:
    with served(refuse, loop_factory=loop_factory) as web, web.connect() as connection:
        connection.send(b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\n")
        assert connection.answer().status == 401
        connection.send(b"body" + request())

        assert connection.answer().status == 401


def test_a_client_that_never_reads_is_cut_off(loop_factory: LoopFactory) -> None:
    ended = asyncio.Event()

    async def unread(scope: Scope, receive: Receive, send: Send) -> None:
        await _large(scope, receive, send)
        ended.set()

    limits = Limits(unread_seconds=0.1)
    with (
        served(unread, loop_factory=loop_factory, limits=limits) as web,
        web.connect(receive_buffer=4096) as connection,
    ):
        connection.send(request())
        # Until the server gives up, and before any byte is read.
        web.run(ended.wait())

        with pytest.raises((EOFError, ConnectionResetError)):
            connection.answer()


@pytest.mark.parametrize("rude", [True, False], ids=["RST", "FIN"])
@pytest.mark.parametrize(
    ("sent", "bodies"),
    [(_UNFINISHED + b"half", [None]), (request("/", method="POST", body=b"all"), [b"all"])],
    ids=["in the body", "during the call"],
)
def test_a_call_hears_that_its_client_is_gone(
    loop_factory: LoopFactory, rude: bool, sent: bytes, bodies: list[bytes | None]
) -> None:
    call = Watched()
    limits = Limits(half_closed_seconds=0.05)
    with served(call, loop_factory=loop_factory, limits=limits) as web:
        before = web.run(_tasks())
        with web.connect() as connection:
            connection.send(sent)
            web.run(call.began.wait())
            if rude:
                connection.reset()

        web.run(call.ended.wait())
        web.run(_until_tasks(before))
    assert call.bodies == bodies


def test_a_call_with_others_waiting_hears_that_its_client_is_gone(
    loop_factory: LoopFactory,
) -> None:
    call = Watched()
    limits = Limits(half_closed_seconds=0.05)
    with served(call, loop_factory=loop_factory, limits=limits) as web:
        with web.connect() as connection:
            connection.send(request("/1"))
            web.run(call.has_body.wait())
            connection.send(request("/2"))

        # Waiting requests are never begun.
        web.run(call.ended.wait())
    assert call.bodies == [b""]


@pytest.mark.parametrize("behind", [b"", b"more"], ids=["at its end", "with more"])
def test_a_client_that_half_closes_during_its_call_is_answered(
    loop_factory: LoopFactory, behind: bytes
) -> None:
    began, go_on = asyncio.Event(), asyncio.Event()

    async def held(scope: Scope, receive: Receive, send: Send) -> None:
        began.set()
        await go_on.wait()
        await echo(scope, receive, send)

    with served(held, loop_factory=loop_factory) as web, web.connect() as connection:
        connection.send(request("/", "Connection: close", method="POST", body=b"body") + behind)
        web.run(began.wait())
        connection.half_close()
        web.settle()
        web.run(_set(go_on))

        assert connection.answer().body == b"POST / body"
        assert connection.is_closed()


def test_a_client_that_half_closes_at_once_is_answered(loop_factory: LoopFactory) -> None:
    with served(echo, loop_factory=loop_factory) as web:
        for _ in range(20):
            with web.connect() as connection:
                connection.send(request("/1") + request("/2"))
                connection.half_close()

                assert connection.answer().body == b"GET /1 "
                assert connection.answer().body == b"GET /2 "
                assert connection.is_closed()


async def _set(event: asyncio.Event) -> None:
    event.set()


async def _until_tasks(count: int) -> None:
    while await _tasks() > count:  # noqa: ASYNC110 -- tasks end in later turns of the loop
        await asyncio.sleep(0.005)


def test_a_body_is_asked_for_only_when_it_is_read(loop_factory: LoopFactory) -> None:
    lines = ("Expect: 100-continue", "Content-Length: 4")
    with served(echo, loop_factory=loop_factory) as web, web.connect() as connection:
        connection.send(request("/", *lines, method="POST"))
        assert connection.answer().status == 100
        connection.send(b"body")

        assert connection.answer().body == b"POST / body"


def test_who_is_refused_before_the_body_is_not_asked_for_it(loop_factory: LoopFactory) -> None:
    lines = ("Expect: 100-continue", "Content-Length: 4")
    with served(refuse, loop_factory=loop_factory) as web, web.connect() as connection:
        connection.send(request("/", *lines, method="POST"))
        answer = connection.answer()

        # It is not a request, with or without its body.
        assert (answer.status, answer.headers["connection"]) == (401, "close")

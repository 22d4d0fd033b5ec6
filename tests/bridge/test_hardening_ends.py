"""The end of a connection: all answers are delivered, and no further request begins."""

import asyncio

import pytest
from starlette.types import Message, Receive, Scope, Send

from bridge.http.limits import Limits
from tests.support.raw_http import (
    Connection,
    LoopFactory,
    body_of,
    echo,
    on_both_loops,
    request,
    respond,
    served,
)

pytestmark = on_both_loops

# More than both kernels hold for a connection.
_LARGE = 32 * 1024 * 1024
_PIECE = b"x" * 64 * 1024
_LAST = request("/held", "Connection: close")
_CHUNKED = b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"


class Held:
    """An application that answers `/held` only when a test permits it, and `/refused` unread."""

    def __init__(self) -> None:
        self.began = asyncio.Event()
        self.left = asyncio.Event()
        self.paths: list[str] = []
        self._let_go = asyncio.Event()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.paths.append(scope["path"])
        if scope["path"] == "/refused":
            await respond(send, b"no", status=401)
            return
        if scope["path"] == "/held":
            self.began.set()
            await self._let_go.wait()
        elif scope["path"] == "/until-left":
            await body_of(receive)
            self.began.set()
            await receive()
            self.left.set()
        await echo(scope, receive, send)

    async def let_go(self) -> None:
        """Permits the answer."""
        self._let_go.set()


class Stream:
    """An application whose answer has many pieces."""

    def __init__(self) -> None:
        self.began = asyncio.Event()
        self.ended = asyncio.Event()

    async def __call__(self, _scope: Scope, _receive: Receive, send: Send) -> None:
        self.began.set()
        await send({"type": "http.response.start", "status": 200, "headers": []})
        for _ in range(_LARGE // len(_PIECE)):
            await send({"type": "http.response.body", "body": _PIECE, "more_body": True})
        await send({"type": "http.response.body", "body": b""})
        self.ended.set()

    async def has_ended(self) -> bool:
        """Whether the whole answer is written."""
        return self.ended.is_set()


def _may_send(connection: Connection) -> bool:
    """Whether the peer still receives bytes."""
    try:
        connection.deliver(b"more")
    except ConnectionResetError:
        return False
    return True


def test_a_connection_ends_at_once_when_nothing_more_can_come(loop_factory: LoopFactory) -> None:
    with served(echo, loop_factory=loop_factory) as web, web.connect() as connection:
        connection.send(request("/", "Connection: close"))

        assert connection.answer().status == 200
        assert connection.is_closed()
        assert not _may_send(connection)


@pytest.mark.parametrize(
    ("sent", "later", "status"),
    [
        (_LAST, b"more", 200),
        (_LAST + b"more", b"", 200),
        (b"\r\n" * Limits().head_bytes, b"", 431),
        (b"BROKEN\r\n\r\n", b"", 400),
    ],
    ids=["after the last request", "behind the last request", "empty lines", "no request"],
)
def test_an_answer_is_not_lost_by_what_a_client_still_sends(
    loop_factory: LoopFactory, sent: bytes, later: bytes, status: int
) -> None:
    call = Held()
    with served(call, loop_factory=loop_factory) as web, web.connect() as connection:
        connection.send(sent)
        if status == 200:
            web.run(call.began.wait())
            connection.deliver(later)
            web.settle()
            web.run(call.let_go())

        assert connection.answer().status == status
        assert connection.is_closed()
        assert _may_send(connection)


def test_a_request_has_one_answer_even_when_its_body_is_broken(loop_factory: LoopFactory) -> None:
    with (
        served(Held(), loop_factory=loop_factory) as web,
        web.connect() as connection,
    ):
        connection.send(_CHUNKED.replace(b"/", b"/refused", 1))
        assert connection.answer().status == 401
        connection.send(b"BROKEN\r\n")

        assert connection.is_closed()


@pytest.mark.parametrize("behind", [request("/behind"), b"BROKEN\r\n\r\n"])
def test_nothing_is_answered_after_a_call_that_ends_the_connection(
    loop_factory: LoopFactory, behind: bytes
) -> None:
    call = Held()

    async def last(scope: Scope, receive: Receive, send: Send) -> None:
        async def closing(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"].append((b"connection", b"close"))
            await send(message)

        await call(scope, receive, closing)

    with served(last, loop_factory=loop_factory) as web, web.connect() as connection:
        connection.deliver(request("/held") + behind)
        web.run(call.began.wait())
        web.run(call.let_go())

        assert connection.answer().status == 200
        assert connection.is_closed()
    assert call.paths == ["/held"]


def test_a_call_writes_no_faster_than_its_client_reads(loop_factory: LoopFactory) -> None:
    call = Stream()
    with served(call, loop_factory=loop_factory) as web, web.connect() as connection:
        connection.send(request())
        web.run(call.began.wait())
        assert not web.run(call.has_ended())

        assert len(connection.answer().body) == _LARGE
        web.run(call.ended.wait())


def test_a_body_is_received_no_faster_than_a_call_reads_it(loop_factory: LoopFactory) -> None:
    sizes: list[int] = []
    call = Held()

    async def first_part(scope: Scope, receive: Receive, send: Send) -> None:
        call.began.set()
        await call.left.wait()
        sizes.append(len((await receive())["body"]))
        await respond(send, b"", status=413)

    with served(first_part, loop_factory=loop_factory) as web, web.connect() as connection:
        connection.send(b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000000\r\n\r\n")
        web.run(call.began.wait())
        sent = connection.send_what_is_taken(_PIECE, turns=100, turn=web.settle)
        web.run(_set(call.left))

        assert connection.answer().status == 413
    assert sizes[0] < 1024 * 1024 < sent


@pytest.mark.parametrize("line", ["X: y", "Connection: close"])
def test_an_answer_reaches_a_client_that_had_to_stop_sending(
    loop_factory: LoopFactory, line: str
) -> None:
    call = Held()

    async def unread(_scope: Scope, _receive: Receive, send: Send) -> None:
        call.began.set()
        await call.left.wait()
        await respond(send, b"", status=401)

    head = request("/", line, f"Content-Length: {_LARGE}", method="POST")
    with (
        served(unread, loop_factory=loop_factory) as web,
        web.connect() as connection,
    ):
        connection.send(head)
        web.run(call.began.wait())
        sent = connection.send_what_is_taken(_PIECE, turns=100, turn=web.settle)
        web.run(_set(call.left))
        connection.send(b"x" * (_LARGE - sent))

        assert connection.answer().status == 401


async def _set(event: asyncio.Event) -> None:
    event.set()


def test_a_client_may_be_gone_before_it_is_accepted(loop_factory: LoopFactory) -> None:
    async def connect_and_reset() -> None:
        # In the event loop that would accept the connection.
        Connection(web.port).reset()

    with served(echo, loop_factory=loop_factory) as web:
        web.run(connect_and_reset())
        with web.connect() as another:
            another.send(request())
            assert another.answer().status == 200

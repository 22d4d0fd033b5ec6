"""Slow, misbehaving and disconnected clients, and the end of a connection.

Each client costs little, for a limited time. All answers are delivered, and no further request
begins.
"""

import asyncio

import pytest
from starlette.types import Message, Receive, Scope, Send

from bridge.http.limits import Limits
from tests.support.raw_http import (
    Connection,
    Gate,
    LoopFactory,
    body_of,
    echo,
    on_both_loops,
    refuse,
    request,
    respond,
    served,
)

pytestmark = [
    on_both_loops,
    pytest.mark.python_differs("asyncio cancels and wakes tasks in another order"),
]

# More than the socket buffers of both kernels hold.
_LARGE = 32 * 1024 * 1024
_PIECE = b"x" * 64 * 1024
_LAST = request("/held", "Connection: close")
_UNFINISHED = b"POST /left HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000000\r\n\r\n"


class Watched:
    """An application that records the beginnings and the ends of its calls."""

    def __init__(self) -> None:
        self.began = asyncio.Event()
        self.ended = asyncio.Event()
        self.bodies: list[bytes | None] = []

    async def __call__(self, _scope: Scope, receive: Receive, send: Send) -> None:
        self.began.set()
        self.bodies.append(await body_of(receive))
        # A call that ends only with its client.
        assert await receive() == {"type": "http.disconnect"}
        self.ended.set()
        await respond(send, b"for nobody")


async def _set(event: asyncio.Event) -> None:
    event.set()


async def _tasks() -> int:
    return len(asyncio.all_tasks())


async def _until_tasks(count: int) -> None:
    while await _tasks() > count:  # noqa: ASYNC110 -- tasks end in later turns of the loop
        await asyncio.sleep(0.005)


class Stream:
    """An application whose answer has many pieces, none larger than a client may read at once."""

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


@pytest.mark.parametrize("line", ["X: y", "Connection: close"])
@pytest.mark.parametrize("held", [False, True], ids=["still sends", "had to stop sending"])
def test_an_answer_reaches_a_client_that_sends(
    loop_factory: LoopFactory, line: str, held: bool
) -> None:
    may_answer, began = asyncio.Event(), asyncio.Event()
    if not held:
        may_answer.set()

    async def unread(scope: Scope, receive: Receive, send: Send) -> None:
        began.set()
        await may_answer.wait()
        await refuse(scope, receive, send)

    with served(unread, loop_factory=loop_factory) as web, web.connect() as connection:
        connection.send(request("/", line, f"Content-Length: {_LARGE}", method="POST"))
        sent = 0
        if held:
            web.run(began.wait())
            sent = connection.send_what_is_taken(_PIECE, turns=100, turn=web.settle)
            web.run(_set(may_answer))
        connection.send(b"x" * (_LARGE - sent))

        assert connection.answer().status == 401


def test_a_connection_lives_on_after_a_body_that_nobody_read(loop_factory: LoopFactory) -> None:
    with served(refuse, loop_factory=loop_factory) as web, web.connect() as connection:
        connection.send(b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\n")
        assert connection.answer().status == 401
        connection.send(b"body" + request())

        assert connection.answer().status == 401


def test_a_client_that_never_reads_is_cut_off(loop_factory: LoopFactory) -> None:
    stream = Stream()
    limits = Limits(unread_seconds=0.1)
    with (
        served(stream, loop_factory=loop_factory, limits=limits) as web,
        web.connect(receive_buffer=4096) as connection,
    ):
        connection.send(request())
        # Until the server gives up, and before any byte is read.
        web.run(stream.ended.wait())

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
    call = Gate()
    limits = Limits(half_closed_seconds=0.05)
    with served(call, loop_factory=loop_factory, limits=limits) as web:
        with web.connect() as connection:
            connection.send(request("/left"))
            web.run(call.began.wait())
            connection.send(request("/2"))

        web.run(call.left.wait())
    assert call.paths == ["/left"]


@pytest.mark.parametrize("behind", [b"", b"more"], ids=["at its end", "with more"])
def test_a_client_that_half_closes_during_its_call_is_answered(
    loop_factory: LoopFactory, behind: bytes
) -> None:
    call = Gate()
    last = request("/held", "Connection: close", method="POST", body=b"body")
    with served(call, loop_factory=loop_factory) as web, web.connect() as connection:
        connection.send(last + behind)
        web.run(call.began.wait())
        connection.half_close()
        web.settle()
        web.run(call.open())

        assert connection.answer().body == b"POST /held body"
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


def test_a_body_is_asked_for_only_when_it_is_read(loop_factory: LoopFactory) -> None:
    lines = ("Expect: 100-continue", "Content-Length: 4")
    with served(echo, loop_factory=loop_factory) as web, web.connect() as connection:
        connection.send(request("/", *lines, method="POST"))
        assert connection.answer().status == 100
        connection.send(b"body")

        assert connection.answer().body == b"POST / body"


def test_a_client_that_is_refused_before_its_body_is_not_asked_for_it(
    loop_factory: LoopFactory,
) -> None:
    lines = ("Expect: 100-continue", "Content-Length: 4")
    with served(refuse, loop_factory=loop_factory) as web, web.connect() as connection:
        connection.send(request("/", *lines, method="POST"))
        answer = connection.answer()

        # It is not a request, with or without its body.
        assert (answer.status, answer.headers["connection"]) == (401, "close")


# The end of a connection


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
def test_an_answer_is_not_lost_by_bytes_that_still_arrive(
    loop_factory: LoopFactory, sent: bytes, later: bytes, status: int
) -> None:
    call = Gate()
    with served(call, loop_factory=loop_factory) as web, web.connect() as connection:
        connection.send(sent)
        if status == 200:
            web.run(call.began.wait())
            connection.deliver(later)
            web.settle()
            web.run(call.open())

        assert connection.answer().status == status
        assert connection.is_closed()
        assert _may_send(connection)


def test_a_request_has_one_answer_even_when_its_body_is_broken(loop_factory: LoopFactory) -> None:
    with served(refuse, loop_factory=loop_factory) as web, web.connect() as connection:
        connection.send(request("/", "Transfer-Encoding: chunked", method="POST"))
        assert connection.answer().status == 401
        connection.send(b"BROKEN\r\n")

        assert connection.is_closed()


@pytest.mark.parametrize("behind", [request("/behind"), b"BROKEN\r\n\r\n"])
def test_nothing_is_answered_after_a_call_that_ends_the_connection(
    loop_factory: LoopFactory, behind: bytes
) -> None:
    call = Gate()

    async def last(scope: Scope, receive: Receive, send: Send) -> None:
        async def closing(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"].append((b"connection", b"close"))
            await send(message)

        await call(scope, receive, closing)

    with served(last, loop_factory=loop_factory) as web, web.connect() as connection:
        connection.deliver(request("/held") + behind)
        web.run(call.began.wait())
        web.run(call.open())

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
    began, may_read = asyncio.Event(), asyncio.Event()

    async def first_part(_scope: Scope, receive: Receive, send: Send) -> None:
        began.set()
        await may_read.wait()
        sizes.append(len((await receive())["body"]))
        await respond(send, b"", status=413)

    with served(first_part, loop_factory=loop_factory) as web, web.connect() as connection:
        connection.send(_UNFINISHED)
        web.run(began.wait())
        sent = connection.send_what_is_taken(_PIECE, turns=100, turn=web.settle)
        web.run(_set(may_read))

        assert connection.answer().status == 413
    assert sizes[0] < 1024 * 1024 < sent


def test_a_client_may_be_gone_before_it_is_accepted(loop_factory: LoopFactory) -> None:
    async def connect_and_reset() -> None:
        # In the event loop that would accept the connection.
        Connection(web.port).reset()

    with served(echo, loop_factory=loop_factory) as web:
        web.run(connect_and_reset())
        with web.connect() as another:
            another.send(request())
            assert another.answer().status == 200

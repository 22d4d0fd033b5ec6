"""Clients that are slow, rude or gone: each costs little, for a limited time, and no one else."""

import asyncio

import pytest
from starlette.types import Receive, Scope, Send

from bridge.limits import Limits
from tests.bridge.raw_http import (
    LoopFactory,
    body_of,
    echo,
    on_both_loops,
    request,
    respond,
    served,
)

pytestmark = on_both_loops

# Above what both kernels' socket buffers hold.
_LARGE = 32 * 1024 * 1024
_MORE_THAN_IS_BUFFERED = b"x" * _LARGE
_UNFINISHED = b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000000\r\n\r\n"


async def refuse(_scope: Scope, _receive: Receive, send: Send) -> None:
    """Answers without reading the body."""
    await respond(send, b"no", status=401)


class Watched:
    """An application that tells when its calls begin and how they end."""

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
    await respond(send, _MORE_THAN_IS_BUFFERED)


@pytest.mark.parametrize("sent", [b"G", b"GET / HTTP/1.1\r\n", b"GET / HTTP/1.1\r\nHost: a\r\n"])
def test_headers_that_do_not_come_are_refused(loop_factory: LoopFactory, sent: bytes) -> None:
    limits = Limits(head_seconds=0.05)
    with served(echo, loop_factory=loop_factory, limits=limits) as web, web.connect() as connection:
        connection.send(sent)
        answer = connection.answer()

        assert (answer.status, answer.reason) == (408, "HEADERS_TOO_SLOW")
        assert connection.is_closed()


def test_the_rest_of_headers_has_its_time_after_an_answer(loop_factory: LoopFactory) -> None:
    limits = Limits(head_seconds=0.05)
    with served(echo, loop_factory=loop_factory, limits=limits) as web, web.connect() as connection:
        connection.send(request("/first") + b"GET /second")

        assert connection.answer().body == b"GET /first "
        assert connection.answer().status == 408


def test_a_connection_without_a_request_is_closed(loop_factory: LoopFactory) -> None:
    limits = Limits(idle_seconds=1)
    with served(echo, loop_factory=loop_factory, limits=limits) as web, web.connect() as connection:
        assert connection.is_closed()


@pytest.mark.parametrize("line", ["X: y", "Connection: close"])
def test_an_answer_reaches_a_client_that_still_sends(loop_factory: LoopFactory, line: str) -> None:
    size = Limits().drain_bytes
    with served(refuse, loop_factory=loop_factory) as web, web.connect() as connection:
        connection.send(
            f"POST / HTTP/1.1\r\nHost: a\r\n{line}\r\nContent-Length: {size}\r\n\r\n".encode()
        )
        connection.send(b"x" * size)

        assert connection.answer().status == 401


def test_a_connection_lives_on_after_a_body_that_nobody_read(loop_factory: LoopFactory) -> None:
    limits = Limits(drain_seconds=60)
    with (
        served(refuse, loop_factory=loop_factory, limits=limits) as web,
        web.connect() as connection,
    ):
        connection.send(b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\n")
        assert connection.answer().status == 401
        connection.send(b"body" + request())

        assert connection.answer().status == 401


def test_a_body_that_nobody_reads_must_end_in_time(loop_factory: LoopFactory) -> None:
    limits = Limits(drain_seconds=0.05)
    with (
        served(refuse, loop_factory=loop_factory, limits=limits) as web,
        web.connect() as connection,
    ):
        connection.send(_UNFINISHED)

        assert connection.answer().status == 401
        assert connection.is_closed()


def test_a_body_that_nobody_reads_must_end_somewhere(loop_factory: LoopFactory) -> None:
    limits = Limits(drain_seconds=60, drain_bytes=1024 * 1024)
    with (
        served(refuse, loop_factory=loop_factory, limits=limits) as web,
        web.connect() as connection,
    ):
        connection.send(_UNFINISHED)
        assert connection.answer().status == 401

        with pytest.raises(OSError, match=r"reset|pipe"):
            connection.send(_MORE_THAN_IS_BUFFERED)


def test_a_client_that_never_reads_is_cut_off(loop_factory: LoopFactory) -> None:
    limits = Limits(write_seconds=0.05)
    with (
        served(_large, loop_factory=loop_factory, limits=limits) as web,
        web.connect(receive_buffer=4096) as connection,
    ):
        before = web.run(_tasks())
        connection.send(request())
        # Until the server gives up, and not a byte is read before.
        connection.wait_for_reset()

        web.run(_until_tasks(before))
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
    with served(call, loop_factory=loop_factory) as web:
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
    with served(call, loop_factory=loop_factory) as web:
        with web.connect() as connection:
            connection.send(request("/1"))
            web.run(call.has_body.wait())
            connection.send(request("/2"))

        # What waits is never begun.
        web.run(call.ended.wait())
    assert call.bodies == [b""]


async def _until_tasks(count: int) -> None:
    while await _tasks() > count:  # noqa: ASYNC110 -- tasks end when the loop comes to it
        await asyncio.sleep(0.005)


def test_a_body_is_asked_for_only_when_it_is_read(loop_factory: LoopFactory) -> None:
    lines = ("Expect: 100-continue", "Content-Length: 4")
    with served(echo, loop_factory=loop_factory) as web, web.connect() as connection:
        connection.send(request("/", *lines, method="POST"))
        assert connection.answer().status == 100
        connection.send(b"body")

        assert connection.answer().body == b"POST / body"


def test_nobody_is_asked_for_a_body_in_a_version_without_asking(loop_factory: LoopFactory) -> None:
    began = asyncio.Event()

    async def waiting(scope: Scope, receive: Receive, send: Send) -> None:
        began.set()
        await echo(scope, receive, send)

    with served(waiting, loop_factory=loop_factory) as web, web.connect() as connection:
        connection.send(b"POST / HTTP/1.0\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n")
        web.run(began.wait())
        connection.send(b"body")

        assert connection.answer().body == b"POST / body"


def test_who_is_refused_before_the_body_is_not_asked_for_it(loop_factory: LoopFactory) -> None:
    lines = ("Expect: 100-continue", "Content-Length: 4")
    with served(refuse, loop_factory=loop_factory) as web, web.connect() as connection:
        connection.send(request("/", *lines, method="POST"))
        answer = connection.answer()

        # Whether or not the body comes, it is no request.
        assert (answer.status, answer.headers["connection"]) == (401, "close")

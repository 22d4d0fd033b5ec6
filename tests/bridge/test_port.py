"""The web port's address, start and shutdown."""

import asyncio
import contextlib
import fcntl
import os
import socket
import termios
from pathlib import Path

import pytest
from starlette.types import Receive, Scope, Send

from bridge.port import WebPort
from server.values.host_port import CannotListenError
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


def _port(address: str, *, shared: bool = False) -> WebPort:
    return WebPort(echo, address, shared=shared, trusted_proxies=())


async def test_an_address_in_use_is_named_with_its_setting() -> None:
    async with (first := _port("127.0.0.1:0")).serving():
        address = f"127.0.0.1:{first.port}"
        with pytest.raises(CannotListenError, match=f"{address}.*KEYSTEAD_HTTP_ADDRESS"):
            async with _port(address).serving():
                pass


async def test_an_address_of_another_machine_is_named_with_its_setting() -> None:
    with pytest.raises(CannotListenError, match=r"192\.0\.2\.1:80.*KEYSTEAD_HTTP_ADDRESS"):
        async with _port("192.0.2.1:80").serving():
            pass


async def test_several_processes_may_share_an_address() -> None:
    async with (
        (first := _port("127.0.0.1:0", shared=True)).serving(),
        (second := _port(f"127.0.0.1:{first.port}", shared=True)).serving(),
    ):
        assert second.port == first.port


async def test_an_address_is_free_again_at_once() -> None:
    async with (first := _port("127.0.0.1:0")).serving():
        pass
    async with _port(f"127.0.0.1:{first.port}").serving():
        pass


@on_both_loops
def test_the_server_listens_on_ipv6(loop_factory: LoopFactory) -> None:
    with (
        served(echo, loop_factory=loop_factory, address="[::1]:0") as web,
        Connection(web.port, host="::1") as connection,
    ):
        connection.send(request())

        assert connection.answer().status == 200


@on_both_loops
def test_a_client_of_ipv4_is_called_so_on_a_socket_for_both(loop_factory: LoopFactory) -> None:
    async def client(scope: Scope, _receive: Receive, send: Send) -> None:
        await respond(send, scope["client"][0].encode())

    with (
        served(client, loop_factory=loop_factory, address="[::]:0") as web,
        Connection(web.port, host="127.0.0.1") as old,
        Connection(web.port, host="::1") as new,
    ):
        old.send(request())
        new.send(request())

        assert (old.answer().body, new.answer().body) == (b"127.0.0.1", b"::1")


async def test_tcp_finds_out_that_a_client_is_gone() -> None:
    async with (port := _port("127.0.0.1:0")).serving():
        reader, writer = await _connect(port.port)
        with contextlib.closing(writer):
            writer.write(request())
            await reader.readline()

            accepted = _accepted(writer.get_extra_info("sockname"))
            assert accepted is not None
            with accepted:
                assert accepted.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE) == 1
                assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE) == 60


async def test_the_kernel_holds_little_for_a_client_that_does_not_read() -> None:
    async def large(_scope: Scope, _receive: Receive, send: Send) -> None:
        await respond(send, bytes(32 * 1024 * 1024))

    port = WebPort(large, "127.0.0.1:0", shared=False, trusted_proxies=())
    async with port.serving():
        with Connection(port.port, receive_buffer=4096) as connection:
            connection.send(request())
            while not connection.has_answer(within=0):  # noqa: ASYNC110 -- the kernel's time
                await asyncio.sleep(0.01)

            accepted = _accepted(connection.name)
            assert accepted is not None
            with accepted:
                unread = int.from_bytes(fcntl.ioctl(accepted, termios.TIOCOUTQ, bytes(4)), "little")
                assert unread <= 128 * 1024


def _accepted(peer: tuple[str, int]) -> socket.socket | None:
    """The server's end of a connection, in this process."""
    for each in Path("/proc/self/fd").iterdir():
        with contextlib.suppress(OSError):
            found = socket.socket(fileno=os.dup(int(each.name)))
            with contextlib.suppress(OSError):
                if found.getpeername() == peer:
                    return found
            found.close()
    return None


class Slow:
    """An application that answers when a test permits it, or never."""

    def __init__(self) -> None:
        self.began = asyncio.Event()
        self.open = asyncio.Event()
        self.ended = asyncio.Event()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if await body_of(receive) is None:
            return
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"begun", "more_body": True})
        self.began.set()
        if scope["path"] == "/stream":
            while (await receive())["type"] != "http.disconnect":
                pass
            self.ended.set()
            return
        await self.open.wait()
        await send({"type": "http.response.body", "body": b" and ended"})


async def _connect(port: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    return await asyncio.open_connection("127.0.0.1", port)


async def test_the_end_completes_answers_and_refuses_connections() -> None:
    slow = Slow()
    port = WebPort(slow, "127.0.0.1:0", shared=False, trusted_proxies=())
    async with contextlib.AsyncExitStack() as stack:
        await stack.enter_async_context(port.serving())
        reader, writer = await _connect(port.port)
        idle_reader, idle_writer = await _connect(port.port)
        writer.write(request())
        await slow.began.wait()

        ending = asyncio.create_task(stack.pop_all().aclose())
        assert await idle_reader.read() == b""
        with pytest.raises(ConnectionRefusedError):
            await _connect(port.port)
        slow.open.set()

        assert b"begun" in (answer := await reader.read())
        assert answer.endswith(b" and ended\r\n0\r\n\r\n")
        await ending
    for each in (writer, idle_writer):
        each.close()


async def test_the_end_ends_streams_and_halves_of_requests(
    caplog: pytest.LogCaptureFixture,
) -> None:
    slow = Slow()
    port = WebPort(slow, "127.0.0.1:0", shared=False, trusted_proxies=())
    async with port.serving():
        reader, writer = await _connect(port.port)
        half_reader, half_writer = await _connect(port.port)
        half_writer.write(b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nhalf")
        writer.write(request("/stream"))
        await slow.began.wait()

    await slow.ended.wait()
    for stream in (reader, half_reader):
        with contextlib.suppress(ConnectionResetError):
            await stream.read()
    for each in (writer, half_writer):
        each.close()
    assert caplog.records == []

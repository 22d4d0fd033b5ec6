"""grpc-web over time: streams, deadlines, clients that disconnect or are slow, many calls."""

import asyncio
import base64
import contextlib
import logging
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from typing import Any

import grpc
import pytest
import structlog
from grpc_health.v1.health_pb2 import HealthCheckResponse

from bridge.http.limits import Limits
from bridge.port import WebPort
from server.values.errors import Failure, Kind, Violation
from tests.bridge.servicer import Answering, Streaming, grpc_web, methods
from tests.support import given
from tests.support.grpcweb_client import Channel, frame
from tests.support.web_client import web_client

_CHECK = "/grpc.health.v1.Health/Check"
_WATCH = "/grpc.health.v1.Health/Watch"
_SERVING = HealthCheckResponse(status=HealthCheckResponse.SERVING)
# The number of a field that the schema does not have.
_LARGE = HealthCheckResponse.FromString(b"\x12\x80\x80\x04" + bytes(64 * 1024))
_SERVING_FRAME = frame(_SERVING.SerializeToString())
# A client that has left is noticed soon.
_LIMITS = Limits(half_closed_seconds=0.05)


@contextlib.asynccontextmanager
async def _serving(
    *,
    check: Answering | None = None,
    watch: Streaming | None = None,
    unread_seconds: float = 30,
) -> AsyncIterator[int]:
    """The port of a server with only the health service."""
    seam = methods(check=check, watch=watch, unread_seconds=unread_seconds)
    web = WebPort(grpc_web(seam), "127.0.0.1:0", shared=False, trusted_proxies=(), limits=_LIMITS)
    async with web.serving():
        yield web.port


class _Connection:
    """A client that controls its connection."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    @classmethod
    @contextlib.asynccontextmanager
    async def to(
        cls, port: int, *, receive_buffer: int | None = None
    ) -> AsyncIterator["_Connection"]:
        client = socket.socket()
        if receive_buffer is not None:
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        client.setblocking(False)
        await asyncio.get_running_loop().sock_connect(client, ("127.0.0.1", port))
        reader, writer = await asyncio.open_connection(sock=client, limit=1024)
        connection = cls(reader, writer)
        try:
            yield connection
        finally:
            await connection.leave()

    def send(self, path: str, body: bytes, *headers: str, length: int | None = None) -> None:
        """Sends a request. A `length` beyond the body announces more bytes."""
        lines = [
            f"POST {path} HTTP/1.1",
            "host: localhost",
            "content-type: application/grpc-web",
            f"content-length: {len(body) if length is None else length}",
            *headers,
        ]
        self._writer.write("".join(f"{line}\r\n" for line in lines).encode() + b"\r\n" + body)

    async def until(self, text: bytes) -> bytes:
        """The received bytes up to and including this text."""
        received = b""
        while not received.endswith(text):
            received += await self._reader.readexactly(1)
        return received

    async def leave(self) -> None:
        self._writer.transport.abort()
        with contextlib.suppress(ConnectionError):
            await self._writer.wait_closed()


class _Endless:
    """A method that waits until it is cancelled, and records its end."""

    def __init__(self) -> None:
        self.begun = asyncio.Event()
        self.cancelled = asyncio.Event()

    async def check(self) -> HealthCheckResponse:
        await self._wait()
        return _SERVING

    async def watch(self) -> AsyncIterator[HealthCheckResponse]:
        yield _SERVING
        await self._wait()

    async def _wait(self) -> None:
        self.begun.set()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            self.cancelled.set()
            raise


@pytest.fixture
def quiet(caplog: pytest.LogCaptureFixture) -> Callable[[], bool]:
    """A function: whether neither the HTTP server nor asyncio has logged a warning."""
    return lambda: not [entry for entry in caplog.records if entry.levelno >= logging.WARNING]


# Streams


@pytest.mark.parametrize("content_type", ["application/grpc-web", "application/grpc-web-text"])
@pytest.mark.parametrize("count", [0, 1, 3])
async def test_a_stream_is_its_messages_and_then_its_status(content_type: str, count: int) -> None:
    body = frame(b"")
    if "text" in content_type:
        body = base64.b64encode(body)

    async with (
        _serving(watch=lambda: _messages(*[_SERVING] * count)) as port,
        web_client(port) as http,
    ):
        response = await http.post(
            _WATCH,
            content=body,
            headers={"content-type": content_type},
        )

    text = response.content
    if "text" in content_type:
        # Each message and the trailers have their own base64 padding.
        parts = [text[:12]] * count + [text[12 * count :]]
        text = b"".join(base64.b64decode(part, validate=True) for part in parts)
    assert text.startswith(_SERVING_FRAME * count + b"\x80")
    assert b"grpc-status: 0\r\nx-request-id: " in text


async def test_a_stream_may_fail_before_its_first_message() -> None:
    async def watch() -> AsyncIterator[HealthCheckResponse]:
        raise Failure(Kind.ABORTED, "REASON", "Message.")
        yield _SERVING

    async with _serving(watch=watch) as port, Channel(port) as channel:
        answer = await channel.post(_WATCH, frame(b""))

    assert answer.is_trailers_only
    assert given.read_refusal(answer.error).code is grpc.StatusCode.ABORTED


async def test_a_stream_that_fails_later_ends_with_the_whole_status() -> None:
    async def watch() -> AsyncIterator[HealthCheckResponse]:
        yield _SERVING
        raise Failure(Kind.ABORTED, "REASON", "Message.")

    async with _serving(watch=watch) as port, Channel(port) as channel:
        answer = await channel.post(_WATCH, frame(b""))

    assert answer.messages == [_SERVING.SerializeToString()]
    assert not answer.is_trailers_only
    refused = given.read_refusal(answer.error)
    assert (refused.code, refused.reason) == (grpc.StatusCode.ABORTED, "REASON")
    assert answer.status["x-request-id"] == refused.request_id


# Errors


@pytest.mark.parametrize("content_type", ["application/grpc-web", "application/grpc-web-text"])
async def test_details_that_are_too_large_for_headers_come_in_the_body(content_type: str) -> None:
    violations = [Violation(f"field{number}", "x" * 300) for number in range(20)]

    async def check() -> HealthCheckResponse:
        raise Failure(Kind.INVALID_ARGUMENT, "REASON", "Message.", violations=violations)

    async with (
        _serving(check=check) as port,
        Channel(port, content_type="application/grpc-web") as channel,
    ):
        answer = await channel.post(_CHECK, frame(b""), {"accept": content_type})

    assert not answer.is_trailers_only
    assert answer.messages == []
    assert len(given.read_refusal(answer.error).violations) == 20


# Clients that disconnect

_LEAVING = "of a client that leaves"
_NAMED = f"x-request-id: {_LEAVING}"


def _codes(logs: Sequence[Mapping[str, Any]]) -> list[str | None]:
    """The code in each log line of the call. Other servers of this process may log too."""
    return [line.get("code") for line in logs if line.get("request_id") == _LEAVING]


@pytest.mark.parametrize(("path", "is_read"), [(_CHECK, False), (_WATCH, True)])
async def test_a_call_is_cancelled_when_its_client_leaves(
    quiet: Callable[[], bool], path: str, is_read: bool
) -> None:
    endless = _Endless()
    with structlog.testing.capture_logs() as logs:
        async with _serving(check=endless.check, watch=endless.watch) as port:
            before = asyncio.all_tasks()
            async with _Connection.to(port) as connection:
                connection.send(path, frame(b""), _NAMED)
                await endless.begun.wait()
                if is_read:
                    await connection.until(_SERVING_FRAME)

            await endless.cancelled.wait()
            await given.eventually(_ended(before))
            await given.call_line(logs, request_id=_LEAVING)

    assert _codes(logs) == ["CANCELLED"]
    assert quiet()


async def test_a_client_that_leaves_within_its_body_calls_nothing(
    quiet: Callable[[], bool],
) -> None:
    async def check() -> HealthCheckResponse:
        raise AssertionError("the method was called")

    with structlog.testing.capture_logs() as logs:
        async with _serving(check=check) as port:
            before = asyncio.all_tasks()
            async with _Connection.to(port) as connection:
                connection.send(_CHECK, b"\0", _NAMED, length=5)
                await given.eventually(_begun(before))
            await given.eventually(_ended(before))
            await given.call_line(logs, request_id=_LEAVING)

    assert _codes(logs) == ["CANCELLED"]
    assert quiet()


async def test_hundreds_of_watchers_may_leave_at_once(quiet: Callable[[], bool]) -> None:
    left = 0

    async def watch() -> AsyncIterator[HealthCheckResponse]:
        nonlocal left
        yield _SERVING
        try:
            await asyncio.Event().wait()
        finally:
            left += 1

    async with _serving(watch=watch) as port:
        before = asyncio.all_tasks()
        async with contextlib.AsyncExitStack() as connections:
            for _ in range(200):
                connection = await connections.enter_async_context(_Connection.to(port))
                connection.send(_WATCH, frame(b""))
                await connection.until(_SERVING_FRAME)
        await given.eventually(_ended(before))

    assert left == 200
    assert quiet()


async def test_a_stream_that_never_waits_is_cancelled_too() -> None:
    with structlog.testing.capture_logs() as logs:
        async with _serving(watch=lambda: _messages(*[_LARGE] * 100_000)) as port:
            before = asyncio.all_tasks()
            async with _Connection.to(port) as connection:
                connection.send(_WATCH, frame(b""), _NAMED)
                await connection.until(b"\r\n\r\n")

            await given.eventually(_ended(before))
            await given.call_line(logs, request_id=_LEAVING)

    assert _codes(logs) == ["CANCELLED"]


async def test_a_client_that_leaves_before_it_reads_the_end_of_its_stream_is_no_error(
    quiet: Callable[[], bool],
) -> None:
    with structlog.testing.capture_logs() as logs:
        async with _serving(
            watch=lambda: _messages(*[_LARGE] * 100_000), unread_seconds=0.2
        ) as port:
            before = asyncio.all_tasks()
            async with _Connection.to(port, receive_buffer=4096) as connection:
                connection.send(_WATCH, frame(b""), _NAMED)
                await given.call_line(logs, request_id=_LEAVING)

            await given.eventually(_ended(before))

    assert _codes(logs) == ["ABORTED"]
    assert quiet()


async def _messages(*messages: HealthCheckResponse) -> AsyncIterator[HealthCheckResponse]:
    for message in messages:
        yield message


def _ended(before: set[asyncio.Task[Any]]) -> Callable[[], Awaitable[bool]]:
    async def condition() -> bool:
        return asyncio.all_tasks() <= before

    return condition


def _begun(before: set[asyncio.Task[Any]]) -> Callable[[], Awaitable[bool]]:
    async def condition() -> bool:
        return not asyncio.all_tasks() <= before

    return condition

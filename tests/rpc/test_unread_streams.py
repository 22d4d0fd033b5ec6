"""A stream whose client stops reading is freed on the server while the connection stays open."""

import asyncio
from collections.abc import AsyncIterator

import pytest
import structlog
from grpc_health.v1.health_pb2 import HealthCheckRequest, HealthCheckResponse
from starlette.responses import PlainTextResponse

from bridge.grpcweb.application import GrpcWeb
from bridge.http.limits import Limits
from bridge.port import WebPort
from server.rpc.methods import Methods
from server.rpc.native import NativePort
from tests.bridge.servicer import methods
from tests.support import given, http2
from tests.support.grpcweb_client import frame
from tests.support.raw_http import Connection

pytestmark = pytest.mark.python_differs("asyncio cancels and wakes tasks in another order")

_WATCH = "/grpc.health.v1.Health/Watch"
# The number of a field that the schema does not have.
_LARGE = HealthCheckResponse.FromString(b"\x12\x80\x80\x04" + bytes(64 * 1024))


class _Stream:
    """An endless stream, and the task that serves it."""

    def __init__(self, *, unread_seconds: float) -> None:
        self.methods = methods(watch=self._watch, unread_seconds=unread_seconds)
        self.task: asyncio.Task[object] | None = None

    async def is_freed(self) -> bool:
        return self.task is not None and self.task.done()

    async def _watch(self) -> AsyncIterator[HealthCheckResponse]:
        self.task = asyncio.current_task()
        while True:
            yield _LARGE


def _open_streams(methods: Methods) -> int:
    return len(methods.running.all)


async def test_a_native_call_without_a_window_is_freed() -> None:
    stream = _Stream(unread_seconds=0.1)
    port = NativePort(stream.methods, "127.0.0.1:0", shared=False)
    with structlog.testing.capture_logs() as logs:
        async with port.serving(), http2.established(port.port, window=0) as client:
            client.writer.write(http2.whole_call(_WATCH, HealthCheckRequest(), [], stream=1))

            line = await given.call_line(logs, code="ABORTED")
            await given.eventually(stream.is_freed)

            assert line["reason"] == "STREAM_NOT_READ"
            assert _open_streams(stream.methods) == 0
            # The connection itself is usable.
            await client.ping()


async def test_a_grpc_web_call_that_is_not_read_is_freed() -> None:
    # Only a write that must wait takes time. A process that is suspended for longer than
    # `blocked_seconds` would otherwise end the stream too early.
    stream = _Stream(unread_seconds=0)
    application = GrpcWeb(stream.methods, PlainTextResponse("not grpc-web"))
    limits = Limits(blocked_seconds=0.5)
    port = WebPort(application, "127.0.0.1:0", shared=False, trusted_proxies=(), limits=limits)
    body = frame(b"")
    with structlog.testing.capture_logs() as logs:
        async with port.serving():
            with Connection(port.port, receive_buffer=4096) as client:
                client.send(
                    f"POST {_WATCH} HTTP/1.1\r\nhost: localhost\r\n"
                    "content-type: application/grpc-web\r\n"
                    f"content-length: {len(body)}\r\n\r\n".encode()
                    + body
                )

                line = await given.call_line(logs, code="ABORTED")
                await given.eventually(stream.is_freed)

                assert line["reason"] == "STREAM_NOT_READ"
                assert _open_streams(stream.methods) == 0

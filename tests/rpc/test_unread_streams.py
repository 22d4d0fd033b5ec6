"""A stream whose client stops reading is freed on the server while the connection stays open."""

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Any, cast

import grpc
import pytest
import structlog
from grpc_health.v1.health_pb2 import HealthCheckRequest, HealthCheckResponse
from starlette.types import ASGIApp

from bridge.http.limits import Limits
from bridge.json.transcoding import Transcoder
from bridge.port import WebPort
from keystead.event.v1 import event_service_pb2 as pb
from keystead.event.v1 import event_service_pb2_grpc as pb_grpc
from server.access.caller import Caller
from server.access.roles import Role
from server.access.tokens import TokenKind, new_token
from server.rpc.methods import Methods
from server.rpc.native import NativePort
from tests.bridge.servicer import grpc_web, methods
from tests.support import given, http2
from tests.support.grpcweb_client import frame
from tests.support.raw_http import Connection, request

pytestmark = pytest.mark.python_differs("asyncio cancels and wakes tasks in another order")

_WATCH = "/grpc.health.v1.Health/Watch"
_BYTES = 64 * 1024
# The number of a field that the schema does not have.
_LARGE = HealthCheckResponse.FromString(b"\x12\x80\x80\x04" + bytes(_BYTES))
_LARGE_EVENTS = pb.WatchEventsResponse(cursor="1", events=[pb.Event(aggregate_id="x" * _BYTES)])
# The kernel holds 128 KiB, the process 64 KiB and the message that did not fit.
_MOST_BYTES = 512 * 1024
_UNREAD_SECONDS = 0.3


class _Stream(pb_grpc.EventServiceServicer):
    """An endless stream of large messages, of health and of events, and the task that serves it."""

    def __init__(self, *, unread_seconds: float) -> None:
        self.made = 0
        self.task: asyncio.Task[object] | None = None
        self.methods = methods(
            watch=lambda: self._endless(_LARGE), unread_seconds=unread_seconds, find_user=_owner
        )
        server = cast(grpc.aio.Server, self.methods)
        pb_grpc.add_EventServiceServicer_to_server(self, server)

    def WatchEvents(self, _request: object, _call: object) -> AsyncIterator[Any]:  # noqa: N802
        return self._endless(_LARGE_EVENTS)

    async def is_freed(self) -> bool:
        return self.task is not None and self.task.done() and not self.methods.running.all

    async def _endless(self, message: Any) -> AsyncIterator[Any]:
        self.task = asyncio.current_task()
        while True:
            self.made += 1
            yield message


async def _owner(_hashed: bytes) -> Caller:
    return Caller("user", "org", frozenset({Role.INSTANCE_OWNER}))


async def test_a_native_call_without_a_window_is_freed() -> None:
    stream = _Stream(unread_seconds=0.1)  # type: ignore[abstract]  # of its methods, one is called
    port = NativePort(stream.methods, "127.0.0.1:0", shared=False)
    with structlog.testing.capture_logs() as logs:
        async with port.serving(), http2.established(port.port, window=0) as client:
            client.writer.write(http2.whole_call(_WATCH, HealthCheckRequest(), [], stream=1))

            line = await given.call_line(logs, code="ABORTED")
            await given.eventually(stream.is_freed)

            assert line["reason"] == "STREAM_NOT_READ"
            # The connection itself is usable.
            await client.ping()


def _of_grpc_web(seam: Methods) -> tuple[ASGIApp, bytes]:
    head = "Content-Type: application/grpc-web"
    return grpc_web(seam), request(_WATCH, head, method="POST", body=frame(b""))


def _of_json(seam: Methods) -> tuple[ASGIApp, bytes]:
    head = f"Authorization: Bearer {new_token(TokenKind.USER)}"
    return Transcoder(seam, is_page=lambda _path: False), request("/v1/events:watch", head)


@pytest.mark.parametrize("over", [_of_grpc_web, _of_json], ids=["grpc-web", "server-sent events"])
@pytest.mark.parametrize("bytes_a_time", [0, 1])
async def test_a_client_that_reads_nothing_or_a_byte_now_and_then_is_freed(
    over: Callable[[Methods], tuple[ASGIApp, bytes]], bytes_a_time: int
) -> None:
    stream = _Stream(unread_seconds=_UNREAD_SECONDS)  # type: ignore[abstract]  # as above
    application, call = over(stream.methods)
    limits = Limits(blocked_seconds=3 * _UNREAD_SECONDS)
    port = WebPort(application, "127.0.0.1:0", shared=False, trusted_proxies=(), limits=limits)

    with structlog.testing.capture_logs() as logs:
        async with port.serving():
            with Connection(port.port, receive_buffer=4096) as client:
                client.send(call)
                await given.eventually(lambda: _begun(stream))
                reading = asyncio.create_task(_read(client, bytes_a_time))

                line = await given.call_line(logs, code="ABORTED")
                await given.eventually(stream.is_freed)
                reading.cancel()

    assert line["reason"] == "STREAM_NOT_READ"
    assert stream.made * _BYTES <= _MOST_BYTES


async def _begun(stream: _Stream) -> bool:
    return stream.made > 0


async def _read(client: Connection, number: int) -> None:
    while True:
        client.receive(number)
        await asyncio.sleep(_UNREAD_SECONDS / 30)

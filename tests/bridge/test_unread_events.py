"""Server-sent events to a client that stops reading: bounded memory, and an end of the stream."""

import asyncio
from collections.abc import AsyncIterator
from typing import cast

import grpc
import pytest
import structlog

from bridge.http.limits import Limits
from bridge.json.transcoding import Transcoder
from bridge.port import WebPort
from keystead.event.v1 import event_service_pb2 as pb
from keystead.event.v1 import event_service_pb2_grpc as pb_grpc
from server.access.caller import Caller
from server.access.roles import Role
from server.access.tokens import TokenKind, new_token
from tests.bridge.servicer import methods
from tests.support import given
from tests.support.raw_http import Connection

_UNREAD_SECONDS = 0.3
_LARGE = pb.WatchEventsResponse(cursor="1", events=[pb.Event(aggregate_id="x" * 64 * 1024)])
# The kernel holds 128 KiB, the process 64 KiB and the message that did not fit.
_MOST_BYTES = 512 * 1024


class _Events(pb_grpc.EventServiceServicer):
    """An endless stream of large messages, and the task that serves it."""

    made = 0
    task: asyncio.Task[object] | None = None

    async def WatchEvents(  # noqa: N802
        self, _request: object, _call: object
    ) -> AsyncIterator[pb.WatchEventsResponse]:
        self.task = asyncio.current_task()
        while True:
            self.made += 1
            yield _LARGE

    async def is_freed(self) -> bool:
        return self.task is not None and self.task.done()


async def _owner(_hashed: bytes) -> Caller:
    return Caller("user", "org", frozenset({Role.INSTANCE_OWNER}))


@pytest.mark.parametrize("bytes_a_time", [0, 1])
async def test_a_client_that_reads_nothing_or_a_byte_now_and_then_is_freed(
    bytes_a_time: int,
) -> None:
    events = _Events()  # type: ignore[abstract]  # of its methods, one is called
    seam = methods(unread_seconds=_UNREAD_SECONDS, find_user=_owner)
    pb_grpc.add_EventServiceServicer_to_server(events, cast(grpc.aio.Server, seam))
    limits = Limits(blocked_seconds=3 * _UNREAD_SECONDS)
    web = Transcoder(seam, is_page=lambda _path: False)
    port = WebPort(web, "127.0.0.1:0", shared=False, trusted_proxies=(), limits=limits)

    with structlog.testing.capture_logs() as logs:
        async with port.serving():
            with Connection(port.port, receive_buffer=4096) as client:
                client.send(
                    b"GET /v1/events:watch HTTP/1.1\r\nhost: localhost\r\n"
                    b"authorization: Bearer " + new_token(TokenKind.USER).encode() + b"\r\n\r\n"
                )
                await given.eventually(lambda: _begun(events))
                reading = asyncio.create_task(_read(client, bytes_a_time))

                line = await given.call_line(logs, code="ABORTED")
                await given.eventually(events.is_freed)
                reading.cancel()

    assert line["reason"] == "STREAM_NOT_READ"
    assert events.made * _LARGE.ByteSize() <= _MOST_BYTES


async def _begun(events: _Events) -> bool:
    return events.made > 0


async def _read(client: Connection, number: int) -> None:
    while True:
        client.receive(number)
        await asyncio.sleep(_UNREAD_SECONDS / 30)

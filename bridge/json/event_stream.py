"""The messages of a stream as server-sent events (WHATWG HTML, section 9.2).

Each message is an event, with its JSON as `data`. A stream that fails ends with an event `error`,
whose data is a `google.rpc.Status`. The messages of a method can have a field `NAME`, the `id` of
their events, and its request a field `after_NAME`: a client that reconnects sends the last `id` as
`last-event-id`, which sets `after_NAME`.
"""

import asyncio
from typing import Any, Final

from google.protobuf import json_format
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.message import Message
from starlette.types import Send

from bridge.json import codec
from bridge.metadata import Headers, malformed, to_headers
from server.rpc.call import Call
from server.rpc.status import EndOfCall

CONTENT_TYPE: Final = "text/event-stream"
LAST_EVENT_ID: Final = "last-event-id"

_AFTER = "after_"
# Some proxies buffer an answer until its end, unless it has the second header.
_HEADERS: Headers = [
    (b"content-type", CONTENT_TYPE.encode()),
    (b"x-accel-buffering", b"no"),
]
# The time in milliseconds that a browser waits after the end of a stream before it reconnects.
_RETRY = b"retry: 1000\n"


def id_field(method: MethodDescriptor) -> str:
    """The field of the messages of a stream by which a client resumes."""
    return next(
        field.name.removeprefix(_AFTER)
        for field in method.input_type.fields
        if field.name.startswith(_AFTER)
    )


def resume(request: Message, field: str, headers: Headers) -> None:
    """Makes the request resume after the client's last event, if the headers name it.

    Failure INVALID_ARGUMENT for a malformed ID.
    """
    for key, value in headers:
        if key == LAST_EVENT_ID.encode():
            if not value.isdigit():
                raise malformed(LAST_EVENT_ID, "the id of an event of this stream")
            setattr(request, _AFTER + field, value.decode())


class EventStream:
    """The answer to a call. It starts with the first message."""

    def __init__(self, call: Call, send: Send, field: str) -> None:
        self._call = call
        self._send = send
        self._field = field
        self.has_started = False

    async def write(self, message: Any) -> None:
        """Sends a message. Waits while the client does not read."""
        await self._start()
        cursor = getattr(message, self._field).encode()
        event = b"id: %b\ndata: %b\n" % (cursor, codec.of_message(message))
        await self._send({"type": "http.response.body", "body": event, "more_body": True})
        # As for grpc-web: sending does not wait while the client reads, or once it has left.
        await asyncio.sleep(0)

    async def succeed(self) -> None:
        """Ends the stream."""
        await self._start()
        await self._send({"type": "http.response.body"})

    async def fail(self, status: EndOfCall) -> None:
        """Ends the stream, which has started, with the event `error`."""
        data = codec.dumps(json_format.MessageToDict(status.status))
        await self._send({"type": "http.response.body", "body": b"event: error\ndata: %b\n" % data})

    async def _start(self) -> None:
        if not self.has_started:
            self.has_started = True
            headers = [*_HEADERS, *to_headers(self._call.trailing_metadata)]
            await self._send({"type": "http.response.start", "status": 200, "headers": headers})
            await self._send({"type": "http.response.body", "body": _RETRY, "more_body": True})

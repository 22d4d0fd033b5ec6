"""grpc-web over the wrapped handlers of the seam.

The rules are those of PROTOCOL-WEB.md in the gRPC repository. Of sonora's application the
registration, the look-up of methods and the packing of frames stand; its answers do not, most
clients cannot read them.
"""

import asyncio
import base64
import re
from typing import Any, NamedTuple

import grpc
from sonora.asgi import grpcASGI
from starlette.types import ASGIApp, Receive, Scope, Send

from bridge import cookies
from bridge.context import CallEnded, Context
from bridge.grpcweb import frames
from bridge.metadata import Headers, percent_encoded, to_headers
from bridge.request_body import RequestBody
from server.rpc.methods import Handler, Methods, Unread, not_one_message, unknown_method
from server.rpc.status import EndOfCall
from server.values.errors import Failure, unimplemented

# Those that are served, and whether they are base64.
_CONTENT_TYPES = {
    b"application/grpc-web": False,
    b"application/grpc-web+proto": False,
    b"application/grpc-web-text": True,
    b"application/grpc-web-text+proto": True,
}
# A media range that the client does not accept. RFC 9110, section 12.4.2.
_WEIGHT_ZERO = re.compile(rb";[ \t]*q=0(\.0{0,3})?[ \t]*(;|$)", re.IGNORECASE)
# Proxies refuse answers with much larger headers.
_MAX_TRAILERS_ONLY_BYTES = 4 * 1024


class GrpcWeb(grpcASGI):  # type: ignore[misc]
    """The methods as an ASGI application. What is not grpc-web goes on to another one."""

    def __init__(self, methods: Methods, application: ASGIApp) -> None:
        super().__init__(application, enable_cors=False)
        self._methods = methods
        handlers = cookies.handlers(methods)
        for service, names in methods.services.items():
            of_service = {name: handlers[f"/{service}/{name}"] for name in names}
            self.add_generic_rpc_handlers(
                (grpc.method_handlers_generic_handler(service, of_service),)
            )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        negotiated = _negotiated(scope["headers"]) if scope["type"] == "http" else None
        # OPTIONS asks about the path, not about a call (RFC 9110, section 9.3.7).
        if negotiated is None or scope["method"] == "OPTIONS":
            await self._application(scope, receive, send)
            return
        # As it was sent: a proxy that lets some paths through must read it the same way.
        path = scope["raw_path"].decode("latin-1")
        handler = self._get_rpc_handler(path)
        call = _Call(scope, send, handler, negotiated.answer_type)
        body = RequestBody(receive)
        try:
            refusal = _refusal(scope, handler) or call.refusal
            if refusal is not None:
                await self._methods.refuse(path, call, refusal)
            last = await _perform(handler, call, body, text=_CONTENT_TYPES[negotiated.content_type])
        except CallEnded as ended:
            await call.fail(ended.status)
        except asyncio.CancelledError:
            if not body.is_abandoned:
                raise
        else:
            await call.succeed(last)


class _Negotiated(NamedTuple):
    content_type: bytes
    answer_type: bytes


def _negotiated(headers: Headers) -> _Negotiated | None:
    """The content types of a request and its answer, or None if it is not for us."""
    content_type = accept = b""
    for key, value in headers:
        if key == b"content-type":
            content_type = _essence(value)
        elif key == b"accept":
            accept += b"," + value
    if content_type not in _CONTENT_TYPES:
        return None
    accepted = (_essence(each) for each in accept.split(b",") if not _WEIGHT_ZERO.search(each))
    return _Negotiated(
        content_type, next((type_ for type_ in accepted if type_ in _CONTENT_TYPES), content_type)
    )


def _essence(media_type: bytes) -> bytes:
    """A media type without its parameters."""
    return media_type.partition(b";")[0].strip().lower()


def _refusal(scope: Scope, handler: Handler | None) -> Failure | None:
    """Why a request reaches no method."""
    if scope["method"] != "POST":
        return unimplemented("A method is called by POST. Send the request so.")
    if handler is None:
        return unknown_method()
    if handler.request_streaming:
        return unimplemented(
            "This method takes a stream, which grpc-web cannot carry. Call it over gRPC."
        )
    if any(key == b"grpc-encoding" and value != b"identity" for key, value in scope["headers"]):
        return frames.compressed()
    return None


async def _perform(handler: Handler, call: "_Call", body: RequestBody, *, text: bool) -> bytes:
    """What remains to be sent before the status, if that is OK.

    CallEnded for every other status, CancelledError when the client has left.
    """

    async def read(most_bytes: int) -> Any:
        message = await _message(body, most_bytes, text=text)
        return await handler.request_deserializer(message).read(most_bytes)

    unread = Unread(read, has_arrived=False)
    try:
        if handler.response_streaming:
            await handler.unary_stream(unread, call)
            return b""
        return call.frame(await handler.unary_unary(unread, call))
    finally:
        body.unwatch()


async def _message(body: RequestBody, most_bytes: int, *, text: bool) -> bytes:
    """The one message of a body. Failure for any other number of them, and for a larger one."""
    deframer = frames.Deframer(most_bytes, text=text)
    messages: list[bytes] = []
    while (chunk := await body.next_part()) is not None:
        for message in deframer.feed(chunk):
            if messages:
                raise not_one_message()
            messages.append(message)
    deframer.close()
    if not messages:
        raise not_one_message()
    return messages[0]


class _Call(Context):
    """The context of a call that came as grpc-web, and its answer.

    What the seam sets for the end is in the headers too: there proxies and developer tools look.
    """

    def __init__(
        self, scope: Scope, send: Send, handler: Handler | None, answer_type: bytes
    ) -> None:
        super().__init__(scope)
        self._send = send
        self._handler: Handler = handler
        self._answer_type = answer_type
        self._is_post = scope["method"] == "POST"
        self._has_started = False

    async def write(self, message: Any) -> None:
        """Sends a message of a stream. Waits while the client does not read."""
        if not self._has_started:
            await self._start(to_headers(self.trailing_metadata))
        await self._continue(self._encoded(self.frame(message)), more=True)
        # While the client reads, and once it has left, sending waits for nothing; others, and what
        # notices that it has left, want their turn.
        await asyncio.sleep(0)

    def frame(self, message: Any) -> bytes:
        """A message of this method as it is sent."""
        return frames.message(self._handler.response_serializer(message))

    async def succeed(self, last: bytes) -> None:
        """Ends the answer with the status OK, after these last frames."""
        trailers = to_headers(self.trailing_metadata)
        body = last + frames.trailers([(b"grpc-status", b"0"), *trailers])
        await self._end(body, [*to_headers(self.headers), *trailers])

    async def fail(self, status: EndOfCall) -> None:
        """Ends the answer with another status; without a body if nothing was sent yet."""
        trailers = [
            (b"grpc-status", b"%d" % status.code.value[0]),
            (b"grpc-message", percent_encoded(status.details)),
            *to_headers(status.trailing_metadata),
        ]
        size = sum(len(key) + len(value) for key, value in trailers)
        if self._has_started or size > _MAX_TRAILERS_ONLY_BYTES:
            await self._end(frames.trailers(trailers), to_headers(self.trailing_metadata))
        else:
            await self._start([*trailers, (b"content-length", b"0")])
            await self._continue(b"", more=False)

    async def _end(self, body: bytes, headers: Headers) -> None:
        """Sends the last of the body, after these headers if nothing was sent yet."""
        body = self._encoded(body)
        if not self._has_started:
            await self._start([(b"content-length", b"%d" % len(body)), *headers])
        await self._continue(body, more=False)

    async def _start(self, headers: Headers) -> None:
        self._has_started = True
        headers += [
            (b"content-type", self._answer_type),
            (b"grpc-accept-encoding", b"identity"),
        ]
        status = 200
        if not self._is_post:
            status = 405
            headers.append((b"allow", b"POST, OPTIONS"))
        await self._send({"type": "http.response.start", "status": status, "headers": headers})

    async def _continue(self, body: bytes, *, more: bool) -> None:
        await self._send({"type": "http.response.body", "body": body, "more_body": more})

    def _encoded(self, body: bytes) -> bytes:
        return base64.b64encode(body) if _CONTENT_TYPES[self._answer_type] else body

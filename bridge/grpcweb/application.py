"""grpc-web over the methods of the seam.

The rules are those of PROTOCOL-WEB.md in the gRPC repository. sonora's application provides the
registration, the look-up of methods and the packing of frames. Its answers are replaced, because
most clients cannot read them (decision 9).
"""

import asyncio
import base64
from functools import partial
from typing import Any

import grpc
from sonora.asgi import grpcASGI
from starlette.types import Receive, Scope, Send

from bridge import cookies
from bridge.call import call_of
from bridge.grpcweb import frames
from bridge.media_types import GRPC_WEB, essence, is_refused
from bridge.metadata import Headers, elements, percent_encoded, to_headers
from bridge.request_body import RequestBody
from server.rpc.call import Call, CallFailed
from server.rpc.methods import Methods
from server.rpc.registry import Handler
from server.rpc.requests import RequestLimits, parsed, unknown_method
from server.rpc.status import EndOfCall
from server.values.errors import Failure, unimplemented

# Proxies refuse answers with much larger headers.
_MAX_TRAILERS_ONLY_BYTES = 4 * 1024


class GrpcWeb(grpcASGI):  # type: ignore[misc]
    """The methods for requests of grpc-web."""

    def __init__(self, methods: Methods) -> None:
        super().__init__(enable_cors=False)
        self._methods = methods
        self._cookies = cookies.effects(methods)
        for service, handlers in methods.services.items():
            self.add_generic_rpc_handlers(
                (grpc.method_handlers_generic_handler(service, dict(handlers)),)
            )

    async def answer(self, content_type: bytes, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers a request with this content type, one of `GRPC_WEB`."""
        # Not decoded, so that a proxy that allows some paths reads the path in the same way.
        path = scope["raw_path"].decode("latin-1")
        handler = self._get_rpc_handler(path)
        call, refusal = call_of(self._methods, self._methods.method(path), scope)
        answer_type = _negotiated(scope["headers"], content_type)
        answer = _Answer(call, send, answer_type, is_post=scope["method"] == "POST")
        with RequestBody(receive) as body:
            read = partial(_read, handler, body, GRPC_WEB[content_type])
            headers: Headers = []
            try:
                if refusal := _refusal(scope, handler) or refusal:
                    self._methods.refuse(call, refusal)
                if handler.response_streaming:
                    await self._methods.stream(call, read, partial(answer.write, handler))
                    last = b""
                else:
                    message = await self._methods.answer(call, read)
                    if cookies.KEPT_IN_COOKIE in scope:
                        headers = cookies.headers(self._cookies, call, message, scope)
                    last = frames.message(handler.response_serializer(message))
            except CallFailed as failed:
                await answer.fail(failed.status)
            else:
                await answer.succeed(last, headers)


def _negotiated(headers: Headers, content_type: bytes) -> bytes:
    """The content type of the answer: the first that the client accepts, else the request's."""
    accepted = (essence(each) for each in elements(headers, b"accept") if not is_refused(each))
    return next((each for each in accepted if each in GRPC_WEB), content_type)


def _refusal(scope: Scope, handler: Handler | None) -> Failure | None:
    """The failure of a request that reaches no method."""
    if scope["method"] != "POST":
        return unimplemented("This path takes only POST. Use POST.")
    if handler is None:
        return unknown_method()
    if handler.request_streaming:
        return unimplemented(
            "This method takes a stream, which grpc-web cannot carry. Call it over gRPC."
        )
    if any(key == b"grpc-encoding" and value != b"identity" for key, value in scope["headers"]):
        return frames.compressed()
    return None


async def _read(handler: Handler, body: RequestBody, is_text: bool, limits: RequestLimits) -> Any:
    """The one message of a body."""
    message = await frames.one_message(body.next_part, limits.bytes, is_text=is_text)
    return parsed(handler, message, limits)


class _Answer:
    """The answer to a call.

    The trailing metadata is also in the headers, for proxies and developer tools.
    """

    def __init__(self, call: Call, send: Send, content_type: bytes, *, is_post: bool) -> None:
        self._call = call
        self._send = send
        self._content_type = content_type
        self._is_text = GRPC_WEB[content_type]
        self._is_post = is_post
        self._has_started = False

    async def write(self, handler: Handler, message: Any) -> None:
        """Sends a message of a stream. Waits while the client does not read."""
        frame = frames.message(handler.response_serializer(message))
        await self._write(frame, to_headers(self._call.trailing_metadata), more=True)
        # Sending does not wait while the client reads, or once it has left. Other tasks, such as
        # the one that watches the client, need a turn.
        await asyncio.sleep(0)

    async def succeed(self, last: bytes, headers: Headers) -> None:
        """Ends the answer with the status OK, after these last frames."""
        trailers = to_headers(self._call.trailing_metadata)
        body = last + frames.trailers([(b"grpc-status", b"0"), *trailers])
        await self._write(body, [*headers, *trailers])

    async def fail(self, status: EndOfCall) -> None:
        """Ends the answer with another status; without a body if nothing was sent yet."""
        trailers = [
            (b"grpc-status", b"%d" % status.code.value[0]),
            (b"grpc-message", percent_encoded(status.details)),
            *to_headers(status.trailing_metadata),
        ]
        size = sum(len(key) + len(value) for key, value in trailers)
        if self._has_started or size > _MAX_TRAILERS_ONLY_BYTES:
            await self._write(frames.trailers(trailers), to_headers(self._call.trailing_metadata))
        else:
            await self._write(b"", trailers)

    async def _write(self, body: bytes, headers: Headers, *, more: bool = False) -> None:
        """Sends the body, or a part of it, after these headers if nothing was sent yet."""
        if self._is_text:
            body = base64.b64encode(body)
        if not self._has_started:
            self._has_started = True
            headers += [
                (b"content-type", self._content_type),
                (b"grpc-accept-encoding", b"identity"),
            ]
            if not more:
                headers.append((b"content-length", b"%d" % len(body)))
            if not self._is_post:
                headers.append((b"allow", b"POST, OPTIONS"))
            status = 200 if self._is_post else 405
            await self._send({"type": "http.response.start", "status": status, "headers": headers})
        await self._send({"type": "http.response.body", "body": body, "more_body": more})

"""What uvicorn leaves to a proxy in front of it: limits, and answers to what cannot be a request.

Builds on the inside of `HttpToolsProtocol` of uvicorn 0.54: the callbacks of its parser, its queue
of pipelined requests (`pipeline`), its timer (`timeout_keep_alive_task`) and its request (`cycle`).
It has no setting for any of this: it bounds neither headers nor the time that they take, closes
while a client still sends, answers a broken request before those that precede it, and queues
pipelined requests without end.
"""

import asyncio
import re
import secrets
import socket
import struct
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

import httptools
import structlog
from google.protobuf.json_format import MessageToJson
from uvicorn.config import Config
from uvicorn.protocols.http.flow_control import HIGH_WATER_LIMIT
from uvicorn.protocols.http.httptools_impl import (
    STATUS_LINE,
    HttpToolsProtocol,
    RequestResponseCycle,
)
from uvicorn.server import ServerState

from server.errors import Failure, Kind
from server.outcome import REQUEST_ID_HEADER
from server.status import status_of

_log = structlog.get_logger("http")

_TARGETS = (b"/", b"http://", b"https://")
# Whose path is "/" (RFC 9110, section 4.2.3).
_WITHOUT_PATH = re.compile(rb"\Ahttps?://[^/?#]+(?=[?#]|\Z)")
# RFC 3986, section 3.2.2, with a port.
_HOST = re.compile(rb"[\w.~%!$&'()*+,;=:\[\]-]*")
_RESET = struct.pack("ii", 1, 0)  # struct linger, socket(7)


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How long and how much a client may keep a connection busy without making a call."""

    # From the first byte of a request to the end of its headers.
    head_seconds: float = 10
    # Without a request. Proxies have to give up first, or they send a request into a closing
    # connection: nginx and the load balancers of AWS do so after 60 seconds.
    idle_seconds: int = 75
    # For an answer of which the client takes nothing.
    write_seconds: float = 30
    # After an answer, for the rest of a request that nobody waits for.
    drain_seconds: float = 5
    drain_bytes: int = 32 * 1024 * 1024
    # For what is not yet answered when the server ends.
    farewell_seconds: float = 0.5
    # Request line and headers; once more for the trailers of a body. As on the native port.
    head_bytes: int = 16 * 1024
    target_bytes: int = 8 * 1024
    headers: int = 100
    # Requests that wait for the answer to an earlier one, all together as large as uvicorn lets one
    # body be that nobody reads. Few clients pipeline at all.
    pipelined: int = 32


class _RefusedError(Exception):
    """This is the answer, and the last one of the connection."""

    def __init__(
        self, status: HTTPStatus, kind: Kind, reason: str, message: str, log_detail: str = ""
    ) -> None:
        super().__init__(reason)
        self.status = status
        self.failure = Failure(kind, reason, message, log_detail=log_detail)

    def answer(
        self, request_id: str, headers: Sequence[tuple[bytes, bytes]], *, to_head: bool
    ) -> bytes:
        """The whole response: the status as JSON, like any other error on this port.

        To HEAD, without this body (RFC 9110, section 9.3.2).
        """
        body = MessageToJson(status_of(self.failure, request_id), indent=None).encode()
        lines = [
            *headers,
            (b"content-type", b"application/json"),
            (b"content-length", str(len(body)).encode()),
            (REQUEST_ID_HEADER.encode(), request_id.encode()),
            (b"connection", b"close"),
        ]
        head = b"".join(b"%b: %b\r\n" % line for line in lines)
        return STATUS_LINE[self.status] + head + b"\r\n" + (b"" if to_head else body)


class HttpProtocol(HttpToolsProtocol):
    """One connection.

    A request that is refused here reaches no application. Its answer waits until the earlier ones
    are written, and nothing that follows it on the connection is read as a request.
    """

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
        *,
        limits: Limits,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._limits = limits
        self._running: RequestResponseCycle | None = None
        # The bytes of each request in `pipeline`.
        self._waiting: deque[int] = deque()
        self._in_head = False
        # The client may have more to send: a request is not at its end, or something followed the
        # last one.
        self._receiving = False
        # Received since a head began or a part of a body was read: what the parser holds back.
        self._held_back = 0
        # Nothing that follows is a request.
        self._finished = False
        self._refusal = b""
        self._drained = 0
        self._patience: asyncio.TimerHandle | None = None
        self.closing = False

    # asyncio.Protocol

    def connection_made(  # type: ignore[override]  # what asyncio passes, as in uvicorn
        self, transport: asyncio.Transport
    ) -> None:
        self.transport: _Transport
        super().connection_made(_Transport(self, transport))
        self._connection = transport
        if self.client is not None:
            # An IPv4 client of an IPv6 socket (RFC 4291, section 2.5.5.2); its proxy is configured
            # as what it is.
            host, port = self.client
            self.client = (host.removeprefix("::ffff:") if "." in host else host, port)
        self._wait(self._limits.idle_seconds, self.close)

    def data_received(self, data: bytes) -> None:
        if self._finished:
            self._receiving = True
            self._drain(len(data))
            return
        self._held_back += len(data)
        try:
            self._feed(data)
            if self._held_back > self._limits.head_bytes:
                raise self._too_large()
        except (httptools.HttpParserError, _RefusedError) as error:
            if self._finished:
                self._receiving = True
            else:
                self._refuse(_refusal_for(error))
        else:
            if self._in_head and not self._is_answering and self.timeout_keep_alive_task is None:
                self._wait(self._limits.head_seconds, self._head_is_late)

    def pause_writing(self) -> None:
        super().pause_writing()
        self._watch_writing()

    def resume_writing(self) -> None:
        super().resume_writing()
        if not self.closing:
            self._unset_patience()

    def connection_lost(self, exc: Exception | None) -> None:
        self.closing = True
        super().connection_lost(exc)
        self._unset_keepalive_if_required()
        self._unset_patience()
        self.pipeline.clear()
        if self._running is not None:
            _abandon(self._running)  # uvicorn tells only the newest request

    # httptools: what the parser finds

    def on_message_begin(self) -> None:
        if self._finished:
            raise _malformed("data after the last request")
        super().on_message_begin()
        self._unset_keepalive_if_required()
        self._in_head = self._receiving = True

    def on_headers_complete(self) -> None:
        size = self._check_head()
        if self.parser.should_upgrade():
            return
        if not self.url.startswith(b"/"):
            self.url = _WITHOUT_PATH.sub(rb"\g<0>/", self.url)
        if self.parser.get_http_version() == "1.0":
            self.expect_100_continue = False  # RFC 9110, section 10.1.1
        self._unset_keepalive_if_required()
        super().on_headers_complete()
        if self.cycle is not self._running:
            self._waiting.appendleft(size)
        # uvicorn reads nothing while requests wait, and so would not hear that the client is gone.
        self.flow.resume_reading()
        # Trailers come when the application has read the headers, and are merged into none of them
        # (RFC 9110, section 6.5.1).
        self.headers = []
        self._in_head = False
        self._held_back = 0
        # Who is refused before may send the body or not (RFC 9110, section 10.1.1).
        if self.expect_100_continue:
            self.cycle.keep_alive = False

    def on_body(self, body: bytes) -> None:
        self._held_back = 0
        super().on_body(body)
        if self.cycle.response_complete:
            self._drain(len(body))
        elif self.cycle is not self._running:
            self._waiting[0] += len(body)
            if sum(self._waiting) > HIGH_WATER_LIMIT:
                raise _too_much_waits()

    def on_message_complete(self) -> None:
        if self.parser.should_upgrade():
            return
        super().on_message_complete()
        self._receiving = False
        self._held_back = 0
        self._finished = not self.cycle.keep_alive
        if self.cycle.response_complete:
            self._drained = 0
            self._wait(self._limits.idle_seconds, self.close)

    # uvicorn: what becomes of a request

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:
        self._running = cycle
        if self._waiting:
            self._waiting.pop()
        super()._start_asgi_task(cycle, app)

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self.closing or self._is_answering:
            return
        if self._refusal:
            self._write_refusal()
        elif self._in_head:
            self._wait(self._limits.head_seconds, self._head_is_late)
        elif self._receiving:
            self._wait(self._limits.drain_seconds, self.close)

    def shutdown(self) -> None:
        super().shutdown()
        self.loop.call_later(self._limits.farewell_seconds, self._connection.abort)

    def close(self) -> None:
        """Ends the connection without taking from the client what was written.

        To close a socket with unread bytes resets it, and the answer may be lost with it (RFC 9112,
        section 9.6).
        """
        if self.closing:
            return
        self.transport.flush()
        self.closing = self._finished = True
        self._unset_keepalive_if_required()
        self.pipeline.clear()
        if self._receiving:
            self._connection.write_eof()
            self.flow.resume_reading()
        else:
            self._connection.close()
        self._watch_writing()

    # Ours: what is read

    def _feed(self, data: bytes) -> None:
        """Parses. The parser stops after a head with Upgrade, even if a body follows.

        We offer no other protocol, so we go on as if it was not there (RFC 9110, section 7.8);
        clients like Java's send it with every request.
        """
        while data:
            try:
                self.parser.feed_data(data)
            except httptools.HttpParserUpgrade as upgrade:
                version = self.parser.get_http_version().encode()
                lines = [b"%b %b HTTP/%b" % (self.parser.get_method(), self.url, version)]
                lines += [b"%b: %b" % line for line in self.headers if line[0] != b"upgrade"]
                data = b"\r\n".join((*lines, b"", data[upgrade.args[0] :]))
                # The old one reads no more if this was to be the last request.
                self.parser = httptools.HttpRequestParser(self)
                self.parser.set_dangerous_leniencies(lenient_data_after_close=True)  # as uvicorn
            else:
                return

    # Ours: what is refused

    def _check_head(self) -> int:
        """Its size in bytes."""
        version = self.parser.get_http_version()
        if version not in ("1.0", "1.1"):
            raise _RefusedError(
                HTTPStatus.HTTP_VERSION_NOT_SUPPORTED,
                Kind.UNIMPLEMENTED,
                "UNSUPPORTED_HTTP_VERSION",
                "This version of HTTP is not available here. Use HTTP/1.1.",
            )
        size = len(self.url)
        names = []
        for name, value in self.headers:
            size += len(name) + len(value) + 4
            names.append(name)
        if (
            size > self._limits.head_bytes
            or len(self.url) > self._limits.target_bytes
            or len(names) > self._limits.headers
        ):
            raise self._too_large()
        # Spaces after a value are no part of it (RFC 9112, section 5.1); the parser leaves them.
        self.headers[:] = [(name, value.rstrip(b" \t")) for name, value in self.headers]
        if self.url == b"*" and self.parser.get_method() == b"OPTIONS":
            raise _RefusedError(
                HTTPStatus.NOT_IMPLEMENTED,
                Kind.UNIMPLEMENTED,
                "UNSUPPORTED_TARGET",
                "The options of the server as a whole (*) are not available here. Ask for those of"
                " a path.",
            )
        if not self.url.startswith(_TARGETS) or self.parser.get_method() == b"CONNECT":
            raise _malformed("neither a path nor an http URL")
        # RFC 9112, section 3.2
        hosts = [value for name, value in self.headers if name == b"host"]
        if len(hosts) > 1 or (version == "1.1" and not hosts):
            raise _malformed("not exactly one Host")
        if hosts and not _HOST.fullmatch(hosts[0]):
            raise _malformed("not a host in Host")
        # Only what the parser and every proxy read alike.
        if b"transfer-encoding" in names and (
            version == "1.0"
            or [value.lower() for name, value in self.headers if name == b"transfer-encoding"]
            != [b"chunked"]
        ):
            raise _RefusedError(
                HTTPStatus.NOT_IMPLEMENTED,
                Kind.UNIMPLEMENTED,
                "UNSUPPORTED_TRANSFER_ENCODING",
                "This transfer coding is not available here. Send Content-Length, or"
                " Transfer-Encoding: chunked with HTTP/1.1.",
            )
        if (
            len(self.pipeline) >= self._limits.pipelined
            or sum(self._waiting) + size > HIGH_WATER_LIMIT
        ):
            raise _too_much_waits()
        return size

    def _too_large(self) -> _RefusedError:
        if self._in_head and len(self.url) > self._limits.target_bytes:
            return _RefusedError(
                HTTPStatus.REQUEST_URI_TOO_LONG,
                Kind.RESOURCE_EXHAUSTED,
                "URL_TOO_LONG",
                f"The URL is longer than {self._limits.target_bytes} bytes. Send less in it.",
            )
        return _RefusedError(
            HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE,
            Kind.RESOURCE_EXHAUSTED,
            "HEADERS_TOO_LARGE",
            f"The headers have more than {self._limits.head_bytes} bytes or"
            f" {self._limits.headers} lines. Send less in them.",
        )

    def _refuse(self, refused: _RefusedError) -> None:
        request_id = secrets.token_hex(16)
        _log.info(
            "refused a request",
            status=refused.status.value,
            reason=refused.failure.reason,
            detail=refused.failure.log_detail,
            request_id=request_id,
            peer="{}:{}".format(*self.client or ("unknown", 0)),
        )
        in_body = self._receiving and not self._in_head
        # The parser knows the method when it has begun with the target.
        to_head = self._receiving and self.url != b"" and self.parser.get_method() == b"HEAD"
        self._finished = self._receiving = True
        self.flow.resume_reading()
        if in_body and self._is_queued(self.cycle):
            self.pipeline.popleft()
            self._waiting.popleft()
        elif in_body:
            _abandon(self.cycle)
            if self.cycle.response_started:
                self.close()
                return
            self._running = None
        self._refusal = refused.answer(
            request_id, self.server_state.default_headers, to_head=to_head
        )
        if not self._is_answering:
            self._write_refusal()

    def _write_refusal(self) -> None:
        self.transport.write(self._refusal)
        self.close()

    @property
    def _is_answering(self) -> bool:
        return self._running is not None and not self._running.response_complete

    def _is_queued(self, cycle: RequestResponseCycle) -> bool:
        return bool(self.pipeline) and self.pipeline[0][0] is cycle

    # Ours: what takes too long

    def _wait(self, seconds: float, end: Callable[[], None]) -> None:
        self._unset_keepalive_if_required()
        self.timeout_keep_alive_task = self.loop.call_later(seconds, end)

    def _head_is_late(self) -> None:
        self._refuse(
            _RefusedError(
                HTTPStatus.REQUEST_TIMEOUT,
                Kind.DEADLINE_EXCEEDED,
                "HEADERS_TOO_SLOW",
                f"The headers took more than {self._limits.head_seconds} seconds. Send them at"
                " once.",
            )
        )

    def _drain(self, size: int) -> None:
        self._drained += size
        if self._drained > self._limits.drain_bytes:
            self._abort()

    def _watch_writing(self) -> None:
        self._unset_patience()
        unsent = self._connection.get_write_buffer_size()
        seconds = self._limits.write_seconds if unsent else self._limits.drain_seconds
        self._patience = self.loop.call_later(seconds, self._abort_unless_less, unsent)

    def _abort_unless_less(self, unsent: int) -> None:
        if self._connection.get_write_buffer_size() < unsent:
            self._watch_writing()
        else:
            self._abort()

    def _abort(self) -> None:
        # Otherwise the kernel would go on to offer the answer, and keep it in memory.
        connection = self._connection.get_extra_info("socket")
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
        self._connection.abort()

    def _unset_patience(self) -> None:
        if self._patience is not None:
            self._patience.cancel()
            self._patience = None


class _Transport(asyncio.Transport):
    """A connection as uvicorn's requests see it, which the protocol closes in its own way."""

    def __init__(self, protocol: HttpProtocol, connection: asyncio.Transport) -> None:
        super().__init__()
        self._protocol = protocol
        self._connection = connection
        self._held = b""

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return self._connection.get_extra_info(name, default)

    def write(self, data: bytes | bytearray | memoryview) -> None:
        """Joins the two pieces that uvicorn makes of a response, which is half of the cost."""
        if self._protocol.closing:
            return
        if self._held:
            self._connection.write(self._held + data)
            self._held = b""
        else:
            self._held = bytes(data)
            self._protocol.loop.call_soon(self.flush)

    def flush(self) -> None:
        """Writes what waits for its other half; at the latest in the next turn of the loop."""
        if self._held and not self._connection.is_closing():
            self._connection.write(self._held)
        self._held = b""

    def pause_reading(self) -> None:
        self._connection.pause_reading()

    def resume_reading(self) -> None:
        self._connection.resume_reading()

    def is_closing(self) -> bool:
        return self._protocol.closing

    def close(self) -> None:
        self._protocol.close()


def _abandon(cycle: RequestResponseCycle) -> None:
    """For the application of this request, the client is gone."""
    if not cycle.response_complete:
        cycle.disconnected = True
        cycle.message_event.set()


def _refusal_for(error: Exception) -> _RefusedError:
    """What a failed parser means; what our own callbacks raise is the context of its error."""
    for cause in (error, error.__context__):
        if isinstance(cause, _RefusedError):
            return cause
    return _malformed(str(error))


def _too_much_waits() -> _RefusedError:
    return _RefusedError(
        HTTPStatus.TOO_MANY_REQUESTS,
        Kind.RESOURCE_EXHAUSTED,
        "TOO_MANY_PIPELINED_REQUESTS",
        "Too much waits on this connection for earlier answers. Send the next request after one.",
    )


def _malformed(log_detail: str) -> _RefusedError:
    return _RefusedError(
        HTTPStatus.BAD_REQUEST,
        Kind.INVALID_ARGUMENT,
        "MALFORMED_REQUEST",
        "This is not a request as HTTP/1.1 (RFC 9112) defines it. Correct the program that sent it,"
        " or the proxy that changed it.",
        log_detail,
    )

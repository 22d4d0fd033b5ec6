"""uvicorn's HTTP/1.1 protocol with limits, and with responses to malformed requests.

Builds on the inside of `HttpToolsProtocol` of uvicorn 0.54: the callbacks of its parser, its queue
of pipelined requests (`pipeline`), its timer (`timeout_keep_alive_task`) and its request (`cycle`).
`tests/test_libraries.py` names all of them.
Decision 9 lists the limits that are enforced here, by the kernel and by a proxy.
"""

import asyncio
import contextlib
import secrets
import ssl
from collections.abc import Callable
from typing import Any, Final

import httptools
import structlog
from uvicorn.config import Config
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.server import ServerState

from bridge.http import request_head
from bridge.http.errors import (
    HttpError,
    malformed,
    too_large,
    too_many_chunks,
    too_many_pipelined,
    too_slow,
)
from bridge.http.limits import Limits
from bridge.http.request_head import RequestHead
from bridge.http.transport import Transport
from bridge.percent import unescaped
from server.access.certificates import thumbprint_of_der

# In the scope of a request on a connection with a client certificate.
THUMBPRINT: Final = "keystead.thumbprint"

_log = structlog.get_logger("http")


class HttpProtocol(HttpToolsProtocol):
    """One connection.

    A request that is refused here reaches no application. Its response waits until the earlier ones
    are written, and all bytes after it on the connection are ignored.
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
        # uvicorn's parser ignores all bytes after `Connection: close`, even if it is a trailer,
        # which ends no connection (RFC 9110, section 6.5.1): later requests would get no answer.
        self.parser = httptools.HttpRequestParser(self)
        self._limits = limits
        # Of the client's certificate.
        self._thumbprint: bytes | None = None
        # The request that the application has, or had last.
        self._running: RequestResponseCycle | None = None
        # The target of the newest request, as far as it was received.
        self.url = b""
        self._in_head = False
        self._head_without_upgrade = b""
        # The client may still be sending: its request is incomplete, or more bytes followed.
        self._receiving = False
        # Bytes that the parser may hold back: received since a head or a part of a body.
        self._held_back = 0
        # The parts of bodies in the bytes that are being parsed.
        self._parts = 0
        # All further bytes are ignored.
        self._finished = False
        # The response to a refused request, until its turn.
        self._refusal = b""
        self._blocked: asyncio.TimerHandle | None = None

    # asyncio.Protocol

    def connection_made(  # type: ignore[override]  # asyncio's argument, as in uvicorn
        self, transport: asyncio.Transport
    ) -> None:
        self.transport: Transport
        super().connection_made(Transport(transport, self.loop, self.close))
        if self.client is not None:
            host, port = self.client
            self.client = (_unmapped(host), port)
        self._thumbprint = _thumbprint(transport)
        self._wait(self._limits.idle_seconds, self.close)

    def data_received(self, data: bytes) -> None:
        if self._finished:
            self._receiving = True
            return
        self._held_back += len(data)
        self._parts = 0
        try:
            self._feed(data)
            if self._held_back > self._limits.head_bytes:
                raise too_large(self._limits.head_bytes, self._limits.field_lines)
        except (httptools.HttpParserError, HttpError) as error:
            if self._finished:
                self._receiving = True
            else:
                self._refuse(_cause(error))
        else:
            if self._receiving and self.timeout_keep_alive_task is None:
                self._wait_for_the_rest()

    def eof_received(self) -> bool:  # type: ignore[override]  # the return type of asyncio
        """Keeps the connection open to answer a client that has closed only its half.

        A client that has left looks the same, so the time for the answer is short.
        """
        awaits_answer = self._is_answering and (self._finished or not self._receiving)
        self._receiving = False
        if not (awaits_answer and self.transport.can_half_close):
            self.close()
            return False
        self._finished = True
        self.cycle.keep_alive = False
        self.loop.call_later(self._limits.half_closed_seconds, self.transport.abort)
        return True

    def pause_writing(self) -> None:
        super().pause_writing()
        self._blocked = self.loop.call_later(self._limits.blocked_seconds, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        self._unblock()

    def connection_lost(self, exc: Exception | None) -> None:
        self._unblock()
        self.transport.lost()
        super().connection_lost(exc)
        self._stop_timer()
        if self._running is not None:
            _abandon(self._running)  # uvicorn notifies only the newest request

    # httptools: the callbacks of the parser

    def on_message_begin(self) -> None:
        if self._finished:
            raise malformed("data after the last request")
        super().on_message_begin()
        if self._thumbprint is not None:
            self.scope[THUMBPRINT] = self._thumbprint  # type: ignore[typeddict-unknown-key]
        self._stop_timer()
        self._in_head = self._receiving = True

    def on_header(self, name: bytes, value: bytes) -> None:
        super().on_header(name, value)
        if len(self.headers) > self._limits.field_lines:  # of the head, or of the trailers
            raise too_large(self._limits.head_bytes, self._limits.field_lines)

    def on_headers_complete(self) -> None:
        version = self.parser.get_http_version()
        head = RequestHead(self.parser.get_method(), self.url, version, self.headers)
        head = request_head.checked(head, self._limits)
        if self.parser.should_upgrade():
            self._head_without_upgrade = head.without(b"upgrade")
            return
        if len(self.pipeline) == self._limits.pipelined:
            raise too_many_pipelined()
        self.headers[:] = head.fields
        # An HTTP/1.0 client does not know the interim response (RFC 9110, section 10.1.1).
        self.expect_100_continue = self.expect_100_continue and head.version == "1.1"
        self.url = b"/"  # uvicorn's reading: it knows no `*`, and takes 2 ms for many escapes
        super().on_headers_complete()
        if not self.pipeline:
            self._running = self.cycle
        path, _, self.scope["query_string"] = head.target.partition(b"?")
        self.scope["raw_path"] = path
        if b"%" in path:
            with contextlib.suppress(UnicodeDecodeError):  # a malformed escape stays as it is
                path = unescaped(path)
        self.scope["path"] = path.decode(errors="replace")
        # uvicorn stops reading while requests wait, and so would not notice that the client left.
        self.flow.resume_reading()
        # After an early refusal, a client may send the body or not (RFC 9110, section 10.1.1).
        if self.expect_100_continue:
            self.cycle.keep_alive = False
        # Trailers are not merged into the headers (RFC 9110, section 6.5.1).
        self.headers = []
        self._in_head = False
        self._held_back = 0

    def on_body(self, body: bytes) -> None:
        self._held_back = 0
        self._parts += 1
        if self._parts > self._limits.chunks:
            raise too_many_chunks(self._limits.chunks)
        if self.pipeline:  # the newest request waits for the response to an earlier one
            waiting = sum(len(cycle.body) for cycle, _ in self.pipeline)
            if waiting + len(body) > self._limits.pipelined_bytes:
                raise too_many_pipelined()
        super().on_body(body)

    def on_message_complete(self) -> None:
        if self.parser.should_upgrade():
            return
        if self.headers:  # trailers
            request_head.check_size(b"", self.headers, self._limits)
        super().on_message_complete()
        self._receiving = False
        self._held_back = 0
        self._stop_timer()
        if not self.cycle.keep_alive:
            self._finished = True
        if self.cycle.response_complete:
            self._wait(self._limits.idle_seconds, self.close)

    # uvicorn: the application and its response

    def on_response_complete(self) -> None:
        if self.pipeline and not self.transport.is_closing():
            self._running, _ = self.pipeline[-1]  # uvicorn starts it
        super().on_response_complete()
        if self._refusal and not self._is_answering:
            self._write_refusal()
        elif self._receiving and not self._finished:
            self._wait_for_the_rest()

    def shutdown(self) -> None:
        super().shutdown()
        self.loop.call_later(self._limits.farewell_seconds, self.transport.abort)

    def close(self) -> None:
        """Ends the connection. Written responses still arrive; waiting requests are dropped."""
        if self.transport.is_closing():
            return
        self._finished = True
        self._stop_timer()
        self.flow.resume_reading()
        self.transport.end(linger_seconds=self._limits.linger_seconds if self._receiving else 0)

    # Ours: writing

    def _unblock(self) -> None:
        if self._blocked is not None:
            self._blocked.cancel()
            self._blocked = None

    # Ours: reading

    def _feed(self, data: bytes) -> None:
        """Parses received bytes. The parser stops after a head with Upgrade, even before a body.

        This server offers no other protocol, so it removes the field (RFC 9110, section 7.8).
        Clients such as Java's send the field with every request.
        """
        while True:
            try:
                self.parser.feed_data(data)
            except httptools.HttpParserUpgrade as upgrade:
                data = self._head_without_upgrade + data[upgrade.args[0] :]
                # The old parser reads no more if this was to be the last request.
                self.parser = httptools.HttpRequestParser(self)
            else:
                return

    # Ours: refusals

    def _refuse(self, error: HttpError) -> None:
        """Responds when it is the turn of this request, and ignores all bytes after it."""
        request_id = secrets.token_hex(16)
        self._log_refusal(error, request_id)
        in_body = self._receiving and not self._in_head
        self._finished = self._receiving = True
        self._stop_timer()
        self.flow.resume_reading()
        self._refusal = error.response(request_id, self.server_state.default_headers)
        if in_body:
            self._withdraw()
        if in_body and self.cycle.response_started:
            self.close()
        elif not self._is_answering:
            self._write_refusal()

    def _log_refusal(self, error: HttpError, request_id: str) -> None:
        _log.info(
            "refused a request",
            status=error.status.value,
            reason=error.failure.reason,
            detail=error.failure.log_detail,
            request_id=request_id,
            peer="{}:{}".format(*self.client or ("unknown", 0)),
        )

    def _withdraw(self) -> None:
        """Takes back the newest request, whose body is incomplete."""
        if self.pipeline:
            self.pipeline.popleft()
        else:
            _abandon(self.cycle)
            self._running = None

    def _write_refusal(self) -> None:
        self.transport.write(self._refusal)
        self.close()

    @property
    def _is_answering(self) -> bool:
        return self._running is not None and not self._running.response_complete

    # Ours: timeouts

    def _wait_for_the_rest(self) -> None:
        """Starts the timer of an incomplete request. Most requests arrive whole and need none."""
        seconds = self._limits.request_seconds
        self._wait(seconds, lambda: self._refuse(too_slow(seconds)))

    def _wait(self, seconds: float, end: Callable[[], None]) -> None:
        """Replaces the timer of this connection."""
        self._stop_timer()
        self.timeout_keep_alive_task = self.loop.call_later(seconds, end)

    def _stop_timer(self) -> None:
        if self.timeout_keep_alive_task is not None:
            self.timeout_keep_alive_task.cancel()
            self.timeout_keep_alive_task = None


def _thumbprint(transport: asyncio.Transport) -> bytes | None:
    """The thumbprint of the certificate that the client presented and the handshake verified."""
    tls: ssl.SSLObject | None = transport.get_extra_info("ssl_object")
    certificate = tls.getpeercert(binary_form=True) if tls is not None else None
    return thumbprint_of_der(certificate) if certificate else None


def _unmapped(host: str) -> str:
    """The address of an IPv4 client of an IPv6 socket (RFC 4291, section 2.5.5.2).

    Proxies are configured by their IPv4 addresses.
    """
    return host.removeprefix("::ffff:") if "." in host else host


def _abandon(cycle: RequestResponseCycle) -> None:
    """Tells the application of this request that the client has left."""
    cycle.disconnected = True
    cycle.message_event.set()


def _cause(error: Exception) -> HttpError:
    """The HttpError of a callback of this class, or one for an error of the parser itself."""
    for cause in (error, error.__context__):
        if isinstance(cause, HttpError):
            return cause
    return malformed(str(error))

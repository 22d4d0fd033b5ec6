"""What uvicorn leaves to a proxy in front of it: limits, and responses to what cannot be a request.

Builds on the inside of `HttpToolsProtocol` of uvicorn 0.54: the callbacks of its parser, its queue
of pipelined requests (`pipeline`), its timer (`timeout_keep_alive_task`) and its request (`cycle`).
It has no setting for any of this: it bounds neither heads nor the time that they take, closes while
a client still sends, answers a broken request before those that precede it, and queues pipelined
requests without end.
"""

import asyncio
import secrets
from collections.abc import Callable
from typing import Any

import httptools
import structlog
from uvicorn.config import Config
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.server import ServerState

from bridge import request_head
from bridge.http_errors import HttpError, body_too_slow, head_too_slow, malformed
from bridge.limits import Limits, Pipelined
from bridge.request_head import RequestHead
from bridge.transport import Transport

_log = structlog.get_logger("http")


class HttpProtocol(HttpToolsProtocol):
    """One connection.

    A request that is refused here reaches no application. Its response waits until the earlier ones
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
        # uvicorn's silently ignores what follows `Connection: close`. Among trailers that ends no
        # connection (RFC 9110, section 6.5.1), and later requests would never be answered.
        self.parser = httptools.HttpRequestParser(self)
        self._limits = limits
        # The request that the application has, or had last.
        self._running: RequestResponseCycle | None = None
        # The sizes of those in `pipeline`.
        self._pipelined = Pipelined(limits)
        # The target of the newest request, as much of it as has come.
        self.url = b""
        self._in_head = False
        # The client may have more to send: a request is not at its end, or something followed the
        # last one.
        self._receiving = False
        # Received since a head began or a part of a body was read: what the parser holds back.
        self._held_back = 0
        # Nothing that follows is a request.
        self._finished = False
        # The response to what was refused, until it is its turn.
        self._refusal = b""
        # Received after the response to it, or after the last request.
        self._drained = 0

    # asyncio.Protocol

    def connection_made(  # type: ignore[override]  # what asyncio passes, as in uvicorn
        self, transport: asyncio.Transport
    ) -> None:
        self.transport: Transport
        super().connection_made(Transport(transport, self.loop, self._limits, self.close))
        if self.client is not None:
            host, port = self.client
            self.client = (_unmapped(host), port)
        self._wait(self._limits.idle_seconds, self.close)

    def data_received(self, data: bytes) -> None:
        if self._finished:
            self._receiving = True
            self._drain(len(data))
            return
        self._held_back += len(data)
        try:
            self._feed(data)
            self._check_held_back()
        except (httptools.HttpParserError, HttpError) as error:
            if self._finished:
                self._receiving = True
            else:
                self._refuse(_cause(error))
        else:
            self._wait_for_the_rest()

    def pause_writing(self) -> None:
        super().pause_writing()
        self.transport.watch_progress()

    def resume_writing(self) -> None:
        super().resume_writing()
        if not self.transport.is_closing():
            self.transport.unwatch_progress()

    def connection_lost(self, exc: Exception | None) -> None:
        self.transport.lost()
        super().connection_lost(exc)
        self._unset_keepalive_if_required()
        if self._running is not None:
            _abandon(self._running)  # uvicorn tells only the newest request

    # httptools: what the parser finds

    def on_message_begin(self) -> None:
        if self._finished:
            raise malformed("data after the last request")
        super().on_message_begin()
        self._unset_keepalive_if_required()
        self._in_head = self._receiving = True

    def on_headers_complete(self) -> None:
        head = request_head.checked(self._head, self._limits)
        if self.parser.should_upgrade():
            return
        self.url = head.target
        self.headers[:] = head.fields
        if head.version == "1.0":
            self.expect_100_continue = False  # RFC 9110, section 10.1.1
        self._unset_keepalive_if_required()
        super().on_headers_complete()
        # uvicorn reads nothing while requests wait, and so would not hear that the client is gone.
        self.flow.resume_reading()
        # Who is refused before may send the body or not (RFC 9110, section 10.1.1).
        if self.expect_100_continue:
            self.cycle.keep_alive = False
        # Trailers come when the application has read the headers, and are merged into none of them
        # (RFC 9110, section 6.5.1).
        self.headers = []
        self._in_head = False
        self._held_back = 0
        if self._is_queued:
            self._pipelined.add(head.size)

    def on_body(self, body: bytes) -> None:
        self._held_back = 0
        super().on_body(body)
        if self.cycle.response_complete:
            self._drain(len(body))
        elif self._is_queued:
            self._pipelined.grow(len(body))

    def on_message_complete(self) -> None:
        if self.parser.should_upgrade():
            return
        super().on_message_complete()
        self._receiving = False
        self._held_back = 0
        if not self.cycle.keep_alive:
            self._finished = True
        if self.cycle.response_complete:
            self._drained = 0
            self._wait(self._limits.idle_seconds, self.close)
        else:
            self._unset_keepalive_if_required()

    # uvicorn: what becomes of a request

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:
        self._running = cycle
        super()._start_asgi_task(cycle, app)

    def on_response_complete(self) -> None:
        if self.pipeline:
            self._pipelined.begin()
        super().on_response_complete()
        if self._is_answering:
            self._wait_for_the_rest()
        elif self._refusal:
            self._write_refusal()
        elif self._in_head:
            self._wait(self._limits.head_seconds, self._refuse_late_head)
        elif self._receiving:
            self._wait(self._limits.drain_seconds, self.close)

    def shutdown(self) -> None:
        super().shutdown()
        self.loop.call_later(self._limits.farewell_seconds, self.transport.abort)

    def close(self) -> None:
        """Ends the connection. What was written still arrives; what waits is not begun."""
        if self.transport.is_closing():
            return
        self._finished = True
        self._unset_keepalive_if_required()
        self.flow.resume_reading()
        self.transport.end(client_may_send=self._receiving)

    # Ours: what is read

    @property
    def _head(self) -> RequestHead:
        version = self.parser.get_http_version()
        return RequestHead(self.parser.get_method(), self.url, version, self.headers)

    def _feed(self, data: bytes) -> None:
        """Parses. The parser stops after a head with Upgrade, even if a body follows.

        We offer no other protocol, so we go on as if it was not there (RFC 9110, section 7.8);
        clients like Java's send it with every request.
        """
        while True:
            try:
                self.parser.feed_data(data)
            except httptools.HttpParserUpgrade as upgrade:
                data = self._head.without(b"upgrade") + data[upgrade.args[0] :]
                # The old one reads no more if this was to be the last request.
                self.parser = httptools.HttpRequestParser(self)
            else:
                return

    def _check_held_back(self) -> None:
        if self._held_back > self._limits.head_bytes:
            raise request_head.too_large(self.url, self._limits)

    def _drain(self, size: int) -> None:
        """Counts what nobody waits for."""
        self._drained += size
        if self._drained > self._limits.drain_bytes:
            # The parser may have more of it, and requests behind.
            self._finished = True
            self.transport.reset()

    # Ours: what is refused

    def _refuse(self, error: HttpError) -> None:
        """Responds when it is the turn of this request, and takes nothing after it for one."""
        request_id = secrets.token_hex(16)
        self._log_refusal(error, request_id)
        in_body = self._is_in_body
        # The parser knows the method when it has begun with the target.
        to_head = self._receiving and self.url != b"" and self.parser.get_method() == b"HEAD"
        self._finished = self._receiving = True
        self.flow.resume_reading()
        self._refusal = error.response(
            request_id, self.server_state.default_headers, to_head=to_head
        )
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
        """Takes back the request in whose body we are."""
        if self._is_queued:
            self.pipeline.popleft()
        else:
            _abandon(self.cycle)
            self._running = None

    def _write_refusal(self) -> None:
        self.transport.write(self._refusal)
        self.close()

    def _refuse_late_head(self) -> None:
        self._refuse(head_too_slow(self._limits.head_seconds))

    def _refuse_late_body(self) -> None:
        self._refuse(body_too_slow(self._limits.body_seconds))

    @property
    def _is_answering(self) -> bool:
        return self._running is not None and not self._running.response_complete

    @property
    def _is_in_body(self) -> bool:
        """Whether the newest request lacks a part of its body, or of the trailers behind it."""
        return self._receiving and not self._in_head and not self._finished

    @property
    def _is_queued(self) -> bool:
        """Whether the newest request waits for the response to an earlier one."""
        return bool(self.pipeline)

    # Ours: what takes too long

    def _wait_for_the_rest(self) -> None:
        """Of a request that has begun, unless it waits for the response to an earlier one.

        One that comes at once, as nearly all do, needs no timer.
        """
        if self.timeout_keep_alive_task is not None:
            return
        if not self._is_answering:  # and not idle, for which there is a timer
            self._wait(self._limits.head_seconds, self._refuse_late_head)
        elif self._is_in_body and not self._is_queued:
            self._wait(self._limits.body_seconds, self._refuse_late_body)

    def _wait(self, seconds: float, end: Callable[[], None]) -> None:
        """Instead of whatever this connection waited for before."""
        self._unset_keepalive_if_required()
        self.timeout_keep_alive_task = self.loop.call_later(seconds, end)


def _unmapped(host: str) -> str:
    """The address of an IPv4 client of an IPv6 socket (RFC 4291, section 2.5.5.2).

    The address of a proxy is configured as what it is.
    """
    return host.removeprefix("::ffff:") if "." in host else host


def _abandon(cycle: RequestResponseCycle) -> None:
    """For the application of this request, the client is gone."""
    cycle.disconnected = True
    cycle.message_event.set()


def _cause(error: Exception) -> HttpError:
    """What a failed parser means; what our own callbacks raise is the context of its error."""
    for cause in (error, error.__context__):
        if isinstance(cause, HttpError):
            return cause
    return malformed(str(error))

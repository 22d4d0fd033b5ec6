"""The native port: a grpc.aio server, started and stopped without losing a call."""

import asyncio
import contextlib
import errno
import os
import resource
import threading
from collections.abc import AsyncIterator, Iterator
from functools import partial
from typing import Any

import grpc

from server.access.certificates import thumbprint_of_pem
from server.crypto.server_certificate import Presented, ServerCertificate
from server.rpc.call import Call, CallFailed
from server.rpc.declared import Method
from server.rpc.methods import Methods
from server.rpc.registry import Handler
from server.rpc.requests import (
    MAX_MESSAGE_BYTES,
    RequestLimits,
    not_one_message,
    parsed,
    unknown_method,
)
from server.rpc.running_calls import QUIET_SECONDS
from server.rpc.status import EndOfCall
from server.values.host_port import CannotListenError, check_listening, split_host_port

_METADATA_BYTES = 16 * 1024
_PENDING_CALLS = 10_000
_TABLE_BYTES = 4_096  # the default of RFC 9113
# Each connection may have 100 calls, and a waiting call takes about 20 KiB.
_MOST_CONNECTIONS = 1_024
_OPTIONS = (
    # gRPC's own refusal has no details. So slightly larger messages than allowed reach the seam,
    # which refuses them with the same details as on the other ports. gRPC refuses still larger
    # messages, to save memory.
    ("grpc.max_receive_message_length", MAX_MESSAGE_BYTES + 1024 * 1024),
    # No compression, as on the other port: a message of 5 KiB could become 5 MiB, in 20 ms.
    ("grpc.compression_enabled_algorithms_bitset", 1),
    # Between the soft and the hard limit gRPC refuses at random.
    ("grpc.max_metadata_size", _METADATA_BYTES),
    ("grpc.absolute_max_metadata_size", _METADATA_BYTES),
    # Detects dead connections, and lets clients do the same.
    ("grpc.keepalive_time_ms", 60_000),
    ("grpc.keepalive_timeout_ms", 20_000),
    ("grpc.keepalive_permit_without_calls", 1),
    ("grpc.http2.min_ping_interval_without_data_ms", 10_000),
    # Beyond this number of pending calls, by default 1000, gRPC refuses some at random, as
    # CANCELLED.
    ("grpc.server.max_pending_requests", _PENDING_CALLS),
    ("grpc.server.max_pending_requests_hard_limit", _PENDING_CALLS),
    # A call takes memory until its message has arrived. RFC 9113, section 6.5.2, advises against
    # fewer than 100.
    ("grpc.max_concurrent_streams", 100),
    # A call that its client has reset takes a place until its handler has ended, so that resets
    # cannot pile up. Without the second number, gRPC refuses calls of clients that stay within
    # their limit, because calls that have just ended take places, too.
    ("grpc.http.overload_protection", 1),
    ("grpc.http2.max_deallocating_streams", 100),
    # The limits of streams, metadata and header table hold only once the client has acknowledged
    # them.
    ("grpc.http2.settings_timeout", 5_000),
    # For the handshake of a connection. The default is two minutes.
    ("grpc.server_handshake_timeout_ms", 10_000),
    # Closes a connection without calls. Clients reconnect by themselves.
    ("grpc.max_connection_idle_ms", 5 * 60_000),
)
# The time for a client to read the end of its stream, which comes after the message before it.
_UNREAD_END_SECONDS = 2

# The time to tell late calls and open streams of the shutdown, after all admitted calls have ended.
_FAREWELL_SECONDS = 1


class NativePort:
    """A grpc.aio server at one address. `port` is the real one if the address has port 0."""

    def __init__(
        self,
        methods: Methods,
        address: str,
        *,
        shared: bool,
        header_table: bool = False,
        certificate: ServerCertificate | None = None,
        quiet_seconds: float = QUIET_SECONDS,
    ) -> None:
        """With a certificate, the port speaks only TLS.

        With authorities for client certificates, every client must present a certificate.
        """
        self._methods = methods
        self._host, self.port = split_host_port(address, lowest_port=0)
        self._shared = shared
        self._certificate = certificate
        self._quiet_seconds = quiet_seconds
        self._options = (
            *_OPTIONS,
            ("grpc.so_reuseport", int(shared)),
            ("grpc.max_allowed_incoming_connections", _most_connections()),
            # A malformed header stays in the table as an error. It fails every later call on the
            # connection that refers to it, of any caller (decision 8).
            ("grpc.http2.hpack_table_size.decoder", _TABLE_BYTES if header_table else 0),
        )

    @contextlib.asynccontextmanager
    async def serving(self) -> AsyncIterator[None]:
        """Serves until the end of the block. Await `RunningCalls.drained` before that."""
        with _in_batches():
            server = grpc.aio.server(options=self._options)
        asks_clients = self._certificate is not None and self._certificate.asks_clients
        server.add_generic_rpc_handlers((_Handlers(self._methods, asks_clients=asks_clients),))
        host = f"[{self._host}]" if ":" in self._host else self._host
        address = f"{host}:{self.port}"
        try:
            if not self._shared:  # else the parent process has checked and holds the address
                check_listening(self._host, self.port)
            if self._certificate is None:
                self.port = server.add_insecure_port(address)
            else:
                self.port = server.add_secure_port(address, _credentials(self._certificate))
        except OSError as error:
            raise CannotListenError(address, "KEYSTEAD_GRPC_ADDRESS", error) from error
        except RuntimeError as error:  # gRPC gives no reason; the address was taken meanwhile
            in_use = OSError(errno.EADDRINUSE, str(error))
            raise CannotListenError(address, "KEYSTEAD_GRPC_ADDRESS", in_use) from error
        await server.start()
        try:
            yield
        finally:
            # gRPC's `stop` ends pending calls as CANCELLED, so they are refused before.
            await self._methods.running.quiet(self._quiet_seconds, most_seconds=_FAREWELL_SECONDS)
            await server.stop(_FAREWELL_SECONDS)


@contextlib.contextmanager
def _in_batches() -> Iterator[None]:
    """Threads that start in this block do not preempt others when they wake up.

    The thread in which grpc.aio reads connections then hands several calls to the event loop at
    once where the two share a processor (decision 8).
    """
    before = set(threading.enumerate())
    yield
    for thread in set(threading.enumerate()) - before:
        if thread.native_id is not None:
            with contextlib.suppress(PermissionError):  # a filter of system calls
                os.sched_setscheduler(thread.native_id, os.SCHED_BATCH, os.sched_param(0))


def _credentials(certificate: ServerCertificate) -> grpc.ServerCredentials:
    """Credentials that gRPC asks for a new key pair in every handshake, in its own thread.

    Its TLS library (BoringSSL) speaks TLS 1.2 and 1.3, with authenticated encryption only.
    """
    given = certificate.presented

    def fetch() -> grpc.ServerCertificateConfiguration | None:
        nonlocal given
        if given == certificate.presented:
            return None
        given = certificate.presented
        return _configuration(given)

    return grpc.dynamic_ssl_server_credentials(
        _configuration(given),
        fetch,  # type: ignore[arg-type]  # None is "unchanged", which the stub lacks
        # gRPC cannot ask for a certificate without requiring it (seen in 1.83).
        require_client_authentication=certificate.asks_clients,
    )


def _configuration(presented: Presented) -> grpc.ServerCertificateConfiguration:
    pair, authorities = presented
    return grpc.ssl_server_certificate_configuration(
        [(pair.key, pair.chain)], root_certificates=authorities.pem if authorities else None
    )


def _most_connections() -> int:
    """At most half of the files that the process may open; the web port needs the others."""
    _, open_files = resource.getrlimit(resource.RLIMIT_NOFILE)
    return min(open_files // 2, _MOST_CONNECTIONS)


class _Handlers(grpc.GenericRpcHandler):
    """The handlers of all paths, including unknown ones.

    One object, because grpc.aio asks its generic handlers one after the other, and its own answer
    to unknown paths has no details.
    """

    def __init__(self, methods: Methods, *, asks_clients: bool) -> None:
        self._methods = methods
        self._asks_clients = asks_clients
        self._by_path = {
            path: self._handler(served.method, served.handler)
            for path, served in methods.by_path.items()
        }
        self._by_path.update({path: self._by_path[of] for path, of in methods.aliases.items()})

    def service(self, handler_call_details: grpc.HandlerCallDetails) -> Handler:
        path = handler_call_details.method
        return self._by_path.get(path) or self._handler(self._methods.method(path), None)

    def _handler(self, method: Method, handler: Handler | None) -> Handler:
        """The handler for grpc.aio: it starts a call before its one message has arrived.

        For a unary request grpc.aio itself would wait for the message without a time limit, and
        would never end a call without a message (decision 8).
        """
        methods, asks_clients = self._methods, self._asks_clients

        async def respond(requests: Any, context: Any) -> Any:
            call = Call(
                method,
                context.invocation_metadata(),
                peer=context.peer(),
                time_left=context.time_remaining(),
                default_timeout=methods.default_timeout,
                arrival_timeout=methods.default_timeout,
                thumbprint=_thumbprint(context) if asks_clients else None,
            )
            writer = None
            try:
                if handler is None:
                    methods.refuse(call, unknown_method())
                if not handler.response_streaming:
                    message = await methods.answer(call, partial(_read, handler, context))
                    context.set_trailing_metadata(call.trailing_metadata)
                    return message
                context.set_trailing_metadata(call.trailing_metadata)
                writer = _Writer(context)
                if handler.request_streaming:
                    await methods.converse(call, aiter(requests), writer.write)
                else:
                    await methods.stream(call, partial(_read, handler, context), writer.write)
            except CallFailed as failed:
                status = failed.status
            else:
                return None
            return await (writer.abort(status) if writer else _abort(context, status))

        if handler is None:
            return grpc.stream_stream_rpc_method_handler(respond)
        if handler.response_streaming:
            return grpc.stream_stream_rpc_method_handler(respond, None, handler.response_serializer)
        return grpc.stream_unary_rpc_method_handler(respond, None, handler.response_serializer)


def _thumbprint(context: Any) -> bytes:
    """The thumbprint of the certificate that the client presented and the handshake verified."""
    [pem] = context.auth_context()["x509_pem_cert"]
    return thumbprint_of_pem(pem)


@contextlib.contextmanager
def _cancelled_when_gone() -> Iterator[None]:
    """Cancels where grpc.aio raises InternalError: the client has left or its deadline is over."""
    try:
        yield
    except grpc.aio.InternalError:
        raise asyncio.CancelledError from None


async def _read(handler: Handler, context: Any, limits: RequestLimits) -> Any:
    """The one request of a call."""
    data = await context.read()
    if data is grpc.aio.EOF:
        # If the client has left, this task is cancelled here, in this turn of the event loop.
        await asyncio.sleep(0)
        raise not_one_message()
    return parsed(handler, data, limits)


class _Writer:
    """Writes the messages of a stream, and its headers before the first one.

    A task that is cancelled while grpc.aio writes the headers does not stop them, but grpc.aio then
    writes them again with the status. That fails, and the client would wait for ever (seen in
    1.83.2).
    """

    def __init__(self, context: Any) -> None:
        self._context = context
        self._headers: asyncio.Future[None] | None = None

    async def write(self, message: Any) -> None:
        """Sends one message."""
        with _cancelled_when_gone():
            if self._headers is None:
                self._headers = asyncio.ensure_future(self._send_headers())
                await asyncio.shield(self._headers)
            await self._context.write(message)

    async def abort(self, status: EndOfCall) -> None:
        """Ends the stream with another status than OK.

        Without a time limit, the call of a client that does not read would wait for ever.
        """
        if self._headers is not None:
            await self._headers
        try:
            async with asyncio.timeout(_UNREAD_END_SECONDS):
                await _abort(self._context, status)
        except TimeoutError:
            raise asyncio.CancelledError from None

    async def _send_headers(self) -> None:
        with contextlib.suppress(grpc.aio.InternalError):  # the client has left
            await self._context.send_initial_metadata(())


async def _abort(context: Any, status: EndOfCall) -> None:
    """Ends a call with another status than OK."""
    with _cancelled_when_gone():
        try:
            await context.abort_with_status(status)
        except grpc.aio.AbortError as aborted:
            # grpc.aio raises the error again by itself. It also keeps the error in a cycle, and so
            # the request, to which the traceback refers.
            aborted.__context__ = aborted.__traceback__ = None

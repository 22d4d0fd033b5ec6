"""The native port: a grpc.aio server, started and stopped without losing a call."""

import asyncio
import contextlib
import errno
import resource
from collections.abc import AsyncIterator
from functools import partial
from types import TracebackType
from typing import Any

import grpc

from server.rpc.call import Call, CallFailed
from server.rpc.methods import (
    MAX_MESSAGE_BYTES,
    Handler,
    Methods,
    in_time,
    not_one_message,
    parsed,
    unknown_method,
)
from server.rpc.status import EndOfCall
from server.values.host_port import CannotListenError, check_listening, split_host_port

_METADATA_BYTES = 16 * 1024
_PENDING_CALLS = 10_000
_TABLE_BYTES = 4_096  # the default of RFC 9113
# Each may have 100 calls, which take some 20 KiB each while they wait for anything.
_MOST_CONNECTIONS = 1_024
_OPTIONS = (
    # gRPC's own refusal has no details, so messages that are a little too large reach the seam,
    # which refuses them with the same answer as on the other ports. Beyond this, memory counts more
    # than the wording.
    ("grpc.max_receive_message_length", MAX_MESSAGE_BYTES + 1024 * 1024),
    # Between the soft and the hard limit gRPC refuses at random.
    ("grpc.max_metadata_size", _METADATA_BYTES),
    ("grpc.absolute_max_metadata_size", _METADATA_BYTES),
    # Finds connections whose other end is gone, and lets clients do the same.
    ("grpc.keepalive_time_ms", 60_000),
    ("grpc.keepalive_timeout_ms", 20_000),
    ("grpc.keepalive_permit_without_calls", 1),
    ("grpc.http2.min_ping_interval_without_data_ms", 10_000),
    # gRPC refuses some of the calls that wait to be taken at random, as CANCELLED: by default from
    # 1000 on.
    ("grpc.server.max_pending_requests", _PENDING_CALLS),
    ("grpc.server.max_pending_requests_hard_limit", _PENDING_CALLS),
    # A call takes memory until its message has arrived. RFC 9113, section 6.5.2, advises against
    # fewer than 100.
    ("grpc.max_concurrent_streams", 100),
    # Otherwise some streams of a client within its limit are refused (RST_STREAM 7), because gRPC
    # also counts those that have just ended (seen in 1.83.2). Without it, 20,000 streams opened and
    # reset at once still cost a tenth of a second.
    ("grpc.http.overload_protection", 0),
    # Until a client acknowledges these settings, none of the limits among them holds: streams,
    # metadata, table.
    ("grpc.http2.settings_timeout", 5_000),
    # For the handshake of a connection. The default is two minutes.
    ("grpc.server_handshake_timeout_ms", 10_000),
    # Closes a connection without calls. Clients reconnect by themselves.
    ("grpc.max_connection_idle_ms", 5 * 60_000),
)
# The time for late calls and open streams to learn of the end, after all admitted calls have ended.
_FAREWELL_SECONDS = 1


class NativePort:
    """A grpc.aio server at one address. `port` is the real one when 0 was asked for."""

    def __init__(
        self, methods: Methods, address: str, *, shared: bool, header_table: bool = False
    ) -> None:
        self._methods = methods
        self._host, self.port = split_host_port(address, lowest_port=0)
        self._shared = shared
        self._options = (
            *_OPTIONS,
            ("grpc.so_reuseport", int(shared)),
            ("grpc.max_allowed_incoming_connections", _most_connections()),
            # A malformed header stays in the table as an error, and fails every later call of the
            # connection that refers to it, whoever makes it (decision 22).
            ("grpc.http2.hpack_table_size.decoder", _TABLE_BYTES if header_table else 0),
        )

    @contextlib.asynccontextmanager
    async def serving(self) -> AsyncIterator[None]:
        """Serves until the end of the block, which `Methods.drained` should precede."""
        server = grpc.aio.server(options=self._options)
        server.add_generic_rpc_handlers((_Handlers(self._methods),))
        host = f"[{self._host}]" if ":" in self._host else self._host
        address = f"{host}:{self.port}"
        try:
            if not self._shared:  # otherwise the parent process has checked and holds the address
                check_listening(self._host, self.port)
            self.port = server.add_insecure_port(address)
        except OSError as error:
            raise CannotListenError(address, "KEYSTEAD_GRPC_ADDRESS", error) from error
        except RuntimeError as error:  # taken in between; gRPC does not say why
            in_use = OSError(errno.EADDRINUSE, str(error))
            raise CannotListenError(address, "KEYSTEAD_GRPC_ADDRESS", in_use) from error
        await server.start()
        try:
            yield
        finally:
            # gRPC ends calls that wait to be taken as CANCELLED.
            await self._methods.quiet(_FAREWELL_SECONDS)
            await server.stop(_FAREWELL_SECONDS)


def _most_connections() -> int:
    """Half of the files that the process may open, which the web port asks for."""
    _, open_files = resource.getrlimit(resource.RLIMIT_NOFILE)
    return min(open_files // 2, _MOST_CONNECTIONS)


class _Handlers(grpc.GenericRpcHandler):
    """The handler of every path, also of one that no method has.

    One for all, because grpc.aio asks its generic handlers one after the other, and its own answer
    to unknown paths has no details.
    """

    def __init__(self, methods: Methods) -> None:
        self._methods = methods
        self._by_path = {
            path: _served(methods, path, handler) for path, handler in methods.by_path.items()
        }

    def service(self, handler_call_details: grpc.HandlerCallDetails) -> Handler:
        path = handler_call_details.method
        if path in self._by_path:
            return self._by_path[path]

        async def refuse(_requests: object, context: Any) -> None:
            call = _call(self._methods, path, context)
            try:
                self._methods.refuse(call, unknown_method())
            except CallFailed as failed:
                status = failed.status
            await _abort(context, status)

        return grpc.stream_stream_rpc_method_handler(refuse)


def _served(methods: Methods, path: str, handler: Handler) -> Handler:
    """The handler for grpc.aio: takes a call before its one message is there.

    For a unary request grpc.aio itself would wait for the message, without end, and would never
    end a call that has none (decision 22).
    """

    async def answer(_requests: object, context: Any) -> Any:
        call = _call(methods, path, context)
        read = partial(_read, handler, call, context, methods.default_timeout)
        try:
            return await methods.answer(call, read)
        except CallFailed as failed:
            status = failed.status
        return await _abort(context, status)

    async def stream(requests: Any, context: Any) -> None:
        call, write = _call(methods, path, context), partial(_write, context)
        try:
            if handler.request_streaming:
                await methods.converse(call, aiter(requests), write)
            else:
                read = partial(_read, handler, call, context, methods.default_timeout)
                await methods.stream(call, read, write)
        except CallFailed as failed:
            status = failed.status
        else:
            return
        await _abort(context, status)

    if handler.response_streaming:
        return grpc.stream_stream_rpc_method_handler(stream, None, handler.response_serializer)
    return grpc.stream_unary_rpc_method_handler(answer, None, handler.response_serializer)


def _call(methods: Methods, path: str, context: Any) -> Call:
    call = methods.call(
        path, context.invocation_metadata(), context.peer(), context.time_remaining()
    )
    context.set_trailing_metadata(call.trailing_metadata)
    return call


async def _read(
    handler: Handler, call: Call, context: Any, patience: float, most_bytes: int
) -> Any:
    """The one request of a call, which must come within the seconds of `patience`."""
    message = context.read()
    # Nearly every call ends earlier by its own timer, and needs no second one.
    data = await (in_time(message, patience) if call.outlasts_server else message)
    if data is grpc.aio.EOF:
        # Or the client has left: then this task is cancelled in this turn of the event loop.
        await asyncio.sleep(0)
        raise not_one_message()
    return parsed(handler, data, most_bytes)


async def _write(context: Any, message: Any) -> None:
    """Sends one message of a stream."""
    with _cancelled_when_gone:
        await context.write(message)


async def _abort(context: Any, status: EndOfCall) -> None:
    """Ends a call with another status than OK."""
    with _cancelled_when_gone:
        try:
            await context.abort_with_status(status)
        except grpc.aio.AbortError as aborted:
            # grpc.aio raises it again by itself. It also keeps it, and by its traceback the
            # request, in cycles.
            aborted.__context__ = aborted.__traceback__ = None


class _CancelledWhenGone:
    """grpc.aio raises InternalError when the client has left or its deadline is over: no error."""

    def __enter__(self) -> None:
        pass

    def __exit__(
        self,
        _type: type[BaseException] | None,
        error: BaseException | None,
        _traceback: TracebackType | None,
    ) -> None:
        if isinstance(error, grpc.aio.InternalError):
            raise asyncio.CancelledError from None


_cancelled_when_gone = _CancelledWhenGone()

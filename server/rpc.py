"""The seam: every method is wrapped here once, and that handler is served on every port.

The generated `add_XServicer_to_server` functions register with `Methods`, a stand-in for a server.
Around each method it does, in this order: request id, deadline, caller, the request is read,
permission, the method (which validates first), errors, metrics, log line. gRPC interceptors would
miss grpc-web and JSON, so there are none.

A wrapped handler takes, instead of the request, what reads it (`Read`): strangers cannot make the
server parse, nor a web port receive a body. The one exception is a method that the code of a link
may call: the code is in its request.

The rule: of a transport's context only `invocation_metadata`, `time_remaining`, `peer`,
`send_initial_metadata`, `set_trailing_metadata`, `write` and `abort_with_status` are used, so that
every transport can offer it; and nothing of it is used once a call has ended.
"""

import asyncio
import re
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import date, timedelta
from types import TracebackType
from typing import Any, Self, TypeAlias

import grpc
import structlog
import uuid_utils
from google.protobuf import descriptor_pool
from google.protobuf.message import DecodeError

from server.authorization import ORGANIZATION_HEADER, Authorizer
from server.caller import AnyCaller, Authenticator, LinkCaller
from server.errors import Failure, Kind, deadline_exceeded, unimplemented
from server.method import Method, describe
from server.metrics import Metrics
from server.status import end_of_call

REQUEST_ID_HEADER = "x-request-id"
MAX_MESSAGE_BYTES = 4 * 1024 * 1024

_DRAIN_POLL_SECONDS = 0.01
# A call ends so long before its client's deadline, or a tenth of what is left: at the deadline gRPC
# would end it without details.
_LEAD_SECONDS = 0.02
# What a client made up is logged as far as one would read it.
_MAX_LOGGED_PATH = 200
_REQUEST_ID = re.compile(r"[\x20-\x7e]{1,128}")
_LOG_METHODS = {
    Kind.INTERNAL: "error",
    Kind.UNAVAILABLE: "warning",
    Kind.DEADLINE_EXCEEDED: "warning",
}

# A `grpc.RpcMethodHandler`; the stubs know only the synchronous kind. Of a wrapped one the
# `request_deserializer` makes a `Read` of a serialized message.
Handler: TypeAlias = Any
# Gives the request. `Failure` when it cannot be read.
Read: TypeAlias = Callable[[], Awaitable[Any]]

_log = structlog.get_logger("rpc")


@dataclass(frozen=True, slots=True)
class Call:
    """What a method may know of the call it answers."""

    request_id: str
    caller: AnyCaller
    organization_id: str


_current: ContextVar[Call] = ContextVar("call")


def current_call() -> Call:
    """The call that this task answers."""
    return _current.get()


class Methods:
    """All methods of the server, wrapped.

    Generated code registers with it as if it were a server.
    """

    def __init__(
        self,
        *,
        authenticator: Authenticator,
        authorizer: Authorizer,
        default_timeout: float,
        metrics: Metrics,
        sunset: date | None = None,
    ) -> None:
        self._authenticator = authenticator
        self._authorizer = authorizer
        self._default_timeout = default_timeout
        self._metrics = metrics
        self._sunset = sunset
        self._services: dict[str, dict[str, Handler]] = {}
        self._described: dict[str, Method] = {}
        self._closed = False
        # What was taken and has not ended.
        self._calls: set[_Bounds] = set()
        self._streams: set[_Bounds] = set()

    @property
    def in_flight(self) -> int:
        """Calls that were taken and have not ended, without streams: those end as clients like."""
        return len(self._calls)

    @property
    def services(self) -> Mapping[str, Mapping[str, Handler]]:
        """The wrapped handlers by service and method name."""
        return self._services

    def add_generic_rpc_handlers(self, generic_rpc_handlers: object) -> None:
        """Nothing: generated code also registers every method by its name."""

    def add_registered_method_handlers(
        self, service: str, method_handlers: Mapping[str, Handler]
    ) -> None:
        """Wraps the methods of one service."""
        descriptor = descriptor_pool.Default().FindServiceByName(service)
        self._services[service] = {
            name: self._wrap(
                describe(descriptor.methods_by_name[name], sunset=self._sunset), handler
            )
            for name, handler in method_handlers.items()
        }

    def close(self) -> None:
        """From now on new calls are refused; those in flight go on."""
        self._closed = True

    async def drained(self, seconds: float) -> bool:
        """Waits until no call is in flight, and says whether that came true in time."""
        until = time.monotonic() + seconds
        # An event would cost every call; the end comes once.
        while self.in_flight and time.monotonic() < until:  # noqa: ASYNC110
            await asyncio.sleep(_DRAIN_POLL_SECONDS)
        return not self.in_flight

    def cut_off(self) -> None:
        """Ends what is left, streams too, as UNAVAILABLE."""
        for bounds in (*self._calls, *self._streams):
            bounds.cut_off()

    async def refuse(self, path: str, context: Any, failure: Failure) -> None:
        """Ends a call that reaches no method: with details and a log line, like all others.

        What is raised then is the context's business.
        """
        method = self._described.get(path) or Method(path[:_MAX_LOGGED_PATH])
        async with _Outcome(method, context, self._metrics) as outcome:
            await outcome.begin()
            raise failure

    def serve_on(self, server: grpc.aio.Server) -> None:
        """Registers the wrapped methods with a server, and an answer for every other path."""
        for service, handlers in self._services.items():
            server.add_generic_rpc_handlers(
                (grpc.method_handlers_generic_handler(service, handlers),)
            )
        server.add_generic_rpc_handlers((_UnknownMethods(self.refuse),))

    def _wrap(self, method: Method, handler: Handler) -> Handler:
        self._described[method.path] = method
        self._metrics.expect(method.path)
        reader = _reader(handler.request_deserializer)

        if handler.request_streaming:  # reflection alone, which is open to all

            async def streams(reads: AsyncIterator[Read], context: Any) -> None:
                async with (
                    _Outcome(method, context, self._metrics),
                    _Bounds(self._streams, self._end(context)) as bounds,
                ):
                    bounds.lift_unless_set(context)
                    requests = (await read() async for read in reads)
                    async for message in handler.stream_stream(requests, context):
                        await _write(context, message)

            return grpc.stream_stream_rpc_method_handler(
                streams, reader, handler.response_serializer
            )

        if handler.response_streaming:

            async def stream(read: Read, context: Any) -> None:
                # Not a generator: one whose client leaves is closed after the call is gone.
                async with _Outcome(method, context, self._metrics) as outcome:
                    await outcome.begin()
                    async with _Bounds(self._streams, self._end(context)) as bounds:
                        request = await self._admit(outcome, read)
                        bounds.lift_unless_set(context)
                        async for message in handler.unary_stream(request, context):
                            await _write(context, message)

            return grpc.unary_stream_rpc_method_handler(stream, reader, handler.response_serializer)

        async def unary(read: Read, context: Any) -> Any:
            async with _Outcome(method, context, self._metrics) as outcome:
                await outcome.begin()
                # Who asks an open method, health, while the server shuts down is to hear just that.
                if self._closed and method.access is not None:
                    raise shutting_down()
                async with _Bounds(self._calls, self._end(context)):
                    request = await self._admit(outcome, read)
                    return await handler.unary_unary(request, context)

        return grpc.unary_unary_rpc_method_handler(unary, reader, handler.response_serializer)

    def _end(self, context: Any) -> float:
        """The loop time by which the call must end."""
        time_left: float | None = context.time_remaining()
        if time_left is None:
            seconds = self._default_timeout
        else:
            seconds = time_left - min(_LEAD_SECONDS, time_left / 10)
        return asyncio.get_running_loop().time() + seconds

    async def _admit(self, outcome: "_Outcome", read: Read) -> Any:
        """Finds the caller, reads the request and decides whether the caller may make it.

        Afterwards `current_call` knows the caller and the organization. Gives the request.
        """
        method = outcome.method
        if method.access is None:
            return await read()
        authorization = outcome.header("authorization")
        if method.access.by_link_code and not authorization:
            request = await read()  # where the credential is
            outcome.caller = await self._authenticator.authenticate_link(
                request.code, user_id=request.user_id
            )
        else:
            outcome.caller = await self._authenticator.authenticate(
                authorization, fresh=method.access.changes_a_user
            )
            request = await read()
        outcome.organization_id = await self._authorizer.authorize(
            method.access,
            outcome.caller,
            organizations=outcome.header(ORGANIZATION_HEADER),
            request=request,
        )
        _current.set(Call(outcome.request_id, outcome.caller, outcome.organization_id))
        return request


class _Bounds:
    """Ends what happens in the block at its deadline, or when the server cuts it off.

    `Failure` DEADLINE_EXCEEDED or UNAVAILABLE.
    """

    __slots__ = ("_is_cut_off", "_running", "_timeout")

    def __init__(self, running: set["_Bounds"], end: float) -> None:
        self._running = running
        self._timeout = asyncio.timeout_at(end)
        self._is_cut_off = False

    async def __aenter__(self) -> Self:
        self._running.add(self)
        await self._timeout.__aenter__()
        return self

    async def __aexit__(
        self,
        type_: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._running.discard(self)
        try:
            await self._timeout.__aexit__(type_, error, traceback)
        except TimeoutError:
            raise (shutting_down() if self._is_cut_off else deadline_exceeded()) from None

    def lift_unless_set(self, context: Any) -> None:
        """A stream whose client set no deadline goes on as long as the client likes."""
        if context.time_remaining() is None:
            self._timeout.reschedule(None)

    def cut_off(self) -> None:
        """Ends it now, if it is not about to end by itself."""
        if not self._timeout.expired():
            self._is_cut_off = True
            self._timeout.reschedule(0)  # long ago on the clock of every loop


class _Outcome:
    """Gives a call its request id, turns every exception into a status, counts and logs it.

    A class, because `asynccontextmanager` costs more than all the rest of it.
    """

    __slots__ = (
        "_metrics",
        "_peer",
        "_started",
        "caller",
        "context",
        "headers",
        "method",
        "organization_id",
        "request_id",
    )

    def __init__(self, method: Method, context: Any, metrics: Metrics) -> None:
        self._started = time.perf_counter()
        self._metrics = metrics
        # Asked for now: the call may be gone when it is logged, and grpcio then crashes.
        self._peer: str = context.peer()
        self.method = method
        self.context = context
        self.headers: Sequence[tuple[str, Any]] = context.invocation_metadata()
        self.request_id = self._request_id()
        self.caller: AnyCaller | None = None
        self.organization_id = ""

    def header(self, name: str) -> list[str]:
        """The values that the client sent."""
        return [value for key, value in self.headers if key == name]

    async def __aenter__(self) -> Self:
        self.context.set_trailing_metadata(((REQUEST_ID_HEADER, self.request_id),))
        return self

    async def begin(self) -> None:
        """Sends what every answer of the method begins with."""
        if self.method.initial_metadata:
            with _cancelled_when_gone:
                await self.context.send_initial_metadata(self.method.initial_metadata)

    async def __aexit__(
        self,
        _type: type[BaseException] | None,
        error: BaseException | None,
        _traceback: TracebackType | None,
    ) -> bool:
        failure = self._failure(error)
        code = failure.kind.name if failure else "CANCELLED" if error else "OK"
        seconds = time.perf_counter() - self._started
        self._metrics.call_ended(self.method.path, code, seconds)
        self._log(code, seconds, failure)
        if failure is not None:
            trailing_metadata = ((REQUEST_ID_HEADER, self.request_id),)
            with _cancelled_when_gone:
                try:
                    await self.context.abort_with_status(
                        end_of_call(failure, self.request_id, trailing_metadata)
                    )
                except grpc.aio.AbortError as aborted:
                    # grpc.aio keeps it, and with it all that was in use, the request too, in
                    # cycles; and raises it again by itself.
                    aborted.__context__ = aborted.__traceback__ = None
                    return True
        return False

    def _request_id(self) -> str:
        for value in self.header(REQUEST_ID_HEADER):
            if _REQUEST_ID.fullmatch(value):
                return value
        return uuid_utils.uuid4().hex

    def _failure(self, error: BaseException | None) -> Failure | None:
        match error:
            case Failure():
                return error
            case NotImplementedError():
                return unimplemented("This release does not have this method yet.")
            case Exception():
                # Whatever goes wrong ends the call and not the server.
                _log.error(
                    "unexpected error",
                    method=self.method.path,
                    request_id=self.request_id,
                    exc_info=error,
                )
                return _internal()
            case _:
                return None  # success, or the task was cancelled

    def _log(self, code: str, seconds: float, failure: Failure | None) -> None:
        fields: dict[str, object] = {
            "method": self.method.path,
            "code": code,
            "milliseconds": round(seconds * 1000, 3),
            "request_id": self.request_id,
            "peer": self._peer,
            "organization_id": self.organization_id,
        }
        if self.caller is not None:
            fields["user_id"] = self.caller.user_id
        if isinstance(self.caller, LinkCaller):
            fields["link_id"] = self.caller.link_id
        if failure is not None:
            fields["reason"] = failure.reason
            fields["fields"] = [violation.field for violation in failure.violations]
            fields["detail"] = failure.log_detail
        write = getattr(_log, _LOG_METHODS.get(failure.kind, "info") if failure else "info")
        write("call", **{name: value for name, value in fields.items() if value})


class _CancelledWhenGone:
    """What grpc.aio raises when the client has left, or its deadline is over, is no error."""

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


async def _write(context: Any, message: Any) -> None:
    """Sends one message of a stream."""
    with _cancelled_when_gone:
        await context.write(message)


def _reader(deserialize: Callable[[bytes], Any]) -> Callable[[bytes], Read]:
    """What reads a serialized request of one method.

    `Failure` RESOURCE_EXHAUSTED or INVALID_ARGUMENT for what cannot be read.
    """

    def reader(data: bytes) -> Read:
        async def read() -> Any:
            if len(data) > MAX_MESSAGE_BYTES:
                raise message_too_large()
            try:
                return deserialize(data)
            except DecodeError:
                raise Failure(
                    Kind.INVALID_ARGUMENT,
                    "MALFORMED_MESSAGE",
                    "The message cannot be read. Make it from the schema that reflection offers.",
                ) from None

        return read

    return reader


def message_too_large() -> Failure:
    """For a message that is refused before it is read, on whatever port."""
    return Failure(
        Kind.RESOURCE_EXHAUSTED,
        "MESSAGE_TOO_LARGE",
        f"The message is larger than {MAX_MESSAGE_BYTES} bytes. Send less.",
    )


def unknown_method() -> Failure:
    """For a path that names no method, on whatever port."""
    return unimplemented("There is no such method. Reflection lists the methods of this server.")


def shutting_down() -> Failure:
    """For a call that comes, or is cut off, while the server ends."""
    return Failure(
        Kind.UNAVAILABLE,
        "SHUTTING_DOWN",
        "This server is shutting down. Try again in a moment; another one will answer.",
        retry_after=timedelta(seconds=1),
    )


def _internal() -> Failure:
    return Failure(
        Kind.INTERNAL,
        "INTERNAL",
        "The service failed in a way it should not. Report the request id to whoever runs it.",
    )


class _UnknownMethods(grpc.GenericRpcHandler):
    """Answers every path that no service has. gRPC's own answer would come without details."""

    def __init__(self, refuse: Callable[[str, Any, Failure], Awaitable[None]]) -> None:
        self._refuse = refuse

    def service(self, handler_call_details: grpc.HandlerCallDetails) -> Handler:
        async def answer(_requests: object, context: Any) -> None:
            await self._refuse(handler_call_details.method, context, unknown_method())

        return grpc.stream_stream_rpc_method_handler(answer)

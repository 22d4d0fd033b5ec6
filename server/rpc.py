"""The seam: every method is wrapped here once, and that handler is served on every port.

The generated `add_XServicer_to_server` functions register with `Methods`, a stand-in for a server.
Around each method it does, in this order: request id, deadline, caller, permission, the method
(which validates first), errors, log line. gRPC interceptors would miss grpc-web and JSON, so there
are none.

The rule: of a transport's context only `invocation_metadata`, `time_remaining`, `peer`,
`send_initial_metadata`, `set_trailing_metadata` and `abort_with_status` are used, so that every
transport can offer it.
"""

import asyncio
import contextlib
import re
import secrets
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from datetime import time as time_of_day
from email.utils import format_datetime
from types import TracebackType
from typing import Any, NamedTuple, Self, TypeAlias

import grpc
import structlog
from google.protobuf import descriptor_pool
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.message import DecodeError, Message
from google.rpc import code_pb2, error_details_pb2, status_pb2
from grpc_status import rpc_status

from keystead.options.v1 import options_pb2
from server.authorization import ORGANIZATION_HEADER, Access, Authorizer, Scope
from server.caller import Authenticator, Caller, RegistrationCaller
from server.database import deadline, deadline_exceeded
from server.errors import Failure, Kind

REQUEST_ID_HEADER = "x-request-id"
MAX_MESSAGE_BYTES = 4 * 1024 * 1024
ERROR_DOMAIN = "keystead"

# Clients refuse trailers of more than 8 KiB unless told otherwise.
_MAX_SHOWN = 300
_DRAIN_POLL_SECONDS = 0.01
_REQUEST_ID = re.compile(r"[\x20-\x7e]{1,128}")
# What these offer tells nothing about a tenant, and load balancers have no token.
_OPEN_SERVICES = {"grpc.health.v1.Health", "grpc.reflection.v1alpha.ServerReflection"}
_LOG_METHODS = {
    Kind.INTERNAL: "error",
    Kind.UNAVAILABLE: "warning",
    Kind.DEADLINE_EXCEEDED: "warning",
}

# A `grpc.RpcMethodHandler`; the stubs know only the synchronous kind.
Handler: TypeAlias = Any

_log = structlog.get_logger("rpc")


@dataclass(frozen=True, slots=True)
class Call:
    """What a method may know of the call it answers."""

    request_id: str
    caller: Caller | RegistrationCaller
    organization_id: str


_current: ContextVar[Call] = ContextVar("call")


def current_call() -> Call:
    """The call that this task answers."""
    return _current.get()


@dataclass(frozen=True, slots=True)
class _Method:
    """What the descriptor says of a method."""

    path: str
    access: Access | None
    initial_metadata: tuple[tuple[str, str], ...]


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
        sunset: date | None = None,
    ) -> None:
        self._authenticator = authenticator
        self._authorizer = authorizer
        self._default_timeout = default_timeout
        self._sunset = sunset
        self._services: dict[str, dict[str, Handler]] = {}
        self._closed = False
        # Calls that were taken and have not ended. Streams are not counted: they end when their
        # client likes.
        self.in_flight = 0

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
            name: self._wrap(self._describe(descriptor.methods_by_name[name]), handler)
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

    def serve_on(self, server: grpc.aio.Server) -> None:
        """Registers the wrapped methods with a server, and an answer for every other path."""
        # Not add_registered_method_handlers as well: grpc.aio then waits on every method for every
        # call, which costs a tenth of a call's CPU with 25 methods (measured with grpcio 1.85.1).
        for service, handlers in self._services.items():
            server.add_generic_rpc_handlers(
                (grpc.method_handlers_generic_handler(service, handlers),)
            )
        server.add_generic_rpc_handlers((_UnknownMethods(),))

    def _describe(self, method: MethodDescriptor) -> _Method:
        path = f"/{method.containing_service.full_name}/{method.name}"
        if method.containing_service.full_name in _OPEN_SERVICES:
            return _Method(path, None, ())
        options = method.GetOptions()
        if not options.HasExtension(options_pb2.access):
            raise TypeError(
                f"{path} does not declare who may call it: set (keystead.options.v1.access)"
            )
        access = options.Extensions[options_pb2.access]
        scope = (
            options_pb2.Scope.Name(access.scope)
            .removeprefix("SCOPE_")
            .replace("UNSPECIFIED", "NONE")
        )
        deprecation = options.Extensions[options_pb2.deprecation] if options.deprecated else None
        return _Method(
            path,
            Access(access.permission, Scope[scope], access.self, access.registration_token),
            _deprecation_headers(deprecation, self._sunset) if deprecation else (),
        )

    def _wrap(self, method: _Method, handler: Handler) -> Handler:
        if handler.request_streaming:
            return handler  # reflection alone, which answers every mistake by a message of its own
        parse = _parser(handler.request_deserializer)
        if handler.response_streaming:

            async def stream(request: Any, context: Any) -> AsyncIterator[Any]:
                async with _Outcome(method, context) as outcome:
                    await self._admit(outcome, request)
                    async for message in handler.unary_stream(request, context):
                        yield message

            return grpc.unary_stream_rpc_method_handler(stream, parse, handler.response_serializer)

        async def unary(request: Any, context: Any) -> Any:
            async with _Outcome(method, context) as outcome:
                with self._counted():
                    async with asyncio.timeout_at(self._end(context)):
                        await self._admit(outcome, request)
                        return await handler.unary_unary(request, context)

        return grpc.unary_unary_rpc_method_handler(unary, parse, handler.response_serializer)

    @contextlib.contextmanager
    def _counted(self) -> Iterator[None]:
        if self._closed:
            raise _shutting_down()
        self.in_flight += 1
        try:
            yield
        finally:
            self.in_flight -= 1

    def _end(self, context: Any) -> float:
        """The loop time of the client's deadline; without one, of the server's own."""
        time_left: float | None = context.time_remaining()
        if time_left is None:
            time_left = self._default_timeout
        end = asyncio.get_running_loop().time() + time_left
        deadline.set(end)
        return end

    async def _admit(self, outcome: "_Outcome", request: Any) -> None:
        """Finds the caller and decides whether it may call; then `current_call` knows both."""
        method = outcome.method
        if method.initial_metadata:
            await outcome.context.send_initial_metadata(method.initial_metadata)
        if method.access is None:
            _refuse_unreadable(request)
            return
        caller = await self._authenticator.authenticate(_values(outcome.headers, "authorization"))
        _refuse_unreadable(request)
        organization_id = await self._authorizer.authorize(
            method.access,
            caller,
            organizations=_values(outcome.headers, ORGANIZATION_HEADER),
            request=request,
        )
        _current.set(Call(outcome.request_id, caller, organization_id))


class _Outcome:
    """Gives a call its request id, turns every exception into a status, and writes the log line.

    A class, because `asynccontextmanager` costs more than all the rest of it.
    """

    __slots__ = ("_started", "context", "headers", "method", "request_id")

    def __init__(self, method: _Method, context: Any) -> None:
        self._started = time.perf_counter()
        self.method = method
        self.context = context
        self.headers: Sequence[tuple[str, Any]] = context.invocation_metadata()
        self.request_id = _request_id(self.headers)

    async def __aenter__(self) -> Self:
        self.context.set_trailing_metadata(((REQUEST_ID_HEADER, self.request_id),))
        return self

    async def __aexit__(
        self,
        _type: type[BaseException] | None,
        error: BaseException | None,
        _traceback: TracebackType | None,
    ) -> None:
        failure = self._failure(error)
        try:
            if failure is not None:
                await self.context.abort_with_status(_status(failure, self.request_id))
        finally:
            self._log(error, failure)

    def _failure(self, error: BaseException | None) -> Failure | None:
        match error:
            case Failure():
                return error
            case TimeoutError():
                return deadline_exceeded()
            case NotImplementedError():
                return _unimplemented()
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

    def _log(self, error: BaseException | None, failure: Failure | None) -> None:
        call = _current.get(None)
        fields: dict[str, object] = {
            "method": self.method.path,
            "code": failure.kind.name if failure else "CANCELLED" if error else "OK",
            "milliseconds": round((time.perf_counter() - self._started) * 1000, 3),
            "request_id": self.request_id,
            "peer": self.context.peer(),
        }
        if call is not None:
            fields["user_id"] = call.caller.user_id
            fields["organization_id"] = call.organization_id
        if failure is not None:
            fields["reason"] = failure.reason
            fields["fields"] = [violation.field for violation in failure.violations]
            fields["detail"] = failure.log_detail
        write = getattr(_log, _LOG_METHODS.get(failure.kind, "info") if failure else "info")
        write("call", **{name: value for name, value in fields.items() if value})


def _parser(deserialize: Callable[[bytes], Any]) -> Callable[[bytes], Any]:
    """Reads a request, or gives the `Failure` to end the call with once the caller is known.

    A deserializer that raises would be answered UNKNOWN with the exception's text, before anybody
    is authenticated.
    """

    def parse(data: bytes) -> Any:
        if len(data) > MAX_MESSAGE_BYTES:
            return Failure(
                Kind.RESOURCE_EXHAUSTED,
                "MESSAGE_TOO_LARGE",
                f"The message is larger than {MAX_MESSAGE_BYTES} bytes. Send less.",
            )
        try:
            return deserialize(data)
        except DecodeError:
            return Failure(
                Kind.INVALID_ARGUMENT,
                "MALFORMED_MESSAGE",
                "The message cannot be read. Make it from the schema that reflection offers.",
            )

    return parse


def _refuse_unreadable(request: object) -> None:
    if isinstance(request, Failure):
        raise request


def _request_id(headers: Sequence[tuple[str, Any]]) -> str:
    for value in _values(headers, REQUEST_ID_HEADER):
        if _REQUEST_ID.fullmatch(value):
            return value
    return secrets.token_hex(16)


def _values(headers: Sequence[tuple[str, Any]], name: str) -> list[str]:
    return [value for key, value in headers if key == name]


def _deprecation_headers(
    deprecation: options_pb2.Deprecation, sunset: date | None
) -> tuple[tuple[str, str], ...]:
    """RFC 9745 (deprecation), RFC 5829 (the link relation), RFC 8594 (sunset)."""
    since = datetime.combine(date.fromisoformat(deprecation.since), time_of_day(), UTC)
    headers = (
        ("deprecation", f"@{int(since.timestamp())}"),
        ("link", f'</{deprecation.successor}>; rel="successor-version"'),
    )
    if sunset is None:
        return headers
    midnight = datetime.combine(sunset, time_of_day(), UTC)
    return (*headers, ("sunset", format_datetime(midnight, usegmt=True)))


def _unimplemented() -> Failure:
    return Failure(
        Kind.UNIMPLEMENTED,
        "METHOD_NOT_IMPLEMENTED",
        "This method is not available. Reflection lists the methods of this server.",
    )


def _shutting_down() -> Failure:
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


def _status(failure: Failure, request_id: str) -> grpc.Status:
    """The one mapping of errors to `google.rpc.Status`, as what a transport ends a call with."""
    status = status_pb2.Status(code=code_pb2.Code.Value(failure.kind.name), message=failure.message)
    for detail in _error_details(failure, request_id):
        status.details.add().Pack(detail)
    ended = rpc_status.to_status(status)
    trailing_metadata = (*ended.trailing_metadata, (REQUEST_ID_HEADER, request_id))
    return _EndOfCall(ended.code, ended.details, trailing_metadata)


class _EndOfCall(
    NamedTuple(
        "_EndOfCall",
        [
            ("code", grpc.StatusCode),
            ("details", str),
            ("trailing_metadata", tuple[tuple[str, str | bytes], ...]),
        ],
    ),
    grpc.Status,
):
    """What `abort_with_status` takes."""


def _error_details(failure: Failure, request_id: str) -> Iterator[Message]:
    yield error_details_pb2.ErrorInfo(
        reason=failure.reason, domain=ERROR_DOMAIN, metadata=failure.metadata
    )
    yield error_details_pb2.RequestInfo(request_id=request_id)
    if failure.violations:
        violations = [
            error_details_pb2.BadRequest.FieldViolation(
                field=violation.field, description=_shown(violation.description)
            )
            for violation in failure.violations
        ]
        yield error_details_pb2.BadRequest(field_violations=violations)
    if failure.resource:
        yield error_details_pb2.ResourceInfo(
            resource_type=failure.resource.type,
            resource_name=_shown(failure.resource.name),
            description=failure.message,
        )
    if failure.retry_after:
        retry_info = error_details_pb2.RetryInfo()
        retry_info.retry_delay.FromTimedelta(failure.retry_after)
        yield retry_info


def _shown(text: str) -> str:
    """A text that may repeat what the client sent, cut where it would not fit into the trailers."""
    return text if len(text) <= _MAX_SHOWN else f"{text[:_MAX_SHOWN]}..."


class _UnknownMethods(grpc.GenericRpcHandler):
    """Answers every path that no service has. gRPC's own answer would come without details."""

    def service(self, handler_call_details: grpc.HandlerCallDetails) -> Handler:
        method = _Method(handler_call_details.method, None, ())

        async def refuse(_requests: object, context: Any) -> None:
            async with _Outcome(method, context):
                raise NotImplementedError

        return grpc.stream_stream_rpc_method_handler(refuse)

"""The seam: every method is wrapped here once, and the same wrapped handler is served on every port.

The generated `add_XServicer_to_server` functions register with `Methods`, a stand-in for a server. Around each method
it does, in this order: request id, deadline, caller, permission, the method (which validates first), errors, log line.
gRPC interceptors would miss grpc-web and JSON, so there are none.

The rule: of a transport's context only `invocation_metadata`, `time_remaining`, `peer`, `send_initial_metadata`,
`set_trailing_metadata` and `abort_with_status` are used, so that every transport can offer it.
"""

import asyncio
import contextlib
import re
import time
import uuid
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from datetime import time as time_of_day
from email.utils import format_datetime
from typing import Any, NamedTuple, TypeAlias

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
    """All methods of the server, wrapped. Generated code registers with it as if it were a server."""

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
        # Calls that were admitted and have not ended. Streams are not counted: they end when their client likes.
        self.in_flight = 0

    @property
    def services(self) -> Mapping[str, Mapping[str, Handler]]:
        """The wrapped handlers by service and method name."""
        return self._services

    def add_generic_rpc_handlers(self, generic_rpc_handlers: object) -> None:
        """Nothing: generated code also registers every method by its name."""

    def add_registered_method_handlers(self, service: str, method_handlers: Mapping[str, Handler]) -> None:
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
        """Registers the wrapped methods with a server, and an answer for every path that is none of them."""
        # Not add_registered_method_handlers as well: grpc.aio then waits on every method for every call, which costs
        # a tenth of a call's CPU with 25 methods (measured with grpcio 1.85.1).
        for service, handlers in self._services.items():
            server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(service, handlers),))
        server.add_generic_rpc_handlers((_UnknownMethods(),))

    def _describe(self, method: MethodDescriptor) -> _Method:
        path = f"/{method.containing_service.full_name}/{method.name}"
        if method.containing_service.full_name in _OPEN_SERVICES:
            return _Method(path, None, ())
        options = method.GetOptions()
        if not options.HasExtension(options_pb2.access):
            raise TypeError(f"{path} does not declare who may call it: set (keystead.options.v1.access)")
        access = options.Extensions[options_pb2.access]
        scope = options_pb2.Scope.Name(access.scope).removeprefix("SCOPE_").replace("UNSPECIFIED", "NONE")
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
                async with _outcome(method, context) as request_id:
                    await self._admit(method, request, request_id, context)
                    answer = handler.unary_stream(request, context)
                    if not hasattr(answer, "__aiter__"):
                        await answer  # a method of the other style, which writes to the context itself
                        return
                    async for message in answer:
                        yield message

            return grpc.unary_stream_rpc_method_handler(stream, parse, handler.response_serializer)

        async def unary(request: Any, context: Any) -> Any:
            async with (
                _outcome(method, context) as request_id,
                self._counted(),
                self._bounded(context),
            ):
                await self._admit(method, request, request_id, context)
                return await handler.unary_unary(request, context)

        return grpc.unary_unary_rpc_method_handler(unary, parse, handler.response_serializer)

    @contextlib.asynccontextmanager
    async def _counted(self) -> AsyncIterator[None]:
        if self._closed:
            raise _shutting_down()
        self.in_flight += 1
        try:
            yield
        finally:
            self.in_flight -= 1

    @contextlib.asynccontextmanager
    async def _bounded(self, context: Any) -> AsyncIterator[None]:
        """Ends the call at the client's deadline; without one, after the server's own time."""
        time_left = context.time_remaining()
        at = asyncio.get_running_loop().time() + (self._default_timeout if time_left is None else time_left)
        deadline.set(at)
        try:
            async with asyncio.timeout_at(at):
                yield
        except TimeoutError:
            raise deadline_exceeded() from None

    async def _admit(self, method: _Method, request: Any, request_id: str, context: Any) -> None:
        """Finds the caller and decides whether it may call; then `current_call` knows both."""
        if method.initial_metadata:
            await context.send_initial_metadata(method.initial_metadata)
        if method.access is None:
            _refuse_unreadable(request)
            return
        headers = context.invocation_metadata()
        caller = await self._authenticator.authenticate(_values(headers, "authorization"))
        _refuse_unreadable(request)
        organization_id = await self._authorizer.authorize(
            method.access,
            caller,
            organizations=_values(headers, ORGANIZATION_HEADER),
            request=request,
        )
        _current.set(Call(request_id, caller, organization_id))


@contextlib.asynccontextmanager
async def _outcome(method: _Method, context: Any) -> AsyncIterator[str]:
    """Gives the call its request id, turns every exception into a status, and writes the log line."""
    started = time.perf_counter()
    request_id = _request_id(context)
    context.set_trailing_metadata(((REQUEST_ID_HEADER, request_id),))
    failure: Failure | None = None
    code = "CANCELLED"
    try:
        try:
            yield request_id
            code = "OK"
        except Failure as error:
            failure = error
        except NotImplementedError:
            failure = _unimplemented()
        except Exception:  # noqa: BLE001 -- the one place where whatever goes wrong ends a call and not the server
            _log.exception("unexpected error", method=method.path, request_id=request_id)
            failure = _internal()
        if failure is not None:
            code = failure.kind.name
            await context.abort_with_status(_status(failure, request_id))
    finally:
        _log_call(method, context, request_id, code, failure, time.perf_counter() - started)


def _log_call(
    method: _Method,
    context: Any,
    request_id: str,
    code: str,
    failure: Failure | None,
    seconds: float,
) -> None:
    call = _current.get(None)
    fields: dict[str, object] = {
        "method": method.path,
        "code": code,
        "milliseconds": round(seconds * 1000, 3),
        "request_id": request_id,
        "peer": context.peer(),
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

    A deserializer that raises would be answered UNKNOWN with the exception's text, before anybody is authenticated.
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
                "The message cannot be read. Make it from the service's schema, which reflection offers.",
            )

    return parse


def _refuse_unreadable(request: object) -> None:
    if isinstance(request, Failure):
        raise request


def _request_id(context: Any) -> str:
    for value in _values(context.invocation_metadata(), REQUEST_ID_HEADER):
        if _REQUEST_ID.fullmatch(value):
            return value
    return uuid.uuid4().hex


def _values(headers: Any, name: str) -> list[str]:
    return [value for key, value in headers if key == name]


def _deprecation_headers(deprecation: options_pb2.Deprecation, sunset: date | None) -> tuple[tuple[str, str], ...]:
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
        [("code", grpc.StatusCode), ("details", str), ("trailing_metadata", tuple[tuple[str, str | bytes], ...])],
    ),
    grpc.Status,
):
    """What `abort_with_status` takes."""


def _error_details(failure: Failure, request_id: str) -> Iterator[Message]:
    yield error_details_pb2.ErrorInfo(reason=failure.reason, domain=ERROR_DOMAIN, metadata=failure.metadata)
    yield error_details_pb2.RequestInfo(request_id=request_id)
    if failure.violations:
        violations = [
            error_details_pb2.BadRequest.FieldViolation(field=violation.field, description=violation.description)
            for violation in failure.violations
        ]
        yield error_details_pb2.BadRequest(field_violations=violations)
    if failure.resource:
        yield error_details_pb2.ResourceInfo(
            resource_type=failure.resource.type,
            resource_name=failure.resource.name,
            description=failure.message,
        )
    if failure.retry_after:
        retry_info = error_details_pb2.RetryInfo()
        retry_info.retry_delay.FromTimedelta(failure.retry_after)
        yield retry_info


class _UnknownMethods(grpc.GenericRpcHandler):
    """Answers every path that no service has. gRPC's own answer would come without details."""

    def service(self, handler_call_details: grpc.HandlerCallDetails) -> Handler:
        method = _Method(handler_call_details.method, None, ())

        async def refuse(_requests: object, context: Any) -> None:
            async with _outcome(method, context):
                raise NotImplementedError

        return grpc.stream_stream_rpc_method_handler(refuse)

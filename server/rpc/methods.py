"""The seam: every method is wrapped here once, and that handler is served on every port.

The generated `add_XServicer_to_server` functions register with `Methods`, a stand-in for a server.
Around each method it does, in this order: request id, deadline, caller, the request is read (and
the caller looked up once more, if that had to wait for the request to arrive), permission, the
method (which validates first), errors, metrics, log line. gRPC interceptors would miss grpc-web and
JSON, so there are none.

A wrapped handler takes, instead of the request, what nobody has read yet (`Unread`): strangers
cannot make the server wait for a request, nor parse it. The exceptions are methods that are
open to all, and one that the code of a link may call: the code is in its request. Of theirs, little
is read.

The rule: of a transport's context only `invocation_metadata`, `time_remaining`, `peer`,
`set_trailing_metadata`, `write` and `abort_with_status` are used, so that every transport can offer
it; and nothing of it is used once a call has ended.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import date
from typing import Any, NamedTuple, TypeAlias, TypeVar

import grpc
from google.protobuf import descriptor_pool
from google.protobuf.message import DecodeError

from server.access.authenticator import Authenticator
from server.access.authorizer import ORGANIZATION_HEADER, Authorizer, Scope
from server.access.caller import AnyCaller, Caller
from server.rpc.call_log import CallLog
from server.rpc.client import Client, client_of
from server.rpc.deadline import Bounds, shutting_down
from server.rpc.declared import Method, describe
from server.rpc.outcome import Outcome, cancelled_when_gone
from server.store.turns import STRANGERS, Claim, current_claim
from server.values.errors import Failure, Kind, deadline_exceeded, unimplemented

MAX_MESSAGE_BYTES = 4 * 1024 * 1024
# Of a caller who is not known yet. All that is asked for without a token are names and codes, of
# which the longest take less than 3 KiB, with every character escaped as JSON.
MAX_STRANGERS_MESSAGE_BYTES = 4 * 1024
# Of methods that are declared open: a passkey's assertion is larger.
MAX_OPEN_MESSAGE_BYTES = 16 * 1024

_DRAIN_POLL_SECONDS = 0.01
# When no call has come for so long, those that were on their way at the end have been refused.
_QUIET_SECONDS = 0.05
# A call ends so long before its client's deadline, or a tenth of what is left: at the deadline gRPC
# would end it without details.
_LEAD_SECONDS = 0.02
# What a client made up is logged as far as one would read it.
_MAX_LOGGED_PATH = 200

# A `grpc.RpcMethodHandler`; the stubs know only the synchronous kind. Of a wrapped one the
# `request_deserializer` makes an `Unread` of a serialized message.
Handler: TypeAlias = Any

_Message = TypeVar("_Message")


@dataclass(slots=True)
class Unread:
    """A request that nobody has read.

    `read` gives it; it may have at most so many bytes. `Failure` when it cannot be read.
    `has_arrived`: all of it is here, so that reading does not wait for whoever sends it.
    """

    read: Callable[[int], Awaitable[Any]]
    has_arrived: bool


class Call(NamedTuple):
    """What a method may know of the call it answers. `end` is a time of the event loop."""

    request_id: str
    caller: AnyCaller
    organization_id: str
    end: float

    @property
    def seconds_left(self) -> float:
        """Until it must have ended."""
        return self.end - asyncio.get_running_loop().time()


_current: ContextVar[Call] = ContextVar("call")
_client: ContextVar[Client] = ContextVar("client")


def current_call() -> Call:
    """The call that this task answers."""
    return _current.get()


def current_client() -> Client:
    """The client of the open method that this task answers."""
    return _client.get()


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
        call_log: CallLog,
        sunset: date | None = None,
    ) -> None:
        self._authenticator = authenticator
        self._authorizer = authorizer
        self._default_timeout = default_timeout
        self._call_log = call_log
        self._sunset = sunset
        self._services: dict[str, dict[str, Handler]] = {}
        self._by_path: dict[str, Handler] = {}
        self._described: dict[str, Method] = {}
        self._closed = False
        self._is_cut_off = False
        # How many calls came too late.
        self._refused = 0
        # What was taken and has not ended.
        self._calls: set[Bounds] = set()
        self._streams: set[Bounds] = set()

    @property
    def in_flight(self) -> int:
        """Calls that were taken and have not ended, without streams: those end as clients like."""
        return len(self._calls)

    @property
    def services(self) -> Mapping[str, Mapping[str, Handler]]:
        """The wrapped handlers by service and method name."""
        return self._services

    @property
    def by_path(self) -> Mapping[str, Handler]:
        """The wrapped handlers by `/package.Service/Method`."""
        return self._by_path

    def add_generic_rpc_handlers(self, generic_rpc_handlers: object) -> None:
        """Nothing: generated code also registers every method by its name."""

    def add_registered_method_handlers(
        self, service: str, method_handlers: Mapping[str, Handler]
    ) -> None:
        """Wraps the methods of one service."""
        descriptor = descriptor_pool.Default().FindServiceByName(service)
        wrapped = self._services[service] = {}
        for name, handler in method_handlers.items():
            method = describe(descriptor.methods_by_name[name], sunset=self._sunset)
            wrapped[name] = self._by_path[method.path] = self._wrap(method, handler)

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

    async def quiet(self, seconds: float) -> None:
        """Waits, for so many seconds at most, until no more calls come that have to be refused."""
        until = time.monotonic() + seconds
        refused = -1
        while self._refused != refused and time.monotonic() < until:
            refused = self._refused
            await asyncio.sleep(_QUIET_SECONDS)

    def cut_off(self) -> None:
        """Ends what is left, streams too, as UNAVAILABLE, and refuses new streams."""
        self._is_cut_off = True
        for bounds in (*self._calls, *self._streams):
            bounds.cut_off()

    async def refuse(self, path: str, context: Any, failure: Failure) -> None:
        """Ends a call that reaches no method: with details and a log line, like all others.

        What is raised then is the context's business.
        """
        method = self._described.get(path) or Method(path[:_MAX_LOGGED_PATH])
        async with Outcome(method, context, self._call_log):
            raise failure

    def serve_on(self, server: grpc.aio.Server) -> None:
        """Registers the wrapped methods with a server, and an answer for every other path."""
        receiving = {
            path: _receiving(handler, self._default_timeout)
            for path, handler in self._by_path.items()
        }
        server.add_generic_rpc_handlers((_Handlers(receiving, self.refuse),))

    def _wrap(self, method: Method, handler: Handler) -> Handler:
        self._described[method.path] = method
        self._call_log.expect(method.path)
        reader = _reader(handler.request_deserializer)

        if handler.request_streaming:  # reflection alone, which is open to all

            async def streams(unread: AsyncIterator[Unread], context: Any) -> None:
                async with (
                    Outcome(method, context, self._call_log),
                    Bounds(self._streams, self._end(context)) as bounds,
                ):
                    if self._is_cut_off:
                        raise self._too_late()
                    unread = aiter(unread)
                    first = await _in_time(anext(unread, None), self._default_timeout)
                    bounds.lift_unless_set(context)
                    requests = _requests(first, unread)
                    async for message in handler.stream_stream(requests, context):
                        await _write(context, message)

            return grpc.stream_stream_rpc_method_handler(
                streams, reader, handler.response_serializer
            )

        if handler.response_streaming:

            async def stream(unread: Unread, context: Any) -> None:
                # Not a generator: one whose client leaves is closed after the call is gone.
                end = self._end(context)
                async with (
                    Outcome(method, context, self._call_log) as outcome,
                    Bounds(self._streams, end) as bounds,
                ):
                    if self._is_cut_off:
                        raise self._too_late()
                    request = await self._admit(outcome, unread, end)
                    bounds.lift_unless_set(context)
                    async for message in handler.unary_stream(request, context):
                        await _write(context, message)

            return grpc.unary_stream_rpc_method_handler(stream, reader, handler.response_serializer)

        async def unary(unread: Unread, context: Any) -> Any:
            async with Outcome(method, context, self._call_log) as outcome:
                # Who asks an open method, health, while the server shuts down is to hear just that.
                if self._closed and method.access is not None:
                    raise self._too_late()
                end = self._end(context)
                async with Bounds(self._calls, end):
                    request = await self._admit(outcome, unread, end)
                    return await handler.unary_unary(request, context)

        return grpc.unary_unary_rpc_method_handler(unary, reader, handler.response_serializer)

    def _too_late(self) -> Failure:
        """For a call that comes while the server ends."""
        self._refused += 1
        return shutting_down()

    def _end(self, context: Any) -> float:
        """The loop time by which the call must end."""
        time_left: float | None = context.time_remaining()
        if time_left is None:
            seconds = self._default_timeout
        else:
            seconds = time_left - min(_LEAD_SECONDS, time_left / 10)
        return asyncio.get_running_loop().time() + seconds

    async def _admit(self, outcome: Outcome, unread: Unread, end: float) -> Any:
        """Finds the caller, reads the request and decides whether the caller may make it.

        Afterwards `current_call`, or `current_client` in an open method, knows all of the call.
        Gives the request.
        """
        access = outcome.method.access
        if access is None:
            return await unread.read(MAX_STRANGERS_MESSAGE_BYTES)
        current_claim.set(Claim(STRANGERS, access.revokes))
        if access.is_open:
            _client.set(client_of(outcome.context.peer(), outcome.header("user-agent")))
            return await unread.read(MAX_OPEN_MESSAGE_BYTES)
        authorization = outcome.header("authorization")
        if access.by_link_code and not authorization:
            # Where the credential is.
            request = await unread.read(MAX_STRANGERS_MESSAGE_BYTES)
            outcome.caller = await self._authenticator.authenticate_link(
                request.code, user_id=request.user_id
            )
        else:
            has_arrived = unread.has_arrived
            outcome.caller = await self._authenticator.authenticate(
                authorization, fresh=has_arrived and access.writes
            )
            request = await unread.read(MAX_MESSAGE_BYTES)
            if not has_arrived and isinstance(outcome.caller, Caller):
                # A body may come as slowly as its sender likes, who may have lost the token or a
                # role meanwhile.
                outcome.caller = await self._authenticator.authenticate(
                    authorization, fresh=access.writes
                )
        current_claim.set(Claim(outcome.caller.user_id, access.revokes))
        outcome.organization_id = await self._authorizer.authorize(
            access,
            outcome.caller,
            organizations=outcome.header(ORGANIZATION_HEADER),
            request=request,
        )
        if access.writes and access.scope is Scope.USER:
            target = access.user_id(request)
            current_claim.set(Claim(outcome.caller.user_id, access.revokes, target))
        _current.set(Call(outcome.request_id, outcome.caller, outcome.organization_id, end))
        return request


async def _requests(first: Unread | None, more: AsyncIterator[Unread]) -> AsyncIterator[Any]:
    """The requests of a stream, which has none at all if there is no first one."""
    if first is not None:
        yield await first.read(MAX_STRANGERS_MESSAGE_BYTES)
    async for each in more:
        yield await each.read(MAX_STRANGERS_MESSAGE_BYTES)


async def _in_time(message: Awaitable[_Message], seconds: float) -> _Message:
    """What is waited for. `Failure` DEADLINE_EXCEEDED when it does not come in so many seconds."""
    try:
        async with asyncio.timeout(seconds):
            return await message
    except TimeoutError:
        raise deadline_exceeded() from None


async def _write(context: Any, message: Any) -> None:
    """Sends one message of a stream."""
    with cancelled_when_gone:
        await context.write(message)


def _reader(deserialize: Callable[[bytes], Any]) -> Callable[[bytes], Unread]:
    """What reads a serialized request of one method.

    `Failure` RESOURCE_EXHAUSTED or INVALID_ARGUMENT for what cannot be read.
    """

    def reader(data: bytes) -> Unread:
        async def read(most_bytes: int) -> Any:
            if len(data) > most_bytes:
                raise message_too_large(most_bytes)
            try:
                return deserialize(data)
            except DecodeError:
                raise Failure(
                    Kind.INVALID_ARGUMENT,
                    "MALFORMED_MESSAGE",
                    "The message cannot be read. Make it from the schema that reflection offers.",
                ) from None

        return Unread(read, has_arrived=True)

    return reader


def _receiving(handler: Handler, seconds: float) -> Handler:
    """The handler for grpc.aio: takes a call before its one message is there.

    For a unary request grpc.aio itself would wait for the message, without end, and would never
    end a call that has none (decision 22).
    """
    if handler.request_streaming:
        return handler
    if handler.response_streaming:

        async def stream(_requests: object, context: Any) -> None:
            await handler.unary_stream(_arriving(context, seconds), context)

        return grpc.stream_stream_rpc_method_handler(
            stream, handler.request_deserializer, handler.response_serializer
        )

    async def unary(_requests: object, context: Any) -> Any:
        return await handler.unary_unary(_arriving(context, seconds), context)

    return grpc.stream_unary_rpc_method_handler(
        unary, handler.request_deserializer, handler.response_serializer
    )


def _arriving(context: Any, seconds: float) -> Unread:
    """The one request of a call of grpc.aio. It must come within so many seconds."""

    async def read(most_bytes: int) -> Any:
        message = await _in_time(context.read(), seconds)
        if message is grpc.aio.EOF:
            # Or the client has left: then this task is cancelled in this turn of the event loop.
            await asyncio.sleep(0)
            raise not_one_message()
        return await message.read(most_bytes)

    return Unread(read, has_arrived=False)


def not_one_message() -> Failure:
    """For a call with too few or too many messages, on whatever port."""
    # UNIMPLEMENTED is what statuscodes.md wants for a wrong number of messages.
    return unimplemented("This method takes exactly one message. Send one.")


def message_too_large(most_bytes: int) -> Failure:
    """For a message that is refused before it is read, on whatever port."""
    return Failure(
        Kind.RESOURCE_EXHAUSTED,
        "MESSAGE_TOO_LARGE",
        f"The message is larger than {most_bytes} bytes. Send less.",
    )


def unknown_method() -> Failure:
    """For a path that names no method, on whatever port."""
    return unimplemented("There is no such method. Reflection lists the methods of this server.")


class _Handlers(grpc.GenericRpcHandler):
    """The handler of every path, also of one that no method has.

    One for all, because grpc.aio asks its generic handlers one after the other; and its own answer
    to unknown paths would come without details.
    """

    def __init__(
        self,
        by_path: Mapping[str, Handler],
        refuse: Callable[[str, Any, Failure], Awaitable[None]],
    ) -> None:
        self._by_path = by_path
        self._refuse = refuse

    def service(self, handler_call_details: grpc.HandlerCallDetails) -> Handler:
        path = handler_call_details.method
        if path in self._by_path:
            return self._by_path[path]

        async def answer(_requests: object, context: Any) -> None:
            await self._refuse(path, context, unknown_method())

        return grpc.stream_stream_rpc_method_handler(answer)

"""The seam: all methods of the server, and the steps of every call to one.

The generated `add_XServicer_to_server` functions register with `Methods`, a stand-in for a server.
A transport makes a `Call` (`Methods.call`) and passes it to `answer`, `stream` or `converse`. Their
steps: refuse while the server ends, start the deadline, find the caller, read the request, find the
caller again, check the permission, run the method, pass the ended call to the log. gRPC
interceptors would miss grpc-web and JSON, so there are none.

A transport passes a function that reads the request (`Read`): the seam authenticates first, so that
strangers can neither make the server wait for a request nor parse it. Methods that need no token,
and those that the code of a link may call, must read the request first. They read little.

The rule: a transport learns of a failure by `CallFailed` and of nothing else.
"""

import asyncio
import inspect
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from datetime import date
from typing import Any, NoReturn, TypeAlias, TypeVar

import grpc
from google.protobuf import descriptor_pool
from google.protobuf.message import DecodeError

from server.access.authenticator import Authenticator
from server.access.authorizer import ORGANIZATION_HEADER, Authorizer, Scope
from server.access.caller import Caller
from server.rpc.call import Call, shutting_down
from server.rpc.call_log import CallLog
from server.rpc.declared import Method, describe
from server.store.turns import Claim
from server.values.errors import Failure, Kind, deadline_exceeded, unimplemented

MAX_MESSAGE_BYTES = 4 * 1024 * 1024
# Of a caller who is not known yet. Requests without a token carry names and codes, of which the
# longest take less than 3 KiB, with every character escaped as JSON.
MAX_STRANGERS_MESSAGE_BYTES = 4 * 1024
# Of methods that are declared open: a passkey's assertion is larger.
MAX_OPEN_MESSAGE_BYTES = 16 * 1024

_DRAIN_POLL_SECONDS = 0.01
# When no call has come for this time, those that were on their way at the end have been refused.
_QUIET_SECONDS = 0.05
# The part of a path made up by a client that is logged.
_MAX_LOGGED_PATH = 200

# A `grpc.RpcMethodHandler` as generated code makes it; the stubs know only the synchronous kind.
Handler: TypeAlias = Any
# Reads a request of at most this number of bytes. `Failure` for a larger or malformed one.
Read: TypeAlias = Callable[[int], Awaitable[Any]]
# Sends a message of a stream.
Write: TypeAlias = Callable[[Any], Awaitable[None]]

_Value = TypeVar("_Value")


class Methods:
    """All methods of the server.

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
        self.default_timeout = default_timeout
        self._authenticator = authenticator
        self._authorizer = authorizer
        self._call_log = call_log
        self._sunset = sunset
        self._services: dict[str, dict[str, Handler]] = {}
        self._by_path: dict[str, Handler] = {}
        self._described: dict[str, Method] = {}
        self._closed = False
        self._is_cut_off = False
        # The number of calls that came too late.
        self._refused = 0
        # Calls that have begun and not ended.
        self._calls: set[Call] = set()
        self._streams: set[Call] = set()

    @property
    def in_flight(self) -> int:
        """Calls that have begun and not ended, without streams, which end when clients like."""
        return len(self._calls)

    @property
    def services(self) -> Mapping[str, Mapping[str, Handler]]:
        """The handlers by service and method name."""
        return self._services

    @property
    def by_path(self) -> Mapping[str, Handler]:
        """The handlers by `/package.Service/Method`."""
        return self._by_path

    def add_generic_rpc_handlers(self, generic_rpc_handlers: object) -> None:
        """Nothing: generated code also registers every method by its name."""

    def add_registered_method_handlers(
        self, service: str, method_handlers: Mapping[str, Handler]
    ) -> None:
        """Registers the methods of one service."""
        descriptor = descriptor_pool.Default().FindServiceByName(service)
        handlers = self._services[service] = {
            name: _written(handler) for name, handler in method_handlers.items()
        }
        for name, handler in handlers.items():
            method = describe(descriptor.methods_by_name[name], sunset=self._sunset)
            self._described[method.path] = method
            self._by_path[method.path] = handler
            self._call_log.expect(method.path)

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
        """Waits at most this time until no more calls come that have to be refused."""
        until = time.monotonic() + seconds
        refused = -1
        while self._refused != refused and time.monotonic() < until:
            refused = self._refused
            await asyncio.sleep(_QUIET_SECONDS)

    def cut_off(self) -> None:
        """Ends the calls that are left, streams too, as UNAVAILABLE, and refuses new streams."""
        self._is_cut_off = True
        for call in (*self._calls, *self._streams):
            call.cut_off()

    def call(
        self, path: str, headers: Sequence[tuple[str, Any]], peer: str, time_left: float | None
    ) -> Call:
        """A call that has come. `time_left` is the seconds until its client's deadline, if any."""
        method = self._described.get(path) or Method(path[:_MAX_LOGGED_PATH])
        return Call(
            method, headers, peer=peer, time_left=time_left, default_timeout=self.default_timeout
        )

    def refuse(self, call: Call, failure: Failure) -> NoReturn:
        """Ends a call that reaches no method: with details and a log line, like all others."""
        raise self._failed(call, failure)

    async def answer(self, call: Call, read: Read) -> Any:
        """The answer of a method without streams. CallFailed, or CancelledError."""
        try:
            # An open method, health, still answers: it says that the server shuts down.
            if self._closed and call.method.access is not None:
                self._refuse_late()
            call.begin(self._calls)
            request = await self._admit(call, read)
            answer = await self._by_path[call.method.path].unary_unary(request, call)
        except BaseException as error:  # noqa: BLE001 -- each is the end of the call
            raise self._failed(call, error) from None
        call.end()
        self._call_log.add(call)
        return answer

    async def stream(self, call: Call, read: Read, write: Write) -> None:
        """Writes the answers of a method to one request. CallFailed, or CancelledError.

        Not a generator: one whose client leaves is closed after the call is gone.
        """
        try:
            if self._is_cut_off:
                self._refuse_late()
            call.begin(self._streams)
            request = await self._admit(call, read)
            call.lift_deadline_of_server()
            async for message in self._by_path[call.method.path].unary_stream(request, call):
                await write(message)
        except BaseException as error:  # noqa: BLE001 -- each is the end of the call
            raise self._failed(call, error) from None
        call.end()
        self._call_log.add(call)

    async def converse(self, call: Call, messages: AsyncIterator[bytes], write: Write) -> None:
        """Writes the answers of a method to a stream of requests. CallFailed, or CancelledError.

        Reflection alone, which is open to all.
        """
        try:
            if self._is_cut_off:
                self._refuse_late()
            call.begin(self._streams)
            handler = self._by_path[call.method.path]
            first = await in_time(anext(messages, None), self.default_timeout)
            call.lift_deadline_of_server()
            async for message in handler.stream_stream(_requests(handler, first, messages), call):
                await write(message)
        except BaseException as error:  # noqa: BLE001 -- each is the end of the call
            raise self._failed(call, error) from None
        call.end()
        self._call_log.add(call)

    def _refuse_late(self) -> NoReturn:
        """For a call that comes while the server ends."""
        self._refused += 1
        raise shutting_down()

    def _failed(self, call: Call, error: BaseException) -> BaseException:
        """Ends a call that was not answered. Gives the exception for its transport."""
        call.end(error)
        self._call_log.add(call)
        return call.failed() or error

    async def _admit(self, call: Call, read: Read) -> Any:
        """Finds the caller, reads the request and checks the permission. Gives the request."""
        access = call.method.access
        if access is None:
            return await read(MAX_STRANGERS_MESSAGE_BYTES)
        if access.is_open:
            return await read(MAX_OPEN_MESSAGE_BYTES)
        authorization = call.header("authorization")
        if access.by_link_code and not authorization:
            # The credential is in the request.
            request = await read(MAX_STRANGERS_MESSAGE_BYTES)
            call.authenticated = await self._authenticator.authenticate_link(
                request.code, user_id=request.user_id
            )
        else:
            call.authenticated = await self._authenticator.authenticate(authorization)
            request = await read(MAX_MESSAGE_BYTES)
            if isinstance(call.authenticated, Caller):
                # A client may send a body slowly, and lose the token or a role meanwhile.
                call.authenticated = await self._authenticator.authenticate(
                    authorization, fresh=access.writes
                )
        call.claim = Claim(call.authenticated.user_id, access.revokes)
        call.organization_id = await self._authorizer.authorize(
            access,
            call.authenticated,
            organizations=call.header(ORGANIZATION_HEADER),
            request=request,
        )
        if access.writes and access.scope is Scope.USER:
            call.claim = call.claim._replace(target=access.user_id(request))
        return request


def _written(handler: Handler) -> Handler:
    """The handler, for a method that a service lacks one that says so.

    The generated one is not asynchronous, and needs a context of gRPC.
    """
    if handler.unary_unary is None or inspect.iscoroutinefunction(handler.unary_unary):
        return handler
    return grpc.unary_unary_rpc_method_handler(
        _unwritten, handler.request_deserializer, handler.response_serializer
    )


async def _unwritten(_request: object, _call: object) -> NoReturn:
    raise NotImplementedError


def parsed(handler: Handler, data: bytes, most_bytes: int) -> Any:
    """The request of a method in protobuf's binary format.

    `Failure` RESOURCE_EXHAUSTED or INVALID_ARGUMENT when it cannot be read.
    """
    if len(data) > most_bytes:
        raise message_too_large(most_bytes)
    try:
        return handler.request_deserializer(data)
    except DecodeError:
        raise Failure(
            Kind.INVALID_ARGUMENT,
            "MALFORMED_MESSAGE",
            "The message cannot be read. Make it from the schema that reflection offers.",
        ) from None


async def in_time(value: Awaitable[_Value], seconds: float) -> _Value:
    """Waits at most this time. `Failure` DEADLINE_EXCEEDED after it."""
    try:
        async with asyncio.timeout(seconds):
            return await value
    except TimeoutError:
        raise deadline_exceeded() from None


def not_one_message() -> Failure:
    """For a call with too few or too many messages, on every port."""
    # UNIMPLEMENTED is what statuscodes.md wants for a wrong number of messages.
    return unimplemented("This method takes exactly one message. Send one.")


def message_too_large(most_bytes: int) -> Failure:
    """For a message that is refused before it is read, on every port."""
    return Failure(
        Kind.RESOURCE_EXHAUSTED,
        "MESSAGE_TOO_LARGE",
        f"The message is larger than {most_bytes} bytes. Send less.",
    )


def unknown_method() -> Failure:
    """For a path that names no method, on every port."""
    return unimplemented("There is no such method. Reflection lists the methods of this server.")


async def _requests(
    handler: Handler, first: bytes | None, more: AsyncIterator[bytes]
) -> AsyncIterator[Any]:
    """The requests of a stream, which has none at all if there is no first one."""
    if first is not None:
        yield parsed(handler, first, MAX_STRANGERS_MESSAGE_BYTES)
    async for each in more:
        yield parsed(handler, each, MAX_STRANGERS_MESSAGE_BYTES)

"""The seam: the steps of every call to a method of the server.

A transport creates a `Call` and passes it to `answer`, `stream` or `converse`. Their steps: refuse
during shutdown, start the deadline, find the caller and read the request, check the permission
(`guard.py`), run the method, log the call. These are no gRPC interceptors, because grpc-web and
JSON calls would bypass them.

The rule: a failure reaches the transport as `CallFailed`, never as another exception.
"""

import asyncio
import contextlib
import functools
import time
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Coroutine
from datetime import date, timedelta
from typing import Any, Concatenate, NoReturn, ParamSpec, TypeAlias, TypeVar

from server.access.authenticator import Authenticator
from server.access.authorizer import Authorizer
from server.access.cached_callers import CACHE_SECONDS
from server.rpc.call import Call
from server.rpc.call_log import CallLog
from server.rpc.declared import Method
from server.rpc.guard import Guard
from server.rpc.open_streams import OpenStreams
from server.rpc.preconditions.changes import ETAG
from server.rpc.preconditions.demands import HEADERS
from server.rpc.preconditions.run import Preconditions
from server.rpc.rate_limits import UNLIMITED, RateLimits
from server.rpc.registry import Handler, Registry
from server.rpc.requests import OF_ANONYMOUS, Read, parsed
from server.rpc.running_calls import RunningCalls
from server.values.errors import Failure, Kind

# The time limit for a client to read a message of a stream.
_UNREAD_SECONDS = 30
# The number of characters of an unknown path that are logged.
_MAX_LOGGED_PATH = 200

# Sends a message of a stream.
Write: TypeAlias = Callable[[Any], Awaitable[None]]

_P = ParamSpec("_P")
_T = TypeVar("_T")
# The steps of a call, after its beginning and before its end.
_Steps: TypeAlias = Callable[Concatenate["Methods", Call, _P], Coroutine[Any, Any, _T]]


def _framed(steps: _Steps[_P, _T]) -> _Steps[_P, _T]:
    """Frames the steps of a call: refuses it during a shutdown, begins it, ends it and logs it."""

    @functools.wraps(steps)
    async def run(self: "Methods", call: Call, /, *args: _P.args, **kwargs: _P.kwargs) -> _T:
        try:
            if self.running.is_closed:
                self.running.refuse(call)
            call.begin(self.running.all)
            result = await steps(self, call, *args, **kwargs)
        except BaseException as error:  # noqa: BLE001 -- each is the end of the call
            raise self._failed(call, error) from None
        call.end()
        self._call_log.add(call)
        return result

    return run


class Methods(Registry):
    """All methods of the server, and the way of a call to one."""

    def __init__(
        self,
        *,
        authenticator: Authenticator,
        authorizer: Authorizer,
        default_timeout: float,
        call_log: CallLog,
        preconditions: Preconditions,
        rate_limits: RateLimits = UNLIMITED,
        sunset: date | None = None,
        unread_seconds: float = _UNREAD_SECONDS,
    ) -> None:
        """A stream ends when its client has not read a message for `unread_seconds`."""
        super().__init__(preconditions.objects, sunset=sunset, expect=call_log.expect)
        self.default_timeout = default_timeout
        self.running = RunningCalls()
        self._unread_seconds = unread_seconds
        self._guard = Guard(authenticator, authorizer, rate_limits)
        # Streams whose callers are checked again while they go on.
        self.open_streams = OpenStreams(authenticator, self._guard.authorize)
        self._call_log = call_log
        self._preconditions = preconditions

    def method(self, path: str) -> Method:
        """The method of this path; one without access if there is none."""
        served = self.by_path.get(path)
        return served.method if served else Method(path[:_MAX_LOGGED_PATH])

    def refuse(self, call: Call, failure: Failure) -> NoReturn:
        """Ends a call that reaches no method: with details and a log line, like all others."""
        raise self._failed(call, failure)

    @_framed
    async def answer(self, call: Call, read: Read) -> Any:
        """The answer of a method without streams. CallFailed, or CancelledError."""
        request = await self._guard.read(call, read)
        call.has_arrived = True
        served = self.by_path[call.method.path]
        answer = None
        while answer is None:
            try:
                if served.change is None or HEADERS.isdisjoint(call.headers):
                    await self._guard.authorize(request, call)
                    answer = await served.run(request, call)
                else:
                    answer = await self._preconditions.run(
                        call,
                        served.change,
                        request,
                        authorize=self._guard.authorize,
                        method=served.run,
                    )
            except Failure as failure:
                await self._guard.renew(call, failure)
        if time.perf_counter() - call.started >= CACHE_SECONDS:
            await self._guard.confirm(request, call)
        if served.sequence is not None and (sequence := served.sequence(answer)):
            call.trailing_metadata = (*call.trailing_metadata, (ETAG, f'"{sequence}"'))
        return answer

    @_framed
    async def stream(self, call: Call, read: Read, write: Write) -> None:
        """Writes the answers of a method to one request. CallFailed, or CancelledError.

        Not a generator: Python would close it only after the end of a call whose client leaves.
        """
        request = await self._guard.read(call, read)
        call.has_arrived = True
        await self._guard.authorize(request, call)
        call.lift_deadline_of_server()
        with self.open_streams.watched(call, request):
            handler = self.by_path[call.method.path].handler
            await self._write_all(handler.unary_stream(request, call), write)

    @_framed
    async def converse(self, call: Call, messages: AsyncIterator[bytes], write: Write) -> None:
        """Writes the answers of a method to a stream of requests. CallFailed, or CancelledError.

        Only for reflection, which needs no token.
        """
        handler = self.by_path[call.method.path].handler
        # Admitted later: grpcio warns of messages that nobody has read.
        first = await anext(messages, None)
        call.has_arrived = True
        call.lift_deadline_of_server()
        requests = self._requests(call, handler, first, messages)
        await self._write_all(handler.stream_stream(requests, call), write)

    async def _requests(
        self, call: Call, handler: Handler, first: bytes | None, more: AsyncIterator[bytes]
    ) -> AsyncIterator[Any]:
        """The requests of a stream, each admitted like a call; none if `first` is None."""
        if first is not None:
            await self._guard.admit_open(call)
            yield parsed(handler, first, OF_ANONYMOUS)
        async for each in more:
            await self._guard.admit_open(call)
            yield parsed(handler, each, OF_ANONYMOUS)

    async def _write_all(self, messages: AsyncGenerator[Any], write: Write) -> None:
        """Writes the messages of a stream, for as long as the client reads them."""
        async with contextlib.aclosing(messages):
            async for message in messages:
                try:
                    async with asyncio.timeout(self._unread_seconds):
                        await write(message)
                except TimeoutError:
                    raise _not_read(self._unread_seconds) from None

    def _failed(self, call: Call, error: BaseException) -> BaseException:
        """Ends a call that has no answer, and gives the exception for its transport."""
        call.end(error)
        self._call_log.add(call)
        return call.failed() or error


def _not_read(seconds: float) -> Failure:
    return Failure(
        Kind.ABORTED,
        "STREAM_NOT_READ",
        f"The client has not read the stream for {seconds:g} seconds. Call the method again,"
        " and resume after the last message.",
        retry_after=timedelta(seconds=1),
    )

"""One call: what its client sent, who makes it, how long it may take, and how it ended.

A transport creates the `Call` first, and the seam (`methods.py`) fills it step by step. Services
read it by `current_call`, the pool of connections reads its `claim`, and the call log its end.
"""

import asyncio
import re
import time
from collections.abc import Callable, Sequence
from contextvars import ContextVar
from datetime import timedelta
from typing import Any

import structlog
import uuid_utils

from server.access.caller import AnyCaller
from server.rpc.client import Client, client_of
from server.rpc.declared import Method
from server.rpc.status import EndOfCall, end_of_call
from server.store.turns import STRANGERS, Claim, current_claimant
from server.values.errors import Failure, Kind, deadline_exceeded, unimplemented

REQUEST_ID_HEADER = "x-request-id"
# The reason of a failure that is a fault of this server.
INTERNAL = "INTERNAL"

_REQUEST_ID = re.compile(r"[\x20-\x7e]{1,128}")
# A call ends this long before its client's deadline, or a tenth of the time left: at the deadline
# gRPC would end it without details.
_LEAD_SECONDS = 0.02

_log = structlog.get_logger("rpc")
_current: ContextVar["Call"] = ContextVar("call")


class CallFailed(Exception):  # noqa: N818 -- like grpc.aio.AbortError, the way out of a call
    """The call has ended with a status other than OK, which its transport now sends."""

    def __init__(self, status: EndOfCall) -> None:
        super().__init__(status.details)
        self.status = status


class Call:
    """One call, from its headers to its status.

    `request_id`         from the client's header, else a new one
    `trailing_metadata`  what every answer says beside its message
    `authenticated`      the caller, None until it is known and in methods that need no token
    `organization_id`    in which the caller acts, once that is decided
    `claim`              for whom it uses a connection of the database
    `outlasts_server`    its client's deadline is later than the default one of the server
    `code`, `seconds`, `failure`  how it ended; without a failure it was answered or cancelled
    """

    __slots__ = (
        "_end",
        "_has_client_deadline",
        "_running",
        "_started",
        "_stopped_by",
        "_task",
        "_timer",
        "authenticated",
        "claim",
        "code",
        "failure",
        "headers",
        "method",
        "organization_id",
        "outlasts_server",
        "peer",
        "request_id",
        "seconds",
        "trailing_metadata",
    )

    def __init__(
        self,
        method: Method,
        headers: Sequence[tuple[str, Any]],
        *,
        peer: str,
        time_left: float | None,
        default_timeout: float,
    ) -> None:
        """`time_left` is the seconds until the client's deadline, None if it set none."""
        self._started = time.perf_counter()
        self.outlasts_server = time_left is not None and time_left > default_timeout
        self._has_client_deadline = time_left is not None
        if time_left is None:
            time_left = default_timeout
        else:
            time_left -= min(_LEAD_SECONDS, time_left / 10)
        self._end = asyncio.get_running_loop().time() + time_left
        self._timer: asyncio.TimerHandle | None = None
        self._task: asyncio.Task[Any] | None = None
        self._stopped_by: Failure | None = None
        self.method = method
        self.headers = headers
        self.peer = peer
        self.request_id = _request_id(headers)
        # No initial metadata: in grpc.aio it is a batch of its own (decision 14).
        self.trailing_metadata = (*method.announcements, (REQUEST_ID_HEADER, self.request_id))
        self.authenticated: AnyCaller | None = None
        self.organization_id = ""
        self.claim = Claim(STRANGERS, method.access is not None and method.access.revokes)
        self.failure: Failure | None = None

    @property
    def caller(self) -> AnyCaller:
        """The caller. LookupError in a method that needs no token."""
        if self.authenticated is None:
            raise LookupError(f"{self.method.path} has no caller")
        return self.authenticated

    @property
    def client(self) -> Client:
        """The address and the user agent of the client."""
        return client_of(self.peer, self.header("user-agent"))

    @property
    def seconds_left(self) -> float:
        """Until it must have ended."""
        return self._end - asyncio.get_running_loop().time()

    def header(self, name: str) -> list[str]:
        """The values that the client sent."""
        return [value for key, value in self.headers if key == name]

    def begin(self, running: set["Call"]) -> None:
        """Makes this the current call of the task, which its deadline or `cut_off` cancels.

        Not `asyncio.timeout`, which cannot tell the two apart and takes more than twice the time.
        """
        loop = asyncio.get_running_loop()
        self._task = asyncio.current_task(loop)
        # A timer keeps a copy of the context, so it is made before the context knows the call.
        self._timer = loop.call_at(self._end, self._stop, deadline_exceeded)
        self._running = running
        running.add(self)
        _current.set(self)
        current_claimant.set(self)

    def lift_deadline_of_server(self) -> None:
        """Lets a stream whose client set no deadline go on for as long as the client likes."""
        if self._timer is not None and not self._has_client_deadline:
            self._timer.cancel()

    def cut_off(self) -> None:
        """Ends it now, unless it is about to end by itself."""
        self._stop(shutting_down)

    def end(self, error: BaseException | None = None) -> None:
        """Ends it, with the failure that the error stands for.

        An error that stands for none is the cancellation of the task: the client has left.
        """
        if self._timer is not None:
            self._running.discard(self)
            self._timer.cancel()
            if self._stopped_by is not None and self._task is not None:
                # The cancellations that are left are by others: the client has left.
                others = self._task.uncancel()
                if isinstance(error, asyncio.CancelledError) and not others:
                    error = self._stopped_by
            # Both refer to this call, and would keep it until the next search for cycles.
            self._timer = self._task = None
        self.seconds = time.perf_counter() - self._started
        # A database connection that was opened in this call keeps its context, not its token.
        self.headers = ()
        if error is None:
            self.code = "OK"
        elif (failure := self._failure_of(error)) is None:
            self.code = "CANCELLED"
        else:
            # Its traceback refers to this call too, and to the request.
            failure.__traceback__ = failure.__cause__ = failure.__context__ = None
            self.failure = failure
            self.code = failure.kind.name

    def failed(self) -> CallFailed | None:
        """Raised to the transport; None if the call ended without a failure."""
        if self.failure is None:
            return None
        return CallFailed(end_of_call(self.failure, self.request_id, self.trailing_metadata))

    def _stop(self, why: Callable[[], Failure]) -> None:
        if self._stopped_by is None and self._task is not None:
            self._stopped_by = why()
            self._task.cancel()

    def _failure_of(self, error: BaseException) -> Failure | None:
        match error:
            case Failure():
                return error
            case NotImplementedError():
                return unimplemented("This release does not have this method yet.")
            case Exception():
                # An unexpected error ends the call and not the server.
                _log.error(
                    "unexpected error",
                    method=self.method.path,
                    request_id=self.request_id,
                    exc_info=error,
                )
                return Failure(
                    Kind.INTERNAL,
                    INTERNAL,
                    "The service failed unexpectedly. Report the request id to its operator.",
                )
            case _:
                return None


def current_call() -> Call:
    """The call that this task answers."""
    return _current.get()


def shutting_down() -> Failure:
    """For a call that comes, or is cut off, while the server ends."""
    return Failure(
        Kind.UNAVAILABLE,
        "SHUTTING_DOWN",
        "This server is shutting down. Try again in a moment; another one will answer.",
        retry_after=timedelta(seconds=1),
    )


def _request_id(headers: Sequence[tuple[str, Any]]) -> str:
    for key, value in headers:
        if key == REQUEST_ID_HEADER and _REQUEST_ID.fullmatch(value):
            return str(value)
    return uuid_utils.uuid4().hex

"""One call: its headers, its caller, its deadline and its status.

A transport creates the `Call`, and the seam (`methods.py`) fills it step by step. Methods get it
beside their request, the connection pool reads its `claim`, and the call log reads its status.
"""

import asyncio
import math
import re
import time
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any, Final, TypeAlias

import structlog
from uuid_utils import uuid4

from server.access.caller import Acting, AnyCaller
from server.access.tokens import Token, of_certificate, recognized
from server.rpc.client import Client, client_of
from server.rpc.declared import Method
from server.rpc.status import EndOfCall, end_of_call
from server.store.database import Transaction
from server.store.turns import ANONYMOUS, Claim, current_claimant
from server.telemetry import tracing
from server.values.errors import Failure, FixedFailure, Kind, deadline_exceeded

REQUEST_ID_HEADER = "x-request-id"
# The reason of a failure that is a fault of this server.
INTERNAL = "INTERNAL"

_REQUEST_ID = re.compile(r"[\x20-\x7e]{1,128}")
# The server ends a call before its client's deadline, because gRPC would end it without details: by
# this time and this share of the time left, since gRPC's clients round the timeout up by as much
# (`Timeout::FromMillis` in its core), but at most by a tenth of the time left.
_LEAD_SECONDS = 0.02
_LEAD_SHARE = 0.01

# The claim of a call before its caller is known, by whether its method revokes.
_ANONYMOUS = {revokes: Claim(ANONYMOUS, revokes) for revokes in (False, True)}

_log = structlog.get_logger("rpc")


class CallFailed(Exception):  # noqa: N818 -- like grpc.aio.AbortError, the way out of a call
    """The call has ended with a status other than OK. Its transport sends the status."""

    def __init__(self, status: EndOfCall) -> None:
        super().__init__(status.details)
        self.status = status


class Call:
    """One call, from its headers to its status.

    `started`            its beginning, by `time.perf_counter`
    `request_id`         from the client's header, else a new one
    `thumbprint`         of the client certificate that the handshake has verified, or None
    `trailing_metadata`  sent after the message of the answer, or with the failure
    `has_arrived`        whether its request has been read: from then on only the deadline applies
    `caller`             not set before authentication, nor in methods that need no token
    `may_be_outdated`    the caller is from the cache, because the method checks it as it writes
    `organization_id`    the organization in which the caller acts; empty before authorization
    `claim`              the caller and target for which it uses a database connection
    `transaction`        the open transaction that all of its statements join, or None
    `validates_only`     its transaction is rolled back
    `span`               its span of tracing, None while tracing is off
    `code`, `seconds`, `failure`  its result; without a failure it was answered or cancelled
    `noted`              further fields of its log line
    """

    caller: AnyCaller

    def __init__(
        self,
        method: Method,
        headers: Sequence[tuple[str, Any]],
        *,
        peer: str,
        time_left: float | None,
        default_timeout: float,
        arrival_timeout: float = math.inf,
        thumbprint: bytes | None = None,
    ) -> None:
        """`time_left` is the seconds until the client's deadline, None if it set none.

        The request must arrive within `arrival_timeout` seconds, even if the deadline is later.
        """
        self.started = time.perf_counter()
        self._has_client_deadline = time_left is not None
        if time_left is None:
            time_left = default_timeout
        else:
            time_left -= min(_LEAD_SECONDS + time_left * _LEAD_SHARE, time_left / 10)
        now = asyncio.get_running_loop().time()
        self._end = now + time_left
        self._end_of_arrival = min(self._end, now + arrival_timeout)
        self._timer: asyncio.TimerHandle | None = None
        self._task: asyncio.Task[Any] | None = None
        self._stopped_by: Failure | None = None
        self.method = method
        # The values by name, in the order in which they were sent.
        self.headers: dict[str, list[Any]] = {}
        for name, value in headers:
            self.headers.setdefault(name, []).append(value)
        self.peer = peer
        self.thumbprint = thumbprint
        sent_ids = filter(_REQUEST_ID.fullmatch, self.headers.get(REQUEST_ID_HEADER, ()))
        self.request_id = next(sent_ids, "") or uuid4().hex
        # No initial metadata: in grpc.aio it is a batch of its own (decision 8).
        self.trailing_metadata = (*method.announcements, (REQUEST_ID_HEADER, self.request_id))
        self.has_arrived = False
        self.may_be_outdated = False
        self.organization_id = ""
        self.claim = _ANONYMOUS[method.access is not None and method.access.revokes]
        self.transaction: Transaction | None = None
        self.validates_only = False
        self.span: tracing.CallSpan | None = None
        self.failure: Failure | None = None
        self.noted: Mapping[str, str] = {}

    @property
    def client(self) -> Client:
        """The address and the user agent of the client."""
        return client_of(self.peer, self.headers.get("user-agent", ()))

    @property
    def token(self) -> Token | None:
        """The token of `authorization`; without the header, that of the client certificate."""
        authorization = self.headers.get("authorization")
        if authorization is None:
            return of_certificate(self.thumbprint) if self.thumbprint is not None else None
        scheme, _, token = authorization[0].partition(" ")
        is_bearer = len(authorization) == 1 and scheme.lower() == "bearer"
        return recognized(token.strip()) if is_bearer else None

    @property
    def seconds_left(self) -> float:
        """The seconds until its deadline."""
        return self._end - asyncio.get_running_loop().time()

    @property
    def by_caller(self) -> Acting:
        """The arguments of a command that the caller gives."""
        return {"actor": self.caller, "organization_id": self.organization_id}

    def begin(self, running: set["Call"]) -> None:
        """Makes this the current call of the task. Its deadline or `cut_off` cancels the task.

        `asyncio.timeout` cannot distinguish the two, and takes more than twice the time.
        """
        loop = asyncio.get_running_loop()
        self._task = asyncio.current_task(loop)
        # A timer keeps a copy of the context, so it is made before the context contains the call.
        # `call_at` of uvloop takes twice the time.
        seconds = self._end_of_arrival - loop.time()
        self._timer = loop.call_later(seconds, self._time_is_up)
        self._running = running
        running.add(self)
        current_claimant.set(self)
        if self.method.access is not None:  # not of health and reflection
            self.span = tracing.begin_call(self.method.path, self.headers)

    def lift_deadline_of_server(self) -> None:
        """Removes the default deadline from a stream whose client set none."""
        if self._timer is not None and not self._has_client_deadline:
            self._timer.cancel()

    def stop(self, failure: Failure) -> None:
        """Ends the call now with this failure, unless it is already ending."""
        if self._stopped_by is None and self._task is not None:
            self._stopped_by = failure
            self._task.cancel()

    def end(self, error: BaseException | None = None) -> None:
        """Ends the call, with the failure of the error, if any.

        A cancellation of the task has no failure: the client has left.
        """
        if self._timer is not None:
            self._running.discard(self)
            self._timer.cancel()
            if self._stopped_by is not None and self._task is not None:
                # The remaining cancellations come from the transport: the client has left.
                others = self._task.uncancel()
                if isinstance(error, asyncio.CancelledError) and not others:
                    error = self._stopped_by
            # The timer and the task refer to this call, in a cycle that only the collector frees.
            self._timer = self._task = None
        self.seconds = time.perf_counter() - self.started
        # A database connection that was opened in this call keeps its context, not its token.
        self.headers = {}
        if error is None:
            self.code = "OK"
        elif (failure := self._failure_of(error)) is None:
            self.code = "CANCELLED"
        else:
            # The traceback refers to this call, too, and to the request.
            failure.__traceback__ = failure.__cause__ = failure.__context__ = None
            self.failure = failure
            self.code = failure.kind.name
        if self.span is not None:
            self.span.end(self.code, self.failure.reason if self.failure else "")

    def failed(self) -> CallFailed | None:
        """The exception for the transport. None if the call ended without a failure."""
        if self.failure is None:
            return None
        return CallFailed(end_of_call(self.failure, self.request_id, self.trailing_metadata))

    def _time_is_up(self) -> None:
        """Ends the call, unless its request has arrived and its deadline is later."""
        if self.has_arrived and self._end > self._end_of_arrival:
            self._end_of_arrival = self._end
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(self.seconds_left, self._time_is_up)
        else:
            self.stop(deadline_exceeded())

    def _failure_of(self, error: BaseException) -> Failure | None:
        match error:
            case Failure():
                return error
            case Exception():
                # An unexpected error ends the call and not the server.
                _log.error(
                    "unexpected error",
                    method=self.method.path,
                    request_id=self.request_id,
                    exc_info=error,
                )
                return _failed_unexpectedly()
            case _:
                return None


# The type of a method's second parameter. Generated code declares it as gRPC's context; with this
# type, its attributes are checked against `Call`.
AnyCall: TypeAlias = Call | Any


# A call arrives, or is cut off, while the server shuts down.
shutting_down: Final = FixedFailure(
    "SHUTTING_DOWN",
    "This server is shutting down. Try again in a moment; another one will answer.",
    kind=Kind.UNAVAILABLE,
    retry_after=timedelta(seconds=1),
)

_failed_unexpectedly: Final = FixedFailure(
    INTERNAL,
    "The service failed unexpectedly. Report the request id to its operator.",
    kind=Kind.INTERNAL,
)

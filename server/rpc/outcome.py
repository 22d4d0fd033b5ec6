"""How a call ends: with an answer or a status, and a word about it in the log.

The rule: every failure of every call becomes a status here and nowhere else, and what went wrong by
our own fault shows nothing of itself.
"""

import asyncio
import re
import time
from collections.abc import Sequence
from types import TracebackType
from typing import Any, Self

import grpc
import structlog
import uuid_utils

from server.access.caller import AnyCaller
from server.rpc.call_log import CallLog, EndedCall
from server.rpc.declared import Method
from server.rpc.status import end_of_call
from server.values.errors import Failure, Kind, unimplemented

REQUEST_ID_HEADER = "x-request-id"

_REQUEST_ID = re.compile(r"[\x20-\x7e]{1,128}")

_log = structlog.get_logger("rpc")


class Outcome:
    """Gives a call its request id, turns every exception into a status, and has it logged.

    A class, because `asynccontextmanager` costs more than all the rest of it.
    """

    __slots__ = (
        "_call_log",
        "_peer",
        "_started",
        "caller",
        "context",
        "headers",
        "method",
        "organization_id",
        "request_id",
        "trailing_metadata",
    )

    def __init__(self, method: Method, context: Any, call_log: CallLog) -> None:
        self._started = time.perf_counter()
        self._call_log = call_log
        # Asked for at the start, by the rule of rpc.py: at the end the call may be gone.
        self._peer: str = context.peer()
        self.method = method
        self.context = context
        self.headers: Sequence[tuple[str, Any]] = context.invocation_metadata()
        self.request_id = self._request_id()
        # No initial metadata: in grpc.aio it is a batch of its own (decision 14).
        self.trailing_metadata = (*method.announcements, (REQUEST_ID_HEADER, self.request_id))
        self.caller: AnyCaller | None = None
        self.organization_id = ""

    def header(self, name: str) -> list[str]:
        """The values that the client sent."""
        return [value for key, value in self.headers if key == name]

    async def __aenter__(self) -> Self:
        self.context.set_trailing_metadata(self.trailing_metadata)
        return self

    async def __aexit__(
        self,
        _type: type[BaseException] | None,
        error: BaseException | None,
        _traceback: TracebackType | None,
    ) -> bool:
        failure = None if error is None else self._failure(error)
        self._call_log.add(
            EndedCall(
                self.method.path,
                failure.kind.name if failure else "CANCELLED" if error else "OK",
                time.perf_counter() - self._started,
                self.request_id,
                self._peer,
                self.organization_id,
                self.caller,
                failure,
            )
        )
        if failure is not None:
            with cancelled_when_gone:
                try:
                    await self.context.abort_with_status(
                        end_of_call(failure, self.request_id, self.trailing_metadata)
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

    def _failure(self, error: BaseException) -> Failure | None:
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
                return None  # the task was cancelled


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


cancelled_when_gone = _CancelledWhenGone()


def _internal() -> Failure:
    return Failure(
        Kind.INTERNAL,
        "INTERNAL",
        "The service failed in a way it should not. Report the request id to whoever runs it.",
    )

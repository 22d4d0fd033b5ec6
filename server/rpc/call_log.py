"""Counts and logs the calls that have ended, those of a moment together.

The rule: the content of a line is settled when its call ends. Calls are written together because
alone, each would find the code and the data of counting and logging gone from the processor's
caches, which takes three times as long (decision 15).
"""

import asyncio
from datetime import UTC, datetime

import structlog

from server.access.caller import Caller, CallerSession, LinkCaller
from server.rpc.call import INTERNAL, Call
from server.telemetry.metrics import Metrics
from server.values.errors import Failure, Kind

# How long a call may wait for others. A process that is killed loses the lines of this time.
_GATHERING_SECONDS = 0.02

_log = structlog.get_logger("rpc")


class CallLog:
    """Counts and logs the calls that have ended."""

    def __init__(self, metrics: Metrics) -> None:
        self._metrics = metrics
        self._ended: list[tuple[datetime, Call]] = []

    def expect(self, method: str) -> None:
        """Prepares to count the calls of a method; those of others count as one, `unknown`."""
        self._metrics.expect(method)

    def add(self, call: Call) -> None:
        """Takes a call that ends now."""
        if not self._ended:
            asyncio.get_running_loop().call_later(_GATHERING_SECONDS, self.write)
        self._ended.append((datetime.now(UTC), call))

    def write(self) -> None:
        """Counts and logs the calls that have ended by now."""
        ended, self._ended = self._ended, []
        for at, call in ended:
            self._metrics.call_ended(call.method.path, call.code, call.seconds)
            _log_call(at, call)

    async def aclose(self) -> None:
        """Writes the calls that wait."""
        self.write()


def _log_call(at: datetime, call: Call) -> None:
    fields: dict[str, object] = {
        "timestamp": at,
        "method": call.method.path,
        "code": call.code,
        "milliseconds": round(call.seconds * 1000, 3),
        "request_id": call.request_id,
        "peer": call.peer,
    }
    if call.organization_id:
        fields["organization_id"] = call.organization_id
    if call.authenticated is not None:
        fields["user_id"] = call.authenticated.user_id
    match call.authenticated:
        case LinkCaller(link_id=link_id):
            fields["link_id"] = link_id
        case Caller(session=CallerSession(session_id=session_id)):
            fields["session_id"] = session_id
        case _:
            pass
    failure = call.failure
    if failure is None:
        _log.info("call", **fields)
        return
    fields["reason"] = failure.reason
    if failure.violations:
        fields["fields"] = [violation.field for violation in failure.violations]
    if failure.log_detail:
        fields["detail"] = failure.log_detail
    write = getattr(_log, _level(failure))
    write("call", **fields)


def _level(failure: Failure) -> str:
    """An error is a fault of this server; a client can cause other failures of INTERNAL."""
    if failure.reason == INTERNAL:
        return "error"
    return "warning" if failure.kind in (Kind.UNAVAILABLE, Kind.DEADLINE_EXCEEDED) else "info"

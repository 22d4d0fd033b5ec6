"""What is kept of a call that has ended: a moment later it is counted and logged.

The rule: what is counted and what a line says is settled when the call ends. The work is done for
all calls of the moment together: alone, each would find the code and the data of counting and
logging gone from the processor's caches, which takes three times as long (`bench`).
"""

import asyncio
from datetime import UTC, datetime
from typing import NamedTuple

import structlog

from server.access.caller import AnyCaller, Caller, CallerSession, LinkCaller
from server.telemetry.metrics import Metrics
from server.values.errors import Failure, Kind

# How long a call may wait for others. What is killed without a chance to end loses as much.
_GATHERING_SECONDS = 0.02

_LOG_METHODS = {
    Kind.INTERNAL: "error",
    Kind.UNAVAILABLE: "warning",
    Kind.DEADLINE_EXCEEDED: "warning",
}

_log = structlog.get_logger("rpc")


class EndedCall(NamedTuple):
    """A call as it ended. Without a failure it was answered, or cancelled."""

    method: str
    code: str
    seconds: float
    request_id: str
    peer: str
    organization_id: str
    caller: AnyCaller | None
    failure: Failure | None


class CallLog:
    """Counts and logs the calls that have ended."""

    def __init__(self, metrics: Metrics) -> None:
        self._metrics = metrics
        self._ended: list[tuple[datetime, EndedCall]] = []

    def expect(self, method: str) -> None:
        """Makes ready to count the calls of a method; those of others count as one, `unknown`."""
        self._metrics.expect(method)

    def add(self, call: EndedCall) -> None:
        """Takes a call that ends now."""
        if not self._ended:
            asyncio.get_running_loop().call_later(_GATHERING_SECONDS, self.write)
        self._ended.append((datetime.now(UTC), call))

    def write(self) -> None:
        """Counts and logs what has ended by now."""
        ended, self._ended = self._ended, []
        for at, call in ended:
            self._metrics.call_ended(call.method, call.code, call.seconds)
            _log_call(at, call)

    async def aclose(self) -> None:
        """Leaves nothing behind."""
        self.write()


def _log_call(at: datetime, call: EndedCall) -> None:
    fields: dict[str, object] = {
        "timestamp": at,
        "method": call.method,
        "code": call.code,
        "milliseconds": round(call.seconds * 1000, 3),
        "request_id": call.request_id,
        "peer": call.peer,
    }
    if call.organization_id:
        fields["organization_id"] = call.organization_id
    if call.caller is not None:
        fields["user_id"] = call.caller.user_id
    match call.caller:
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
    write = getattr(_log, _LOG_METHODS.get(failure.kind, "info"))
    write("call", **fields)

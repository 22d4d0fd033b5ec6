"""Counts and logs the calls that have ended, in batches.

The rule: the content of a line is final when its call ends. One by one, each call would find the
code and data of counting and logging evicted from the processor's caches, and take three times as
long (decision 10).

A client can reset calls faster than lines can be read. Of calls that are cancelled before their
request has arrived, a few are logged per second, and the others are counted in one line.
"""

import asyncio
from collections import Counter
from contextvars import Context
from datetime import UTC, datetime

import structlog
from structlog.typing import FilteringBoundLogger

from server.access.caller import Caller, LinkCaller
from server.rpc.call import INTERNAL, Call
from server.telemetry.metrics import Metrics
from server.values.errors import Failure, Kind

# The time over which a batch gathers calls. A process that is killed loses the lines of this time.
_GATHERING_SECONDS = 0.02
# The lines of calls cancelled before their request per second; of further ones, the peers with the
# most calls are named.
_MOST_CANCELLED_LINES = 10
_MOST_NAMED_PEERS = 3

_log = structlog.get_logger("rpc")


class CallLog:
    """Counts and logs the calls that have ended."""

    def __init__(self, metrics: Metrics) -> None:
        self._metrics = metrics
        self._ended: list[tuple[datetime, Call]] = []
        # Of this second: calls cancelled before their request, logged and by peer.
        self._cancelled_lines = 0
        self._cancelled: Counter[str] = Counter()

    def expect(self, method: str) -> None:
        """Prepares to count the calls of a method. Unexpected methods count as one, `unknown`."""
        self._metrics.expect(method)

    def add(self, call: Call) -> None:
        """Takes a call that ends now."""
        if not self._ended:
            # In a context of its own: the lines are of many calls.
            asyncio.get_running_loop().call_later(_GATHERING_SECONDS, self.write, context=Context())
        self._ended.append((datetime.now(UTC), call))

    def write(self) -> None:
        """Counts and logs the calls that have ended by now."""
        ended, self._ended = self._ended, []
        log = _log.bind()  # once, because structlog's proxy looks up its logger at every use
        for at, call in ended:
            self._metrics.call_ended(call.method.path, call.code, call.seconds)
            if call.code != "CANCELLED" or call.has_arrived or self._has_line_for_cancelled():
                _log_call(log, at, call)
            else:
                self._cancelled[call.peer] += 1

    async def aclose(self) -> None:
        """Writes the calls that still wait."""
        self.write()
        self._write_cancelled()

    def _has_line_for_cancelled(self) -> bool:
        """Takes one of the lines of this second, which begins with its first line."""
        if not self._cancelled_lines:
            asyncio.get_running_loop().call_later(1, self._write_cancelled, context=Context())
        self._cancelled_lines += 1
        return self._cancelled_lines <= _MOST_CANCELLED_LINES

    def _write_cancelled(self) -> None:
        """Ends the second with the line that counts the calls without a line."""
        cancelled, self._cancelled, self._cancelled_lines = self._cancelled, Counter(), 0
        if cancelled:
            _log.warning(
                "more calls cancelled before their request",
                calls=cancelled.total(),
                peers=dict(cancelled.most_common(_MOST_NAMED_PEERS)),
            )


def _log_call(log: FilteringBoundLogger, at: datetime, call: Call) -> None:
    fields: dict[str, object] = {
        "timestamp": at,
        "method": call.method.path,
        "code": call.code,
        "milliseconds": round(call.seconds * 1_000_000) / 1000,
        "request_id": call.request_id,
        "peer": call.peer,
    }
    if call.span is not None:
        fields |= call.span.ids
    if call.organization_id:
        fields["organization_id"] = call.organization_id
    caller = getattr(call, "caller", None)
    if caller is not None:
        fields["user_id"] = caller.user_id
    if isinstance(caller, LinkCaller):
        fields["link_id"] = caller.link_id
    elif isinstance(caller, Caller) and caller.session is not None:
        fields["session_id"] = caller.session.session_id
    fields |= call.noted
    failure = call.failure
    if failure is None:
        log.info("call", **fields)
        return
    fields["reason"] = failure.reason
    if failure.violations:
        fields["fields"] = [violation.field for violation in failure.violations]
    if failure.log_detail:
        fields["detail"] = failure.log_detail
    write = getattr(log, _level(failure))
    write("call", **fields)


def _level(failure: Failure) -> str:
    """The log level. Only this reason is a fault of the server: clients can cause Kind.INTERNAL."""
    if failure.reason == INTERNAL:
        return "error"
    return "warning" if failure.kind in (Kind.UNAVAILABLE, Kind.DEADLINE_EXCEEDED) else "info"

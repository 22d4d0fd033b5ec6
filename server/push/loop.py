"""The loop of pushes: every process attempts due deliveries, many at once.

The tiers of targets have attempts of their own, so that slow or failing targets delay no others.
"""

import asyncio
import logging
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import ClassVar, Final

import structlog

from server.deliveries.loop import LOST, PACE, SPARE_SECONDS, STATEMENT_SECONDS, DeliveryLoop, Pace
from server.deliveries.results import AttemptResult, DeliveryState
from server.push import leases
from server.push.delivery_store import PushKind
from server.push.leases import PushAttempt, PushBacklog, PushResult, Tier
from server.push.sender import ATTEMPT_SECONDS, PushSender
from server.store.database import Database
from server.telemetry import tracing
from server.telemetry.metrics import Metrics

# Attempts at once of the targets of each tier.
_AT_ONCE: Final[Mapping[Tier, int]] = {Tier.SOON: 64, Tier.NEW_OR_SLOW: 48, Tier.NO_ANSWER: 48}
_LEASE: Final = timedelta(seconds=ATTEMPT_SECONDS + SPARE_SECONDS)

_log = structlog.get_logger("push")


class PushLoop(DeliveryLoop[PushAttempt, PushResult, PushBacklog]):
    """Sends due pushes, as one of several processes."""

    deliveries: ClassVar = "pushes"

    def __init__(
        self, database: Database, sender: PushSender, *, metrics: Metrics, pace: Pace = PACE
    ) -> None:
        super().__init__(PushBacklog(0, 0), failures=metrics.housekeeping_failures, pace=pace)
        self._database = database
        self._sender = sender
        self._metrics = metrics
        self._in_flight = dict.fromkeys(Tier, 0)
        for kind in PushKind:
            for state in (*DeliveryState, LOST):
                metrics.push_tries.labels(kind, state)

    async def close(self) -> None:
        """Starts no further attempt, and closes the connections to targets."""
        await super().close()
        await self._sender.close()

    async def _leased(self) -> Sequence[PushAttempt]:
        """Leases due deliveries of each tier of targets, up to its limit."""
        limits = {
            tier: free
            for tier, at_once in _AT_ONCE.items()
            if (free := at_once - self._in_flight[tier]) > 0
        }
        attempts = await leases.acquire(self._database, limits, lease=_LEASE) if limits else []
        for each in attempts:
            self._in_flight[each.tier] += 1
        return attempts

    async def _record(
        self, made: Sequence[tuple[PushAttempt, PushResult]]
    ) -> Sequence[DeliveryState | None]:
        return await leases.record(self._database, made)

    async def _read_backlog(self) -> PushBacklog:
        return await leases.look(self._database)

    async def _try(self, attempt: PushAttempt) -> None:
        try:
            await self._send(attempt)
        finally:
            self._in_flight[attempt.tier] -= 1

    async def _send(self, attempt: PushAttempt) -> None:
        with tracing.span("push attempt", **{"keystead.push.kind": attempt.kind}) as span:
            made = await self._sender.send(attempt)
            if span is not None:
                span.set_attribute("keystead.push.result", made.result.reason or made.result.state)
        state = await self.recorded(attempt, made) or LOST
        self._metrics.push_tries.labels(attempt.kind, state).inc()
        _log.log(
            logging.INFO if state is DeliveryState.SENT else logging.WARNING,
            "push tried",
            delivery_id=attempt.delivery_id,
            target_id=attempt.target_id,
            kind=attempt.kind,
            attempt=attempt.number,
            state=state,
            reason=made.result.reason,
        )
        if made.result.destination_works is False:
            await self._give_up(attempt, made.result)

    async def _give_up(self, attempt: PushAttempt, result: AttemptResult) -> None:
        """Ends the deliveries that have waited for too long for the failing target."""
        # If this fails, the next failure of the target repeats it.
        with self.tried("to end pushes that waited for too long"):
            async with asyncio.timeout(STATEMENT_SECONDS):
                ended = await leases.give_up(self._database, attempt.target_id, result)
                self._metrics.push_tries.labels(attempt.kind, DeliveryState.FAILED).inc(ended)

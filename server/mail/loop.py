"""The mail loop: every process sends due mails, several at once.

The back-off of a mail begins with 30 to 60 seconds and doubles up to an hour, for 48 hours in all.
After a failure of the destination all mails wait (`breaker.py`): they stay due, and are sent as
soon as one is accepted or the configuration changes. Between trials, the loop tries only mails that
an operator has retried.
"""

import asyncio
import logging
from collections.abc import Sequence
from datetime import timedelta
from typing import ClassVar

import structlog

from server.deliveries.loop import LOST, PACE, SPARE_SECONDS, STATEMENT_SECONDS, DeliveryLoop, Pace
from server.deliveries.results import AttemptResult, Backlog, DeliveryState
from server.mail import leases
from server.mail.attempt import Sender
from server.mail.breaker import Breaker
from server.mail.leases import Attempt
from server.mail.outbox import MailKind
from server.store.database import Database
from server.telemetry import tracing
from server.telemetry.metrics import Metrics

_AT_ONCE = 4

_log = structlog.get_logger("mail")


class MailLoop(DeliveryLoop[Attempt, AttemptResult, Backlog]):
    """Sends due mails, as one of several processes."""

    deliveries: ClassVar = "mails"

    def __init__(
        self,
        database: Database,
        sender: Sender,
        *,
        metrics: Metrics,
        pace: Pace = PACE,
        breaker: Breaker | None = None,
    ) -> None:
        super().__init__(Backlog(0, 0.0), failures=metrics.housekeeping_failures, pace=pace)
        self._database = database
        self._sender = sender
        self._metrics = metrics
        self._breaker = breaker or Breaker()
        self._lease = timedelta(seconds=sender.seconds + SPARE_SECONDS)
        for kind in MailKind:
            for state in (*DeliveryState, LOST):
                metrics.mail_tries.labels(kind, state)

    async def _leased(self) -> Sequence[Attempt]:
        """Leases due mails, or one mail while the destination fails."""
        free = _AT_ONCE - len(self.in_progress)
        if not free:
            return ()
        if not await self._fails():
            return await leases.acquire(self._database, limit=free, lease=self._lease)
        if self.in_progress:
            return ()
        only_urgent = not self._breaker.is_trial_due
        return await leases.acquire(
            self._database, limit=1, lease=self._lease, only_urgent=only_urgent
        )

    async def _fails(self) -> bool:
        """Whether the configured destination is failing; resets the breaker of any other."""
        if self._breaker.has_failed:
            target = await self._sender.target()
            if self._breaker.is_open(target):
                return True
            self._breaker.reset()
        return False

    async def _record(
        self, made: Sequence[tuple[Attempt, AttemptResult]]
    ) -> Sequence[DeliveryState | None]:
        return await leases.record(self._database, made)

    async def _read_backlog(self) -> Backlog:
        return await leases.look(self._database)

    async def _try(self, attempt: Attempt) -> None:
        with tracing.span("mail attempt", **{"keystead.mail.kind": attempt.kind}) as span:
            target, result = await self._sender.send(attempt)
            if span is not None:
                span.set_attribute("keystead.mail.result", result.reason or result.state)
        # Before the mail can be leased again, the breaker must know of the failure.
        has_opened = result.destination_works is False and self._breaker.failed(
            target, is_login=result.is_login
        )
        if result.destination_works and self._breaker.reached(target):
            _log.info("the destination works again")
        state = await self.recorded(attempt, result) or LOST
        self._metrics.mail_tries.labels(attempt.kind, state).inc()
        _log.log(
            logging.INFO if state is DeliveryState.SENT else logging.WARNING,
            "mail tried",
            mail_id=attempt.mail_id,
            kind=attempt.kind,
            attempt=attempt.number,
            state=state,
            reason=result.reason,
        )
        if has_opened:
            await self._give_up(result)

    async def _give_up(self, result: AttemptResult) -> None:
        """Ends the mails that have waited for too long for the failing destination."""
        _log.warning("all mails wait, since their destination fails", reason=result.reason)
        # If this fails, the next failure of the destination repeats it.
        with self.tried("to end mails that waited for too long"):
            async with asyncio.timeout(STATEMENT_SECONDS):
                for kind in await leases.give_up(self._database, result):
                    self._metrics.mail_tries.labels(kind, DeliveryState.FAILED).inc()

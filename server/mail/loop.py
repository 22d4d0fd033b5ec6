"""The mail loop: every process sends due mails, several at once.

The back-off of a mail begins with 30 to 60 seconds and doubles up to an hour, for 48 hours in all.
After a failure of the destination all mails wait (`breaker.py`): they stay due, and are sent as
soon as one is accepted or the configuration changes. Between trials, the loop tries only mails that
an operator has retried.
"""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import ClassVar

from server.deliveries.loop import PACE, SPARE_SECONDS, DeliveryLoop, Pace
from server.deliveries.results import Attempt, AttemptResult, Backlog, DeliveryState
from server.mail import leases
from server.mail.attempt import Sender
from server.mail.breaker import Breaker
from server.mail.outbox import MailKind
from server.store.database import Database
from server.telemetry.metrics import Metrics

_AT_ONCE = 4


class MailLoop(DeliveryLoop[Attempt]):
    """Sends due mails, as one of several processes."""

    name: ClassVar = "mail"
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
        super().__init__(
            MailKind, tries=metrics.mail_tries, failures=metrics.housekeeping_failures, pace=pace
        )
        self._database = database
        self._sender = sender
        self._breaker = breaker or Breaker()
        self._lease = timedelta(seconds=sender.seconds + SPARE_SECONDS)

    async def _acquire(self) -> Sequence[Attempt]:
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

    async def _send(self, attempt: Attempt) -> AttemptResult:
        target, result = await self._sender.send(attempt)
        # Before the mail can be leased again, the breaker must know of the failure.
        if result.destination_works is False:
            if self._breaker.failed(target, is_login=result.is_login):
                self.log.warning(
                    "all mails wait, since their destination fails", reason=result.reason
                )
        elif result.destination_works and self._breaker.reached(target):
            self.log.info("the destination works again")
        return result

    async def _record(
        self, made: Sequence[tuple[Attempt, AttemptResult]]
    ) -> Sequence[DeliveryState | None]:
        return await leases.record(self._database, made)

    async def _give_up(self, attempt: Attempt, result: AttemptResult) -> Mapping[str, int]:
        return await leases.give_up(self._database, result)

    async def _look(self) -> Backlog:
        return await leases.look(self._database)

    def _named(self, attempt: Attempt) -> Mapping[str, str]:
        return {"mail_id": attempt.delivery_id}

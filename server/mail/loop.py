"""The mail loop: every process sends due mails, several at once.

The back-off of a mail begins with 30 to 60 seconds and doubles up to an hour, for 48 hours in all.
After a failure of a server all its mails wait (`breaker.py`): they stay due, and are sent as soon
as one is accepted or the configuration changes. Between trials, the loop tries only mails that an
operator has retried.

The server of the instance, and those of organizations, each have attempts and a breaker of their
own, so none delays the mails of another. If the server of an organization that allows it has failed
for a minute, or has refused a mail three times for a temporary reason, the server of the instance
delivers; one mail at a time still tries the server of the organization.
"""

import asyncio
import contextlib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import ClassVar, Final

from cachetools import LRUCache

from server.deliveries.loop import PACE, SPARE_SECONDS, DeliveryLoop, Pace
from server.deliveries.results import Attempt, AttemptResult, Backlog, DeliveryState
from server.mail import leases
from server.mail.attempt import Sender
from server.mail.breaker import Breaker
from server.mail.leases import MailAttempt
from server.mail.outbox import MailKind
from server.store.database import Database
from server.telemetry.metrics import Metrics
from server.values.errors import Failure

# The server of the instance, among those of organizations.
_INSTANCE: Final = ""
# Attempts at once: by the server of the instance, by all others, and by each of these.
_OF_INSTANCE: Final = 4
_OF_ORGANIZATIONS: Final = 16
_OF_ORGANIZATION: Final = 2
# The temporary refusals of a mail after which another server may deliver it.
_PATIENT_FAILURES: Final = 3
_MAX_BREAKERS: Final = 10_000
_DECISION_SECONDS: Final = 5.0


class MailLoop(DeliveryLoop[MailAttempt]):
    """Sends due mails, as one of several processes. Servers are named by their organizations."""

    name: ClassVar = "mail"
    deliveries: ClassVar = "mails"

    def __init__(
        self,
        database: Database,
        sender: Sender,
        *,
        metrics: Metrics,
        pace: Pace = PACE,
        make_breaker: Callable[[], Breaker] = Breaker,
    ) -> None:
        super().__init__(
            MailKind, tries=metrics.mail_tries, failures=metrics.housekeeping_failures, pace=pace
        )
        self._database = database
        self._sender = sender
        self._make_breaker = make_breaker
        self._breakers: LRUCache[str, Breaker] = LRUCache(_MAX_BREAKERS)
        # Failing servers that one mail is trying.
        self._trials: set[str] = set()
        self._lease = timedelta(seconds=sender.seconds + SPARE_SECONDS)

    async def close(self) -> None:
        """As the others, and closes the connections."""
        await super().close()
        self._sender.close()

    async def _acquire(self) -> Sequence[MailAttempt]:
        """Leases due mails of each server, or one mail while it fails."""
        slots = self._slots()
        limits: dict[str, int] = {}
        waiting: list[str] = []
        for server in await leases.list_due(self._database):
            number = slots.free(server)
            if await self._fails(server) and not await self._has_substitute(server):
                number = slots.free_for_trial(server)
                if number and not self._breaker(server).is_trial_due:
                    waiting.append(server)
                    continue
                slots.trials += number
            if number:
                limits[server] = number
                slots.busy[server] += number
        return [
            *await leases.acquire(self._database, limits, lease=self._lease),
            *await leases.acquire_urgent(self._database, waiting, lease=self._lease),
        ]

    def _slots(self) -> "_Slots":
        busy = Counter(attempt.smtp_org_id for attempt in self.in_progress.values())
        return _Slots(busy, trials=sum(self._breaker(server).has_failed for server in busy))

    def _breaker(self, server: str) -> Breaker:
        if server not in self._breakers:
            self._breakers[server] = self._make_breaker()
        return self._breakers[server]

    async def _fails(self, server: str) -> bool:
        """Whether the configured server is failing; resets the breaker of any other."""
        breaker = self._breaker(server)
        if breaker.has_failed:
            if breaker.is_open(await self._sender.target(server)):
                return True
            breaker.reset()
        return False

    async def _has_substitute(self, server: str) -> bool:
        """Whether the server of the instance delivers in place of a failing one."""
        return self._breaker(server).has_lost_patience and await self._may_substitute(server)

    async def _may_substitute(self, server: str) -> bool:
        return (
            server != _INSTANCE
            and not await self._fails(_INSTANCE)
            and await self._sender.allows_fallback(server)
        )

    async def _falls_back(self, attempt: MailAttempt) -> bool:
        """Whether the server of the instance makes this attempt."""
        with contextlib.suppress(Failure, TimeoutError):
            async with asyncio.timeout(_DECISION_SECONDS):
                return await self._must_fall_back(attempt)
        return False

    async def _must_fall_back(self, attempt: MailAttempt) -> bool:
        server = attempt.smtp_org_id
        breaker = self._breaker(server)
        if attempt.failures >= _PATIENT_FAILURES:
            return await self._may_substitute(server)
        if breaker.has_failed and breaker.is_trial_due and server not in self._trials:
            return False
        return await self._has_substitute(server)

    async def _send(self, attempt: MailAttempt) -> AttemptResult:
        if await self._falls_back(attempt):
            return await self._sent(attempt, _INSTANCE)
        server = attempt.smtp_org_id
        self._trials.add(server)
        try:
            return await self._sent(attempt, server)
        finally:
            self._trials.discard(server)

    async def _sent(self, attempt: MailAttempt, server: str) -> AttemptResult:
        target, result = await self._sender.send(attempt, server)
        # Before the mail can be leased again, the breaker must know of the failure.
        breaker = self._breaker(server)
        if result.destination_works is False:
            if breaker.failed(target, is_login=result.is_login):
                self.log.warning(
                    "all mails of a server wait, since it fails",
                    organization_id=server,
                    reason=result.reason,
                )
        elif result.destination_works and breaker.reached(target):
            self.log.info("the server works again", organization_id=server)
        return result

    async def _record(
        self, made: Sequence[tuple[Attempt, AttemptResult]]
    ) -> Sequence[DeliveryState | None]:
        return await leases.record(self._database, made)

    async def _give_up(self, attempt: MailAttempt, result: AttemptResult) -> Mapping[str, int]:
        return await leases.give_up(self._database, attempt.smtp_org_id, result)

    async def _look(self) -> Backlog:
        return await leases.look(self._database)

    def _named(self, attempt: MailAttempt) -> Mapping[str, str]:
        return {"mail_id": attempt.delivery_id}


@dataclass(slots=True)
class _Slots:
    """The attempts that may begin, with the number of those in progress by server.

    `trials` are those of failing servers, which take at most half of the slots.
    """

    busy: Counter[str]
    trials: int

    def free(self, server: str) -> int:
        """The number of further attempts of a server."""
        if server == _INSTANCE:
            return _OF_INSTANCE - self.busy[_INSTANCE]
        left = _OF_ORGANIZATIONS - self.busy.total() + self.busy[_INSTANCE]
        return max(0, min(_OF_ORGANIZATION - self.busy[server], left))

    def free_for_trial(self, server: str) -> int:
        """The same for a failing one: one at a time."""
        is_late = server != _INSTANCE and self.trials >= _OF_ORGANIZATIONS // 2
        return 0 if self.busy[server] or is_late else min(1, self.free(server))

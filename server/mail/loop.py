"""The mail loop: every process sends due mails, several at once.

The back-off of a mail begins with 30 to 60 seconds and doubles up to an hour, for 48 hours in all.
After a failure of a server all its mails wait (`breaker.py`): they stay due, and are sent as soon
as one is accepted or the configuration changes. Between trials, the loop tries only mails that an
operator has retried.

The server of the instance, and those of organizations, each have attempts and a breaker of their
own, so none delays the mails of another. A server of an organization that has not yet worked in
this process gets one mail at a time, and a quarter of the attempts are only for those that have.

If the server of an organization that allows it has failed for a minute, or has refused a mail three
times for a temporary reason, the server of the instance delivers, by at most half of its attempts;
one mail at a time still tries the server of the organization.
"""

import asyncio
import contextlib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import ClassVar, Final

from cachetools import LRUCache

from server.deliveries.loop import PACE, SPARE_SECONDS, DeliveryLoop, Pace
from server.deliveries.results import Attempt, AttemptResult, Backlog, DeliveryState
from server.mail import leases
from server.mail.attempt import Sender, Target
from server.mail.breaker import Breaker
from server.mail.leases import MailAttempt
from server.mail.outbox import MailKind
from server.store.database import Database
from server.telemetry.metrics import Metrics
from server.values.cache import Cache
from server.values.errors import Failure

# The server of the instance, among those of organizations.
_INSTANCE: Final = ""
# Attempts at once: by the server of the instance, by all others, and by each of these.
_OF_INSTANCE: Final = 4
_OF_ORGANIZATIONS: Final = 16
_OF_ORGANIZATION: Final = 2
# Of the attempts by others, those of servers that fail, and of these and those that never worked.
_OF_FAILING: Final = 8
_OF_UNPROVEN: Final = 12
# Of the attempts by the server of the instance, those in place of others.
_SUBSTITUTED: Final = 2
# How long the destination of a failing server is remembered.
_TARGET_SECONDS: Final = 5.0
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
        # Servers of organizations that have worked.
        self._proven: LRUCache[str, bool] = LRUCache(_MAX_BREAKERS)
        # The attempts that the server of the instance makes, or may make, in place of others.
        self._substituted: set[MailAttempt] = set()
        self._targets = Cache[str, Target](_MAX_BREAKERS)
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
        substituted: set[str] = set()
        for server in await leases.list_due(self._database):
            if not await self._fails(server):
                number = slots.take(server, is_unproven=self._is_unproven(server))
            elif await self._has_substitute(server):
                substituted.add(server)
                number = slots.take_substituted(server)
            elif self._breaker(server).is_trial_due:
                number = slots.take_trial(server)
            else:
                number = 0
                if slots.free_for_trial(server):
                    waiting.append(server)
            if number:
                limits[server] = number
        acquired = await leases.acquire(self._database, limits, lease=self._lease)
        self._substituted.update(each for each in acquired if each.smtp_org_id in substituted)
        return [
            *acquired,
            *await leases.acquire_urgent(self._database, waiting, lease=self._lease),
        ]

    def _slots(self) -> "_Slots":
        busy = Counter(attempt.smtp_org_id for attempt in self.in_progress.values())
        return _Slots(
            busy,
            trials=sum(self._breaker(server).has_failed for server in busy),
            unproven=sum(map(self._is_unproven, busy)),
            substituted=len(self._substituted),
        )

    def _is_unproven(self, server: str) -> bool:
        """Whether no attempt by a server of an organization has succeeded, nor failed."""
        return (
            server != _INSTANCE
            and server not in self._proven
            and not self._breaker(server).has_failed
        )

    def _breaker(self, server: str) -> Breaker:
        if server not in self._breakers:
            self._breakers[server] = self._make_breaker()
        return self._breakers[server]

    async def _fails(self, server: str) -> bool:
        """Whether the configured server is failing; resets the breaker of any other."""
        breaker = self._breaker(server)
        if breaker.has_failed:
            read = partial(self._sender.target, server)
            if breaker.is_open(await self._targets.get(server, read, seconds=_TARGET_SECONDS)):
                return True
            breaker.reset()
        return False

    async def _has_substitute(self, server: str) -> bool:
        """Whether the server of the instance delivers in place of a failing one."""
        return self._breaker(server).has_lost_patience and await self._may_substitute(server)

    async def _may_substitute(self, server: str) -> bool:
        return (
            server != _INSTANCE
            # There may be no mail of its own that tries it.
            and (not await self._fails(_INSTANCE) or self._breaker(_INSTANCE).is_trial_due)
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
            is_free = len(self._substituted - {attempt}) < _SUBSTITUTED
            return is_free and await self._may_substitute(server)
        if breaker.has_failed and breaker.is_trial_due and server not in self._trials:
            return False
        return await self._has_substitute(server)

    async def _send(self, attempt: MailAttempt) -> AttemptResult:
        try:
            if await self._falls_back(attempt):
                self._substituted.add(attempt)
                return await self._sent(attempt, _INSTANCE)
        finally:
            self._substituted.discard(attempt)
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
            self._targets.forget(server)
            if breaker.failed(target, is_login=result.is_login):
                self.log.warning(
                    "all mails of a server wait, since it fails",
                    organization_id=server,
                    reason=result.reason,
                )
        elif result.destination_works:
            self._proven[server] = True
            if breaker.reached(target):
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

    `trials` are those of failing servers, `unproven` those of servers that have not yet worked, and
    `substituted` those that the server of the instance makes in place of others.
    """

    busy: Counter[str]
    trials: int
    unproven: int
    substituted: int

    def take(self, server: str, *, is_unproven: bool) -> int:
        """Takes the attempts of a server that does not fail."""
        if not is_unproven:
            return self._taken(server, self._free(server))
        is_late = self.trials + self.unproven >= _OF_UNPROVEN
        number = self._taken(server, 0 if is_late else self._free_for_one(server))
        self.unproven += number
        return number

    def take_substituted(self, server: str) -> int:
        """Takes attempts by the server of the instance in place of this one."""
        left = min(_SUBSTITUTED - self.substituted, self._free(_INSTANCE))
        number = self._taken(server, max(0, min(self._free(server), left)))
        self.substituted += number
        return number

    def take_trial(self, server: str) -> int:
        """Takes the attempt of a failing server."""
        number = self._taken(server, self.free_for_trial(server))
        self.trials += number
        return number

    def free_for_trial(self, server: str) -> int:
        """The number of further attempts of a failing server: one at a time."""
        is_late = server != _INSTANCE and self.trials >= _OF_FAILING
        return 0 if is_late else self._free_for_one(server)

    def _taken(self, server: str, number: int) -> int:
        self.busy[server] += number
        return number

    def _free_for_one(self, server: str) -> int:
        return 0 if self.busy[server] else min(1, self._free(server))

    def _free(self, server: str) -> int:
        if server == _INSTANCE:
            return max(0, _OF_INSTANCE - self.busy[_INSTANCE] - self.substituted)
        left = _OF_ORGANIZATIONS - self.busy.total() + self.busy[_INSTANCE]
        return max(0, min(_OF_ORGANIZATION - self.busy[server], left))

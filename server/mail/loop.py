"""The mail loop: every process sends due mails, several at once.

The back-off of a mail begins with 30 to 60 seconds and doubles up to an hour, for 48 hours in all.
After a failure of a server all its mails wait (`breaker.py`): they stay due, and are sent as soon
as one is accepted or the configuration changes. Between trials, the loop tries only mails that an
operator has retried.

The server of the instance, and those of organizations, each have attempts and a breaker of their
own, so none delays the mails of another. An attempt by a server that hangs lasts a minute or two
and needs almost nothing meanwhile, so there are many. A server of an organization that has not yet
worked in this process gets one mail at a time, and some attempts are only for those that have.

If the server of an organization that allows it has failed for a minute, or has refused all mails
for a minute, or one mail three times for a temporary reason, the server of the instance delivers,
by at most half of its attempts; one mail at a time still tries the server of the organization.
"""

import asyncio
import contextlib
import random
from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import ClassVar, Final

from cachetools import LRUCache

from server.deliveries.loop import PACE, SPARE_SECONDS, DeliveryLoop, Pace
from server.deliveries.results import Attempt, AttemptResult, Backlog, DeliveryState
from server.mail import leases
from server.mail.attempt import Sender, ServerSettings
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
_OF_ORGANIZATIONS: Final = 256
_OF_ORGANIZATION: Final = 2
# While fewer are free, each server has one, so that many that begin to hang leave some for others.
_SPARSE: Final = 192
# Of the attempts by others, those of servers that fail, and of these and those that never worked.
_OF_FAILING: Final = 64
_OF_UNPROVEN: Final = 240
# Of the attempts by the server of the instance, those in place of others.
_SUBSTITUTED: Final = 2
# How long the settings of a failing server are remembered, and how many are read in a round.
_SETTINGS_SECONDS: Final = 5.0
_READS: Final = 32
# The temporary refusals of a mail after which another server may deliver it.
_PATIENT_FAILURES: Final = 3
# The mails that a server has refused for a time since it accepted one, when it counts as failing.
_REFUSED_MAILS: Final = 3
_MAX_SERVERS: Final = 10_000
_DECISION_SECONDS: Final = 5.0


@dataclass(slots=True)
class _Server:
    """The state of a server in this process.

    `refusals` is the breaker of messages, which opens when all are refused for a temporary reason.
    """

    breaker: Breaker
    refusals: Breaker
    refused_mails: int = 0
    has_worked: bool = False
    # A mail is trying it while it fails.
    is_tried: bool = False

    @property
    def is_unproven(self) -> bool:
        """Whether no attempt has succeeded, nor failed."""
        return not self.has_worked and not self.breaker.has_failed

    @property
    def is_failing(self) -> bool:
        return self.breaker.has_failed or self.refusals.has_failed

    @property
    def without_patience(self) -> Breaker | None:
        """The breaker that has been open for a minute."""
        both = (self.breaker, self.refusals)
        return next((each for each in both if each.has_lost_patience), None)

    def reset_unless(self, target: Hashable) -> None:
        """Closes breakers that another target has opened, and forgets the mails it refused."""
        if not self.breaker.is_open(target):
            self.breaker.reset()
        if self.refusals.has_failed and not self.refusals.is_open(target):
            self.refusals.reset()
            self.refused_mails = 0

    def answered(self, target: Hashable, state: DeliveryState, *, is_first: bool) -> None:
        """Records the answer to a message. `is_first`: no earlier one has refused this mail."""
        if state is not DeliveryState.PENDING:
            self.refused_mails = 0
            self.refusals.reset()
            return
        self.refused_mails += is_first
        if self.refused_mails >= _REFUSED_MAILS:
            self.refusals.failed(target)


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
        self._servers: LRUCache[str, _Server] = LRUCache(_MAX_SERVERS)
        # The attempts that the server of the instance makes, or may make, in place of others.
        self._substituted: set[MailAttempt] = set()
        self._settings = Cache[str, ServerSettings](_MAX_SERVERS)
        self._lease = timedelta(seconds=sender.seconds + SPARE_SECONDS)

    async def close(self) -> None:
        """As the others, and closes the connections."""
        await super().close()
        self._sender.close()

    async def _acquire(self) -> Sequence[MailAttempt]:
        """Leases due mails of each server, or one mail while it fails."""
        due = await leases.list_due(self._database)
        await self._read_failing(due)
        slots = self._slots()
        limits: dict[str, int] = {}
        waiting: list[str] = []
        substituted: set[str] = set()
        for name in due:
            server = self._server(name)
            if server.without_patience and self._may_substitute(name):
                substituted.add(name)
                number = slots.take_substituted(name)
            elif not server.breaker.has_failed:
                number = slots.take(name, is_unproven=self._is_unproven(name))
            elif server.breaker.is_trial_due:
                number = slots.take_trial(name)
            else:
                number = 0
                if slots.free_for_trial(name):
                    waiting.append(name)
            if number:
                limits[name] = number
        acquired = await leases.acquire(self._database, limits, lease=self._lease)
        urgent = await leases.acquire_urgent(self._database, waiting, lease=self._lease)
        # After the last statement: a round that fails makes no attempt, which would give it back.
        self._substituted.update(each for each in acquired if each.smtp_org_id in substituted)
        return [*acquired, *urgent]

    def _slots(self) -> "_Slots":
        busy = Counter(attempt.smtp_org_id for attempt in self.in_progress.values())
        return _Slots(
            busy,
            trials=sum(self._server(name).breaker.has_failed for name in busy),
            unproven=sum(map(self._is_unproven, busy)),
            substituted=len(self._substituted),
        )

    def _is_unproven(self, name: str) -> bool:
        return name != _INSTANCE and self._server(name).is_unproven

    def _server(self, name: str) -> _Server:
        if name not in self._servers:
            self._servers[name] = _Server(self._make_breaker(), self._make_breaker())
        return self._servers[name]

    async def _read_failing(self, due: Sequence[str]) -> None:
        """Reads the settings of failing servers: of some in a round, since there may be many."""
        unread = [
            name
            for name in due
            if name != _INSTANCE
            and self._server(name).is_failing
            and self._settings.known(name, seconds=_SETTINGS_SECONDS) is None
        ]
        names = random.sample(unread, min(len(unread), _READS))
        if self._server(_INSTANCE).is_failing:
            names.append(_INSTANCE)
        for name in names:
            await self._read(name)

    async def _read(self, name: str) -> None:
        """Reads the settings of a server; a changed configuration closes its breakers."""
        read = partial(self._sender.settings, name)
        settings = await self._settings.get(name, read, seconds=_SETTINGS_SECONDS)
        self._server(name).reset_unless(settings.target)

    def _may_substitute(self, name: str) -> bool:
        """Whether the server of the instance may deliver in place of this one."""
        settings = self._settings.known(name, seconds=2 * _SETTINGS_SECONDS)
        instance = self._server(_INSTANCE).breaker
        return (
            settings is not None
            and settings.allows_fallback
            # There may be no mail of its own that tries it.
            and (not instance.has_failed or instance.is_trial_due)
        )

    async def _falls_back(self, attempt: MailAttempt) -> bool:
        """Whether the server of the instance makes this attempt."""
        with contextlib.suppress(Failure, TimeoutError):
            async with asyncio.timeout(_DECISION_SECONDS):
                return await self._must_fall_back(attempt)
        return False

    async def _must_fall_back(self, attempt: MailAttempt) -> bool:
        name = attempt.smtp_org_id
        server = self._server(name)
        is_refused = attempt.failures >= _PATIENT_FAILURES
        if name == _INSTANCE or not (is_refused or server.is_failing):
            return False
        await self._read(name)
        if is_refused:
            is_free = len(self._substituted - {attempt}) < _SUBSTITUTED
            return is_free and self._may_substitute(name)
        failing = server.without_patience
        if failing is None or (failing.is_trial_due and not server.is_tried):
            return False
        return self._may_substitute(name)

    async def _send(self, attempt: MailAttempt) -> AttemptResult:
        try:
            if await self._falls_back(attempt):
                self._substituted.add(attempt)
                return await self._sent(attempt, _INSTANCE)
        finally:
            self._substituted.discard(attempt)
        server = self._server(attempt.smtp_org_id)
        server.is_tried = True
        try:
            return await self._sent(attempt, attempt.smtp_org_id)
        finally:
            server.is_tried = False

    async def _sent(self, attempt: MailAttempt, name: str) -> AttemptResult:
        target, result = await self._sender.send(attempt, name)
        # Before the mail can be leased again, the breaker must know of the failure.
        server = self._server(name)
        if result.destination_works is False:
            self._settings.forget(name)
            if server.breaker.failed(target, is_login=result.is_login):
                self.log.warning(
                    "all mails of a server wait, since it fails",
                    organization_id=name,
                    reason=result.reason,
                )
        elif result.destination_works:
            server.has_worked = True
            if server.breaker.reached(target):
                self.log.info("the server works again", organization_id=name)
            server.answered(target, result.state, is_first=not attempt.failures)
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
        most = _OF_ORGANIZATION if left > _SPARSE else 1
        return max(0, min(most - self.busy[server], left))

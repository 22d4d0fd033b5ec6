"""The mail loop: every process sends due mails, several at once.

The rule: an attempt ends before its lease, so that two attempts of one mail never overlap. The
recording of its result is retried until it succeeds or the process ends.

The back-off of a mail begins with 30 to 60 seconds and doubles up to an hour, for 48 hours in all.
After a failure of the destination all mails wait (`breaker.py`): they stay due, and are sent as
soon as one is accepted or the configuration changes. Between trials, the loop tries only mails that
an operator has retried.
"""

import asyncio
import contextlib
import logging
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import timedelta

import structlog

from server.mail import leases
from server.mail.attempt import Sender
from server.mail.breaker import Breaker
from server.mail.leases import Attempt, AttemptResult, Backlog
from server.mail.outbox import MailKind
from server.mail.store import MailState
from server.store.database import Database
from server.telemetry import tracing
from server.telemetry.background import tried
from server.telemetry.metrics import Metrics

_AT_ONCE = 4
_LOOK_SECONDS = 10.0
# A slower statement counts as an outage.
_STATEMENT_SECONDS = 10.0
# The rest of the lease, for recording the result.
_SPARE_SECONDS = 30.0
# The metric's label for an attempt that lost its lease.
_LOST = "lost"

_log = structlog.get_logger("mail")


@dataclass(frozen=True, slots=True)
class Pace:
    """The waiting times of a loop, in seconds.

    `poll`: between looks at due mails, unless `wake` is called. `record_again`: between attempts
    to record a result. `close`: at the end, for attempts in progress.
    """

    poll: float = 2.0
    record_again: float = 1.0
    close: float = 2.0


PACE = Pace()


class MailLoop:
    """Sends due mails, as one of several processes."""

    def __init__(
        self,
        database: Database,
        sender: Sender,
        *,
        metrics: Metrics,
        pace: Pace = PACE,
        breaker: Breaker | None = None,
    ) -> None:
        self._database = database
        self._sender = sender
        self._metrics = metrics
        self._pace = pace
        self._breaker = breaker or Breaker()
        self._lease = timedelta(seconds=sender.seconds + _SPARE_SECONDS)
        self._tries: set[asyncio.Task[None]] = set()
        self._woken = asyncio.Event()
        self._looking = asyncio.Lock()
        self._is_closed = False
        self._next_look = 0.0
        self.backlog = Backlog(0, 0.0)
        for kind in MailKind:
            for state in (*MailState, _LOST):
                metrics.mail_tries.labels(kind, state)

    def wake(self) -> None:
        """Looks for due mails at once."""
        self._woken.set()

    async def run(self) -> None:
        """Runs until it is cancelled."""
        async with asyncio.TaskGroup() as group:
            while not self._is_closed:
                self._woken.clear()
                async with self._looking:
                    await self._round(group)
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(self._pace.poll):
                        await self._woken.wait()

    async def close(self) -> None:
        """Starts no further attempt, and waits a moment for attempts in progress.

        The mail of a cancelled attempt is tried again when its lease has ended.
        """
        self._is_closed = True
        self.wake()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(self._pace.close):
                async with self._looking:  # a cancelled round would leave leased mails untried
                    pass
                if self._tries:
                    await asyncio.wait(self._tries)

    async def _round(self, group: asyncio.TaskGroup) -> None:
        """Starts an attempt for each due mail, up to the limit."""
        with self._tried("to look for mails"):
            async with asyncio.timeout(_STATEMENT_SECONDS):
                for attempt in await self._leased():
                    self._begin(group, attempt)
                await self._look()

    def _tried(self, work: str) -> AbstractContextManager[None]:
        return tried(work, self._metrics.housekeeping_failures)

    async def _leased(self) -> Sequence[Attempt]:
        """Leases due mails, or one mail while the destination fails."""
        free = _AT_ONCE - len(self._tries)
        if not free:
            return ()
        if not await self._fails():
            return await leases.acquire(self._database, limit=free, lease=self._lease)
        if self._tries:
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

    async def _look(self) -> None:
        now = asyncio.get_running_loop().time()
        if now >= self._next_look:
            self.backlog = await leases.look(self._database)
            self._next_look = now + _LOOK_SECONDS

    def _begin(self, group: asyncio.TaskGroup, attempt: Attempt) -> None:
        task = group.create_task(self._try(attempt))
        self._tries.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tries.discard(task)
        self.wake()  # for the next mail

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
        state = await self._recorded(attempt, result) or _LOST
        self._metrics.mail_tries.labels(attempt.kind, state).inc()
        _log.log(
            logging.INFO if state is MailState.SENT else logging.WARNING,
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
        with self._tried("to end mails that waited for too long"):
            async with asyncio.timeout(_STATEMENT_SECONDS):
                for kind in await leases.give_up(self._database, result):
                    self._metrics.mail_tries.labels(kind, MailState.FAILED).inc()

    async def _recorded(self, attempt: Attempt, result: AttemptResult) -> MailState | None:
        """Records the result; returns the mail's state. None: the lease was lost."""
        while True:
            with self._tried("to record the result of a mail"):
                # The next round must know of this failure, or it would lease the mail again.
                async with self._looking, asyncio.timeout(_STATEMENT_SECONDS):
                    return await leases.record(self._database, attempt, result)
            await asyncio.sleep(self._pace.record_again)

"""Sends what is due, for ever: in every process, several mails at once.

The rule: what a try does is bounded by a time that is shorter than its lease, so that two tries of
one mail never overlap; and what came of it is recorded until it is, or until the process ends.

Which failures are the mail's own: only a final answer (5xx) to its recipient or its message. All
else waits, however final it looks: a wrong password, an untrusted certificate, an address that is
not allowed and a missing configuration are for somebody to put right, and the next try obeys what
is set by then. A mail waits for 30 to 60 seconds after the first failure and twice as long after
each further one, up to an hour, for 48 hours in all.
"""

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import timedelta
from email.message import EmailMessage
from typing import Protocol

import structlog

from server.database import Database
from server.delivery import DeliveryError, Destination
from server.encryption import EncryptionKeyError, Keyring
from server.errors import Failure
from server.mail import store
from server.mail.rendering import Letter, Templates, message_id
from server.mail.store import Attempt, Backlog, Content, MailState
from server.metrics import Metrics
from server.outbox import MailKind, read_secrets

_AT_ONCE = 4
_POLL_SECONDS = 2.0
_LOOK_SECONDS = 10.0
# A statement that takes longer is as good as an outage.
_STATEMENT_SECONDS = 10.0
_RECORD_AGAIN_SECONDS = 1.0
# How many steps of an SMTP dialogue may be as slow as they are allowed to be before it is enough.
_SLOW_STEPS = 4
# The lease's rest, for recording.
_SPARE_SECONDS = 30.0
# What mails that are being sent have when the process ends.
_LAST_SECONDS = 2.0
_MAX_MESSAGE = 1000

_log = structlog.get_logger("mail")


class Deliver(Protocol):
    """Hands a message to a server. DeliveryError: it was not accepted."""

    async def __call__(
        self, destination: Destination, message: EmailMessage, *, recipient: str
    ) -> None: ...


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a try; PENDING: it is to be tried again."""

    state: MailState
    reason: str = ""
    message: str = ""


class Deliveries:
    """The mails that this process sends."""

    def __init__(
        self,
        database: Database,
        keyring: Keyring,
        templates: Templates,
        *,
        find_destination: Callable[[], Awaitable[Destination | None]],
        deliver: Deliver,
        step_seconds: float,
        metrics: Metrics,
    ) -> None:
        """`step_seconds` is how long a step of a delivery may take."""
        self._database = database
        self._keyring = keyring
        self._templates = templates
        self._find_destination = find_destination
        self._deliver = deliver
        self._metrics = metrics
        self._try_seconds = _SLOW_STEPS * step_seconds
        self._lease = timedelta(seconds=self._try_seconds + _SPARE_SECONDS)
        self._tries: set[asyncio.Task[None]] = set()
        self._woken = asyncio.Event()
        self._looking = asyncio.Lock()
        self._is_closed = False
        self._next_look = 0.0
        self.backlog = Backlog(0, 0.0)
        for kind in MailKind:
            for state in MailState:
                metrics.mail_tries.labels(kind, state)

    def wake(self) -> None:
        """Has it look at once, since there may be something to do."""
        self._woken.set()

    async def run(self) -> None:
        """Sends until it is cancelled."""
        async with asyncio.TaskGroup() as group:
            while not self._is_closed:
                self._woken.clear()
                async with self._looking:
                    await self._round(group)
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(_POLL_SECONDS):
                        await self._woken.wait()

    async def close(self) -> None:
        """Begins nothing more, and gives what is being sent a moment.

        What is cut off afterwards is tried again when its lease has ended.
        """
        self._is_closed = True
        self.wake()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_LAST_SECONDS):
                async with self._looking:  # cut off, it could take mails that nobody then tries
                    pass
                if self._tries:
                    await asyncio.wait(self._tries)

    async def _round(self, group: asyncio.TaskGroup) -> None:
        """Begins as many tries as are due and have a place. An outage of the database passes."""
        try:
            async with asyncio.timeout(_STATEMENT_SECONDS):
                if free := _AT_ONCE - len(self._tries):
                    for attempt in await store.claim(self._database, limit=free, lease=self._lease):
                        self._begin(group, attempt)
                await self._look()
        except (Failure, TimeoutError) as error:
            self._metrics.housekeeping_failures.inc()
            _log.debug("mails cannot be looked for now", detail=str(error))

    async def _look(self) -> None:
        now = asyncio.get_running_loop().time()
        if now >= self._next_look:
            self.backlog = await store.look(self._database)
            self._next_look = now + _LOOK_SECONDS

    def _begin(self, group: asyncio.TaskGroup, attempt: Attempt) -> None:
        task = group.create_task(self._try(attempt))
        self._tries.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tries.discard(task)
        self.wake()  # a place is free

    async def _try(self, attempt: Attempt) -> None:
        outcome = await self._outcome(attempt)
        state = await self._recorded(attempt, outcome) or MailState.CANCELLED
        self._metrics.mail_tries.labels(attempt.kind, state).inc()
        _log.log(
            logging.INFO if state is MailState.SENT else logging.WARNING,
            "mail tried",
            mail_id=attempt.mail_id,
            kind=attempt.kind,
            attempt=attempt.number,
            state=state,
            reason=outcome.reason,
        )

    async def _outcome(self, attempt: Attempt) -> Outcome:
        """Tries it. Whatever goes wrong with one mail, the others are sent."""
        try:
            async with asyncio.timeout(self._try_seconds):
                return await self._send(attempt)
        except DeliveryError as error:
            state = MailState.FAILED if error.is_permanent else MailState.PENDING
            return Outcome(state, error.reason, error.message)
        except TimeoutError:
            return Outcome(
                MailState.PENDING,
                "TIMEOUT",
                f"The SMTP server was not done after {self._try_seconds:g} seconds.",
            )
        except Failure as failure:
            return Outcome(MailState.PENDING, failure.reason, failure.message)
        except EncryptionKeyError as error:
            return Outcome(MailState.PENDING, "SECRET_UNREADABLE", str(error))
        except Exception as error:  # noqa: BLE001 -- a template of the operator, or a mistake of ours
            _log.exception("a mail cannot be made", mail_id=attempt.mail_id)
            return Outcome(MailState.PENDING, "INTERNAL", f"{type(error).__name__}; see the log.")

    async def _send(self, attempt: Attempt) -> Outcome:
        destination = await self._find_destination()
        if destination is None:
            return _NO_CONFIGURATION
        content = await store.get_content(self._database, attempt)
        if content is None:
            return _NOT_PENDING
        if content.is_without_user:
            return _NO_USER
        if content.is_outdated:
            return _OUTDATED
        message = self._templates.message(self._letter(attempt, content, destination))
        await self._deliver(destination, message, recipient=content.recipient_address)
        return Outcome(MailState.SENT)

    def _letter(self, attempt: Attempt, content: Content, sender: Destination) -> Letter:
        secrets = read_secrets(
            self._keyring,
            content.secrets,
            mail_id=attempt.mail_id,
            recipient_address=content.recipient_address,
        )
        return Letter(
            kind=attempt.kind,
            message_id=message_id(attempt.mail_id, content.message_domain),
            sender_name=sender.sender_name,
            sender_address=sender.sender_address,
            recipient_name=content.recipient_name,
            recipient_address=content.recipient_address,
            created_at=content.created_at,
            variables={**content.parameters, **secrets},
        )

    async def _recorded(self, attempt: Attempt, outcome: Outcome) -> MailState | None:
        """Writes down what came of it. None: that was not for this try to say any more."""
        while True:
            with contextlib.suppress(Failure, TimeoutError):
                async with asyncio.timeout(_STATEMENT_SECONDS):
                    return await self._record(attempt, outcome)
            await asyncio.sleep(_RECORD_AGAIN_SECONDS)

    async def _record(self, attempt: Attempt, outcome: Outcome) -> MailState | None:
        reason, message = outcome.reason, _storable(outcome.message)
        if outcome.state is MailState.PENDING:
            return await store.postpone(self._database, attempt, reason=reason, message=message)
        return await store.end(
            self._database, attempt, outcome.state, reason=reason, message=message
        )


_NO_CONFIGURATION = Outcome(
    MailState.PENDING,
    "SMTP_CONFIG_MISSING",
    "No SMTP configuration is set. Add one with AddSMTPConfig.",
)
_NOT_PENDING = Outcome(
    MailState.CANCELLED, "NOT_PENDING", "The mail was cancelled before it could be sent."
)
_NO_USER = Outcome(MailState.CANCELLED, "USER_REMOVED", "The user was removed.")
_OUTDATED = Outcome(
    MailState.CANCELLED, "OUTDATED", "What the mail says does not hold any more: it came too late."
)


def _storable(text: str) -> str:
    """What an SMTP server said, as PostgreSQL takes it."""
    return text.encode(errors="replace").decode().replace("\0", "")[:_MAX_MESSAGE]

"""One attempt to send a mail: its destination, its message and its result.

The rule: every error is a result of this mail, and does not stop other mails.

A mail fails permanently only by a 5xx reply to its recipient or its message. After all other errors
the mail waits: an operator can correct a wrong password, an untrusted certificate, an address that
is not allowed or a missing configuration, and each attempt reads the current configuration.
"""

import asyncio
from collections.abc import Awaitable, Callable
from email.message import EmailMessage
from typing import Protocol, TypeAlias

import structlog

from server.crypto.keyring import EncryptionKeyError, Keyring
from server.deliveries.results import Attempt, AttemptResult, DeliveryState
from server.deliveries.smtp.destination import DeliveryError, Destination
from server.mail import leases
from server.mail.leases import Content
from server.mail.mail_secrets import read_secrets
from server.mail.outbox import MailKind
from server.mail.rendering import Letter, Templates, message_id
from server.store.database import Database
from server.values.errors import Failure, Kind

# The number of steps of an SMTP dialogue that may take their whole time limit.
_SLOW_STEPS = 4

_log = structlog.get_logger("mail")


class Deliver(Protocol):
    """Hands a message to a server. DeliveryError: the server did not accept it."""

    async def __call__(
        self, destination: Destination, message: EmailMessage, *, recipient: str
    ) -> None: ...


# The destination of all mails, or the reason why there is none.
Target: TypeAlias = Destination | AttemptResult


class Sender:
    """Makes attempts, each with the current configuration."""

    def __init__(
        self,
        database: Database,
        keyring: Keyring,
        templates: Templates,
        *,
        find_rp_name: Callable[[], Awaitable[str]],
        find_destination: Callable[[], Awaitable[Destination | None]],
        deliver: Deliver,
        step_seconds: float,
    ) -> None:
        """`step_seconds` is the time limit of a step of a delivery."""
        self._database = database
        self._keyring = keyring
        self._templates = templates
        self._find_rp_name = find_rp_name
        self._find_destination = find_destination
        self._deliver = deliver
        # The time limit of an attempt.
        self.seconds = _SLOW_STEPS * step_seconds

    async def send(self, attempt: Attempt) -> tuple[Target | None, AttemptResult]:
        """Makes an attempt; returns the destination (None if it cannot be read) and the result."""
        target: Target | None = None
        try:
            async with asyncio.timeout(self.seconds):
                target = await self.target()
                return target, await self._sent(attempt, target)
        except TimeoutError:
            return target, AttemptResult(
                DeliveryState.PENDING,
                "TIMEOUT",
                f"The delivery was not complete after {self.seconds:g} seconds.",
                destination_works=None if target is None else False,
            )
        except Failure as failure:
            return target, AttemptResult(DeliveryState.PENDING, failure.reason, failure.message)
        except EncryptionKeyError as error:
            return target, AttemptResult(DeliveryState.PENDING, "SECRET_UNREADABLE", str(error))
        except Exception as error:  # noqa: BLE001 -- a template of the operator, or a bug
            _log.exception("a mail cannot be made", mail_id=attempt.delivery_id)
            text = f"{type(error).__name__}; see the log."
            return target, AttemptResult(DeliveryState.PENDING, "INTERNAL", text)

    async def target(self) -> Target:
        """The destination of mails, or the result of attempts while the configuration is unusable.

        `Failure`: the database does not answer.
        """
        try:
            return await self._find_destination() or _NO_CONFIGURATION
        except Failure as failure:
            if failure.kind is not Kind.FAILED_PRECONDITION:
                raise
            return AttemptResult(
                DeliveryState.PENDING, failure.reason, failure.message, destination_works=False
            )

    async def _sent(self, attempt: Attempt, target: Target) -> AttemptResult:
        if isinstance(target, AttemptResult):
            return target
        content = await leases.get_content(self._database, attempt)
        if content is None:
            return _NOT_PENDING
        if content.is_without_user:
            return _NO_USER
        if content.is_outdated:
            return _OUTDATED
        letter = self._letter(attempt, content, target, rp_name=await self._find_rp_name())
        message = self._templates.message(letter)
        try:
            await self._deliver(target, message, recipient=content.recipient_address)
        except DeliveryError as error:
            return AttemptResult(
                DeliveryState.FAILED if error.is_permanent else DeliveryState.PENDING,
                error.reason,
                error.message,
                destination_works=not error.concerns_destination,
                is_login=error.concerns_login,
            )
        return AttemptResult(DeliveryState.SENT, destination_works=True)

    def _letter(
        self, attempt: Attempt, content: Content, sender: Destination, *, rp_name: str
    ) -> Letter:
        secrets = read_secrets(
            self._keyring,
            content.secrets,
            mail_id=attempt.delivery_id,
            recipient_address=content.recipient_address,
        )
        return Letter(
            kind=MailKind(attempt.kind),
            message_id=message_id(attempt.delivery_id, content.message_domain),
            rp_name=rp_name,
            sender_name=sender.sender_name,
            sender_address=sender.sender_address,
            recipient_name=content.recipient_name,
            recipient_address=content.recipient_address,
            created_at=content.created_at,
            variables={**content.parameters, **secrets},
        )


_NO_CONFIGURATION = AttemptResult(
    DeliveryState.PENDING,
    "SMTP_CONFIG_MISSING",
    "No SMTP configuration is set. Add one with AddSMTPConfig.",
    destination_works=False,
)
_NOT_PENDING = AttemptResult(
    DeliveryState.CANCELLED, "NOT_PENDING", "The mail was cancelled before it could be sent."
)
_NO_USER = AttemptResult(DeliveryState.CANCELLED, "USER_REMOVED", "The user was removed.")
_OUTDATED = AttemptResult(
    DeliveryState.CANCELLED,
    "OUTDATED",
    "The link in the mail expired before the mail could be sent.",
)

"""One attempt to send a mail: its destination, its message and its result.

The rule: every error is a result of this mail, and does not stop other mails.

A mail fails permanently only by a 5xx reply to its recipient or its message. After all other errors
the mail waits: an operator can correct a wrong password, an untrusted certificate, an address that
is not allowed or a missing configuration, and each attempt reads the current configuration.
"""

import asyncio
import enum
from collections.abc import Awaitable, Callable
from dataclasses import replace
from email.message import EmailMessage
from typing import Final, NamedTuple, Protocol, TypeAlias

import structlog

from server.crypto.keyring import EncryptionKeyError, Keyring
from server.deliveries.results import AttemptResult, DeliveryState
from server.deliveries.smtp.destination import DeliveryError, Destination
from server.mail import leases
from server.mail.captured import capture
from server.mail.leases import Content, MailAttempt
from server.mail.mail_secrets import read_secrets
from server.mail.outbox import CAPTURE_DOMAIN, MailKind
from server.mail.own_words import OwnWords
from server.mail.rendering import Letter, MailBrand, Templates, message_id
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


class MailRoute(enum.StrEnum):
    """The SMTP configuration of an attempt: the API's names in lower case, without their prefix."""

    INSTANCE = "instance"
    ORGANIZATION = "organization"
    FALLBACK = "fallback"
    CAPTURE = "capture"


# The destination of the mails of a server, or the reason why there is none.
Target: TypeAlias = Destination | AttemptResult


class ServerSettings(NamedTuple):
    """The destination of a server, and whether that of the instance may deliver its mails."""

    target: Target
    allows_fallback: bool


class Sender:
    """Makes attempts, each with the current configuration.

    Servers are named by their organizations; that of the instance is the empty one.
    """

    def __init__(
        self,
        database: Database,
        keyring: Keyring,
        templates: Templates,
        *,
        find_brand: Callable[[str], Awaitable[MailBrand]],
        find_own_words: Callable[[str, str], Awaitable[OwnWords]],
        find_destination: Callable[[str], Awaitable[Destination | None]],
        allows_fallback: Callable[[str], Awaitable[bool]],
        deliver: Deliver,
        close: Callable[[], None] = lambda: None,
        step_seconds: float,
        captures: bool = False,
    ) -> None:
        """`step_seconds` is the time limit of a step of a delivery.

        `close` ends what `deliver` keeps. The other functions take an organization, and
        `find_own_words` a language, too.
        `allows_fallback` tells whether the server of the instance may deliver its mails.
        `captures`: messages are kept in place of their delivery.
        """
        self._database = database
        self._keyring = keyring
        self._templates = templates
        self._find_brand = find_brand
        self._find_own_words = find_own_words
        self._find_destination = find_destination
        self._allows_fallback = allows_fallback
        self._deliver = deliver
        self.close = close
        self._captures = captures
        # The time limit of an attempt.
        self.seconds = _SLOW_STEPS * step_seconds

    async def send(self, attempt: MailAttempt, server: str) -> tuple[Target | None, AttemptResult]:
        """Makes an attempt by a server: that of the mail, or that of the instance in its place.

        Returns the destination (None if it cannot be read) and the result.
        """
        target, result = await self._tried(attempt, server)
        if self._captures:
            result = replace(result, route=MailRoute.CAPTURE)
        elif isinstance(target, Destination):
            result = replace(result, route=_route(target, server, attempt.smtp_org_id))
        return target, result

    async def _tried(
        self, attempt: MailAttempt, server: str
    ) -> tuple[Target | None, AttemptResult]:
        target: Target | None = None
        try:
            async with asyncio.timeout(self.seconds):
                target = await self.target(server)
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

    async def settings(self, server: str) -> ServerSettings:
        """The settings of a server. `Failure`: the database does not answer."""
        allows_fallback = bool(server) and await self._allows_fallback(server)
        return ServerSettings(await self.target(server), allows_fallback)

    async def target(self, server: str) -> Target:
        """The destination of mails, or the result of attempts while the configuration is unusable.

        Mails of an organization whose configuration was removed go to that of the instance.
        `Failure`: the database does not answer.
        """
        try:
            found = await self._find_destination(server)
            if found is None and server:
                found = await self._find_destination("")
        except Failure as failure:
            if failure.kind is not Kind.FAILED_PRECONDITION:
                raise
            return AttemptResult(
                DeliveryState.PENDING, failure.reason, failure.message, destination_works=False
            )
        return found or (_CAPTURING if self._captures else _NO_CONFIGURATION)

    async def _sent(self, attempt: MailAttempt, target: Target) -> AttemptResult:
        if isinstance(target, AttemptResult):
            return target
        content = await leases.get_content(self._database, attempt)
        if content is None:
            return _NOT_PENDING
        if content.is_without_user:
            return _NO_USER
        if content.is_outdated:
            return _OUTDATED
        letter = await self._letter(attempt, content, target)
        message = self._templates.message(letter)
        if self._captures:
            await capture(
                self._database,
                self._keyring,
                message,
                mail_id=attempt.delivery_id,
                recipient_address=content.recipient_address,
            )
            return AttemptResult(DeliveryState.SENT)
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

    async def _letter(self, attempt: MailAttempt, content: Content, sender: Destination) -> Letter:
        brand = await self._find_brand(sender.organization_id)
        reply_to = ""
        if attempt.smtp_org_id:
            reply_to = (await self._find_brand(attempt.smtp_org_id)).support_address
        secrets = read_secrets(
            self._keyring,
            content.secrets,
            mail_id=attempt.delivery_id,
            recipient_address=content.recipient_address,
        )
        language = self._templates.language_of(content.locale)
        return Letter(
            kind=MailKind(attempt.kind),
            language=language,
            message_id=message_id(attempt.delivery_id, content.message_domain),
            rp_name=brand.name,
            sender_name=sender.sender_name,
            sender_address=sender.sender_address,
            reply_to=reply_to,
            recipient_name=content.recipient_name,
            recipient_address=content.recipient_address,
            created_at=content.created_at,
            variables={**content.parameters, **secrets},
            own_words=await self._find_own_words(sender.organization_id, language),
            logo=brand.logo,
            color=brand.color,
            dark_color=brand.dark_color,
        )


def _route(used: Destination, server: str, of_mail: str) -> MailRoute:
    if used.organization_id:
        return MailRoute.ORGANIZATION
    return MailRoute.INSTANCE if server == of_mail else MailRoute.FALLBACK


# The sender of captured mails without an SMTP configuration.
_CAPTURING: Final = Destination(
    host="",
    port=0,
    tls=False,
    user="",
    password="",
    sender_address=f"noreply@{CAPTURE_DOMAIN}",
    sender_name="Keystead",
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

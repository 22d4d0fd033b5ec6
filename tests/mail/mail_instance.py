"""An instance without a server: its database, its outbox, and mail loops."""

import asyncio
import contextlib
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from email.message import EmailMessage
from functools import partial
from typing import Any, Self

import asyncpg

from server.crypto.keyring import Keyring
from server.deliveries.loop import PACE, Pace
from server.deliveries.results import DeliveryState
from server.deliveries.smtp.destination import DeliveryError, Destination
from server.mail import store
from server.mail.attempt import Deliver, Sender
from server.mail.breaker import Breaker
from server.mail.loop import MailLoop
from server.mail.outbox import MailKind, NewMail, Notice, Outbox
from server.mail.rendering import Templates
from server.org.brand.shown import ShownBrand
from server.smtp.store import find_sender
from server.store.database import Database, Statements, connected
from server.store.statement import statement
from server.telemetry.metrics import Metrics
from server.values.ids import new_id
from tests.support import given

LINK = "https://id.example.com/passkeys/#user=ada;code=ksl_secret"
DESTINATION = Destination(
    host="127.0.0.1",
    port=25,
    tls=False,
    user="",
    password="",
    sender_address="noreply@example.com",
    sender_name="Example",
)

_ADD_USER = """
insert into users (id, owner, user_name, display_name, email, roles, user_handle, passkey_count,
    sequence, creation_date, change_date)
values ($1, $3, $1, 'Ada', $2, '{}', '', 0, 1, now(), now())"""

_GET_USER = statement("select id, email, display_name from users where id = :user_id")

_CLEAR = """
delete from mails; delete from mail_budgets; delete from secrets; delete from users;
delete from smtp_configurations"""

_SET_CONFIGURATION = """
insert into smtp_configs (id, owner, sender_address, sender_name, tls, host, user_name, sequence,
    creation_date, change_date)
values ('config', 'org', 'noreply@example.com', 'Example', false, '127.0.0.1:25', '', 1, now(),
    now())"""

_SET_CONFIGURATION_OF = """
insert into smtp_configurations (id, org_id, owner, sender_address, sender_name, tls, host,
    user_name, sequence, creation_date, change_date)
values ('config of ' || $1, $1, $1, 'mail@own.example', 'Own', false, '127.0.0.1:25', '', 1, now(),
    now())"""


@dataclass
class Post:
    """Accepts every message, after `before` if it is given."""

    messages: list[EmailMessage] = field(default_factory=list)
    recipients: list[str] = field(default_factory=list)
    destinations: list[Destination] = field(default_factory=list)
    before: Callable[[], Awaitable[object]] | None = None

    @property
    def texts(self) -> str:
        """The plain texts of all messages."""
        parts = [message.get_body(("plain",)) for message in self.messages]
        return "".join(part.get_content() for part in parts if part)

    async def __call__(
        self, destination: Destination, message: EmailMessage, *, recipient: str
    ) -> None:
        if self.before:
            await self.before()
        self.messages.append(message)
        self.recipients.append(recipient)
        self.destinations.append(destination)


def refusing(reason: str, *, is_permanent: bool, step: str = "message") -> Post:
    """Refuses every message."""

    async def refuse() -> None:
        raise DeliveryError(step, reason, "It said no.", is_permanent=is_permanent)

    return Post(before=refuse)


@dataclass
class MailInstance:
    """The objects of a test. `destination` is the destination in the SMTP configuration."""

    dsn: str
    database: Database
    sql: asyncpg.Connection
    keyring: Keyring
    user_id: str
    keys: Sequence[bytes]
    destination: Destination | None = DESTINATION
    find_destination: Callable[[str], Awaitable[Destination | None]] | None = None
    # The destinations of organizations, their brands, and those that allow the fallback.
    destinations: dict[str, Destination] = field(default_factory=dict)
    brands: dict[str, ShownBrand] = field(default_factory=dict)
    with_fallback: set[str] = field(default_factory=set)
    # The own words of organizations; those of the instance have an empty one.
    own_words: dict[str, Mapping[str, str]] = field(default_factory=dict)
    metrics: Metrics = field(default_factory=Metrics)

    @classmethod
    @contextlib.asynccontextmanager
    async def open(cls, dsn: str) -> AsyncIterator[Self]:
        """An instance with only a user and an SMTP configuration."""
        async with connected(dsn, pool_size=8) as database, given.sql(dsn) as sql:
            await sql.execute(_CLEAR)
            await sql.execute(_SET_CONFIGURATION)
            await given.claims_of_organizations(sql, "org", "own")
            keys = [os.urandom(32)]
            mail_instance = cls(dsn, database, sql, Keyring(keys), "", keys)
            mail_instance.user_id = await mail_instance.user()
            yield mail_instance

    async def own_server(self, destination: Destination, *, org_id: str = "own") -> None:
        """Sets the SMTP configuration of an organization, which allows the fallback."""
        self.destinations[org_id] = replace(destination, organization_id=org_id)
        self.with_fallback.add(org_id)
        await self.sql.execute(_SET_CONFIGURATION_OF, org_id)

    async def user(self, *, email: str = "ada@example.com", org_id: str = "org") -> str:
        """The ID of a new user."""
        user_id = new_id()
        await self.sql.execute(_ADD_USER, user_id, email, org_id)
        return user_id

    def new_mail(self, **fields: Any) -> NewMail:
        """A mail with a link, not yet written."""
        mail = NewMail(
            kind=MailKind.PASSKEY_REGISTRATION_LINK,
            user_id=self.user_id,
            organization_id="org",
            scope_id="org",
            recipient_address="ada@example.com",
            recipient_name="Ada",
            reference=new_id(),
            parameters={"expiry": "2026-11-22T09:00:00+00:00"},
            secrets={"link": LINK},
        )
        return replace(mail, **fields)

    async def enqueue(
        self, database: Statements | None = None, *, hourly_limit: int = 1000, **fields: Any
    ) -> str:
        """Writes the mail, and returns its ID."""
        mail = self.new_mail(**fields)
        return await self.outbox(hourly_limit).enqueue(
            database or self.database, self.keyring, mail
        )

    @staticmethod
    def outbox(hourly_limit: int) -> Outbox:
        """An outbox that reads the SMTP configuration."""
        return Outbox(hourly_limit=hourly_limit, find_sender=find_sender)

    async def notice(self, **fields: Any) -> str:
        """Writes a mail without secrets."""
        notice: Mapping[str, Any] = {
            "kind": MailKind.PASSKEY_ADDED,
            "parameters": {"passkey_name": "Phone", "provider_name": "", "further_count": ""},
            "secrets": {},
        }
        return await self.enqueue(**{**notice, **fields})

    async def happen(
        self,
        user_id: str | None = None,
        *,
        kind: MailKind = MailKind.PASSKEY_ADDED,
        hourly_limit: int = 1,
    ) -> str | None:
        """Writes a notice of a change to the user. Returns the ID of the mail."""
        user = await self.database.fetch_one(_GET_USER, user_id=user_id or self.user_id)
        notice = Notice(
            kind=kind,
            user_id=user["id"],
            organization_id="org",
            recipient_address=user["email"],
            recipient_name=user["display_name"],
            reference="reference",
            parameters={
                "passkey_name": "Phone",
                "provider_name": "",
                "user_name": "ada",
                "idp_name": "Example",
            },
        )
        return await self.outbox(hourly_limit).notify(self.database, notice)

    async def mail(self, mail_id: str) -> store.Mail:
        """The present state of the mail."""
        mail = await store.get(self.database, mail_id)
        assert mail is not None
        return mail

    async def make_due(self, mail_id: str) -> None:
        """Sets the mail's times back, until its next attempt or the end of its lease."""
        await self.sql.execute(
            "update mails set next_attempt_at = clock_timestamp() where mail_id = $1", mail_id
        )

    async def secrets(self) -> Sequence[asyncpg.Record]:
        """All stored secrets."""
        return await self.sql.fetch("select * from secrets")

    def mail_loop(
        self,
        deliver: Deliver,
        *,
        step_seconds: float = 30,
        pace: Pace = PACE,
        make_breaker: Callable[[], Breaker] = Breaker,
        captures: bool = False,
    ) -> MailLoop:
        """A loop that does not run yet."""
        sender = Sender(
            self.database,
            self.keyring,
            Templates(reply_to=None, folder=None),
            find_brand=self._brand,
            find_own_words=self._own_words,
            find_destination=self.find_destination or self._destination,
            allows_fallback=self._allows_fallback,
            deliver=deliver,
            step_seconds=step_seconds,
            captures=captures,
        )
        return MailLoop(
            self.database, sender, metrics=self.metrics, pace=pace, make_breaker=make_breaker
        )

    async def _brand(self, organization_id: str) -> ShownBrand:
        return self.brands.get(organization_id, ShownBrand("Example"))

    async def _own_words(self, organization_id: str, _language: str) -> Mapping[str, str]:
        return self.own_words.get(organization_id, {})

    async def _destination(self, server: str) -> Destination | None:
        return self.destinations.get(server) if server else self.destination

    async def _allows_fallback(self, server: str) -> bool:
        return server in self.with_fallback

    @contextlib.asynccontextmanager
    async def sending(self, deliver: Deliver, **options: Any) -> AsyncIterator[MailLoop]:
        """Runs a loop during the block, which ends if the loop fails."""
        mail_loop = self.mail_loop(deliver, **options)
        running = asyncio.create_task(mail_loop.run())
        end_block = partial(_cancel, asyncio.current_task())
        running.add_done_callback(end_block)
        try:
            yield mail_loop
        finally:
            running.remove_done_callback(end_block)
            await mail_loop.close()
            running.cancel()
            await asyncio.wait([running])

    async def tried(self, mail_id: str, deliver: Deliver, *, times: int = 1) -> store.Mail:
        """The mail after this number of attempts, each made as soon as the one before has ended."""
        for _ in range(times):
            tried = partial(_is_tried_more, than=_ended(await self.mail(mail_id)))
            await self.make_due(mail_id)
            async with self.sending(deliver):
                await self.until(mail_id, tried)
        return await self.mail(mail_id)

    async def sent(self, *mail_ids: str) -> None:
        """Waits until the mails have been sent."""
        for mail_id in mail_ids:
            await self.until(mail_id, lambda mail: mail.state is DeliveryState.SENT)

    async def tried_once(self, *mail_ids: str) -> None:
        """Waits until an attempt of each mail has ended."""
        for mail_id in mail_ids:
            await self.until(mail_id, partial(_is_tried_more, than=0))

    async def until(self, mail_id: str, condition: Callable[[store.Mail], bool]) -> None:
        """Waits until the mail meets the condition."""

        async def holds() -> bool:
            return condition(await self.mail(mail_id))

        await given.eventually(holds)


def _cancel(block: asyncio.Task[None] | None, running: asyncio.Task[None]) -> None:
    """Ends the block if the loop fails, since the block would wait for it for ever."""
    if block and not running.cancelled() and running.exception():
        block.cancel()


def _is_tried_more(mail: store.Mail, *, than: int) -> bool:
    return _ended(mail) > than


def _ended(mail: store.Mail) -> int:
    return sum(attempt.ended_at is not None for attempt in mail.attempts)

"""An instance without a server: its database, where mails are written, and loops that send them."""

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
from server.mail import store
from server.mail.attempt import Deliver, Sender
from server.mail.breaker import Breaker
from server.mail.delivery import Destination
from server.mail.loop import PACE, MailLoop, Pace
from server.mail.outbox import MailKind, NewMail, Notice, Outbox
from server.mail.rendering import Templates
from server.mail.store import MailState
from server.smtp.store import find_sender_domain
from server.store.database import Database, Statements, connected
from server.store.eventlog import new_id
from server.store.migrate import migrate
from server.store.statement import statement
from server.telemetry.metrics import Metrics
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

_SET_CONFIGURATION = """
insert into smtp_configs (id, owner, sender_address, sender_name, tls, host, user_name, sequence,
    creation_date, change_date)
values ('config', 'org', 'noreply@example.com', 'Example', false, '127.0.0.1:25', '', 1, now(),
    now())"""


@dataclass
class Post:
    """Takes every message, unless it is told what happens first."""

    messages: list[EmailMessage] = field(default_factory=list)
    recipients: list[str] = field(default_factory=list)
    destinations: list[Destination] = field(default_factory=list)
    before: Callable[[], Awaitable[object]] | None = None

    @property
    def texts(self) -> str:
        """What all of them say in plain text."""
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


@dataclass
class MailInstance:
    """What a test has at hand. `destination` is what the SMTP configuration says, when asked."""

    dsn: str
    database: Database
    sql: asyncpg.Connection
    keyring: Keyring
    user_id: str
    destination: Destination | None = DESTINATION
    find_destination: Callable[[], Awaitable[Destination | None]] | None = None
    metrics: Metrics = field(default_factory=Metrics)

    @classmethod
    @contextlib.asynccontextmanager
    async def open(cls, dsn: str) -> AsyncIterator[Self]:
        """With a user and an SMTP configuration."""
        async with connected(dsn, pool_size=8) as database, given.sql(dsn) as sql:
            await migrate(database)
            await sql.execute(_SET_CONFIGURATION)
            mail_instance = cls(dsn, database, sql, Keyring([os.urandom(32)]), "")
            mail_instance.user_id = await mail_instance.user()
            yield mail_instance

    async def user(self, *, email: str = "ada@example.com", org_id: str = "org") -> str:
        """A new user's id."""
        user_id = new_id()
        await self.sql.execute(_ADD_USER, user_id, email, org_id)
        return user_id

    def new_mail(self, **fields: Any) -> NewMail:
        """A mail with a link, not yet written."""
        mail = NewMail(
            kind=MailKind.PASSKEY_REGISTRATION_LINK,
            user_id=self.user_id,
            organization_id="org",
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
        """Writes it, and gives its id."""
        mail = self.new_mail(**fields)
        return await self.outbox(hourly_limit).enqueue(
            database or self.database, self.keyring, mail
        )

    @staticmethod
    def outbox(hourly_limit: int) -> Outbox:
        """An outbox that reads the SMTP configuration."""
        return Outbox(hourly_limit=hourly_limit, find_sender_domain=find_sender_domain)

    async def notice(self, **fields: Any) -> str:
        """Writes one that has no secrets."""
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
        """Something happens that the user is told of; the id of the notice."""
        user = await self.database.fetch_one(_GET_USER, user_id=user_id or self.user_id)
        notice = Notice(
            kind=kind,
            user_id=user["id"],
            recipient_address=user["email"],
            recipient_name=user["display_name"],
            reference="reference",
            parameters={"passkey_name": "Phone", "provider_name": "", "user_name": "ada"},
        )
        return await self.outbox(hourly_limit).notify(self.database, notice)

    async def mail(self, mail_id: str) -> store.Mail:
        """As it stands."""
        mail = await store.get(self.database, mail_id)
        assert mail is not None
        return mail

    async def make_due(self, mail_id: str) -> None:
        """Time passes: until its next try, or the end of its lease."""
        await self.sql.execute(
            "update mails set next_attempt_at = clock_timestamp() where mail_id = $1", mail_id
        )

    async def secrets(self) -> Sequence[asyncpg.Record]:
        """All that is kept of secrets."""
        rows: Sequence[asyncpg.Record] = await self.sql.fetch("select * from secrets")
        return rows

    def mail_loop(
        self,
        deliver: Deliver,
        *,
        step_seconds: float = 30,
        pace: Pace = PACE,
        breaker: Breaker | None = None,
    ) -> MailLoop:
        """A loop, not yet running."""
        sender = Sender(
            self.database,
            self.keyring,
            Templates(rp_name="Example", reply_to=None, folder=None),
            find_destination=self.find_destination or self._destination,
            deliver=deliver,
            step_seconds=step_seconds,
        )
        return MailLoop(self.database, sender, metrics=self.metrics, pace=pace, breaker=breaker)

    async def _destination(self) -> Destination | None:
        return self.destination

    @contextlib.asynccontextmanager
    async def sending(self, deliver: Deliver, **options: Any) -> AsyncIterator[MailLoop]:
        """A loop that runs during the block, which ends with it if it fails."""
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
        """The mail after so many tries, each as soon as the one before has ended."""
        for _ in range(times):
            tried = partial(_is_tried_more, than=_ended(await self.mail(mail_id)))
            await self.make_due(mail_id)
            async with self.sending(deliver):
                await self.until(mail_id, tried)
        return await self.mail(mail_id)

    async def sent(self, *mail_ids: str) -> None:
        """Returns when they are."""
        for mail_id in mail_ids:
            await self.until(mail_id, lambda mail: mail.state is MailState.SENT)

    async def until(self, mail_id: str, condition: Callable[[store.Mail], bool]) -> None:
        """Returns when it is as it should be."""

        async def holds() -> bool:
            return condition(await self.mail(mail_id))

        await given.eventually(holds)


def _cancel(block: asyncio.Task[None] | None, running: asyncio.Task[None]) -> None:
    """Where the test's time limit strikes in the loop, the block would otherwise wait for good."""
    if block and not running.cancelled() and running.exception():
        block.cancel()


def _is_tried_more(mail: store.Mail, *, than: int) -> bool:
    return _ended(mail) > than


def _ended(mail: store.Mail) -> int:
    return sum(attempt.ended_at is not None for attempt in mail.attempts)

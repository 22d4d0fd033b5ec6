"""An instance with an SMTP server that gets its mails."""

from typing import Any

from keystead.mail.v1 import mail_service_pb2 as pb
from server.crypto.keyring import load_keyring
from server.mail.outbox import MailKind, NewMail, Outbox
from server.smtp.store import find_sender
from server.store.database import Database, Statements
from tests.mail.mail_instance import LINK
from tests.support import given
from tests.support.given import Client, Instance
from tests.support.mail_server import MailServer


class Mailbox:
    """An instance with an SMTP server of its own."""

    def __init__(self, instance: Instance, database: Database, server: MailServer) -> None:
        self.admin = instance.admin
        self.instance = instance
        self.database = database
        self.server = server
        self._outbox = Outbox(hourly_limit=1000, find_sender=find_sender)
        self._keyring = load_keyring((), instance.data_dir / "encryption.keys")

    async def configure(self) -> None:
        """Sets the SMTP configuration."""
        host = f"127.0.0.1:{self.server.port}"
        configuration = given.smtp_config(host=host, tls=False, user="", password="")
        await self.admin.call(self.admin.smtp.AddSMTPConfig, configuration)

    async def clear(self) -> None:
        """Deletes the mails and the SMTP configuration."""
        async with self.database.transaction() as transaction:
            await transaction.script(
                "delete from mails; delete from secrets; delete from smtp_configurations"
            )

    async def enqueue(self, user: Client, database: Statements | None = None, **fields: Any) -> str:
        """Writes a notice, and returns its ID."""
        mail = {
            "kind": MailKind.PASSKEY_ADDED,
            "user_id": user.user_id,
            "organization_id": "org",
            "scope_id": "org",
            "recipient_address": "ada@example.com",
            "recipient_name": "Ada",
            "reference": "passkey",
            "parameters": {"passkey_name": "Phone", "provider_name": "", "further_count": ""},
            "secrets": {},
            **fields,
        }
        return await self._outbox.enqueue(database or self.database, self._keyring, NewMail(**mail))

    async def enqueue_link(self, user: Client) -> str:
        """Writes a mail with a link, and returns its ID."""
        return await self.enqueue(
            user,
            kind=MailKind.PASSKEY_REGISTRATION_LINK,
            parameters={"expiry": "2026-11-22T09:00:00Z"},
            secrets={"link": LINK},
        )

    async def list(self, **fields: Any) -> pb.ListMailsResponse:
        """The answer of ListMails."""
        request = pb.ListMailsRequest(**fields)
        return await self.admin.call(self.admin.mails.ListMails, request)

    def retry(self, mail_id: str) -> Any:
        """Calls RetryMail."""
        return self.admin.call(self.admin.mails.RetryMail, pb.RetryMailRequest(mail_id=mail_id))

    async def mail(self, mail_id: str) -> pb.Mail:
        """The mail in the answer of ListMails."""
        [mail] = [mail for mail in (await self.list()).mails if mail.mail_id == mail_id]
        return mail

    async def until(self, mail_id: str, state: pb.MailState.ValueType) -> pb.Mail:
        """The mail, after an attempt and in this state."""
        mail = await self.until_tried(mail_id, 1)
        while mail.state != state:
            mail = await self.until_tried(mail_id, _ended(mail) + 1)
        return mail

    async def until_tried(self, mail_id: str, times: int) -> pb.Mail:
        """The mail, after this number of attempts has ended."""

        async def is_tried() -> bool:
            return _ended(await self.mail(mail_id)) >= times

        await given.eventually(is_tried)
        return await self.mail(mail_id)


def _ended(mail: pb.Mail) -> int:
    return sum(attempt.HasField("ended_at") for attempt in mail.attempts)

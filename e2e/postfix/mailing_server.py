"""A Keystead that mails by postfix, as its administrator sees it."""

import contextlib
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

from e2e.conftest import kept_log
from e2e.postfix.configuration import PASSWORD, SENDER, USER
from e2e.postfix.server import Postfix
from keystead.mail.v1 import mail_service_pb2 as mail_pb
from keystead.passkey.v1 import passkey_service_pb2 as passkey_pb
from keystead.user.v1 import user_service_pb2 as user_pb
from tests.support import given
from tests.support.given import Client, Instance
from tests.support.process import Server, free_port, serve

GREETING_NAME = "keystead.example.com"
# Names in every alphabet must arrive unchanged.
PERSON = "Zażółć Gęślą, 身份 “Ada”"

Mail = mail_pb.Mail


@dataclass(frozen=True)
class MailingServer:
    """A running Keystead, and the postfix that it mails by."""

    postfix: Postfix
    server: Server
    instance: Instance
    origin: str

    @property
    def admin(self) -> Client:
        """The administrator."""
        return self.instance.admin

    async def configure(self) -> None:
        """Adds the SMTP configuration."""
        config = given.smtp_config(**fields_for(self.postfix, "submission"))
        await self.admin.call(self.admin.smtp.AddSMTPConfig, config)

    async def reconfigure(self, **fields: str) -> None:
        """Replaces the SMTP configuration by a valid one with these fields."""
        config = given.smtp_update(**fields_for(self.postfix, "submission") | fields)
        await self.admin.call(self.admin.smtp.UpdateSMTPConfig, config)

    async def link_for(self, address: str, **place: str) -> str:
        """Mails a registration link to a new user of the address; the id of the mail.

        `org_id` is the organization of the user.
        """
        user_id = await self.user(address, **place)
        request = passkey_pb.CreatePasskeyRegistrationLinkRequest(
            user_id=user_id, send_link=passkey_pb.SendLink()
        )
        created = await self.admin.call(self.admin.passkeys.CreatePasskeyRegistrationLink, request)
        mail_id: str = created.mail_id
        return mail_id

    async def user(self, address: str, *, org_id: str = "") -> str:
        """A new user, who has no token."""
        headers: dict[str, Any] = {"x_service_orgid": org_id} if org_id else {}
        request = user_pb.CreateUserRequest(
            user_name=uuid4().hex, display_name=PERSON, email=address
        )
        user_id: str = (
            await self.admin.call(self.admin.users.CreateUser, request, **headers)
        ).user_id
        return user_id

    async def mails(self, user_id: str = "") -> list[Mail]:
        """The mails of a user, or of all of them, newest first."""
        of_user = f"user_id = {user_id}" if user_id else ""
        request = mail_pb.ListMailsRequest(filter=of_user)
        return list((await self.admin.call(self.admin.mails.ListMails, request)).mails)

    async def mail(self, mail_id: str, fits: Callable[[Mail], bool]) -> Mail:
        """The mail, once `fits` is true."""
        found: Mail | None = None

        async def is_there() -> bool:
            nonlocal found
            found = next(mail for mail in await self.mails() if mail.mail_id == mail_id)
            return fits(found)

        await given.eventually(is_there)
        assert found is not None
        return found

    async def retry(self, mail_id: str) -> None:
        """Makes the next attempt of a waiting mail due now."""
        await self.admin.call(self.admin.mails.RetryMail, mail_pb.RetryMailRequest(mail_id=mail_id))


@contextlib.asynccontextmanager
async def mailing_server(
    postfix: Postfix, dsn: str, data_dir: Path, *, log_name: str
) -> AsyncIterator[MailingServer]:
    """Starts a server on the database, whose passkeys are for its own page."""
    web_port = free_port()
    origin = f"http://localhost:{web_port}"
    async with (
        serve(
            data_dir,
            database_url=dsn,
            http_address=f"127.0.0.1:{web_port}",
            rp_origins=origin,
            smtp_ca_file=postfix.ca_file,
            smtp_allowed_networks="127.0.0.0/8",
            smtp_org_allowed_networks="127.0.0.0/8",
            smtp_greeting_name=GREETING_NAME,
            smtp_timeout=2,
        ) as server,
        kept_log(server, log_name),
    ):
        port = await server.port()
        await server.web_port()
        async with Instance.connected(dsn, port, data_dir, web_port=web_port) as instance:
            yield MailingServer(postfix, server, instance, origin)


def fields_for(postfix: Postfix, service: str) -> dict[str, Any]:
    """The fields of an SMTP configuration for a service of postfix."""
    return {
        "host": postfix.host(service),
        "tls": True,
        "user": USER,
        "password": PASSWORD,
        "sender_address": SENDER,
    }


def reader() -> str:
    """A new address, whose mails postfix keeps."""
    return f"reader-{uuid4().hex}@example.com"


def is_sent(mail: Mail) -> bool:
    """Whether the SMTP server has accepted it."""
    return mail.state == mail_pb.MAIL_STATE_SENT


def has_failed_once(mail: Mail) -> bool:
    """Whether an attempt has failed."""
    return any(attempt.reason for attempt in mail.attempts)

"""Mails with links: one that waits, and one that a mail server echoes, refuses and accepts."""

from typing import Any

from keystead.mail.v1 import mail_service_pb2 as mail_pb
from keystead.passkey.v1 import passkey_service_pb2 as passkey_pb
from keystead.smtp.v1 import smtp_service_pb2 as smtp_pb
from keystead.user.v1 import user_service_pb2 as user_pb
from server.crypto.keyring import load_keyring
from tests.secrets.client import Client
from tests.support import given
from tests.support.mail_server import Connection, MailServer, echo
from tests.support.mailed_links import mailed_link
from tests.support.transports import Transport

RECEIVER = "ada@example.com"


async def leave_waiting(client: Client, way: str, transport: Transport, user_id: str) -> None:
    """Leaves a mail with a link, encrypted under the server's key, that waits."""
    assert await client.send(transport, "AddSMTPConfig", client.config())
    sent = passkey_pb.CreatePasskeyRegistrationLinkRequest(
        user_id=user_id, send_link=passkey_pb.SendLink()
    )
    mail_id = (await client.send(transport, "CreatePasskeyRegistrationLink", sent)).mail_id
    await _mark_code(client, mail_id, f"code of a mailed link over {way}")
    assert await client.send(transport, "RemoveSMTPConfig", smtp_pb.RemoveSMTPConfigRequest())


async def deliver(client: Client, smtp: MailServer, way: str, transport: Transport) -> None:
    """Sends a mail to a server that echoes the password and the mail and refuses.

    Then the server accepts it.
    """
    config = client.config(host=f"127.0.0.1:{smtp.port}", tls=False)
    smtp.users = {config.user: config.password}
    assert await client.send(transport, "AddSMTPConfig", config)
    trial = smtp_pb.TestSMTPConfigRequest(receiver_address=RECEIVER)
    for command in ("AUTH", "MAIL", "RCPT", "DATA", "BODY"):
        smtp.faults[command] = echo(550)
        tried = await client.send(transport, "TestSMTPConfig", trial)
        assert not tried.steps[-1].succeeded
        del smtp.faults[command]

    smtp.faults["BODY"] = _repeat_the_message
    user = user_pb.CreateUserRequest(user_name=f"receiver of {way}", email=RECEIVER)
    user_id = (await client.send(transport, "CreateUser", user)).user_id
    link = passkey_pb.CreatePasskeyRegistrationLinkRequest(
        user_id=user_id, send_link=passkey_pb.SendLink()
    )
    mail_id = (await client.send(transport, "CreatePasskeyRegistrationLink", link)).mail_id
    await _mark_code(client, mail_id, f"code of a delivered link over {way}")
    listed = mail_pb.ListMailsRequest(filter=f"user_id = {user_id}")

    async def is_refused() -> bool:
        [mail] = (await client.send(transport, "ListMails", listed)).mails
        return any(attempt.reason for attempt in mail.attempts)

    async def is_sent() -> bool:
        [mail] = (await client.send(transport, "ListMails", listed)).mails
        return bool(mail.state == mail_pb.MAIL_STATE_SENT)

    await given.eventually(is_refused)
    smtp.faults.clear()
    assert await client.send(transport, "RetryMail", mail_pb.RetryMailRequest(mail_id=mail_id))
    await given.eventually(is_sent)
    assert await client.send(transport, "RemoveSMTPConfig", smtp_pb.RemoveSMTPConfigRequest())


async def _repeat_the_message(connection: Connection, _argument: str) -> None:
    """A temporary refusal that contains the whole message."""
    envelope: Any = connection.envelope
    text = " ".join(envelope.content.decode().split())
    await connection.push(f"451 4.7.1 You said {text[-400:]}".encode())


async def _mark_code(client: Client, mail_id: str, name: str) -> None:
    """Reads the code of a link directly from the database."""
    keys = client.marks.encryption_keys
    keyring = load_keyring(keys, client.instance.data_dir / "encryption.keys")
    link = await mailed_link(client.sql, keyring, mail_id)
    client.marks.token(name, link.partition("code=")[2])

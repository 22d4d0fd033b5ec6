"""Captured mails (`KEYSTEAD_MAIL_CAPTURE`): nothing is sent, and the messages are shown."""

import os
from collections.abc import AsyncIterator
from email.message import EmailMessage
from typing import Any

import grpc
import pytest

from keystead.mail.v1 import mail_service_pb2 as pb
from keystead.passkey.v1 import passkey_service_pb2 as passkey_pb
from keystead.smtp.v1 import smtp_service_pb2 as smtp_pb
from keystead.user.v1 import user_service_pb2 as user_pb
from server.crypto.keyring import Keyring
from server.deliveries.results import DeliveryState
from server.deliveries.smtp.headers import MAIL
from server.mail import captured, mail_secrets, store
from server.store.retention import delete_ended
from server.values.errors import Failure
from server.values.ids import new_id
from tests.conftest import MakeInstance
from tests.mail.mail_instance import LINK, MailInstance, Post
from tests.support import given
from tests.support.given import Instance
from tests.support.mail_server import mail_server
from tests.user import calls as users


async def kept(mail_instance: MailInstance, mail_id: str) -> captured.CapturedMail:
    found = await captured.get(mail_instance.database, mail_id, organization_id="")
    assert found is not None
    return found.read(mail_instance.keyring)


async def test_a_captured_mail_is_kept_as_it_would_look(mail_instance: MailInstance) -> None:
    post = Post()
    mail_id = await mail_instance.enqueue(recipient_name="Zoë, B")
    async with mail_instance.sending(post, captures=True):
        await mail_instance.sent(mail_id)

    assert post.messages == []
    mail = await mail_instance.mail(mail_id)
    assert (mail.is_captured, mail.attempts[0].route) == (True, "capture")
    found = await kept(mail_instance, mail_id)
    assert LINK in found.text
    assert LINK.replace("&", "&amp;") in found.html
    headers = dict(found.headers)
    assert headers["To"] == '"Zoë, B" <ada@example.com>'
    assert headers["From"] == "Example <noreply@example.com>"
    assert headers["Auto-Submitted"] == "auto-generated"
    # Only the message is left of the secrets, encrypted.
    [secret] = await mail_instance.secrets()
    assert secret["secret_id"] == mail_secrets.CAPTURED
    assert LINK.encode() not in secret["ciphertext"]


async def test_a_mail_needs_no_configuration_to_be_captured(mail_instance: MailInstance) -> None:
    mail_id = await mail_instance.enqueue()
    mail_instance.destination = None
    async with mail_instance.sending(Post(), captures=True):
        await mail_instance.sent(mail_id)

    assert dict((await kept(mail_instance, mail_id)).headers)["From"] == (
        "Keystead <noreply@mail.invalid>"
    )


async def test_a_mail_that_is_captured_twice_has_its_last_message(
    mail_instance: MailInstance,
) -> None:
    mail_id = await mail_instance.enqueue()
    message = EmailMessage(MAIL)
    message.set_content("text")
    message.add_alternative("<p>html</p>", subtype="html")
    for subject in ("first", "last"):
        del message["Subject"]
        message["Subject"] = subject
        await captured.capture(
            mail_instance.database,
            mail_instance.keyring,
            message,
            mail_id=mail_id,
            recipient_address="ada@example.com",
        )

    assert dict((await kept(mail_instance, mail_id)).headers)["Subject"] == "last"


async def test_the_oldest_messages_are_erased_beyond_the_limit(
    mail_instance: MailInstance, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(captured, "_MOST", 2)
    mails = []
    async with mail_instance.sending(Post(), captures=True):
        for _ in range(3):
            mails.append(await mail_instance.enqueue())
            await mail_instance.sent(mails[-1])

    with pytest.raises(Failure, match="CAPTURED_MAIL_NOT_FOUND"):
        await kept(mail_instance, mails[0])
    assert (await mail_instance.mail(mails[0])).is_captured is False
    assert len(await mail_instance.secrets()) == 2


async def test_a_message_ends_with_its_mail_and_moves_to_another_key(
    mail_instance: MailInstance,
) -> None:
    mail_id = await mail_instance.enqueue()
    async with mail_instance.sending(Post(), captures=True):
        await mail_instance.sent(mail_id)

    new = Keyring([os.urandom(32), *mail_instance.keys])
    assert await mail_secrets.rotate_secrets(mail_instance.database, new) == 1
    found = await captured.get(mail_instance.database, mail_id, organization_id="")
    assert found is not None
    assert found.read(new)

    await mail_instance.sql.execute("update mails set ended_at = now() - interval '31 days'")
    await delete_ended(mail_instance.database, store.ENDED)
    assert await mail_instance.secrets() == []


@pytest.fixture(scope="module")
async def capturing(make_instance: MakeInstance) -> AsyncIterator[Instance]:
    """A server that captures mails, without an SMTP configuration."""
    async with make_instance(mail_capture=True) as instance:
        yield instance


async def _link(
    instance: Instance, *roles: user_pb.Role.ValueType, org_id: str | None = None
) -> str:
    """Mails a link to a new user with these roles; the ID of the mail, which is captured."""
    admin = instance.admin
    user = user_pb.CreateUserRequest(user_name=new_id(), email="ada@example.com")
    place: dict[str, Any] = {"x_service_orgid": org_id or await given.organization(admin)}
    user_id = (await admin.call(admin.users.CreateUser, user, **place)).user_id
    for role in roles:
        await users.grant(admin, user_id, role)
    request = passkey_pb.CreatePasskeyRegistrationLinkRequest(
        user_id=user_id, send_link=passkey_pb.SendLink()
    )
    answer = await admin.call(admin.passkeys.CreatePasskeyRegistrationLink, request)
    mail_id = str(answer.mail_id)

    async def is_captured() -> bool:
        listed = await admin.call(admin.mails.ListMails, pb.ListMailsRequest())
        return any(mail.mail_id == mail_id and mail.is_captured for mail in listed.mails)

    await given.eventually(is_captured)
    return mail_id


@pytest.mark.parametrize("caller", ["owner", "user manager", "auditor", "other owner", "instance"])
@pytest.mark.parametrize("recipient", [(), (user_pb.ROLE_INSTANCE_OWNER,)])
async def test_owners_read_captured_mails_of_those_whom_they_may_change(
    capturing: Instance, caller: str, recipient: tuple[user_pb.Role.ValueType, ...]
) -> None:
    admin = capturing.admin
    org_id, other = await given.organization(admin), await given.organization(admin)
    roles = {
        "auditor": user_pb.ROLE_ORG_AUDITOR,
        "user manager": user_pb.ROLE_ORG_USER_MANAGER,
        "instance": user_pb.ROLE_INSTANCE_OWNER,
    }
    at = other if caller == "other owner" else org_id
    reader = await given.user(admin, org_id=at, roles=[roles.get(caller, user_pb.ROLE_ORG_OWNER)])
    request = pb.GetCapturedMailRequest(mail_id=await _link(capturing, *recipient, org_id=org_id))

    async def read(selected: str) -> str:
        call = reader.call(reader.mails.GetCapturedMail, request, x_service_orgid=selected)
        return await given.outcome(call)

    may_read = caller == "instance" or (caller == "owner" and not recipient)
    denied = "MAIL_NOT_FOUND" if caller == "other owner" else "PERMISSION_DENIED"
    assert await read(at) == ("OK" if may_read else denied)
    assert await read(other) == (
        "MAIL_NOT_FOUND" if caller in ("instance", "other owner") else "PERMISSION_DENIED"
    )


async def test_the_api_lists_and_reads_captured_mails(capturing: Instance) -> None:
    admin, mail_id = capturing.admin, await _link(capturing)
    request = pb.GetCapturedMailRequest(mail_id=mail_id)
    mail = (await admin.call(admin.mails.GetCapturedMail, request)).captured_mail

    headers = {header.name: header.value for header in mail.headers}
    assert headers["To"].endswith("ada@example.com>") or headers["To"] == "ada@example.com"
    assert "#user=" in mail.text


@pytest.mark.parametrize("mail_id", ["nothing", "0199d3a8-5f1c-7c3a-9b7e-1d5a4f8e0c21"])
async def test_an_unknown_mail_is_not_found(capturing: Instance, mail_id: str) -> None:
    admin = capturing.admin
    request = pb.GetCapturedMailRequest(mail_id=mail_id)
    refused = await given.refusal(admin.call(admin.mails.GetCapturedMail, request))
    assert (refused.code, refused.reason) == (grpc.StatusCode.NOT_FOUND, "MAIL_NOT_FOUND")


async def test_an_altered_message_is_unreadable(capturing: Instance) -> None:
    admin, mail_id = capturing.admin, await _link(capturing)
    async with given.sql(capturing.dsn) as sql:

        async def is_captured() -> bool:
            return bool(
                await sql.fetchval("select is_captured from mails where mail_id = $1", mail_id)
            )

        await given.eventually(is_captured)
        await sql.execute("update secrets set ciphertext = ciphertext || 'x'::bytea")
    request = pb.GetCapturedMailRequest(mail_id=mail_id)
    refused = await given.refusal(admin.call(admin.mails.GetCapturedMail, request))
    assert refused.reason == "CAPTURED_MAIL_UNREADABLE"


async def test_a_test_sends_no_mail_either(capturing: Instance) -> None:
    admin = capturing.admin
    request = smtp_pb.TestSMTPConfigRequest(receiver_address="ada@example.com")
    async with mail_server() as server:
        refused = await given.refusal(admin.call(admin.smtp.TestSMTPConfig, request))
    assert refused.reason == "MAIL_CAPTURED"
    assert server.received == []


async def test_without_capture_a_sent_mail_has_no_message(mail_instance: MailInstance) -> None:
    mail_id = await mail_instance.enqueue()
    async with mail_instance.sending(Post()):
        await mail_instance.sent(mail_id)

    assert (await mail_instance.mail(mail_id)).state is DeliveryState.SENT
    with pytest.raises(Failure, match="CAPTURED_MAIL_NOT_FOUND"):
        await kept(mail_instance, mail_id)

"""Mails of Keystead that postfix delivers, also after faults on the way."""

import html
import re
from email.message import EmailMessage, MIMEPart

import pytest

from e2e.postfix.configuration import SENDER
from e2e.postfix.mailing_server import (
    PERSON,
    MailingServer,
    fields_for,
    has_failed_once,
    is_sent,
    reader,
)
from e2e.programs import PROGRAM_SECONDS, chromium, run_node_tests
from keystead.mail.v1 import mail_service_pb2 as mail_pb
from keystead.passkey.v1 import passkey_service_pb2 as passkey_pb
from tests.support import given

pytestmark = pytest.mark.xdist_group("postfix")

_LINK = re.compile(r"^https?://\S+$", re.MULTILINE)


def _text(mail: EmailMessage, kind: str) -> str:
    """The text of one of its two bodies."""
    part = mail.get_body((kind,))
    assert isinstance(part, MIMEPart)
    content: str = part.get_content()
    return content


def _assert_is_well_formed(mail: EmailMessage) -> None:
    for part in mail.walk():
        assert part.defects == []
        assert [header.defects for header in part.values() if header.defects] == []
    written = bytes(mail)
    assert written.isascii()
    assert max(map(len, written.splitlines())) <= 998  # RFC 5322, section 2.1.1


@pytest.mark.timeout(PROGRAM_SECONDS + 30)
async def test_the_link_of_a_mail_adds_a_passkey_and_a_mail_tells_of_it(
    keystead: MailingServer,
) -> None:
    receiver = reader()

    await keystead.link_for(receiver)
    (invitation,) = await keystead.postfix.received(receiver)
    (link,) = _LINK.findall(_text(invitation, "plain"))
    described = {
        "artifacts": "postfix",
        "link": link,
        "origin": keystead.origin,
        "passkeyName": "Phone of Ada",
    }
    await run_node_tests("postfix/mailed_link.test.js", described, **chromium())
    _, notice = await keystead.postfix.received(receiver, 2)

    assert html.escape(link) in _text(invitation, "html")
    assert "Phone of Ada" in _text(notice, "plain")
    assert "Phone of Ada" in _text(notice, "html")
    assert not _LINK.findall(_text(notice, "plain"))
    user_id = (await keystead.mails())[0].user_id
    request = passkey_pb.ListPasskeysRequest(user_id=user_id)
    listed = await keystead.admin.call(keystead.admin.passkeys.ListPasskeys, request)
    assert [passkey.name for passkey in listed.passkeys] == ["Phone of Ada"]
    shown = await keystead.mails(user_id)
    assert [mail.message_id for mail in shown] == [notice["Message-ID"], invitation["Message-ID"]]


async def test_a_mail_is_well_formed_and_says_who_writes_to_whom(keystead: MailingServer) -> None:
    receiver = reader()

    mail_id = await keystead.link_for(receiver)
    (mail,) = await keystead.postfix.received(receiver)

    _assert_is_well_formed(mail)
    (sender,) = mail["From"].addresses
    assert (sender.addr_spec, sender.display_name) == (SENDER, "Example")
    (addressee,) = mail["To"].addresses
    # Quotation marks of names are replaced: a mail quotes with its own.
    shown = PERSON.translate(str.maketrans("“”", "''"))
    assert (addressee.addr_spec, addressee.display_name) == (receiver, shown)
    assert mail["Return-Path"] == f"<{SENDER}>"
    assert mail["Subject"]
    assert mail["Date"].datetime.tzinfo is not None
    assert mail["Auto-Submitted"] == "auto-generated"
    assert mail.get_content_type() == "multipart/alternative"
    assert [part.get_content_type() for part in mail.iter_parts()] == ["text/plain", "text/html"]
    # A name that somebody chose does not open a mail.
    assert "Hello," in _text(mail, "plain")
    assert "Hello," in _text(mail, "html")
    sent = await keystead.mail(mail_id, is_sent)
    assert sent.message_id == mail["Message-ID"]


async def test_a_mail_waits_while_the_server_is_down_and_arrives_once(
    keystead: MailingServer,
) -> None:
    receiver = reader()
    await keystead.postfix.stop()

    mail_id = await keystead.link_for(receiver)
    waiting = await keystead.mail(mail_id, has_failed_once)
    await keystead.postfix.start()
    await keystead.retry(mail_id)

    assert waiting.state == mail_pb.MAIL_STATE_PENDING
    assert waiting.attempts[0].reason == "CONNECTION_REFUSED"
    await keystead.mail(mail_id, is_sent)
    (mail,) = await keystead.postfix.received(receiver)
    assert mail["Message-ID"] == waiting.message_id


async def test_a_greylisted_mail_arrives_once(keystead: MailingServer) -> None:
    receiver = reader()

    with keystead.postfix.policy.greylisting(receiver):
        mail_id = await keystead.link_for(receiver)
        waiting = await keystead.mail(mail_id, has_failed_once)
    await keystead.retry(mail_id)

    assert waiting.state == mail_pb.MAIL_STATE_PENDING
    assert waiting.attempts[0].reason == "TEMPORARILY_REFUSED"
    await keystead.mail(mail_id, is_sent)
    assert len(await keystead.postfix.received(receiver)) == 1


async def test_a_mail_to_nobody_fails_for_good_and_holds_up_no_other(
    keystead: MailingServer,
) -> None:
    receiver = reader()

    refused_id = await keystead.link_for("nobody@example.com")
    await keystead.link_for(receiver)

    refused = await keystead.mail(refused_id, has_failed_once)
    assert refused.state == mail_pb.MAIL_STATE_FAILED
    assert refused.attempts[0].reason == "RECIPIENT_REFUSED"
    assert len(await keystead.postfix.received(receiver)) == 1


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"password": "that of last year"}, "AUTH_FAILED"),
        ({"sender_address": "boss@example.com"}, "SENDER_REFUSED"),
        ({"user": "", "password": ""}, "SENDER_REFUSED"),
    ],
)
async def test_a_mail_waits_until_the_configuration_is_right(
    keystead: MailingServer, fields: dict[str, str], reason: str
) -> None:
    receiver = reader()

    await keystead.reconfigure(**fields)
    mail_id = await keystead.link_for(receiver)
    waiting = await keystead.mail(mail_id, has_failed_once)
    await keystead.reconfigure()
    await keystead.retry(mail_id)

    assert waiting.state == mail_pb.MAIL_STATE_PENDING
    assert waiting.attempts[0].reason == reason
    assert len(await keystead.postfix.received(receiver)) == 1


async def test_mails_of_an_organization_go_by_its_own_configuration(
    keystead: MailingServer,
) -> None:
    admin, receivers = keystead.admin, [reader() for _ in range(3)]
    org_id = await given.organization(admin)
    fields = fields_for(keystead.postfix, "submission") | {"sender_name": "Own"}
    config = given.smtp_config(**fields)
    await admin.call(admin.smtp.AddSMTPConfig, config, x_service_orgid=org_id)

    mails = [await keystead.link_for(each, org_id=org_id) for each in receivers]

    for mail_id, receiver in zip(mails, receivers, strict=True):
        sent = await keystead.mail(mail_id, is_sent)
        (mail,) = await keystead.postfix.received(receiver)
        (sender,) = mail["From"].addresses
        assert (sender.display_name, sender.addr_spec) == ("Own", SENDER)
        assert sent.smtp_org_id == org_id
        assert sent.attempts[-1].route == mail_pb.MAIL_ROUTE_ORGANIZATION

"""TestSMTPConfig against a real mail server: valid settings, and common mistakes."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from e2e.postfix.mailing_server import GREETING_NAME, MailingServer, fields_for, reader
from keystead.smtp.v1 import smtp_service_pb2 as smtp_pb
from tests.support import given
from tests.support.process import free_port

pytestmark = pytest.mark.xdist_group("postfix")


async def _trial(
    keystead: MailingServer, service: str, *, receiver: str = "", **fields: Any
) -> list[smtp_pb.SMTPTestStep]:
    """The steps of a trial of a configuration for the service, with these fields in it."""
    config = given.smtp_update(**fields_for(keystead.postfix, service) | fields)
    request = smtp_pb.TestSMTPConfigRequest(unsaved_config=config, receiver_address=receiver)
    admin = keystead.admin
    return list((await admin.call(admin.smtp.TestSMTPConfig, request)).steps)


async def _mistake(keystead: MailingServer, service: str, **fields: Any) -> tuple[str, str]:
    """The step that failed, which must be the last, and why."""
    steps = await _trial(keystead, service, **{"receiver": reader()} | fields)
    *before, last = steps
    assert all(step.succeeded for step in before), before
    assert not last.succeeded, last
    assert last.message
    return last.name, last.reason


@pytest.mark.parametrize(
    ("service", "names"),
    [
        ("submission", "resolve connect greeting tls auth sender message"),
        ("smtps", "resolve connect tls greeting auth sender message"),
    ],
)
async def test_every_step_is_shown_with_what_it_found(
    keystead: MailingServer, service: str, names: str
) -> None:
    receiver = reader()

    steps = await _trial(keystead, service, receiver=receiver)

    assert " ".join(step.name for step in steps) == names
    assert [step.reason for step in steps if not step.succeeded] == []
    facts = {name: fact for step in steps for name, fact in step.facts.items()}
    assert facts["address"] == keystead.postfix.host(service).partition(":")[0]
    assert facts["tls_version"] == "TLSv1.3"
    assert facts["address"] in facts["certificate_names"]
    expires_at = datetime.fromisoformat(facts["certificate_expires_at"])
    assert timedelta(days=29) < expires_at - datetime.now(UTC) < timedelta(days=30)
    assert facts["greeting_name"] == GREETING_NAME
    assert facts["mechanism"] == "PLAIN"
    assert "queued as" in facts["reply"]
    (mail,) = await keystead.postfix.received(receiver)
    assert mail["Subject"]


async def test_a_trial_without_a_receiver_sends_nothing(keystead: MailingServer) -> None:
    steps = await _trial(keystead, "submission")

    assert [step.name for step in steps][-1] == "sender"
    assert all(step.succeeded for step in steps)


async def test_a_relay_takes_mail_without_tls_and_user(keystead: MailingServer) -> None:
    receiver = reader()

    steps = await _trial(keystead, "relay", receiver=receiver, tls=False, user="", password="")

    assert [step.reason for step in steps if not step.succeeded] == []
    assert await keystead.postfix.received(receiver)


@pytest.mark.parametrize(
    ("service", "step", "reason"),
    [
        ("relay", "tls", "STARTTLS_NOT_OFFERED"),
        ("implicit_tls_elsewhere", "greeting", "IMPLICIT_TLS_EXPECTED"),
        ("old_tls", "tls", "TLS_FAILED"),
        ("wrong_name", "tls", "CERTIFICATE_NAME_MISMATCH"),
        ("expired", "tls", "CERTIFICATE_EXPIRED"),
        ("self_signed", "tls", "CERTIFICATE_NOT_TRUSTED"),
        ("unknown_authority", "tls", "CERTIFICATE_NOT_TRUSTED"),
        ("login_not_offered", "auth", "AUTH_NOT_OFFERED"),
        ("small", "sender", "MESSAGE_TOO_LARGE"),
    ],
)
async def test_a_server_that_is_set_up_otherwise_is_told_from_others(
    keystead: MailingServer, service: str, step: str, reason: str
) -> None:
    assert await _mistake(keystead, service) == (step, reason)


@pytest.mark.parametrize(
    ("fields", "step", "reason"),
    [
        ({"password": "another one"}, "auth", "AUTH_FAILED"),
        ({"user": "", "password": ""}, "message", "SENDER_REFUSED"),
        ({"sender_address": "boss@example.com"}, "message", "SENDER_REFUSED"),
        ({"receiver": "nobody@example.com"}, "message", "RECIPIENT_REFUSED"),
    ],
)
async def test_a_wrong_field_is_told_from_others(
    keystead: MailingServer, fields: dict[str, str], step: str, reason: str
) -> None:
    assert await _mistake(keystead, "submission", **fields) == (step, reason)


async def test_a_port_where_nobody_listens_is_told(keystead: MailingServer) -> None:
    refused = await _mistake(keystead, "submission", host=f"127.0.0.1:{free_port()}")

    assert refused == ("connect", "CONNECTION_REFUSED")


async def test_greylisting_is_told_to_pass(keystead: MailingServer) -> None:
    receiver = reader()

    with keystead.postfix.policy.greylisting(receiver):
        refused = await _mistake(keystead, "submission", receiver=receiver)

    assert refused == ("message", "TEMPORARILY_REFUSED")

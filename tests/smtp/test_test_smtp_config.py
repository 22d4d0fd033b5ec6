"""TestSMTPConfig reports each step, for the stored configuration and for an unsaved one."""

from typing import Any

import asyncpg
import grpc
import pytest

from keystead.comments import COMMENTS
from keystead.smtp.v1 import smtp_service_pb2 as pb
from server.crypto.keyring import Keyring
from server.deliveries.smtp import failures
from server.deliveries.smtp.connection import TransportOptions
from server.deliveries.smtp.destination import Destination
from server.smtp import commands
from server.smtp.oauth.tokens import MailboxTokens
from server.store.database import Database
from server.values.errors import Failure
from tests.conftest import MakeInstance
from tests.smtp import calls
from tests.smtp.faults import PASSWORD, USER, WRONG, Wrong, going_on
from tests.support import given
from tests.support.certificates import Authority
from tests.support.given import Client, Instance
from tests.support.mail_server import MailServer, hang, mail_server

# The deadline of a call whose trial uses all its time: a fifth is left for the answer.
_SECONDS = 3


async def try_out(
    client: Client, *, receiver: str = "", deadline: float | None = None, **unsaved: Any
) -> list[pb.SMTPTestStep]:
    """The steps for the unsaved configuration, or for the stored one without `unsaved`."""
    request = pb.TestSMTPConfigRequest(receiver_address=receiver)
    if unsaved:
        fields = {"sender_address": "noreply@example.com", "sender_name": "Example"} | unsaved
        request.unsaved_config.CopyFrom(pb.UpdateSMTPConfigRequest(**fields))
    return list((await client.call(client.smtp.TestSMTPConfig, request, timeout=deadline)).steps)


def at(server: MailServer, **fields: Any) -> dict[str, Any]:
    """The fields of a configuration for a server that needs no TLS."""
    return {"host": f"127.0.0.1:{server.port}", "tls": False} | fields


# One fault of each step; `test_transport.py` has all.
_ONE_OF_EACH_STEP = {wrong.step: wrong for wrong in WRONG.values()}


@pytest.mark.parametrize("wrong", _ONE_OF_EACH_STEP.values(), ids=_ONE_OF_EACH_STEP)
async def test_the_step_that_fails_is_the_last_and_says_why(
    admin: Client, authority: Authority, monkeypatch: pytest.MonkeyPatch, wrong: Wrong
) -> None:
    async with going_on(wrong, authority, monkeypatch) as config:
        steps = await try_out(admin, receiver=wrong.receiver, deadline=_SECONDS, **config)

    failed = steps.pop()
    assert (failed.name, failed.reason) == (wrong.step, wrong.reason)
    assert wrong.advice in failed.message
    assert failed.duration.ToMicroseconds() > 0
    assert not failed.succeeded
    assert all(step.succeeded and step.message and not step.reason for step in steps)
    assert PASSWORD not in str([*steps, failed])


def test_the_schema_names_every_reason() -> None:
    described = COMMENTS["keystead.smtp.v1.SMTPTestStep.reason"]

    assert [reason for reason in failures.SMTPReason if f"`{reason}`" not in described] == []


async def test_the_stored_configuration_is_tried_with_its_password(
    admin: Client, authority: Authority
) -> None:
    async with mail_server(tls=authority.certificate().context(), users={USER: PASSWORD}) as server:
        host = f"localhost:{server.port}"
        await calls.add(admin, given.smtp_config(host=host, user=USER, password=PASSWORD))

        steps = await try_out(admin, receiver="ada@example.com")

    assert all(step.succeeded for step in steps)
    assert {step.name: step.facts for step in steps}["tls"]["tls_version"] == "TLSv1.3"
    [received] = server.received
    assert (received.user, received.recipients) == (USER, ("ada@example.com",))


async def test_a_trial_without_a_receiver_sends_and_saves_nothing(
    admin: Client, sql: asyncpg.Connection
) -> None:
    events = await sql.fetchval("select count(*) from events")
    async with mail_server(users={USER: PASSWORD}) as server:
        steps = await try_out(admin, **at(server, user=USER, password=PASSWORD))

    assert (steps[-1].name, steps[-1].succeeded) == ("sender", True)
    assert server.received == []
    assert await sql.fetchval("select count(*) from events") == events
    assert await sql.fetch("select from smtp_configs") == []


async def test_a_change_without_a_password_is_tried_with_the_stored_one(admin: Client) -> None:
    async with mail_server(users={USER: PASSWORD}) as server:
        await calls.add(admin, given.smtp_config(**at(server, user=USER, password=PASSWORD)))

        steps = await try_out(admin, **at(server, user=USER, sender_name="Renamed"))

    assert steps[-1].succeeded
    assert PASSWORD in server.credentials


@pytest.mark.parametrize(
    "change", [{"host": "127.0.0.1:1"}, {"tls": True}, {"user": "somebody"}, {"user": ""}]
)
async def test_the_stored_password_is_never_tried_elsewhere(
    admin: Client, change: dict[str, Any]
) -> None:
    async with mail_server(users={USER: PASSWORD}) as server:
        config = at(server, user=USER, password=PASSWORD)
        await calls.add(admin, given.smtp_config(**config))
        del config["password"]

        refused = await given.refusal(try_out(admin, **config | change))

    assert refused.code is grpc.StatusCode.FAILED_PRECONDITION
    assert refused.reason == "SMTP_PASSWORD_REQUIRED"
    assert server.commands == []


async def test_a_trial_without_any_configuration_is_refused(admin: Client) -> None:
    refused = await given.refusal(try_out(admin))

    assert refused.code is grpc.StatusCode.NOT_FOUND
    assert refused.reason == "SMTP_CONFIG_NOT_FOUND"


async def test_a_user_without_a_password_is_refused_where_none_is_stored(admin: Client) -> None:
    refused = await given.refusal(try_out(admin, host="127.0.0.1:1", user=USER))

    assert refused.violations == {"unsavedConfig.password": calls.TOGETHER}


async def test_every_wrong_field_is_named_by_its_path(admin: Client) -> None:
    refused = await given.refusal(
        try_out(admin, receiver="nobody", sender_address="", sender_name="", host="nowhere")
    )

    assert refused.code is grpc.StatusCode.INVALID_ARGUMENT
    assert refused.violations.keys() == {
        "unsavedConfig.senderAddress",
        "unsavedConfig.senderName",
        "unsavedConfig.host",
        "receiverAddress",
    }


async def test_a_step_that_outlasts_the_call_is_in_its_answer(admin: Client) -> None:
    async with mail_server(faults={"CONNECT": hang}) as server:
        steps = await try_out(admin, receiver="ada@example.com", deadline=_SECONDS, **at(server))

    assert (steps[-1].succeeded, steps[-1].reason) == (False, "NO_ANSWER")
    assert all(step.succeeded for step in steps[:-1])


async def test_a_call_without_a_deadline_is_answered_in_the_time_of_the_server(
    make_instance: MakeInstance,
) -> None:
    async with (
        make_instance(smtp_allowed_networks="127.0.0.1", default_timeout=_SECONDS) as own,
        mail_server(faults={"MAIL": hang}) as server,
    ):
        steps = await try_out(own.admin, **at(server))

    assert steps[-1].reason == "NO_ANSWER"


async def test_addresses_of_this_machine_are_not_allowed_by_default(
    mailing_instance: Instance,
) -> None:
    async with mail_server() as server:
        steps = await try_out(mailing_instance.admin, **at(server, user="", password=""))

    assert [(step.name, step.reason) for step in steps] == [("resolve", "ADDRESS_NOT_ALLOWED")]
    assert server.commands == []


def _tokens(database: Database, keyring: Keyring) -> MailboxTokens:
    return MailboxTokens(database, keyring, TransportOptions())


async def test_a_password_that_cannot_be_decrypted_is_refused(
    admin: Client, sql: asyncpg.Connection, database: Database, keyring: Keyring
) -> None:
    await calls.add(admin)
    await sql.execute("update secrets set ciphertext = ciphertext || 'x'::bytea")

    refused = await given.refusal(try_out(admin))
    with pytest.raises(Failure) as raised:
        await commands.destination(database, keyring, _tokens(database, keyring), "")

    assert refused.code is grpc.StatusCode.FAILED_PRECONDITION
    assert refused.reason == raised.value.reason == "SMTP_PASSWORD_UNREADABLE"
    assert "UpdateSMTPConfigPassword" in refused.message


async def test_mail_goes_where_the_stored_configuration_says(
    admin: Client, database: Database, keyring: Keyring
) -> None:
    assert await commands.destination(database, keyring, _tokens(database, keyring), "") is None

    await calls.add(admin, given.smtp_config(host="[2001:db8::1]:587"))

    destination = await commands.destination(database, keyring, _tokens(database, keyring), "")
    assert destination == Destination(
        host="2001:db8::1",
        port=587,
        tls=True,
        user="mailer",
        password="mail-password",
        sender_address="noreply@example.com",
        sender_name="Example",
    )
    assert "mail-password" not in repr(destination)


async def test_without_a_stored_password_mail_goes_without(
    admin: Client, database: Database, keyring: Keyring
) -> None:
    await calls.add(admin, given.smtp_config(user="", password=""))

    destination = await commands.destination(database, keyring, _tokens(database, keyring), "")

    assert destination is not None
    assert (destination.user, destination.password) == ("", "")

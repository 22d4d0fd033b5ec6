"""GetSMTPConfig, UpdateSMTPConfig, UpdateSMTPConfigPassword and RemoveSMTPConfig."""

from typing import Any

import asyncpg
import grpc
import pytest

from keystead.smtp.v1 import smtp_service_pb2 as pb
from server.access.caller import OPERATOR
from server.crypto.keyring import Keyring
from server.smtp import commands
from server.store.database import connected
from tests.smtp import at_rest, calls
from tests.support import given
from tests.support.given import Client, Instance


@pytest.mark.parametrize(
    ("method", "request_message"),
    [
        ("GetSMTPConfig", pb.GetSMTPConfigRequest()),
        ("UpdateSMTPConfig", given.smtp_update()),
        ("UpdateSMTPConfigPassword", pb.UpdateSMTPConfigPasswordRequest(password="secret")),
        ("RemoveSMTPConfig", pb.RemoveSMTPConfigRequest()),
    ],
    ids=["get", "update", "update the password", "remove"],
)
async def test_a_configuration_that_is_not_set_is_not_found(
    admin: Client, method: str, request_message: object
) -> None:
    refused = await given.refusal(admin.call(getattr(admin.smtp, method), request_message))

    assert refused.code is grpc.StatusCode.NOT_FOUND
    assert refused.reason == "SMTP_CONFIG_NOT_FOUND"
    assert refused.message == "No SMTP configuration is set. Add one with AddSMTPConfig."
    assert refused.resource == ("smtp_config", "")


def test_no_answer_has_a_place_for_the_password() -> None:
    answers = [
        message.fields_by_name
        for name, message in pb.DESCRIPTOR.message_types_by_name.items()
        if not name.endswith("Request")
    ]

    assert answers
    assert not any("password" in fields for fields in answers)


async def test_update_replaces_every_field(admin: Client) -> None:
    added = (await calls.add(admin)).details

    details = (
        await calls.update(
            admin,
            pb.UpdateSMTPConfigRequest(
                sender_address="post@example.org", sender_name="Post", host="h:25", password=""
            ),
        )
    ).details

    assert await calls.get(admin) == pb.SMTPConfig(
        details=details, sender_address="post@example.org", sender_name="Post", host="h:25"
    )
    assert details.creation_date == added.creation_date
    assert details.resource_owner == added.resource_owner
    assert details.sequence == details.change_date.ToMicroseconds()
    assert details.sequence > added.sequence


async def test_update_without_a_password_keeps_the_stored_one(
    admin: Client, sql: asyncpg.Connection, keyring: Keyring
) -> None:
    await calls.add(admin, given.smtp_config(password="kept"))
    before = await at_rest.secrets(sql)

    await calls.update(admin, given.smtp_update(sender_name="Renamed"))

    assert (await calls.get(admin)).sender_name == "Renamed"
    assert await at_rest.secrets(sql) == before
    assert await at_rest.password(sql, keyring) == "kept"


@pytest.mark.parametrize(
    "change",
    [
        {"host": "evil.example.com:587"},
        {"host": "smtp.example.com:588"},
        {"host": "SMTP.example.com:587"},
        {"tls": False},
        {"user": "somebody-else"},
        {"user": ""},
    ],
    ids=["host", "port", "spelling of the host", "tls", "user", "no user"],
)
async def test_a_kept_password_is_never_for_another_destination(
    admin: Client, sql: asyncpg.Connection, change: dict[str, Any]
) -> None:
    await calls.add(admin)
    before = await at_rest.everything(sql)
    request = given.smtp_update(sender_name="Renamed", **change)

    refused = await given.refusal(calls.update(admin, request))

    assert refused.code is grpc.StatusCode.FAILED_PRECONDITION
    assert refused.reason == "SMTP_PASSWORD_REQUIRED"
    assert refused.message == (
        "The stored password is valid only for the host, tls and user that it was set with. Send"
        " the password again with the change. For no authentication, leave out user and send an"
        " empty password."
    )
    assert await at_rest.everything(sql) == before


async def test_update_with_a_password_changes_the_destination_or_without_user_erases_it(
    admin: Client, sql: asyncpg.Connection, keyring: Keyring
) -> None:
    await calls.add(admin)

    await calls.update(admin, given.smtp_update(host="other.example.com:25", password="for-other"))

    assert (await calls.get(admin)).host == "other.example.com:25"
    assert await at_rest.password(sql, keyring) == "for-other"

    await calls.update(admin, given.smtp_update(user="", password=""))

    assert not (await calls.get(admin)).password_set
    assert await at_rest.secrets(sql) == []


@pytest.mark.parametrize("login", [{}, {"user": "", "password": ""}], ids=["login", "no login"])
async def test_an_update_that_changes_nothing_adds_no_event(
    admin: Client, sql: asyncpg.Connection, login: dict[str, str]
) -> None:
    added = await calls.add(admin, given.smtp_config(**login))
    before = await at_rest.everything(sql)

    updated = await calls.update(admin, given.smtp_update(**login))

    assert updated.details == added.details
    assert await at_rest.everything(sql) == before


async def test_a_password_that_is_given_is_always_written(
    admin: Client, sql: asyncpg.Connection, keyring: Keyring
) -> None:
    added = await calls.add(admin, given.smtp_config(password="the-same"))

    updated = await calls.update(admin, given.smtp_update(password="the-same"))

    # Otherwise the sequence would show whether a guess is right.
    assert updated.details.sequence > added.details.sequence
    assert await at_rest.password(sql, keyring) == "the-same"


@pytest.mark.parametrize(
    ("user", "password", "description"),
    [
        pytest.param("mailer", "", calls.TOGETHER, id="user without a password"),
        pytest.param("mailer", None, calls.TOGETHER, id="user, and none stored to keep"),
        pytest.param("", "secret", calls.WITHOUT_USER, id="password without a user"),
    ],
)
async def test_update_wants_user_and_password_together(
    admin: Client, user: str, password: str | None, description: str
) -> None:
    await calls.add(admin, given.smtp_config(user="", password=""))

    refused = await given.refusal(
        calls.update(admin, given.smtp_update(user=user, password=password))
    )

    assert refused.code is grpc.StatusCode.INVALID_ARGUMENT
    assert refused.violations == {"password": description}


async def test_a_configuration_without_a_password_is_updated_without_one(admin: Client) -> None:
    await calls.add(admin, given.smtp_config(user="", password=""))

    await calls.update(admin, given.smtp_update(user="", host="other.example.com:25"))

    config = await calls.get(admin)
    assert (config.host, config.password_set) == ("other.example.com:25", False)


async def test_update_reports_all_wrong_fields_at_once(admin: Client) -> None:
    request = pb.UpdateSMTPConfigRequest(sender_name="N" * 201, user="\r", password="\n")

    refused = await given.refusal(calls.update(admin, request))

    assert refused.violations == {
        "senderAddress": "must not be empty",
        "senderName": "must be at most 200 characters",
        "host": "must not be empty",
        "user": "must not contain control characters",
        "password": "must not contain control characters",
    }


async def test_a_new_password_replaces_the_old_one_for_good(
    admin: Client, sql: asyncpg.Connection, keyring: Keyring
) -> None:
    added = (await calls.add(admin, given.smtp_config(password="old"))).details

    details = (await calls.update_password(admin, "new")).details

    assert await at_rest.password(sql, keyring) == "new"
    assert details.sequence > added.sequence
    assert details.creation_date == added.creation_date
    assert (await calls.get(admin)).details == details


@pytest.mark.parametrize(
    ("password", "description"),
    [
        pytest.param(
            "",
            "must not be empty; to turn authentication off, clear user and password with"
            " UpdateSMTPConfig",
            id="empty",
        ),
        pytest.param("secret\r\n", "must not contain control characters", id="control characters"),
    ],
)
async def test_a_wrong_new_password_is_refused(
    admin: Client, password: str, description: str
) -> None:
    await calls.add(admin)

    refused = await given.refusal(calls.update_password(admin, password))

    assert refused.code is grpc.StatusCode.INVALID_ARGUMENT
    assert refused.violations == {"password": description}


async def test_the_operator_changes_some_fields_and_keeps_the_password(
    admin: Client, instance: Instance, keyring: Keyring
) -> None:
    await calls.add(admin, given.smtp_config(user="mailer", password="secret"))

    async with connected(instance.dsn, pool_size=1) as database:
        await commands.patch(
            database, keyring, {"sender_name": "Other"}, actor=OPERATOR, organization_id=""
        )

    config = await calls.get(admin)
    assert (config.sender_name, config.user, config.password_set) == ("Other", "mailer", True)


async def test_a_new_password_needs_a_user(admin: Client, sql: asyncpg.Connection) -> None:
    await calls.add(admin, given.smtp_config(user="", password=""))

    refused = await given.refusal(calls.update_password(admin, "secret"))

    assert refused.code is grpc.StatusCode.FAILED_PRECONDITION
    assert refused.reason == "SMTP_USER_REQUIRED"
    assert refused.message == (
        "The SMTP configuration has no user, so it needs no password."
        " Set both with UpdateSMTPConfig."
    )
    assert await at_rest.secrets(sql) == []


async def test_remove_erases_the_password(admin: Client, sql: asyncpg.Connection) -> None:
    added = (await calls.add(admin)).details

    details = (await calls.remove(admin)).details

    assert details.sequence > added.sequence
    assert details.creation_date == added.creation_date
    assert details.resource_owner == added.resource_owner
    assert await sql.fetch("select from smtp_configs") == []
    assert await at_rest.secrets(sql) == []


async def test_an_event_has_its_creator_and_the_id_of_the_secret(
    admin: Client, sql: asyncpg.Connection
) -> None:
    await calls.add(admin)
    config_id = await sql.fetchval("select id from smtp_configs")

    await calls.update_password(admin, "secret")

    secret_id = (await at_rest.secrets(sql))[0]["secret_id"]
    event = (await given.logged(sql, config_id))[-1]
    assert event["event_type"] == "smtp_config.password_changed"
    assert event["creator"] == admin.user_id
    assert event["payload"] == {"password_secret_id": secret_id}

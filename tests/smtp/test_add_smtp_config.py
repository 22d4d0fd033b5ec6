"""AddSMTPConfig: sets the SMTP configuration, only if none is set."""

import asyncio
from collections.abc import Awaitable, Mapping
from typing import Any

import asyncpg
import grpc
import pytest

from keystead.smtp.v1 import smtp_service_pb2 as pb
from keystead.user.v1 import user_service_pb2 as user_pb
from tests.conftest import MakeInstance
from tests.smtp import at_rest, calls
from tests.support import given
from tests.support.given import Client, Instance, Refusal
from tests.user import calls as users

SMILE = "\N{GRINNING FACE}"  # one code point, four bytes in UTF-8, two units in UTF-16
GOTHIC = "\N{GOTHIC LETTER AHSA}"  # the same, and a letter


async def outcomes(
    calls: list[Awaitable[pb.AddSMTPConfigResponse]],
) -> tuple[list[pb.AddSMTPConfigResponse], list[Refusal]]:
    """The answers and the refusals of simultaneous calls."""
    ended = await asyncio.gather(*calls, return_exceptions=True)
    answers = [each for each in ended if isinstance(each, pb.AddSMTPConfigResponse)]
    refusals = [
        given.read_refusal(each) for each in ended if isinstance(each, grpc.aio.AioRpcError)
    ]
    assert len(answers) + len(refusals) == len(calls)
    return answers, refusals


async def test_the_details_are_those_of_the_one_event(admin: Client) -> None:
    myself = await users.whoami(admin)

    details = (await calls.add(admin)).details

    assert details.sequence == details.change_date.ToMicroseconds()
    assert details.creation_date == details.change_date
    assert details.resource_owner == myself.details.resource_owner
    assert (await calls.get(admin)).details == details


async def test_the_default_organization_owns_every_configuration(
    admin: Client,
) -> None:
    somebody = await given.user(admin, roles=[user_pb.ROLE_INSTANCE_OWNER])

    details = (await calls.add(somebody)).details

    myself = await users.whoami(admin)
    assert details.resource_owner == myself.details.resource_owner


async def test_every_field_is_read_back_but_the_password(admin: Client) -> None:
    request = given.smtp_config(
        sender_address="post@example.org",
        sender_name="Pöst",
        tls=True,
        host="mail.example.org:465",
        user="someone",
    )

    details = (await calls.add(admin, request)).details

    config = await calls.get(admin)
    assert config == pb.SMTPConfig(
        details=details,
        sender_address="post@example.org",
        sender_name="Pöst",
        tls=True,
        host="mail.example.org:465",
        user="someone",
        password_set=True,
        password_set_at=config.password_set_at,
    )
    delay = details.change_date.ToNanoseconds() - config.password_set_at.ToNanoseconds()
    assert abs(delay) < 60e9


async def test_without_user_and_password_no_password_is_stored(
    admin: Client, sql: asyncpg.Connection
) -> None:
    await calls.add(admin, given.smtp_config(user="", password=""))

    config = await calls.get(admin)
    assert (config.user, config.password_set) == ("", False)
    assert await at_rest.secrets(sql) == []


async def test_a_second_configuration_is_refused_and_the_first_is_named(
    admin: Client,
) -> None:
    first = await calls.add(admin)

    refused = await given.refusal(calls.add(admin, given.smtp_config(host="other.example.com:25")))

    assert refused.code is grpc.StatusCode.ALREADY_EXISTS
    assert refused.reason == "SMTP_CONFIG_ALREADY_EXISTS"
    assert refused.metadata == {"sequence": str(first.details.sequence)}
    assert refused.message == (
        "An SMTP configuration is set. Change it with UpdateSMTPConfig, or remove it first."
    )
    assert (await calls.get(admin)).host == "smtp.example.com:587"


async def test_of_a_hundred_additions_at_once_on_two_servers_one_wins(
    instance: Instance, make_instance: MakeInstance, sql: asyncpg.Connection
) -> None:
    async with make_instance(dsn=instance.dsn, data_dir=instance.data_dir) as other:
        events, *_ = await _counts(sql)
        clients = [instance.admin, other.admin]

        answers, refusals = await outcomes([calls.add(clients[n % 2]) for n in range(100)])

    [winner] = answers
    assert {refused.code for refused in refusals} == {grpc.StatusCode.ALREADY_EXISTS}
    assert {refused.metadata["sequence"] for refused in refusals} == {str(winner.details.sequence)}
    assert await _counts(sql) == [events + 1, 1, 1]


async def _counts(sql: asyncpg.Connection) -> list[int]:
    """The numbers of events of configurations, of configurations, and of secrets."""
    row = await sql.fetchrow("""
        select (select count(*) from events where aggregate_type = 'smtp_config'),
            (select count(*) from smtp_configs)""")
    return [*(row or ()), len(await at_rest.secrets(sql))]


async def test_a_configuration_is_added_again_after_a_removal(admin: Client) -> None:
    first = await calls.add(admin)
    await calls.remove(admin)

    second = await calls.add(admin)

    assert second.details.sequence > first.details.sequence
    assert second.details.creation_date == second.details.change_date


_ACCEPTED: Mapping[str, Any] = {
    "sender_address": [
        "a@b.co",
        "a" * 188 + "@example.com",
        GOTHIC * 10 + "a" * 178 + "@example.com",
        "jörg@bücher.example.com",
    ],
    "sender_name": ["N", "N" * 200, SMILE * 200],
    "host": [
        *("h:1", "h:65535", "192.0.2.1:25", "[2001:db8::1]:587"),
        *("h" * 496 + ":587", GOTHIC * 496 + ":587"),
    ],
    "user": [SMILE, "u" * 1000],
    "password": [SMILE, " ", "p" * 1000],
}


@pytest.mark.parametrize(
    ("field", "value"), [(field, value) for field, values in _ACCEPTED.items() for value in values]
)
async def test_every_value_within_its_limits_is_accepted(
    admin: Client, field: str, value: str
) -> None:
    await calls.add(admin, given.smtp_config(**{field: value}))

    config = await calls.get(admin)
    assert config.password_set if field == "password" else getattr(config, field) == value


EMPTY = "must not be empty"
TOO_LONG = "must be at most {} characters"
CONTROL = "must not contain control characters"
NO_PORT = "must include the port: write host:port, or [address]:port for IPv6"
NO_HOST = "has no valid host name before the port"


ADDRESS = "must be a mail address like name@example.com: "

# Wrong values of a field, with the beginning of the description of the violation.
_WRONG: list[tuple[str, str, list[str]]] = [
    ("sender_address", EMPTY, [""]),
    ("sender_address", TOO_LONG.format(200), ["a" * 189 + "@example.com"]),
    ("sender_address", ADDRESS, ["nobody", "@example.com", "a@", "a b@example.com"]),
    ("sender_address", ADDRESS, ["a@b@example.com", "A <a@example.com>"]),
    ("sender_name", EMPTY, [""]),
    ("sender_name", TOO_LONG.format(200), ["N" * 201, SMILE * 201]),
    ("host", EMPTY, [""]),
    ("host", TOO_LONG.format(500), ["h" * 497 + ":587", GOTHIC * 497 + ":587"]),
    ("host", NO_PORT, ["smtp.example.com", "smtp.example.com:", "smtp.example.com:smtp"]),
    ("host", NO_PORT, ["smtp.example.com:-1", "[2001:db8::1]"]),
    ("host", "has the port 0, which is not in 1..65535", ["h:0"]),
    ("host", "has the port 65536, which is not in 1..65535", ["h:65536"]),
    ("host", "has an IPv6 address without brackets: write [address]:port", ["2001:db8::1:25"]),
    ("host", "has no IPv6 address between the brackets", ["[smtp]:25"]),
    ("host", NO_HOST, [":25", "smtp example:25"]),
    ("password", calls.TOGETHER, [""]),
]


@pytest.mark.parametrize(
    ("field", "description", "value"),
    [(field, description, value) for field, description, values in _WRONG for value in values],
)
async def test_a_wrong_value_is_named_with_what_to_do(
    admin: Client, sql: asyncpg.Connection, field: str, description: str, value: str
) -> None:
    before = await _counts(sql)
    request = given.smtp_config(**{field: value})

    refused = await given.refusal(calls.add(admin, request))

    assert refused.code is grpc.StatusCode.INVALID_ARGUMENT
    [(name, violation)] = refused.violations.items()
    assert name == request.DESCRIPTOR.fields_by_name[field].json_name
    # A library words the rest of a description that ends with a colon.
    compared = violation[: len(description)] if description.endswith(": ") else violation
    assert compared == description
    assert await _counts(sql) == before


async def test_a_password_without_a_user_is_refused(admin: Client) -> None:
    refused = await given.refusal(calls.add(admin, given.smtp_config(user="")))

    assert refused.violations == {"password": calls.WITHOUT_USER}


@pytest.mark.parametrize("field", ["sender_address", "sender_name", "host", "user", "password"])
async def test_a_control_character_is_refused_in_every_field(admin: Client, field: str) -> None:
    request = given.smtp_config()
    setattr(request, field, f"{getattr(request, field)}\r\nBcc: a@b.co")

    refused = await given.refusal(calls.add(admin, request))

    json_name = request.DESCRIPTOR.fields_by_name[field].json_name
    assert refused.violations == {json_name: CONTROL}


async def test_all_wrong_fields_are_reported_at_once(admin: Client) -> None:
    request = pb.AddSMTPConfigRequest(host="smtp.example.com", user="\n", password="\0")

    refused = await given.refusal(calls.add(admin, request))

    assert refused.reason == "INVALID_FIELDS"
    assert refused.message == (
        "The request has invalid fields: senderAddress, senderName, host, user, password."
        " Correct them as described and send it again."
    )
    assert refused.violations == {
        "senderAddress": EMPTY,
        "senderName": EMPTY,
        "host": NO_PORT,
        "user": CONTROL,
        "password": CONTROL,
    }

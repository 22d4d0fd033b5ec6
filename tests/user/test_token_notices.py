"""Notices to the user of a new token."""

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import asyncpg

from keystead.user.v1 import user_service_pb2 as pb
from tests.cli.words import done
from tests.session import sessions
from tests.support import given, process
from tests.support.certificates import Authority
from tests.support.given import Client, Instance
from tests.user import addresses, calls

_EXPIRES_AT = datetime(2100, 1, 2, tzinfo=UTC)


async def _notices(sql: asyncpg.Connection, user: Client) -> Sequence[Any]:
    return await sql.fetch(
        "select * from mails where user_id = $1 and kind = 'token_created' order by mail_id",
        user.user_id,
    )


async def _parameters(sql: asyncpg.Connection, user: Client) -> dict[str, str]:
    """Those of the only notice of a token."""
    [mail] = await _notices(sql, user)
    parameters: dict[str, str] = json.loads(mail["parameters"])
    return parameters


async def test_a_token_that_a_session_makes_is_told_to_its_user(
    admin: Client, sql: asyncpg.Connection
) -> None:
    user = await addresses.user(admin, email=(address := addresses.unused()))
    session = (await (await sessions.with_passkey(user)).sign_in()).client

    created = await calls.create_token(session, user.user_id, name="mine", expires_at=_EXPIRES_AT)

    [mail] = await _notices(sql, user)
    assert (mail["recipient_address"], mail["recipient_name"]) == (address, "Ada")
    assert mail["reference"] == created.token_id
    assert await _parameters(sql, user) == {
        "token_name": "mine",
        "expiry": "2100-01-02T00:00:00+00:00",
        "by_others": "",
        "further_count": "",
    }
    assert created.token not in str(mail)


async def test_a_token_that_a_manager_makes_is_told(
    admin: Client, sql: asyncpg.Connection, org_id: str
) -> None:
    manager = await given.user(admin, org_id=org_id, roles=[pb.ROLE_ORG_USER_MANAGER])
    created = await calls.create(admin, org_id=org_id, email=addresses.unused())
    user = admin.with_token("", created.user_id)

    await calls.create_token(manager, user.user_id)

    told = await _parameters(sql, user)
    assert told == {"token_name": "", "expiry": "", "by_others": "true", "further_count": ""}


async def test_a_token_of_the_command_line_is_told(
    instance: Instance, admin: Client, sql: asyncpg.Connection
) -> None:
    user = await addresses.user(admin)

    await done(
        process.keystead(
            *("token", "create", user.user_id, "--name", "script"),
            data_dir=instance.data_dir,
            database_url=instance.dsn,
        )
    )

    told = await _parameters(sql, user)
    assert (told["token_name"], told["by_others"]) == ("script", "true")


async def test_a_certificate_is_told(
    admin: Client, sql: asyncpg.Connection, tmp_path: Path
) -> None:
    user, certificate = await addresses.user(admin), Authority(tmp_path).certificate()

    await calls.create_certificate(admin, user.user_id, certificate.pem, name="orders")

    told = await _parameters(sql, user)
    assert told["token_name"] == "orders"
    assert datetime.fromisoformat(told["expiry"]) == certificate.expires_at


async def test_a_thief_of_a_token_makes_no_other_in_silence(
    admin: Client, sql: asyncpg.Connection
) -> None:
    user = await addresses.user(admin)

    await calls.create_token(user, user.user_id)

    assert (await _parameters(sql, user))["by_others"] == ""


async def test_many_tokens_are_told_in_few_mails(admin: Client, sql: asyncpg.Connection) -> None:
    user = await addresses.user(admin)

    for _ in range(20):
        await calls.create_token(user, user.user_id)

    mails = await _notices(sql, user)
    further = [int(json.loads(mail["parameters"])["further_count"] or 0) for mail in mails]
    assert len(mails) + sum(further) == 20
    assert len(mails) <= 6  # a quarter of the limit of an hour at once, and one that waits


async def test_a_refused_token_is_not_told(elsewhere: Client, sql: asyncpg.Connection) -> None:
    user_id = (await addresses.created(elsewhere)).user_id

    ended = await given.outcomes(calls.create_token(elsewhere, user_id) for _ in range(4))

    assert ended == {"OK": 3, "TOO_MANY_TOKENS": 1}
    notices = await _notices(sql, elsewhere.with_token("", user_id))
    further = [int(json.loads(mail["parameters"])["further_count"] or 0) for mail in notices]
    assert len(notices) + sum(further) == 3

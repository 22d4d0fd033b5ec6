"""The last use of tokens and of secrets of applications."""

from datetime import UTC, datetime, timedelta

import asyncpg
import pytest

from server.access import uses
from server.access.tokens import token_hash
from server.operate.housekeeping import forget_ended
from server.store.database import Database
from server.user import token_store
from tests.application import calls as applications
from tests.oauth import flow
from tests.oauth.flow import App
from tests.support import given
from tests.support.given import Client, Instance
from tests.user import calls

_PASS = "update credential_uses set last_used_at = $2 where credential_id = $1 returning true"
_AT = "select last_used_at from credential_uses where credential_id = $1"


def _ago(**elapsed: float) -> datetime:
    return datetime.now(UTC) - timedelta(**elapsed)


async def test_a_token_that_was_used_says_when(admin: Client) -> None:
    user = await given.user(admin)
    created = await calls.create_token(admin, user.user_id)
    [_, before] = await calls.tokens(admin, user.user_id)

    await calls.whoami(admin.with_token(created.token))
    [_, after] = await calls.tokens(admin, user.user_id)

    assert (before.token_id, before.HasField("last_used_at")) == (created.token_id, False)
    assert _ago(minutes=1) < after.last_used_at.ToDatetime(UTC) <= datetime.now(UTC)
    assert after.details == before.details  # a use is no change


async def test_a_secret_that_was_used_says_when(owner: Client) -> None:
    service = await flow.service(owner)
    other = await applications.create_secret(owner, service.client_id)

    await service.exchange(grant_type="client_credentials")
    altered = other.secret[:-1] + ("1" if other.secret.endswith("0") else "0")
    wrong = App(owner.with_token(""), service.client_id, altered)
    await given.refusal(wrong.exchange(grant_type="client_credentials"))

    first, second = (await applications.get(owner, service.client_id)).secrets
    assert _ago(minutes=1) < first.last_used_at.ToDatetime(UTC) <= datetime.now(UTC)
    assert (second.secret_id, second.HasField("last_used_at")) == (other.secret_id, False)


@pytest.mark.parametrize(("minutes", "is_written"), [(59, False), (61, True)])
async def test_a_use_is_written_once_an_hour(
    admin: Client, database: Database, sql: asyncpg.Connection, minutes: int, is_written: bool
) -> None:
    user = await given.user(admin)
    created = await calls.create_token(admin, user.user_id)
    await calls.whoami(admin.with_token(created.token))
    before = _ago(minutes=minutes)
    assert await sql.fetchval(_PASS, created.token_id, before)

    await token_store.find_caller(database, token_hash(created.token))
    await uses.record(database, created.token_id)  # of a server that read before the other wrote

    assert (await sql.fetchval(_AT, created.token_id) != before) is is_written


async def test_a_use_is_forgotten_after_400_days(
    admin: Client, database: Database, sql: asyncpg.Connection
) -> None:
    for credential_id, days in (("recent", 399), ("old", 401)):
        await uses.record(database, credential_id)
        await sql.execute(_PASS, credential_id, _ago(days=days))

    await forget_ended(database)

    assert await sql.fetchval(_AT, "recent")
    assert await sql.fetchval(_AT, "old") is None


async def test_a_token_works_although_its_use_cannot_be_recorded(file_instance: Instance) -> None:
    admin = file_instance.admin
    user = await given.user(admin)
    created = await calls.create_token(admin, user.user_id)

    async with given.read_only(file_instance.dsn):
        assert (await calls.whoami(admin.with_token(created.token))).user_id == user.user_id

    [_, token] = await calls.tokens(admin, user.user_id)
    assert not token.HasField("last_used_at")

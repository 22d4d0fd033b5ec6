"""Expired tokens are deleted in time, expected to be missing by a rebuild, and never read."""

import re
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from typing import Any

import asyncpg
import pytest

from keystead.user.v1 import user_service_pb2 as pb
from server.operate.housekeeping import forget_ended
from server.operate.rebuild.compare import Difference
from server.operate.rebuild.run import rebuild
from server.store.database import Database, connected
from server.store.retention import delete_ended
from server.user import token_store
from server.user.events import TokenCreated
from tests.conftest import MakeInstance
from tests.support import given
from tests.support.explained import Explained
from tests.support.given import Client, Instance
from tests.user import calls

_FILL = """
insert into tokens (user_id, token_id, name, creator, hash, expires_at, sequence, creation_date,
    change_date, makers)
select $1, 'expired-' || n, '', $1, sha256(n::text::bytea), now() - n * interval '1 minute', n,
    now(), now(), array[$1]
from generate_series(1, 20000) as n"""


@pytest.fixture(scope="module")
def instance(file_instance: Instance) -> Instance:
    """A server for these tests, which delete its tokens."""
    return file_instance


@pytest.fixture
async def user(admin: Client, sql: asyncpg.Connection) -> AsyncIterator[Client]:
    """A user with many expired tokens."""
    user = await given.user(admin)
    await sql.execute(_FILL, user.user_id)
    await sql.execute("analyze tokens")
    yield user
    await calls.remove(admin, user.user_id)


@pytest.mark.parametrize("statement", ["create", "list_makers", "list_made_by"])
async def test_they_are_not_looked_at_while_the_user_is_locked(
    statement: str, user: Client, sql: asyncpg.Connection
) -> None:
    explained: Any = Explained(sql)
    if statement == "create":
        event = TokenCreated("token", "", "", None)
        with pytest.raises(KeyError):  # the row of the plan has no details
            await token_store.create(explained, event, creator="", user_id=user.user_id, limit=10)
    elif statement == "list_makers":
        await token_store.MADE.list_makers(explained, user_id=user.user_id)
    else:
        await token_store.MADE.list_made_by(explained, [""], user_id=user.user_id)

    [plan] = explained.plans
    assert "Seq Scan on tokens" not in plan
    assert re.search(
        r"tokens_valid.*\n(?:.*\n)?\s+Index Cond: \(\(user_id = .*COALESCE\(expires_at", plan
    ), plan


async def test_those_to_forget_are_found_by_an_index(user: Client, sql: asyncpg.Connection) -> None:
    explained: Any = Explained(sql)

    await delete_ended(explained, token_store.ENDED)

    [plan] = explained.plans
    assert re.search(r"tokens_expires_at on tokens.*\n\s+Index Cond: \(expires_at < ", plan), plan
    assert user.user_id not in plan


async def test_housekeeping_forgets_them_after_a_day(
    user: Client, database: Database, sql: asyncpg.Connection
) -> None:
    await forget_ended(database)

    left = "select min(expires_at) >= now() - interval '1 day 1 minute' from tokens"
    assert await sql.fetchval(left)
    await calls.create_token(user, user.user_id)


async def test_a_rebuild_misses_none_that_was_forgotten(make_instance: MakeInstance) -> None:
    async with (
        make_instance() as own,
        connected(own.dsn, pool_size=2) as database,
        given.sql(own.dsn) as sql,
    ):
        user = await given.user(own.admin)
        created = await calls.create_token(
            own.admin, user.user_id, expires_at=datetime.now(UTC) + timedelta(seconds=1)
        )
        await sql.execute("select pg_sleep(1.1)")
        assert (await rebuild(database, repair=False)).differences == ()

        await sql.execute("delete from tokens where token_id = $1", created.token_id)

        assert (await rebuild(database, repair=False)).differences == ()
        # A missing unexpired token and a token that is not in the log are differences.
        await sql.execute("delete from tokens where user_id = $1", user.user_id)
        await sql.execute(
            """
            insert into tokens (user_id, token_id, name, creator, hash, expires_at, sequence,
                creation_date, change_date, makers)
            values ($1, 'forged', '', '', '', now() - interval '1 hour', 1, now(), now(), '{}')""",
            user.user_id,
        )
        found = (await rebuild(database, repair=False)).differences
        assert found == (Difference("tokens", surplus=1, missing=1),)


async def test_a_role_is_granted_beside_them(
    admin: Client, user: Client, sql: asyncpg.Connection
) -> None:
    await calls.grant(admin, user.user_id, pb.ROLE_ORG_OWNER)

    assert len(await given.logged(sql, user.user_id, "user.token_revoked")) == 0

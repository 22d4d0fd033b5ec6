"""Writes that grant access lock the rows of users in the order of their IDs, in one statement."""

import asyncio

import asyncpg
import pytest

from keystead.user.v1 import user_service_pb2 as pb
from server.access import admission
from server.access.caller import Caller
from server.access.roles import Role
from server.store.database import Database
from tests.support import given
from tests.support.given import Client, Instance

# Whether the row of a user is unlocked.
_IS_FREE = "select count(*) = 1 from (select from users where id = $1 for update skip locked) as _"


@pytest.mark.parametrize("is_caller_first", [True, False])
async def test_the_second_user_is_not_locked_while_the_first_one_is_waited_for(
    admin: Client, instance: Instance, database: Database, *, is_caller_first: bool
) -> None:
    users = [await given.user(admin, roles=[pb.ROLE_INSTANCE_OWNER]) for _ in range(2)]
    first, second = sorted(each.user_id for each in users)
    caller_id, user_id = (first, second) if is_caller_first else (second, first)
    async with (
        given.sql(instance.dsn) as holder,
        given.sql(instance.dsn) as observer,
    ):
        caller = await _caller(observer, caller_id)
        async with holder.transaction():
            await holder.execute("select from users where id = $1 for update", first)
            waiting = asyncio.ensure_future(_lock(database, user_id, caller))
            await given.waiting_for_a_lock(observer)
            assert await observer.fetchval(_IS_FREE, second)

        assert (await waiting).user_id == user_id


async def _caller(sql: asyncpg.Connection, user_id: str) -> Caller:
    """The caller that the token of the user identifies."""
    row = await sql.fetchrow(
        "select owner, roles, hash from users join tokens on user_id = id where id = $1",
        user_id,
    )
    assert row is not None
    roles = frozenset(map(Role, row["roles"]))
    return Caller(user_id, row["owner"], roles, credential=row["hash"])


async def _lock(database: Database, user_id: str, caller: Caller) -> admission.LockedUser:
    async with database.transaction() as transaction:
        return await admission.lock_user(transaction, user_id, actor=caller)

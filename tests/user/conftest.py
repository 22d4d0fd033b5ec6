"""Fixtures of the tests of users."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, TypeAlias

import asyncpg
import pytest

from tests.conftest import MakeInstance
from tests.idp.conftest import oidc_authority, other_provider, provider, relying, zone
from tests.support import given
from tests.support.given import Client, Instance

__all__ = ["oidc_authority", "other_provider", "provider", "relying", "zone"]  # fixtures

InTurn: TypeAlias = Callable[..., Awaitable[list[Any]]]


@pytest.fixture(scope="session")
def instance(mailing_instance: Instance) -> Instance:
    return mailing_instance


@pytest.fixture
async def holder(instance: Instance) -> AsyncIterator[asyncpg.Connection]:
    """A second connection, for locks that calls wait for.

    Not `sql`: within a transaction, PostgreSQL's view of activity does not change.
    """
    async with given.sql(instance.dsn) as connection:
        yield connection


@pytest.fixture
def in_turn(holder: asyncpg.Connection, sql: asyncpg.Connection) -> InTurn:
    """Makes calls that wait in their order for the row of a user; gives their answers.

    Each call is made when the previous one waits, and at another server: calls at one server wait
    for their turn before they reach PostgreSQL.
    """

    async def make(user: Client, *calls: Callable[[], Awaitable[Any]]) -> list[Any]:
        begun = []
        async with holder.transaction():
            await holder.execute("select from users where id = $1 for update", user.user_id)
            for call in calls:
                begun.append(asyncio.ensure_future(call()))
                await given.waiting_for_a_lock(sql, statements=len(begun))
        return await asyncio.gather(*begun)

    return make


@pytest.fixture(scope="session")
async def strict(
    mailing_instance: Instance, make_instance: MakeInstance
) -> AsyncIterator[Instance]:
    """Another server on the same database, where a user may have three tokens."""
    same = {"dsn": mailing_instance.dsn, "data_dir": mailing_instance.data_dir}
    async with make_instance(max_tokens_per_user=3, **same) as other:
        yield other


@pytest.fixture
def elsewhere(strict: Instance) -> Client:
    """The administrator, at that server."""
    return strict.admin

"""The database's own refusals, as what a call ends with."""

import asyncio

import pytest

from server.database import Database, connected
from server.errors import Failure, Kind
from tests.conftest import MakeDatabase


async def test_of_two_transactions_that_wait_for_each_other_one_is_told_to_try_again(
    make_database: MakeDatabase,
) -> None:
    async with connected(await make_database(), pool_size=2) as database:
        await database.fetch("create table rows (id int primary key)")
        await database.fetch("insert into rows values (1), (2)")
        both_have_one = asyncio.Barrier(2)

        ended = await asyncio.gather(
            _lock_both(database, both_have_one, 1, 2),
            _lock_both(database, both_have_one, 2, 1),
            return_exceptions=True,
        )

    [failure] = [end for end in ended if isinstance(end, Failure)]
    assert failure.kind is Kind.ABORTED
    assert failure.retry_after is not None


async def _lock_both(
    database: Database, both_have_one: asyncio.Barrier, first: int, second: int
) -> None:
    async with database.transaction() as transaction:
        await transaction.fetch("select from rows where id = $1 for update", first)
        await both_have_one.wait()
        await transaction.fetch("select from rows where id = $1 for update", second)


async def test_an_event_of_the_same_number_is_a_lost_race(make_database: MakeDatabase) -> None:
    async with connected(await make_database(), pool_size=1) as database:
        await database.fetch("create table events (id int primary key)")
        await database.fetch("insert into events values (1)")

        with pytest.raises(Failure) as refused:
            await database.fetch("insert into events values (1)")

    assert refused.value.kind is Kind.ABORTED

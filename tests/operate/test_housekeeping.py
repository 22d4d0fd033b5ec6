"""Housekeeping: every step is taken, whatever became of the others."""

import asyncpg
import pytest

from server.operate.housekeeping import forget_ended
from server.store.database import connected
from tests.support import given


async def test_a_step_that_fails_does_not_stop_the_others(dsn: str) -> None:
    async with given.sql(dsn) as sql, connected(dsn, pool_size=2) as database:
        await sql.execute("insert into used_values values ('flow', 'f', now() - interval '2 days')")
        await sql.execute("alter table mails rename to others")

        with pytest.raises(asyncpg.UndefinedTableError, match="mails"):
            await forget_ended(database)

        assert await sql.fetchval("select count(*) from used_values") == 0

"""Values that may be used once: what is a second use, and how long it is refused."""

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta

import asyncpg
import pytest

from server.store import migrate as migrate_module
from server.store import one_time
from server.store.database import Database, connected
from server.store.one_time import USED_KEY, OneTime
from server.store.refusals import UniqueConflictError
from server.store.retention import delete_ended
from server.store.schema import migrations
from tests.support import given
from tests.support.databases import MakeDatabase

_CODES = OneTime("code", lifetime=timedelta(minutes=1))
_NONCES = OneTime("nonce", lifetime=timedelta(minutes=1))


@pytest.fixture
async def store(dsn: str) -> AsyncIterator[Database]:
    async with connected(dsn, pool_size=4) as store:
        yield store


async def _conflict(store: Database, value: bytes) -> str:
    """The constraint that refuses the use."""
    with pytest.raises(UniqueConflictError) as conflict:
        await _CODES.use(store, value)
    return conflict.value.constraint


async def test_a_value_is_used_once(store: Database) -> None:
    assert not await _CODES.is_used(store, b"value")
    await _CODES.use(store, b"value")

    assert await _CODES.is_used(store, b"value")
    assert await _conflict(store, b"value") == USED_KEY


async def test_one_of_simultaneous_uses_succeeds(store: Database) -> None:
    uses = await asyncio.gather(
        *(_CODES.use(store, b"value") for _ in range(8)), return_exceptions=True
    )

    assert sum(use is None for use in uses) == 1
    assert sum(isinstance(use, UniqueConflictError) for use in uses) == 7


async def test_values_of_two_kinds_are_independent(store: Database) -> None:
    await _NONCES.use(store, b"value")

    assert not await _CODES.is_used(store, b"value")
    await _CODES.use(store, b"value")


async def test_a_use_is_kept_for_a_day_after_the_lifetime_of_the_value(
    store: Database, dsn: str
) -> None:
    day_passes = "update used_values set expires_at = expires_at - interval '1 day'"
    await _CODES.use(store, b"value")

    async with given.sql(dsn) as sql:
        await sql.execute(day_passes)
        await delete_ended(store, one_time.ENDED)
        assert await _CODES.is_used(store, b"value")

        await sql.execute(day_passes)
        await delete_ended(store, one_time.ENDED)
        assert not await _CODES.is_used(store, b"value")


async def test_what_servers_of_an_older_release_marked_stays_used(
    make_database: MakeDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    dsn = await make_database(empty=True)
    [move] = [each for each in migrations() if each.version == 28]
    older = [each for each in migrations() if each.version < move.version]
    with monkeypatch.context() as patched:
        patched.setattr(migrate_module, "migrations", lambda: older)
        async with connected(dsn, pool_size=1) as database:
            await migrate_module.migrate(database)
    async with given.sql(dsn) as server, given.sql(dsn) as newer, given.sql(dsn) as observer:
        await server.execute("insert into used_flows values ('flow', now())")
        async with server.transaction():
            await server.execute("insert into used_challenges values ('challenge', now())")
            moving = asyncio.create_task(newer.execute(move.sql))
            await given.waiting_for_a_lock(observer)
        await moving

        moved = await newer.fetch("select kind, value from used_values order by kind")
        assert [tuple(row) for row in moved] == [("challenge", b"challenge"), ("flow", b"flow")]
        with pytest.raises(asyncpg.UndefinedTableError):
            await server.execute("insert into used_challenges values ('another', now())")

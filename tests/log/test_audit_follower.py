"""The growing event log: each new event is shown once, in the order of positions."""

import asyncio
import contextlib

import asyncpg
import pytest

from server.log import audit, positions
from server.log.audit import Follower, Wanted
from server.log.event import StoredEvent
from server.store.database import Database, Statements, connected
from server.store.statement import statement
from server.values.errors import Failure
from tests.conftest import own_database, own_sql
from tests.support import given

_APPEND = statement("""
insert into events
select :aggregate_id, coalesce(:sequence, 1)::bigint, 'test', 'test.written', 1, '{}', 'somebody',
    'org', now()""")


database = own_database
sql = own_sql


@pytest.fixture
def follower(database: Database) -> Follower:
    return Follower(database, Wanted())


async def _append(database: Statements, *aggregate_ids: str, sequence: int | None = None) -> None:
    for aggregate_id in aggregate_ids:
        await database.fetch(_APPEND, aggregate_id=aggregate_id, sequence=sequence)


async def _existing(follower: Follower, *, limit: int = 1000) -> list[str]:
    return [event.aggregate_id for event in await follower.existing(limit=limit)]


async def _added(follower: Follower) -> list[str]:
    return [event.aggregate_id for event in await follower.added()]


@pytest.mark.parametrize(("limit", "existing"), [(1000, ["a", "b"]), (1, ["b"])])
async def test_the_existing_events_come_first_and_then_each_added_one_once(
    database: Database, follower: Follower, limit: int, existing: list[str]
) -> None:
    await _append(database, "a")
    await _append(database, "b", sequence=2)

    assert await _existing(follower, limit=limit) == existing
    await _append(database, "c", "d")
    assert await _added(follower) == ["c", "d"]
    assert await _added(follower) == []


async def test_only_wanted_events_are_added(database: Database) -> None:
    await _append(database, "a", "b")
    follower = Follower(database, Wanted(aggregate_id="a"))
    await follower.existing(limit=1)

    await _append(database, "a", "b", sequence=2)

    assert await _added(follower) == ["a"]


async def test_an_event_that_commits_during_the_first_look_is_shown_once(
    database: Database, follower: Follower, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = audit.read_events

    async def late(database: Statements, wanted: Wanted, *, limit: int) -> list[StoredEvent]:
        await _append(database, "late")
        return await read(database, wanted, limit=limit)

    monkeypatch.setattr(audit, "read_events", late)

    assert await _existing(follower) == ["late"]
    assert await _added(follower) == []


async def test_an_event_that_commits_late_is_added_after_those_of_later_sequences(
    database: Database, follower: Follower
) -> None:
    async with database.transaction() as slow:
        await _append(slow, "first")
        await _append(database, "second", sequence=2)
        assert await _existing(follower) == ["second"]
        await _append(database, "third", sequence=3)
        assert await _added(follower) == ["third"]
        await _append(database, "fourth", sequence=4)
        await positions.assign(database)

    assert await _added(follower) == ["fourth", "first"]
    assert await _added(follower) == []


async def test_a_look_covers_a_limited_number_of_positions(
    database: Database, follower: Follower, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(audit, "_LOOK", 2)
    await follower.existing(limit=1)
    await _append(database, "a", "b", "c")

    assert [await _added(follower) for _ in range(3)] == [["a", "b"], ["c"], []]


async def test_a_database_without_writes_is_followed_by_the_positions_of_others(
    dsn: str, database: Database
) -> None:
    async with connected(dsn, pool_size=4) as own:
        follower = Follower(own, Wanted())
        await follower.existing(limit=1)
        await _append(database, "a")
        await positions.assign(database)
        await _append(database, "b")
        async with given.read_only(dsn):
            with contextlib.suppress(Failure):  # of a connection that was closed
                assert await _added(follower) == ["a"]
            assert await _added(follower) == []

    assert await positions.assign(database) == 2


@pytest.mark.parametrize("hanging", ["fetch_one", "fetch"])
async def test_a_look_without_an_answer_is_given_up_and_repeated(
    database: Database, follower: Follower, monkeypatch: pytest.MonkeyPatch, hanging: str
) -> None:
    async def never(*_arguments: object, **_values: object) -> None:
        await asyncio.Event().wait()

    await follower.existing(limit=1)
    await _append(database, "event")
    with monkeypatch.context() as broken:
        broken.setattr(audit, "_PATIENCE_SECONDS", 0.1)
        broken.setattr(database, hanging, never)
        with pytest.raises(TimeoutError):
            await follower.added()

    assert await _added(follower) == ["event"]


async def test_a_log_that_has_lost_its_end_is_followed_from_there(
    database: Database, sql: asyncpg.Connection, follower: Follower
) -> None:
    await _append(database, "kept", "lost")
    await follower.existing(limit=2)
    await sql.execute("delete from event_positions where position = 2")
    await sql.execute("update last_event_position set position = 1")
    assert await _added(follower) == []

    await _append(database, "new", sequence=2)

    assert await _added(follower) == ["new"]

"""A log that was set back: no consumer misses an event without notice."""

import contextlib
from collections.abc import AsyncIterator
from urllib.parse import urlsplit
from uuid import uuid4

import asyncpg
import pytest

from server.log import feed as feed_module
from server.log import lives, positions
from server.log.audit import Follower, Wanted
from server.log.feed import Feed, Topic
from server.log.lives import Lives, LogEnd
from server.store.database import Database, Statements, connected
from server.store.statement import statement
from server.values.errors import Failure
from tests.conftest import own_database, own_sql
from tests.support import given

_APPEND = statement("""
insert into events
select :aggregate_id || n, n, 'test', 'test.written', 1, '{}', 'somebody', 'org', now()
from generate_series(1, :number::int) as n""")

database = own_database
sql = own_sql


async def _write(database: Statements, name: str, number: int) -> int:
    """Writes events, and gives the last position."""
    await database.fetch(_APPEND, aggregate_id=name, number=number)
    return await positions.assign(database)


async def _set_back(sql: asyncpg.Connection, last: int) -> None:
    """As a standby that lacks the last events, and was promoted."""
    await sql.execute("delete from event_positions where position > $1", last)
    await sql.execute("update last_event_position set position = $1, origin = 'another'", last)


def _topic(feed: Feed) -> Topic[str]:
    return feed.topic(lambda event: event.aggregate_id)


@contextlib.asynccontextmanager
async def _backup(cluster: str, dsn: str) -> AsyncIterator[str]:
    """A copy of a database as it is now."""
    name, path = f"keystead_test_{uuid4().hex}", urlsplit(dsn).path.removeprefix("/")
    async with given.sql(cluster) as server:
        await server.execute(f"create database {name} template {path}")
        try:
            yield urlsplit(cluster)._replace(path=f"/{name}").geturl()
        finally:
            await server.execute(f"drop database {name} with (force)")


async def test_a_consumer_of_a_restored_log_skips_nothing_in_silence(
    cluster: str, dsn: str
) -> None:
    async with connected(dsn, pool_size=1) as database:
        assert await _write(database, "before", 5) == 5
    async with _backup(cluster, dsn) as restored:
        async with connected(dsn, pool_size=1) as database:
            assert await _write(database, "lost", 3) == 8
        async with connected(restored, pool_size=2) as database:
            assert await _write(database, "new", 6) == 11
            feed = Feed(database)
            topic = _topic(feed)

            with pytest.raises(Failure) as refused:
                await anext(topic.watch(8))
            found = list[str]()
            async with contextlib.aclosing(topic.watch(5)) as stream:
                async for update in stream:
                    found += update.items
                    if len(found) >= 6:
                        break
            with pytest.raises(Failure) as to_come:
                await anext(topic.watch(update.position + 1))

    assert refused.value.reason == "LOG_RESTORED"
    assert found == [f"new{n}" for n in range(1, 7)]
    assert update.position > 10**15
    assert to_come.value.reason == "SEQUENCE_UNKNOWN"


async def test_an_empty_log_that_is_copied_goes_on(cluster: str, dsn: str) -> None:
    async with _backup(cluster, dsn) as copy, connected(copy, pool_size=1) as database:
        await _write(database, "a", 1)
        await _write(database, "b", 1)

        assert (await positions.end_of_log(database)) == LogEnd(2, 0)


async def test_a_step_of_the_guide_begins_a_life_where_the_database_cannot_know(
    database: Database,
) -> None:
    await _write(database, "a", 5)

    assert not await lives.begin(database)
    assert await lives.begin(database, is_set_back=True)

    log = await lives.look(database)
    assert log.ended == [(0, 5)]
    assert log.end.cursor_offset > 10**15
    assert log.position_of(log.end.cursor) == 5


def test_a_cursor_of_an_earlier_life_is_valid_up_to_the_lowest_end_since() -> None:
    log = Lives(LogEnd(20, 3000), [(0, 10), (1000, 8)])

    assert [log.position_of(each) for each in (0, 8, 1000, 1008, 3000, 3020)] == [0, 8, 0, 8, 0, 20]
    for cursor, reason in {
        9: "LOG_RESTORED",
        999: "LOG_RESTORED",
        1009: "LOG_RESTORED",
        3021: "SEQUENCE_UNKNOWN",
    }.items():
        with pytest.raises(Failure) as refused:
            log.position_of(cursor)
        assert refused.value.reason == reason


@pytest.mark.parametrize("kept", [3, 2], ids=["nothing is lost", "the last event is lost"])
async def test_a_stream_goes_on_through_a_failover_unless_it_has_a_lost_event(
    database: Database, sql: asyncpg.Connection, kept: int
) -> None:
    feed = Feed(database)
    topic = _topic(feed)
    async with contextlib.aclosing(topic.watch(None)) as stream:
        await anext(stream)
        await _write(database, "old", 3)
        await feed.advance()
        assert len((await anext(stream)).items) == 3
        await _set_back(sql, kept)
        last = await _write(database, "new", 4)
        await feed.advance()

        if kept == 3:
            update = await anext(stream)
            assert (len(update.items), last) == (4, 7)
            assert update.position == (await positions.end_of_log(database)).cursor
        else:
            with pytest.raises(Failure) as refused:
                await anext(stream)
            assert refused.value.reason == "LOG_RESTORED"


async def test_a_listener_is_told_of_the_events_in_the_places_of_lost_ones(
    database: Database, sql: asyncpg.Connection
) -> None:
    feed, told = Feed(database), list[str]()
    feed.listen(lambda event: told.append(event.aggregate_id), types=["test.written"])
    await _write(database, "old", 3)
    await feed.advance()
    await _set_back(sql, 1)
    await _write(database, "new", 1)

    await feed.advance()

    assert told == ["old1", "old2", "old3", "new1"]


async def test_a_listener_that_fails_after_a_failover_ends_no_stream(
    database: Database, sql: asyncpg.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fails(*_: object, **__: object) -> None:
        raise ConnectionError

    feed = Feed(database)
    feed.listen(lambda _: None, types=["test.written"])
    topic = _topic(feed)
    async with contextlib.aclosing(topic.watch(None)) as stream:
        await anext(stream)
        await _write(database, "old", 3)
        await feed.advance()
        await anext(stream)
        await _set_back(sql, 3)
        await _write(database, "new", 4)
        with monkeypatch.context() as failing:
            failing.setattr(feed_module, "read_positions", fails)
            with pytest.raises(ConnectionError):
                await feed.advance()

        await feed.advance()

        assert len((await anext(stream)).items) == 4


async def test_an_audit_that_follows_the_log_shows_the_events_after_those_that_are_lost(
    database: Database, sql: asyncpg.Connection
) -> None:
    follower = Follower(database, Wanted())
    await _write(database, "old", 3)
    await follower.existing(limit=10)
    await _set_back(sql, 1)
    await _write(database, "new", 4)

    assert [event.aggregate_id for event in await follower.added()] == [
        f"new{n}" for n in range(1, 5)
    ]

"""The order of all events: followers get each event exactly once."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator, AsyncIterator, Sequence

import asyncpg
import pytest

from server.log import feed as feed_module
from server.log import lives, positions
from server.log.feed import Feed, FeedUpdate, Topic
from server.log.lives import Lives, LogEnd
from server.log.positions import PositionedEvent
from server.store.database import Database, Row, Statements, connected
from server.store.schema import migrations
from server.store.statement import Statement, statement
from server.values.errors import Failure
from tests.conftest import own_database, own_sql
from tests.support import given

pytestmark = pytest.mark.python_differs("asyncio cancels and wakes tasks in another order")

_APPEND = statement("""
insert into events
select :aggregate_id, :sequence::bigint, 'test', :type, 1, '{}', 'somebody', 'org', now()""")


_MORE_THAN_A_PAGE = 300


class _Counting(Database):
    """A database that counts its statements."""

    statements = 0

    async def fetch(self, statement: Statement, /, **values: object) -> list[Row]:
        self.statements += 1
        return await super().fetch(statement, **values)

    async def fetch_row(self, statement: Statement, /, **values: object) -> Row | None:
        self.statements += 1
        return await super().fetch_row(statement, **values)


database = own_database
sql = own_sql


@pytest.fixture
def feed(database: Database) -> Feed:
    return Feed(database)


@pytest.fixture
def topic(feed: Feed) -> Topic[str]:
    """A topic whose items are the aggregate IDs of all events."""
    return feed.topic(lambda event: event.aggregate_id)


async def _append(
    database: Statements, aggregate_id: str, *, sequence: int = 1, event_type: str = "test.written"
) -> None:
    await database.fetch(_APPEND, aggregate_id=aggregate_id, sequence=sequence, type=event_type)


@contextlib.asynccontextmanager
async def _watching(
    topic: Topic[str], after: int | None = None
) -> AsyncIterator[AsyncGenerator[FeedUpdate[str]]]:
    """A watcher that has read the heartbeat with which every stream begins."""
    async with contextlib.aclosing(topic.watch(after)) as stream:
        first = await anext(stream)
        assert first.items == ()
        assert after is None or first.position == after
        yield stream


async def _items(stream: AsyncIterator[FeedUpdate[str]], count: int) -> list[str]:
    """The next items, which must have this number."""
    items: list[str] = []
    while len(items) < count:
        items += (await anext(stream)).items
    return items


async def test_a_watcher_is_told_what_is_added_in_its_order(
    database: Database, feed: Feed, topic: Topic[str]
) -> None:
    await _append(database, "before")
    await feed.advance()

    async with _watching(topic) as stream:
        for name in "abc":
            await _append(database, name, sequence=ord(name))
        await feed.advance()
        await _append(database, "d")
        await feed.advance()

        assert await _items(stream, 4) == ["a", "b", "c", "d"]


async def test_a_listener_is_told_of_each_new_event_of_its_types_before_the_watchers(
    database: Database, feed: Feed, topic: Topic[str]
) -> None:
    told: list[str] = []
    feed.listen(lambda event: told.append(event.aggregate_id), types=["test.ended"])
    await _append(database, "before", event_type="test.ended")
    await feed.advance()
    assert told == ["before"]
    told.clear()

    async with _watching(topic) as stream:
        for number in range(_MORE_THAN_A_PAGE):
            kind = "test.ended" if number % 2 else "test.written"
            await _append(database, str(number), sequence=number + 2, event_type=kind)
        waiting = asyncio.ensure_future(anext(stream))
        await feed.advance()
        await waiting

        assert told == [str(number) for number in range(1, _MORE_THAN_A_PAGE, 2)]
        await feed.advance()
        assert len(told) == _MORE_THAN_A_PAGE // 2


async def test_a_listener_is_told_again_after_a_failure(
    database: Database, feed: Feed, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    feed.listen(lambda event: told.append(event.aggregate_id), types=["test.ended"])
    await _append(database, "before")
    await feed.advance()
    await _append(database, "ended", sequence=2, event_type="test.ended")
    with monkeypatch.context() as failing:
        failing.setattr(feed_module, "read_positions", _fails)
        with pytest.raises(ConnectionError):
            await feed.advance()

    await feed.advance()

    assert told == ["ended"]


async def _fails(*_: object, **__: object) -> list[PositionedEvent]:
    raise ConnectionError


async def test_a_watcher_may_begin_with_the_first_event(
    database: Database, feed: Feed, topic: Topic[str]
) -> None:
    await _append(database, "a", sequence=1)
    await _append(database, "b", sequence=2)
    await feed.advance()

    async with _watching(topic, after=0) as stream:
        assert await _items(stream, 2) == ["a", "b"]


async def test_an_event_that_commits_late_is_told_to_those_who_saw_later_ones(
    database: Database, sql: asyncpg.Connection, feed: Feed, topic: Topic[str]
) -> None:
    async with _watching(topic) as stream:
        late = sql.transaction()
        await late.start()
        await sql.execute(_APPEND.sql, "late", 1, "test.written")
        await _append(database, "early", sequence=2)
        await feed.advance()
        told = await anext(stream)
        await late.commit()
        await feed.advance()

        assert told.items == ["early"]
        assert await _items(stream, 1) == ["late"]
    async with _watching(topic, after=told.position) as resumed:
        assert await _items(resumed, 1) == ["late"]


async def test_a_resumed_stream_has_the_rest_once_wherever_it_was_cut(
    database: Database, feed: Feed, topic: Topic[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    # Small enough that some watchers resume from memory and others from the database.
    monkeypatch.setattr(feed_module, "_RECENT", 4)
    monkeypatch.setattr(feed_module, "_PAGE", 3)
    names = [f"{number:02}" for number in range(20)]

    async with _watching(topic) as stream:
        for number, name in enumerate(names):
            await _append(database, name, sequence=number)
            await feed.advance()
        told: list[FeedUpdate[str]] = []
        while not told or told[-1].items[-1] != names[-1]:
            told.append(await anext(stream))
        assert [item for each in told for item in each.items] == names

        for number, last in enumerate(told[:-1]):
            rest = [item for each in told[number + 1 :] for item in each.items]
            async with _watching(topic, after=last.position) as resumed:
                assert await _items(resumed, len(rest)) == rest


async def test_processes_that_share_a_database_agree_on_positions(
    dsn: str, database: Database
) -> None:
    async with connected(dsn, pool_size=1) as other:
        feeds = [Feed(database), Feed(other)]
        for number in range(30):
            await _append(database, f"{number:02}", sequence=number)
            await asyncio.gather(*(feed.advance() for feed in feeds))
        await asyncio.gather(*(feed.advance() for feed in feeds))
        last = await positions.last_position(database)
        read = await positions.read_positions(other, after=0, until=last, types=())

    assert [event.aggregate_id for event in read] == [f"{number:02}" for number in range(30)]
    assert [event.position for event in read] == list(range(1, 31))


async def test_a_process_that_ends_while_it_assigns_positions_leaves_none_out(
    dsn: str, database: Database
) -> None:
    await _append(database, "a")
    async with given.sql(dsn) as killed:
        await killed.execute("begin")
        await killed.execute(positions._ASSIGN.sql, 100)  # noqa: SLF001

        # Another process does not wait for it.
        assert await positions.assign(database) == 0

    assert await positions.assign(database) == 1


async def test_events_of_before_the_positions_have_one_after_the_migration(
    dsn: str, database: Database, sql: asyncpg.Connection
) -> None:
    await sql.execute("drop trigger events_await_their_position on events")
    await _append(database, "old", sequence=2)
    await _append(database, "older", sequence=1)
    await sql.execute(
        "drop table event_positions, last_event_position, unpositioned_events, event_log_lives;"
        "drop function events_await_their_position, event_log_origin"
    )
    for migration in migrations():
        if migration.version in (13, 49):
            await sql.execute(migration.sql)

    read = await positions.read_positions(database, after=0, until=2, types=())

    assert [event.aggregate_id for event in read] == ["older", "old"]
    assert await positions.assign(database) == 2


async def test_a_topic_has_the_events_of_its_types_that_mean_something(
    database: Database, feed: Feed
) -> None:
    def named(event: PositionedEvent) -> str | None:
        return event.aggregate_id if event.aggregate_id != "nothing" else None

    topic = feed.topic(named, types=["test.wanted"])
    async with _watching(topic, after=0) as stream:
        await _append(database, "other")
        await _append(database, "nothing", event_type="test.wanted")
        await _append(database, "wanted", event_type="test.wanted")
        await feed.advance()

        assert await _items(stream, 1) == ["wanted"]


async def test_a_position_of_the_future_is_refused(
    database: Database, feed: Feed, topic: Topic[str]
) -> None:
    await _append(database, "a")
    await feed.advance()

    with pytest.raises(Failure) as refused:
        await anext(topic.watch(2))

    assert refused.value.reason == "SEQUENCE_UNKNOWN"


async def test_a_silent_stream_has_a_heartbeat_that_tells_how_far_it_is(
    database: Database, feed: Feed, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(feed_module, "HEARTBEAT_SECONDS", 0.01)
    topic = feed.topic(lambda event: event.aggregate_id, types=["test.wanted"])
    async with _watching(topic) as stream:
        await _append(database, "other")
        await feed.advance()

        while (told := await anext(stream)).position == 0:
            pass

    assert told == FeedUpdate(1, [])


async def _statements(dsn: str, watchers: int) -> int:
    """The number of statements of a feed with this number of watchers, for one event."""
    async with connected(dsn, pool_size=4) as plain, contextlib.AsyncExitStack() as stack:
        database = _Counting(plain._pool)  # noqa: SLF001
        feed = Feed(database)
        topic = feed.topic(lambda event: event.aggregate_id)
        streams = [await stack.enter_async_context(_watching(topic)) for _ in range(watchers)]
        database.statements = 0
        for number in range(3):
            await _append(plain, f"{watchers} {number}")
            await feed.advance()
        told: Sequence[list[str]] = await asyncio.gather(*(_items(each, 3) for each in streams))
        assert all(items == told[0] for items in told)
        return database.statements


async def test_a_thousand_watchers_cost_the_statements_of_one(dsn: str, database: Database) -> None:
    assert await _statements(dsn, 1) == await _statements(dsn, 1000)


async def test_nobody_who_watches_costs_no_reading(dsn: str, database: Database) -> None:
    async with connected(dsn, pool_size=1) as plain:
        counting = _Counting(plain._pool)  # noqa: SLF001
        feed = Feed(counting)
        feed.topic(lambda event: event.aggregate_id)

        await feed.advance()

    assert counting.statements == 1


async def test_a_watcher_that_stays_behind_keeps_nobody_waiting_and_costs_no_memory(
    database: Database, feed: Feed, topic: Topic[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(feed_module, "_RECENT", 4)
    async with _watching(topic) as slow, _watching(topic) as quick:
        for number in range(20):
            await _append(database, f"{number}", sequence=number)
            await feed.advance()
            assert await _items(quick, 1) == [f"{number}"]
        assert len(topic._recent) == 4  # noqa: SLF001

        assert await _items(slow, 20) == [f"{number}" for number in range(20)]


async def test_a_first_watcher_that_begins_during_a_read_misses_nothing(
    database: Database, feed: Feed, topic: Topic[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    read, second = topic._read, topic.watch(None)  # noqa: SLF001

    async def earlier(_database: Statements) -> Lives:
        return Lives(LogEnd(0, 0), ())  # read before the events, and answered late

    async with _watching(topic) as stream:
        await _append(database, "a", sequence=1)
        await feed.advance()

        async def read_while_others_begin(after: int, until: int) -> list[tuple[int, str]]:
            monkeypatch.setattr(topic, "_read", read)
            monkeypatch.setattr(lives, "look", earlier)
            await stream.aclose()
            await anext(second)
            return await read(after, until)

        monkeypatch.setattr(topic, "_read", read_while_others_begin)
        await _append(database, "b", sequence=2)
        await feed.advance()

    async with contextlib.aclosing(second), asyncio.timeout(5):
        assert await _items(second, 2) == ["a", "b"]


async def test_items_in_memory_are_one_message_however_far_apart_they_are(
    database: Database, feed: Feed, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(feed_module, "_PAGE", 3)
    topic = feed.topic(lambda event: event.aggregate_id, types=["test.wanted"])
    async with _watching(topic):
        await _append(database, "a", sequence=1, event_type="test.wanted")
        for number in range(10):
            await _append(database, "other", sequence=2 + number)
        await _append(database, "b", sequence=20, event_type="test.wanted")
        await feed.advance()

        async with _watching(topic, after=0) as resumed:
            assert await anext(resumed) == FeedUpdate(12, ["a", "b"])


async def test_while_writes_are_refused_the_events_that_have_a_position_are_told(
    dsn: str, database: Database, sql: asyncpg.Connection, feed: Feed, topic: Topic[str]
) -> None:
    async with _watching(topic) as stream:
        await _append(database, "a")
        await positions.assign(database)  # as another process
        await _append(database, "b")
        async with given.read_only(dsn):
            with contextlib.suppress(Failure):  # a connection that was closed
                await feed.advance()
            for _ in range(5):
                await feed.advance()
            assert await _items(stream, 1) == ["a"]
            assert database.writes_refused <= 1  # each costs a connection

        feed._assigner._assigns_from = 0  # noqa: SLF001 -- a second later
        for _ in range(5):  # the connections that were closed
            with contextlib.suppress(Failure):
                await feed.advance()
        assert await _items(stream, 1) == ["b"]


async def test_a_database_that_does_not_answer_holds_up_the_feed_for_a_limited_time(
    database: Database, feed: Feed, topic: Topic[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def never(*_arguments: object, **_values: object) -> int:
        return await asyncio.Event().wait()

    monkeypatch.setattr(feed_module, "_ANSWER_SECONDS", 0.01)
    async with _watching(topic) as stream:
        await _append(database, "a")
        for module, statement_of in ((positions, "_assigned"), (feed_module, "read_positions")):
            with monkeypatch.context() as hanging:
                hanging.setattr(module, statement_of, never)
                with pytest.raises(TimeoutError):
                    await feed.advance()
        monkeypatch.undo()
        await feed.advance()

        assert await _items(stream, 1) == ["a"]


async def test_a_log_that_has_lost_its_end_ends_the_streams(
    database: Database, sql: asyncpg.Connection, feed: Feed, topic: Topic[str]
) -> None:
    """Positions are assigned again, so a stream that continued would omit their events."""
    async with _watching(topic) as stream:
        await _append(database, "lost")
        await feed.advance()
        assert await _items(stream, 1) == ["lost"]
        await sql.execute("delete from event_positions")
        await sql.execute("update last_event_position set position = 0")
        await feed.advance()
        await _append(database, "new", sequence=2)
        await feed.advance()

        with pytest.raises(Failure) as refused:
            await anext(stream)
    assert refused.value.reason == "LOG_RESTORED"
    async with _watching(topic, after=0) as anew:
        assert await _items(anew, 1) == ["new"]

"""Follows the log for streams, with one reader per process for any number of watchers.

`Feed.advance`, repeated by the server, assigns positions and makes each watched `Topic` read its
new items. A topic keeps its latest items. A watcher holds only a position in them, so memory is
bounded and no watcher waits for another. A watcher that starts further back, or falls behind,
reads pages from the database at its own pace until it has caught up.

The rule: items are sent after their positions are assigned, in the order of positions. So a watcher
that resumes after the last position that it received neither misses an item nor gets one twice.

While the database refuses writes, no positions are assigned, and only items with one are sent.
"""

import asyncio
import contextlib
import time
from collections import deque
from collections.abc import AsyncGenerator, Callable, Sequence
from itertools import takewhile
from typing import Any, Final, Generic, NamedTuple, TypeVar

from server.log import lives
from server.log.archive_store import require_positions
from server.log.lives import LogEnd
from server.log.positions import Assigner, PositionedEvent, read_positions
from server.store.database import Database

# The interval of `Feed.advance`. Half of it is the usual delay of a stream.
PACE_SECONDS: Final = 0.25
# A watcher without new items gets its position at this interval. Proxies commonly cut connections
# that are silent for 60 seconds.
HEARTBEAT_SECONDS: Final = 25.0

# The time limit of one statement of `Feed.advance`: on a dead connection it would never end.
_ANSWER_SECONDS = 5.0

# Items that a topic keeps.
_RECENT = 4_096
# The maximum number of positions that one read covers, and of items in one message.
_PAGE = 250

_Item = TypeVar("_Item")


class FeedUpdate(NamedTuple, Generic[_Item]):
    """Items in the order of their events. All items up to the cursor `position` have been sent.

    Without items it is a heartbeat.
    """

    position: int
    items: Sequence[_Item]


class Topic(Generic[_Item]):
    """The items that watchers get for events of some types; made by `Feed.topic`."""

    def __init__(
        self,
        database: Database,
        convert: Callable[[PositionedEvent], _Item | None],
        types: Sequence[str],
    ) -> None:
        self._database = database
        self._convert = convert
        self._types = types
        self._watchers = 0
        # All items after the position `_start` and up to `_end`, with their positions.
        self._recent: deque[tuple[int, _Item]] = deque()
        self._start = self._end = 0
        self._added = asyncio.Event()
        # Of the last restart: the last position that was not lost, and the offset of cursors.
        self._restarts = self._kept = self._cursor_offset = 0

    async def watch(
        self, cursor: int | None, is_wanted: Callable[[_Item], bool] = lambda _: True
    ) -> AsyncGenerator[FeedUpdate[_Item]]:
        """The wanted items after a cursor, or from now on, without end.

        Begins with a heartbeat. Unwanted items do not delay the next one.

        `Failure` FAILED_PRECONDITION for a cursor after the end of the log or of an event that is
        lost, and for one before an event that was archived, also if that happens while the watcher
        is behind.
        """
        restarts = self._restarts
        log = await lives.look(self._database)
        last, offset = log.end
        position = last if cursor is None else log.position_of(cursor)
        if cursor is not None:
            await require_positions(self._database, position, cursor_offset=offset)
        if not self._watchers:
            self._recent.clear()
            self._start = self._end = last
        self._watchers += 1
        try:
            yield FeedUpdate(offset + position, ())
            sent_at = time.monotonic()
            while True:
                if self._restarts != restarts:
                    if self._restarts > restarts + 1 or position > self._kept:
                        raise lives.set_back()
                    restarts, offset = self._restarts, self._cursor_offset
                added = self._added
                page, position = await self._page(position, offset)
                items = [item for item in page if is_wanted(item)]
                silence = time.monotonic() - sent_at
                if items or silence >= HEARTBEAT_SECONDS:
                    yield FeedUpdate(offset + position, items)
                    sent_at = time.monotonic()
                elif position >= self._end:
                    await _set_within(added, HEARTBEAT_SECONDS - silence)
        finally:
            self._watchers -= 1

    async def advance(self, last: int) -> None:
        """Reads the items up to the last position, if the topic has a watcher."""
        while self._watchers and self._end < last:
            start = self._end
            until = min(start + _PAGE, last)
            async with asyncio.timeout(_ANSWER_SECONDS):
                items = await self._read(start, until)
            if self._end != start:  # meanwhile a first watcher has moved the end
                continue
            self._recent.extend(items)
            self._end = until
            while len(self._recent) > _RECENT:
                self._start, _ = self._recent.popleft()
            if items:
                self._wake()

    def restart(self, end: LogEnd, *, kept: int) -> None:
        """Ends the streams that have items of lost events, which are those after `kept`."""
        self._recent.clear()
        self._start = self._end = end.position
        self._kept, self._cursor_offset = kept, end.cursor_offset
        self._restarts += 1
        self._wake()

    def _wake(self) -> None:
        self._added.set()
        self._added = asyncio.Event()

    async def _page(self, after: int, cursor_offset: int) -> tuple[list[_Item], int]:
        """The next items after a position, and the position up to which they are complete."""
        if after >= self._start:
            return self._recent_after(after)
        until = min(after + _PAGE, max(after, self._end))
        items = await self._read(after, until)
        await require_positions(self._database, after, cursor_offset=cursor_offset)
        return [item for _, item in items], until

    async def _read(self, after: int, until: int) -> list[tuple[int, _Item]]:
        events = await read_positions(self._database, after=after, until=until, types=self._types)
        converted = [(event.position, self._convert(event)) for event in events]
        return [(position, item) for position, item in converted if item is not None]

    def _recent_after(self, after: int) -> tuple[list[_Item], int]:
        """The same from memory, in one step at any distance between the positions of the items."""
        # Searches from the end, because nearly all watchers are there.
        newer = list(takewhile(lambda each: each[0] > after, reversed(self._recent)))
        page = newer[: -_PAGE - 1 : -1]
        until = page[-1][0] if len(page) < len(newer) else max(after, self._end)
        return [item for _, item in page], until


class _Listener(NamedTuple):
    """A part of the process that is told of events of some types."""

    tell: Callable[[PositionedEvent], None]
    types: Sequence[str]


class Feed:
    """The topics of a process, and the one reader that serves them."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._topics: list[Topic[Any]] = []
        self._listener: _Listener | None = None
        self._assigner = Assigner(database)
        # The end of the log that `advance` has read.
        self._end = LogEnd(0, 0)

    @property
    def last(self) -> int:
        """The last position that `advance` has read."""
        return self._end.position

    def topic(
        self, convert: Callable[[PositionedEvent], _Item | None], *, types: Sequence[str] = ()
    ) -> Topic[_Item]:
        """A topic of the events of these types, or of all. `convert` gives None for no item."""
        topic = Topic(self._database, convert, types)
        self._topics.append(topic)
        return topic

    def listen(self, tell: Callable[[PositionedEvent], None], *, types: Sequence[str]) -> None:
        """Calls `tell` with each new event of these types, before the watchers of topics get it.

        An event may be told again after a failure, and one of the last before the first `advance`.
        """
        self._listener = _Listener(tell, types)

    async def advance(self) -> None:
        """Assigns positions, tells the listener, and makes the watched topics read new items."""
        async with asyncio.timeout(_ANSWER_SECONDS):
            end = await self._assigner.end()
        await self._restart_if_set_back(end)
        if self._listener is not None:
            await self._tell(self._listener, end.position)
        self._end = end
        for topic in self._topics:
            await topic.advance(end.position)

    async def _tell(self, listener: _Listener, last: int) -> None:
        """Tells the listener of the events after the ones that `advance` has read."""
        # Calls may have been answered before the first `advance`.
        start = self.last or max(0, last - _PAGE)
        for after in range(start, last, _PAGE):
            until = min(after + _PAGE, last)
            async with asyncio.timeout(_ANSWER_SECONDS):
                events = await read_positions(
                    self._database, after=after, until=until, types=listener.types
                )
            for event in events:
                listener.tell(event)

    async def _restart_if_set_back(self, end: LogEnd) -> None:
        """After a failover to a standby that was behind, the log has lost its last events."""
        if not self.last or (
            end.position >= self.last and end.cursor_offset == self._end.cursor_offset
        ):
            return
        async with asyncio.timeout(_ANSWER_SECONDS):
            kept = (await lives.look(self._database)).kept_of(self._end)
        # Now, so that a failure of `_tell` does not restart the topics once more.
        self._end = end._replace(position=kept)
        for topic in self._topics:
            topic.restart(end, kept=kept)


async def _set_within(event: asyncio.Event, seconds: float) -> None:
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await event.wait()

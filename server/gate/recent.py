"""Values that were read from the database a moment ago."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Hashable
from typing import Final, Generic, NamedTuple, TypeVar

from cachetools import TLRUCache

from server.access.cached_callers import CACHE_SECONDS

_MOST: Final = 10_000

_K = TypeVar("_K", bound=Hashable)
_V = TypeVar("_V")


class _Entry(NamedTuple, Generic[_V]):
    value: _V
    asked_at: float


class Recent(Generic[_K, _V]):
    """Values that are at most `CACHE_SECONDS` old. Concurrent calls share one read.

    That nothing was found is a value, too.
    """

    def __init__(self, *, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._entries: TLRUCache[_K, _Entry[_V]] = TLRUCache(_MOST, _recent_until, timer=now)
        self._reading: dict[_K, asyncio.Future[_V]] = {}

    async def get(self, key: _K, read: Callable[[], Awaitable[_V]]) -> _V:
        """The value of a key, from `read` unless it is recent. Raises its `Failure`."""
        try:
            return self._entries[key].value
        except KeyError:
            pass
        reading = self._reading.get(key)
        if reading is None:
            reading = asyncio.ensure_future(self._read(key, read))
            self._reading[key] = reading
            reading.add_done_callback(lambda done: self._end(key, done))
        # Goes on when the call that began it is cancelled: others may wait for it.
        return await asyncio.shield(reading)

    def _end(self, key: _K, done: asyncio.Future[_V]) -> None:
        del self._reading[key]
        if not done.cancelled():
            done.exception()  # asyncio would report one that no call has waited for

    async def _read(self, key: _K, read: Callable[[], Awaitable[_V]]) -> _V:
        asked_at = self._now()
        value = await read()
        self._entries[key] = _Entry(value, asked_at)
        return value


def _recent_until(_key: _K, entry: _Entry[_V], _now: float) -> float:
    return entry.asked_at + CACHE_SECONDS

"""Values that this process remembers, bounded in number and age.

The rule: a value is as old as the beginning of its read. A read that fails leaves the value that
was read before, and concurrent callers share one read.
"""

import asyncio
import math
from collections.abc import Awaitable, Callable, Hashable
from time import monotonic
from typing import Generic, NamedTuple, TypeVar

from cachetools import LRUCache

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class _Known(NamedTuple, Generic[Value]):
    value: Value
    read_at: float


class _Failed(NamedTuple):
    error: Exception
    failed_at: float


class Cache(Generic[Key, Value]):
    """Values by key. That nothing was found is a value, too."""

    def __init__(self, most: int = 1, *, failed_seconds: float = 0) -> None:
        """`most` is the number of values; beyond it, the least recently used one is dropped.

        An error is repeated, without a read, for `failed_seconds` after it.
        """
        self._known: LRUCache[Key, _Known[Value]] = LRUCache(most)
        self._failed: LRUCache[Key, _Failed] = LRUCache(most)
        self._failed_seconds = failed_seconds
        self._reading: dict[Key, asyncio.Future[Value]] = {}

    @property
    def reading(self) -> int:
        """The number of reads that run now."""
        return len(self._reading)

    async def get(self, key: Key, read: Callable[[], Awaitable[Value]], *, seconds: float) -> Value:
        """The value of a key if it is younger than `seconds`, otherwise that of `read`.

        Raises the error of the read. An error of `read` before it returns an awaitable concerns
        only this caller.
        """
        known = self._known.get(key)
        if known is not None and monotonic() < known.read_at + seconds:
            return known.value
        failed = self._failed.get(key)
        if failed is not None and monotonic() < failed.failed_at + self._failed_seconds:
            raise failed.error
        reading = self._reading.get(key) or self._begin(key, read())
        # Goes on when the call that began it is cancelled: others may wait for it.
        return await asyncio.shield(reading)

    def known(self, key: Key, *, seconds: float | None = None) -> Value | None:
        """The value that was read last, if it is younger than `seconds`. None: of any age."""
        known = self._known.get(key)
        if known is None or (seconds is not None and monotonic() >= known.read_at + seconds):
            return None
        return known.value

    def forget(self, key: Key) -> None:
        """Lets the next `get` read again, also if a read runs now. The value stays the last one."""
        if key in self._known:
            self._known[key] = self._known[key]._replace(read_at=-math.inf)
        for each in (self._failed, self._reading):
            each.pop(key, None)

    def _begin(self, key: Key, read: Awaitable[Value]) -> asyncio.Future[Value]:
        begun_at = monotonic()
        reading = self._reading[key] = asyncio.ensure_future(read)

        def ended(_reading: asyncio.Future[Value]) -> None:
            is_forgotten = self._reading.get(key) is not reading
            if not is_forgotten:
                del self._reading[key]
            # asyncio would report an error that no caller has waited for.
            error = asyncio.CancelledError() if reading.cancelled() else reading.exception()
            if error is None and not is_forgotten:
                self._known[key] = _Known(reading.result(), begun_at)
            elif isinstance(error, Exception) and not is_forgotten and self._failed_seconds:
                self._failed[key] = _Failed(error.with_traceback(None), monotonic())

        reading.add_done_callback(ended)
        return reading

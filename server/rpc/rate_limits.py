"""Rate limits of networks of clients, and of callers (decision 7).

A limit is a token bucket for each key: a call takes a token, and tokens come back at a constant
rate until the bucket is full. Each process has buckets of its own.

The rule: a bucket is one number, and the number of buckets is bounded for any number of clients.
"""

import math
import time
from collections.abc import Callable
from datetime import timedelta
from typing import Final, NamedTuple

from server.values.errors import Failure, Kind

# The size of a generation; two are kept. With more keys, buckets are dropped early, as if full.
MAX_BUCKETS: Final = 50_000


class RateLimit:
    """The limit of all keys of one kind, by the generic cell rate algorithm (ITU-T I.371).

    A bucket is stored as the time at which it will be full. A bucket that no call has touched for
    the time in which an empty one fills is full, and is dropped with its generation.
    """

    def __init__(
        self,
        rate: float,
        burst: int,
        *,
        refused: Callable[[], None] = lambda: None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        """`rate` is the tokens that come back per second. A full bucket has `burst`.

        `refused` is called for each call that is refused.
        """
        self._interval = 1 / rate
        self._seconds_to_fill = self._interval * burst
        self._refused = refused
        self._now = now
        self._recent: dict[str, float] = {}
        self._older: dict[str, float] = {}
        self._next_generation = 0.0

    def __len__(self) -> int:
        """The number of buckets that are kept."""
        return len(self._recent) + len(self._older)

    def admit(self, key: str) -> None:
        """Takes a token. `Failure` RESOURCE_EXHAUSTED without one, with the time until the next."""
        now = self._now()
        if now >= self._next_generation or len(self._recent) >= MAX_BUCKETS:
            self._older, self._recent = self._recent, {}
            self._next_generation = now + self._seconds_to_fill
        full_at = self._recent.get(key) or self._older.get(key, now)
        full_at = max(full_at, now) + self._interval
        wait = full_at - now - self._seconds_to_fill
        if wait > 1e-6:  # more than the error of the sums
            self._refused()
            raise _too_many_calls(wait)
        self._recent[key] = full_at


class RateLimits(NamedTuple):
    """The limit of calls without a valid token per client network, and of all others per user.

    None: no limit.
    """

    open: RateLimit | None
    caller: RateLimit | None


UNLIMITED: Final = RateLimits(None, None)


def _too_many_calls(wait: float) -> Failure:
    return Failure(
        Kind.RESOURCE_EXHAUSTED,
        "RATE_LIMITED",
        "Too many calls in a short time. Wait for the retry delay before you try again.",
        retry_after=timedelta(milliseconds=math.ceil(wait * 1000)),
    )

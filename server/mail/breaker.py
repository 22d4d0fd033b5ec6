"""A circuit breaker: whether a destination is worth all mails, or one at a time, now and then.

What fails before the server has heard of any mail (no connection, no TLS, no login) fails for every
mail alike; and each wrong password brings the account closer to being locked. So such a failure
opens the breaker. While it is open one mail is tried at a time, as a trial, after 30 to 60 seconds
first and twice as long after each further failure, up to ten minutes: less than a mail's own wait
grows to, because here all of them wait, new ones too. The first mail that gets further closes it.

It knows what has failed, not only that something has: a changed configuration is another
destination, whose breaker is closed.

Every process has one of its own, in memory: N processes try a wrong password N times as often,
which is little all the same. To share it would put one row and its lock into the way of every try.
"""

import random
import time
from collections.abc import Callable, Hashable

_FIRST_WAIT_SECONDS = 60.0
_LONGEST_WAIT_SECONDS = 600.0
_MOST_DOUBLINGS = 10


class Breaker:
    """Closed to begin with. A target is whatever can fail, compared by what it is equal to."""

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        """`clock` gives seconds."""
        self._clock = clock
        self._failing: Hashable = None
        self._failures = 0
        self._next_trial = 0.0

    @property
    def has_failed(self) -> bool:
        """Whether it is open for anything at all."""
        return self._failures > 0

    @property
    def is_trial_due(self) -> bool:
        """Whether an open one lets a mail through."""
        return self._clock() >= self._next_trial

    def is_open(self, target: Hashable) -> bool:
        """Whether the target is what failed last."""
        return self.has_failed and target == self._failing

    def failed(self, target: Hashable) -> bool:
        """The target failed: whether that was news.

        It is not before the next trial: of several tries at once the first has said it.
        """
        if self.is_open(target) and not self.is_trial_due:
            return False
        self._failures = self._failures + 1 if self.is_open(target) else 1
        self._failing = target
        self._next_trial = self._clock() + self._wait()
        return True

    def reached(self, target: Hashable) -> bool:
        """The target heard of a mail, and what it made of that is about that mail.

        Whether that was news.
        """
        was_open = self.is_open(target)
        if was_open:
            self.reset()
        return was_open

    def reset(self) -> None:
        """Closes it: what failed is of no interest any more."""
        self._failing, self._failures = None, 0

    def _wait(self) -> float:
        """Between half and all of a time that doubles, so that processes do not come together."""
        doublings = min(self._failures - 1, _MOST_DOUBLINGS)
        longest = min(_LONGEST_WAIT_SECONDS, _FIRST_WAIT_SECONDS * 2.0**doublings)
        return longest * random.uniform(0.5, 1)  # noqa: S311 -- nobody gains by guessing it

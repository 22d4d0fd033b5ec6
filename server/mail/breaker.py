"""A circuit breaker: whether a destination is worth all mails, or one at a time, now and then.

What fails before the server has heard of any mail (no connection, no TLS, no login) fails for every
mail alike. So such a failure opens the breaker. While it is open one mail is tried at a time, as a
trial, after 1 to 2 seconds first and twice as long after each further failure, up to ten minutes:
less than a mail's own wait grows to, because here all of them wait, new ones too. So once an outage
has ended they wait for at most about twice the time that it lasted. The first mail that gets
further closes it.

A login that fails brings the account closer to being locked, and the network that it came from;
nothing else that fails does. After one the wait is never shorter than 30 to 60 seconds.

It knows what has failed, not only that something has: a changed configuration is another
destination, whose breaker is closed.

Every process has one of its own, in memory: N processes try a wrong password N times as often,
which is little all the same. To share it would put one row and its lock into the way of every try.
"""

import random
import time
from collections.abc import Callable, Hashable

# At most; at least half of it.
_FIRST_WAIT_SECONDS = 2.0
_FIRST_WAIT_AFTER_LOGIN_SECONDS = 60.0
_LONGEST_WAIT_SECONDS = 600.0


class Breaker:
    """Closed to begin with. A target is whatever can fail, compared by what it is equal to."""

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        """`clock` gives seconds."""
        self._clock = clock
        self._failing: Hashable = None
        # At most between the last failure and the next trial; none while it is closed.
        self._wait = 0.0
        self._next_trial = 0.0

    @property
    def has_failed(self) -> bool:
        """Whether it is open for anything at all."""
        return self._wait > 0

    @property
    def is_trial_due(self) -> bool:
        """Whether an open one lets a mail through."""
        return self._clock() >= self._next_trial

    def is_open(self, target: Hashable) -> bool:
        """Whether the target is what failed last."""
        return self.has_failed and target == self._failing

    def failed(self, target: Hashable, *, is_login: bool = False) -> bool:
        """The target failed, `is_login` when it came to the login: whether that was news.

        It is not before the next trial: of several tries at once the first has said it. Unless a
        login fails after what made the wait shorter than it does.
        """
        first_wait = _FIRST_WAIT_AFTER_LOGIN_SECONDS if is_login else _FIRST_WAIT_SECONDS
        before = self._wait if self.is_open(target) else 0.0
        if before >= first_wait and not self.is_trial_due:
            return False
        self._failing = target
        self._wait = min(max(before * 2, first_wait), _LONGEST_WAIT_SECONDS)
        # Not all of it, so that processes do not come together.
        jitter = random.uniform(0.5, 1)  # noqa: S311 -- nobody gains by guessing it
        self._next_trial = self._clock() + self._wait * jitter
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
        self._failing, self._wait = None, 0.0

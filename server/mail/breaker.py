"""A circuit breaker for an SMTP server, in the memory of each process.

A failure before MAIL FROM (connection, TLS, login) affects all mails of the server, and opens its
breaker. While it is open, one mail at a time is a trial: the first after 1 to 2 seconds, the next
after twice as long, up to ten minutes. New mails wait for the trial too, so this wait is shorter
than the back-off of a single mail. The first mail that gets past the login closes the breaker.

After a failed login the wait is at least 30 to 60 seconds, because servers lock accounts and block
networks after repeated failures.

The breaker remembers the failing destination. It is closed for every other destination, such as
that of a changed configuration.

Each process has its own breakers: every attempt would lock a shared row, while N processes try a
wrong password only N times as often.
"""

import random
import time
from collections.abc import Callable, Hashable

# Upper bounds; the actual wait is 50 to 100 per cent of the bound.
_FIRST_WAIT_SECONDS = 2.0
_FIRST_WAIT_AFTER_LOGIN_SECONDS = 60.0
_LONGEST_WAIT_SECONDS = 600.0
# How long mails wait for a failing server before another one may deliver them.
PATIENCE_SECONDS = 60.0


class Breaker:
    """Initially closed. A target is a destination, compared by equality."""

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        """`clock` returns seconds."""
        self._clock = clock
        self._failing: Hashable = None
        # The upper bound of the wait between the last failure and the next trial; 0 while closed.
        self._wait = 0.0
        self._next_trial = 0.0
        self._failing_since = 0.0

    @property
    def has_failed(self) -> bool:
        """Whether the breaker is open for any target."""
        return self._wait > 0

    @property
    def is_trial_due(self) -> bool:
        """Whether an open breaker allows a trial now."""
        return self._clock() >= self._next_trial

    @property
    def has_lost_patience(self) -> bool:
        """Whether the target has failed for a minute."""
        return self.has_failed and self._clock() >= self._failing_since + PATIENCE_SECONDS

    def is_open(self, target: Hashable) -> bool:
        """Whether the breaker is open for this target."""
        return self.has_failed and target == self._failing

    def failed(self, target: Hashable, *, is_login: bool = False) -> bool:
        """Records a failure of the target, `is_login` for a failed login.

        Returns True if this opened the breaker or ended a trial. Returns False for concurrent
        attempts, which fail before the next trial is due. A failed login after a failure with a
        shorter wait counts as new.
        """
        first_wait = _FIRST_WAIT_AFTER_LOGIN_SECONDS if is_login else _FIRST_WAIT_SECONDS
        before = self._wait if self.is_open(target) else 0.0
        if before >= first_wait and not self.is_trial_due:
            return False
        if not before:
            self._failing_since = self._clock()
        self._failing = target
        self._wait = min(max(before * 2, first_wait), _LONGEST_WAIT_SECONDS)
        # Jitter, so that processes do not try at the same moment.
        jitter = random.uniform(0.5, 1)  # noqa: S311 -- nobody gains by guessing it
        self._next_trial = self._clock() + self._wait * jitter
        return True

    def reached(self, target: Hashable) -> bool:
        """Records that an attempt got past the login. Returns True if that closed the breaker.

        A refusal of the envelope or the content concerns that mail alone.
        """
        was_open = self.is_open(target)
        if was_open:
            self.reset()
        return was_open

    def reset(self) -> None:
        """Closes the breaker for all targets."""
        self._failing, self._wait = None, 0.0

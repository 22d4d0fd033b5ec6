"""The schedule of signing keys: pure functions of the database's clock."""

import enum
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, NamedTuple

# The lifetime of the JWT of a session.
TOKEN_LIFETIME: Final = timedelta(minutes=5)
# The maximum lifetime of a token.
MAX_TOKEN_LIFETIME: Final = timedelta(hours=1)
# The time for which a verifier may cache the key set.
MAX_AGE: Final = timedelta(hours=1)
# The time from the publication of a key to its first signature. Much longer than `MAX_AGE`, so that
# verifiers that could not fetch the key set for some time have the key, too.
PREPUBLISHED: Final = timedelta(days=1)
# The time for which a key signs.
INTERVAL: Final = timedelta(days=30)
# The time for which a key stays published once the next one signs: the lifetime of its last token,
# and an hour for wrong clocks of verifiers and for servers that still have the old key cached.
KEPT: Final = MAX_TOKEN_LIFETIME + timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class SigningKey:
    """A key. `kid` is its JWK thumbprint (RFC 7638), `public_key` a JWK as JSON."""

    kid: str
    public_key: str
    created_at: datetime
    signs_at: datetime


class KeyState(enum.StrEnum):
    """The use of a key."""

    NEXT = enum.auto()
    CURRENT = enum.auto()
    FORMER = enum.auto()


class ScheduledKey(NamedTuple):
    """A key, and the time of its next state or, of a former key, of its removal."""

    key: SigningKey
    state: KeyState
    changes_at: datetime


@dataclass(frozen=True, slots=True)
class Schedule:
    """The keys of an algorithm by `signs_at`, as of `now` by the clock of the database."""

    keys: Sequence[SigningKey]
    now: datetime

    @property
    def current(self) -> SigningKey | None:
        """The key that signs. None: there are no keys.

        If the clock was set back and no key is due, the first key signs: it is already published.
        """
        if not self.keys:
            return None
        due = [key for key in self.keys if key.signs_at <= self.now]
        return due[-1] if due else self.keys[0]

    @property
    def next(self) -> SigningKey | None:
        """The key that is published but does not sign yet."""
        waiting = (key for key in self.keys if key.signs_at > self.now)
        return next((key for key in waiting if key is not self.current), None)

    @property
    def rotates_at(self) -> datetime | None:
        """The time to publish the next key. None: it is published, or there are no keys."""
        if self.current is None or self.next is not None:
            return None
        return self.current.signs_at + INTERVAL - PREPUBLISHED

    @property
    def needs_key(self) -> bool:
        """Whether a key must be added: the first one, or the next one."""
        return self.current is None or (self.rotates_at is not None and self.rotates_at <= self.now)

    def scheduled(self) -> Iterator[ScheduledKey]:
        """The keys with their states."""
        for place, key in enumerate(self.keys):
            successor = self.keys[place + 1] if place + 1 < len(self.keys) else None
            succeeds_at = successor.signs_at if successor else key.signs_at + INTERVAL
            if key is self.current:
                yield ScheduledKey(key, KeyState.CURRENT, succeeds_at)
            elif key.signs_at > self.now:
                yield ScheduledKey(key, KeyState.NEXT, key.signs_at)
            else:
                yield ScheduledKey(key, KeyState.FORMER, succeeds_at + KEPT)

    @property
    def ended(self) -> Sequence[SigningKey]:
        """The keys whose last token has expired."""
        pairs = zip(self.keys, self.keys[1:], strict=False)
        return [key for key, successor in pairs if successor.signs_at + KEPT <= self.now]

"""The cache of callers, by the hashes of their tokens.

The rule: after `forget` no entry of these users is found, and the time it takes depends on the
number of users only. So an entry names its user by an object that all entries of the user share,
and `forget` marks this object.
"""

from time import monotonic
from typing import NamedTuple
from weakref import WeakValueDictionary

from cachetools import TLRUCache

from server.access.caller import Caller

CACHE_SECONDS = 5
_CACHED_CALLERS = 10_000


class _CachedUser:
    """The user of entries. It lives as long as one of them."""

    __slots__ = ("__weakref__", "is_forgotten")

    def __init__(self) -> None:
        self.is_forgotten = False


class _Entry(NamedTuple):
    caller: Caller
    user: _CachedUser
    looked_up_at: float


class CachedCallers:
    """Callers for `CACHE_SECONDS` since their look-up began.

    None is cached after its token or session expires, or one of its roles ends.
    """

    def __init__(self) -> None:
        self._entries: TLRUCache[bytes, _Entry] = TLRUCache(
            _CACHED_CALLERS, _cached_until, timer=monotonic
        )
        self._users: WeakValueDictionary[str, _CachedUser] = WeakValueDictionary()

    def get(self, token_hash: bytes) -> Caller | None:
        """The caller of a token. None: it is not cached."""
        try:
            entry = self._entries[token_hash]
        except KeyError:
            return None
        return None if entry.user.is_forgotten else entry.caller

    def add(self, token_hash: bytes, caller: Caller, *, looked_up_at: float) -> None:
        """Caches the caller of a token. Its look-up began at this time of `time.monotonic`."""
        user = self._users.setdefault(caller.user_id, _CachedUser())
        self._entries[token_hash] = _Entry(caller, user, looked_up_at)

    def remove(self, token_hash: bytes) -> None:
        """Removes the caller of a token, if it is cached."""
        self._entries.pop(token_hash, None)

    def forget(self, *user_ids: str) -> None:
        """Removes all callers that are these users."""
        for user_id in user_ids:
            user = self._users.pop(user_id, None)
            if user is not None:
                user.is_forgotten = True


def _cached_until(_token_hash: bytes, entry: _Entry, now: float) -> float:
    """The time, by the clock of the cache, until which an entry is cached."""
    until = entry.looked_up_at + CACHE_SECONDS
    caller = entry.caller
    for end in (caller.expires_at, caller.roles_end_at):
        if end is not None:
            until = min(until, now + (end - caller.now()).total_seconds())
    return until

"""Finds the caller of a bearer token or of a link's code."""

import contextlib
from collections.abc import Awaitable, Callable, Mapping
from datetime import UTC, datetime

from cachetools import TTLCache

from server.access.caller import Caller, LinkCaller, RegistrationCaller
from server.access.tokens import TokenKind, kind_of, token_hash
from server.values.errors import unauthenticated

CACHE_SECONDS = 5
_CACHED_CALLERS = 10_000


class Authenticator:
    """Finds the caller of a bearer token or of a link's code.

    Users are cached for at most `CACHE_SECONDS`, nobody else is.
    """

    def __init__(
        self,
        *,
        find_user: Callable[[bytes], Awaitable[Caller | None]],
        find_session: Callable[[bytes], Awaitable[Caller | None]],
        find_registration: Callable[[bytes], Awaitable[RegistrationCaller | None]],
        find_link: Callable[[bytes], Awaitable[LinkCaller | None]],
    ) -> None:
        self._find: Mapping[TokenKind, Callable[[bytes], Awaitable[Caller | None]]] = {
            TokenKind.USER: find_user,
            TokenKind.SESSION: find_session,
        }
        self._find_registration = find_registration
        self._find_link = find_link
        self._cache: TTLCache[bytes, Caller] = TTLCache(_CACHED_CALLERS, CACHE_SECONDS)
        self._generation = 0

    async def authenticate(
        self, authorization: list[str], *, fresh: bool = False
    ) -> Caller | RegistrationCaller:
        """The caller of the `authorization` header's values.

        `fresh` asks the database in any case, as every write must: another process may have revoked
        the token a moment ago. `Failure` UNAUTHENTICATED, the same for all reasons.
        """
        scheme, _, token = (
            authorization[0].partition(" ") if len(authorization) == 1 else ("", "", "")
        )
        token = token.strip() if scheme.lower() == "bearer" else ""
        hashed = token_hash(token)
        # First of all, for nearly every call: a token that was found is known to be well-formed.
        if not fresh and (known := self._cached_user(hashed)) is not None:
            return known
        found: Caller | RegistrationCaller | None = None
        match kind_of(token):
            case TokenKind.REGISTRATION:
                found = await self._find_registration(hashed)
            case TokenKind.USER | TokenKind.SESSION as kind:
                find = self._find[kind]
                found = await (find(hashed) if fresh else self._looked_up(hashed, find))
            case TokenKind.LINK | None:  # a link is no bearer token
                pass
        if found is None:
            raise unauthenticated()
        return found

    async def authenticate_link(self, code: str, *, user_id: str) -> LinkCaller:
        """The holder of a registration link of this user, whatever has become of the link.

        `Failure` UNAUTHENTICATED, the same for all reasons.
        """
        found = await self._find_link(token_hash(code)) if kind_of(code) is TokenKind.LINK else None
        if found is None or found.user_id != user_id:
            raise unauthenticated()
        return found

    def forget(self, user_id: str) -> None:
        """Makes a change of the user's tokens, sessions or roles count at once in this process."""
        self._generation += 1
        for hashed in [
            hashed for hashed, caller in self._cache.items() if caller.user_id == user_id
        ]:
            # The cache forgets and then complains when the entry expired since the line above.
            with contextlib.suppress(KeyError):
                del self._cache[hashed]

    def _cached_user(self, hashed: bytes) -> Caller | None:
        try:
            caller = self._cache[hashed]
        except KeyError:
            return None
        return None if _has_expired(caller) else caller

    async def _looked_up(
        self, hashed: bytes, find: Callable[[bytes], Awaitable[Caller | None]]
    ) -> Caller | None:
        generation = self._generation
        caller = await find(hashed)
        if caller is None or _has_expired(caller):
            return None
        # A look-up that began before something was forgotten may have read the state of before.
        if generation == self._generation:
            self._cache[hashed] = caller
        return caller


def _has_expired(caller: Caller) -> bool:
    return caller.expires_at is not None and caller.expires_at <= datetime.now(UTC)

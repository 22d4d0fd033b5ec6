"""Finds the caller of a bearer token, of a client certificate or of a link's code."""

from collections.abc import Awaitable, Callable, Mapping, Sequence

from server.access.cached_callers import CachedCallers
from server.access.caller import Caller, LinkCaller, RegistrationCaller
from server.access.shared_lookups import Find, SharedLookups
from server.access.tokens import Token, TokenKind, recognized
from server.values.errors import Failure, unauthenticated, unknown_certificate


class Authenticator:
    """Finds the caller of a bearer token, of a client certificate or of a link's code.

    Only users are cached.
    """

    def __init__(
        self,
        *,
        find_user: Find,
        find_session: Find,
        peek_session: Find,
        find_registration: Callable[[bytes], Awaitable[RegistrationCaller | None]],
        find_link: Callable[[bytes], Awaitable[LinkCaller | None]],
    ) -> None:
        """`find_session` counts as a use of the session, `peek_session` does not."""
        self._find: Mapping[TokenKind, Find] = {
            TokenKind.USER: find_user,
            TokenKind.CERTIFICATE: find_user,
            TokenKind.SESSION: find_session,
        }
        self._find_again = {**self._find, TokenKind.SESSION: peek_session}
        self._lookups = SharedLookups()
        self._find_registration = find_registration
        self._find_link = find_link
        self._cache = CachedCallers()
        self._generation = 0

    async def authenticate(
        self, token: Token | None, *, fresh: bool = False
    ) -> Caller | RegistrationCaller:
        """The caller of a token. None is no well-formed one.

        `fresh`: not from the cache, because another process may just have revoked the token.
        Raises `Failure` UNAUTHENTICATED, the same for all reasons; that of a certificate differs
        from that of a token.
        """
        if token is None:
            raise unauthenticated()
        found: Caller | RegistrationCaller | None
        if token.kind in self._find:
            if fresh:
                self._cache.remove(token.hash)
            found = await self._user(token)
        elif token.kind is TokenKind.REGISTRATION:
            found = await self._find_registration(token.hash)
        else:  # the code of a link is no bearer token
            raise unauthenticated()
        if found is None:
            raise _unknown(token)
        return found

    async def introspect(self, session_token: str) -> Caller | None:
        """The user of a session's token, cached as callers are. Counts as a use of the session.

        None for every other text.
        """
        token = recognized(session_token)
        return await self._user(token) if token and token.kind is TokenKind.SESSION else None

    async def authenticate_again(self, token: Token | None) -> Caller:
        """The user of a running call, read again. Does not count as a use of the session.

        Raises `Failure` UNAUTHENTICATED.
        """
        find = self._find_again.get(token.kind) if token else None
        found = await find(token.hash) if token and find else None
        if found is None:
            raise _unknown(token)
        return found

    async def authenticate_link(self, code: str, *, user_id: str) -> LinkCaller:
        """The holder of a registration link of this user. The link may be used or expired.

        Raises `Failure` UNAUTHENTICATED, the same for all reasons.
        """
        token = recognized(code)
        is_code = token is not None and token.kind is TokenKind.LINK
        found = await self._find_link(token.hash) if token and is_code else None
        if found is None or found.user_id != user_id:
            raise unauthenticated()
        return found

    def forget(self, *user_ids: str) -> None:
        """Removes users from the cache after a change of their tokens, sessions or roles."""
        self._generation += 1
        self._cache.forget(*user_ids)

    async def _user(self, token: Token) -> Caller | None:
        """The user of a token, from the cache or looked up."""
        if (cached := self._cache.get(token.hash)) is not None:
            return cached
        generation = self._generation
        caller = await self._lookups.share(self._find[token.kind], token.hash)
        # A look-up that began before an entry was removed may have read the earlier state.
        if caller is not None and generation == self._generation:
            self._cache.add(token.hash, caller)
        return caller


def bearer(authorization: Sequence[str]) -> Token | None:
    """The bearer token of the `authorization` header's values. None without a well-formed one."""
    scheme, _, token = authorization[0].partition(" ") if len(authorization) == 1 else ("", "", "")
    return recognized(token.strip()) if scheme.lower() == "bearer" else None


def _unknown(token: Token | None) -> Failure:
    is_certificate = token is not None and token.kind is TokenKind.CERTIFICATE
    return unknown_certificate() if is_certificate else unauthenticated()

"""Finds the caller of a bearer token, a client certificate, a workload or the code of a link."""

from collections.abc import Awaitable, Callable, Mapping
from time import monotonic

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
        find_workload: Callable[[str], Awaitable[Caller | None]],
        find_session: Find,
        peek_session: Find,
        find_registration: Callable[[bytes], Awaitable[RegistrationCaller | None]],
        find_link: Callable[[bytes], Awaitable[LinkCaller | None]],
    ) -> None:
        """`find_session` counts as a use of the session, `peek_session` does not.

        `find_workload` verifies a JWT.
        """
        self._find: Mapping[TokenKind, Find] = {
            TokenKind.USER: find_user,
            TokenKind.CERTIFICATE: find_user,
            TokenKind.SESSION: find_session,
        }
        self._find_again = {**self._find, TokenKind.SESSION: peek_session}
        self._find_workload = find_workload
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
        if fresh:
            self._cache.remove(token.hash)
        found: Caller | RegistrationCaller | None = self._cache.get(token.hash)
        if found is None and (find := self._finder(token, self._find)):
            found = await self._look_up(token, find)
        elif found is None and token.kind is TokenKind.REGISTRATION:  # a link's code is no token
            found = await self._find_registration(token.hash)
        if found is None:
            raise _unknown(token)
        return found

    async def introspect(self, session_token: str) -> Caller | None:
        """The user of a session's token, cached as callers are. Counts as a use of the session.

        None for every other text.
        """
        token = recognized(session_token)
        if token is None or token.kind is not TokenKind.SESSION:
            return None
        find = self._find[TokenKind.SESSION]
        return self._cache.get(token.hash) or await self._look_up(token, find)

    async def authenticate_again(self, token: Token | None) -> Caller:
        """The user of a running call, read again. Does not count as a use of the session.

        Raises `Failure` UNAUTHENTICATED.
        """
        find = self._finder(token, self._find_again) if token else None
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

    def _finder(self, token: Token, finders: Mapping[TokenKind, Find]) -> Find | None:
        """The look-up of the user of a token. None: it is not one of a user."""
        if token.jwt is not None:
            jwt = token.jwt.get_secret_value()
            return lambda _hash: self._find_workload(jwt)
        return finders.get(token.kind)

    async def _look_up(self, token: Token, find: Find) -> Caller | None:
        """The user of a token, which is cached from now on."""
        generation, began = self._generation, monotonic()
        caller = await self._lookups.share(find, token.hash)
        # A look-up that began before an entry was removed may have read the earlier state.
        if caller is not None and generation == self._generation:
            self._cache.add(token.hash, caller, looked_up_at=began)
        return caller


def _unknown(token: Token | None) -> Failure:
    is_certificate = token is not None and token.kind is TokenKind.CERTIFICATE
    return unknown_certificate() if is_certificate else unauthenticated()

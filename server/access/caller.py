"""Who is calling, and what they may do: tokens, roles and permissions.

The rule: a token exists in clear only in the answer that creates it and in the request that uses
it. Whatever is stored or cached is its SHA-256; 256 random bits need no slower hash.
"""

import contextlib
import enum
import hashlib
import re
import secrets
import zlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TypeAlias

from cachetools import TTLCache

from server.values.errors import unauthenticated

CACHE_SECONDS = 5
_CACHED_CALLERS = 10_000


class Role(enum.StrEnum):
    """What a user may do beyond its own passkeys and tokens, by the API's names without `ROLE_`."""

    INSTANCE_OWNER = "INSTANCE_OWNER"
    ORG_OWNER = "ORG_OWNER"
    ORG_USER_MANAGER = "ORG_USER_MANAGER"


_USER_MANAGER = frozenset({"user.read", "user.write", "passkey.read", "passkey.write"})
_ORG_OWNER = _USER_MANAGER | {"idp.read", "idp.write"}
# All there are. INSTANCE_OWNER has them everywhere.
PERMISSIONS = _ORG_OWNER | {
    "mail.read",
    "mail.write",
    "org.read",
    "org.write",
    "smtp.read",
    "smtp.write",
}
# What the other roles allow in the organization of their holder.
_PERMISSIONS = {Role.ORG_OWNER: _ORG_OWNER, Role.ORG_USER_MANAGER: _USER_MANAGER}


@dataclass(frozen=True, slots=True)
class Caller:
    """A user, known by its token."""

    user_id: str
    organization_id: str
    roles: frozenset[Role]
    expires_at: datetime | None = None
    token_id: str = ""

    @property
    def is_instance_wide(self) -> bool:
        """Whether it holds every permission everywhere."""
        return Role.INSTANCE_OWNER in self.roles

    def may(self, permission: str, organization_id: str | None) -> bool:
        """Whether it holds the permission in the organization; None: on the whole instance."""
        if self.is_instance_wide:
            return True
        if organization_id != self.organization_id:
            return False
        return any(permission in _PERMISSIONS[role] for role in self.roles)

    def covers(self, roles: frozenset[Role]) -> bool:
        """Whether it holds every permission that these roles give in its own organization."""
        if self.is_instance_wide:
            return True
        if Role.INSTANCE_OWNER in roles:
            return False
        return all(
            self.may(permission, self.organization_id)
            for role in roles
            for permission in _PERMISSIONS[role]
        )

    def covers_in(self, organization_id: str, role: Role) -> bool:
        """Whether it holds every permission that the role gives in the organization."""
        return self.is_instance_wide or (
            organization_id == self.organization_id and self.covers(frozenset({role}))
        )


@dataclass(frozen=True, slots=True)
class RegistrationCaller:
    """Whoever holds the registration token of one passkey ceremony, and may verify only that."""

    user_id: str
    passkey_id: str


@dataclass(frozen=True, slots=True)
class LinkCaller:
    """Whoever holds the code of a registration link, and may begin ceremonies of its user only.

    Whether the link is still good is for the method to find out: the code proves that it once was.
    """

    user_id: str
    link_id: str


AnyCaller: TypeAlias = Caller | RegistrationCaller | LinkCaller


class TokenKind(enum.StrEnum):
    """The prefixes of tokens, so that people and secret scanners recognise them."""

    USER = "kst_"
    REGISTRATION = "ksr_"
    LINK = "ksl_"


# The pattern for secret scanners: prefix, 64 hex digits, and the CRC-32 of both as 8 hex digits.
_TOKEN = re.compile(r"(?P<kind>ks[trl]_)(?P<random>[0-9a-f]{64})(?P<checksum>[0-9a-f]{8})")


def new_token(kind: TokenKind) -> str:
    """A new opaque token of 256 random bits."""
    body = kind + secrets.token_hex(32)
    return body + _checksum(body)


def token_hash(token: str) -> bytes:
    """What is stored of a token."""
    return hashlib.sha256(token.encode()).digest()


def _checksum(body: str) -> str:
    return f"{zlib.crc32(body.encode()):08x}"


def _kind(token: str) -> TokenKind | None:
    match = _TOKEN.fullmatch(token)
    if match is None or _checksum(match["kind"] + match["random"]) != match["checksum"]:
        return None
    return TokenKind(match["kind"])


class Authenticator:
    """Finds the caller of a bearer token or of a link's code.

    Users are cached for at most `CACHE_SECONDS`, nobody else is.
    """

    def __init__(
        self,
        *,
        find_user: Callable[[bytes], Awaitable[Caller | None]],
        find_registration: Callable[[bytes], Awaitable[RegistrationCaller | None]],
        find_link: Callable[[bytes], Awaitable[LinkCaller | None]],
    ) -> None:
        self._find_user = find_user
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
        match _kind(token):
            case TokenKind.REGISTRATION:
                found = await self._find_registration(hashed)
            case TokenKind.USER:
                found = await (self._find_user(hashed) if fresh else self._looked_up(hashed))
            case TokenKind.LINK | None:  # a link is no bearer token
                pass
        if found is None:
            raise unauthenticated()
        return found

    async def authenticate_link(self, code: str, *, user_id: str) -> LinkCaller:
        """The holder of a registration link of this user, whatever has become of the link.

        `Failure` UNAUTHENTICATED, the same for all reasons.
        """
        found = await self._find_link(token_hash(code)) if _kind(code) is TokenKind.LINK else None
        if found is None or found.user_id != user_id:
            raise unauthenticated()
        return found

    def forget(self, user_id: str) -> None:
        """Makes a change of the user's tokens or roles count at once in this process."""
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

    async def _looked_up(self, hashed: bytes) -> Caller | None:
        generation = self._generation
        caller = await self._find_user(hashed)
        if caller is None or _has_expired(caller):
            return None
        # A look-up that began before something was forgotten may have read the state of before.
        if generation == self._generation:
            self._cache[hashed] = caller
        return caller


def _has_expired(caller: Caller) -> bool:
    return caller.expires_at is not None and caller.expires_at <= datetime.now(UTC)

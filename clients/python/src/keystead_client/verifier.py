"""Verifies JWTs of sessions (RFC 9068) offline."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import jwt

from keystead_client.ended_sessions import EndedSessions
from keystead_client.key_set import KeySet

_ALGORITHM: Final = "ES256"  # constant, never taken from the JWT
_TYPES: Final = frozenset({"at+jwt", "application/at+jwt"})
_REQUIRED: Final = ["iss", "sub", "aud", "exp", "iat", "jti", "client_id", "sid", "org"]
_MAX_CHARACTERS: Final = 8192
_LEEWAY: Final = timedelta(seconds=30)


class RefusedSessionError(Exception):
    """The JWT is not of a session for this service: answer 401. The message has the reason."""


@dataclass(frozen=True, slots=True)
class Session:
    """The session of a JWT. `amr` are the methods of authentication (RFC 8176)."""

    session_id: str
    user_id: str
    org_id: str
    authenticated_at: datetime
    expires_at: datetime
    amr: tuple[str, ...]


class SessionVerifier:
    """Verifies offline that a JWT is of a session and for this service.

    `issuer` is KEYSTEAD_PUBLIC_URL of the server, `audience` one of its KEYSTEAD_JWT_AUDIENCES.
    `leeway` is the maximum error of this machine's clock. With `ended`, an ended session is refused
    at once, otherwise when its JWT expires. With `org_ids`, only sessions of users of these
    organizations are accepted, otherwise those of all.
    """

    def __init__(
        self,
        keys: KeySet,
        *,
        issuer: str,
        audience: str,
        ended: EndedSessions | None = None,
        leeway: timedelta = _LEEWAY,
        org_ids: Collection[str] | None = None,
    ) -> None:
        self._keys = keys
        self._issuer = issuer
        self._audience = audience
        self._ended = ended
        self._leeway = leeway
        self._org_ids = org_ids

    async def verify(self, token: str) -> Session:
        """The session of the JWT. `RefusedSessionError`, `KeysUnavailableError`."""
        key = await self._keys.find(_key_id(token))
        if key is None:
            raise RefusedSessionError("The JWT is signed by an unknown key.")
        try:
            claims = jwt.decode(
                token,
                key,
                algorithms=[_ALGORITHM],
                issuer=self._issuer,
                audience=self._audience,
                leeway=self._leeway,
                options={"require": _REQUIRED},
            )
        except jwt.PyJWTError as error:
            raise RefusedSessionError(f"The JWT is invalid: {error}.") from None
        if not all(isinstance(claims[name], str) for name in ("sid", "sub", "org")):
            raise RefusedSessionError("The JWT is invalid: sid, sub and org must be strings.")
        session = _session_of(claims)
        if self._org_ids is not None and session.org_id not in self._org_ids:
            raise RefusedSessionError("The user is of an organization that is not accepted here.")
        if self._ended is not None and session.session_id in self._ended:
            raise RefusedSessionError("The session has ended.")
        return session


def _key_id(token: str) -> str:
    if len(token) > _MAX_CHARACTERS:
        raise RefusedSessionError("The JWT is too long.")
    try:
        header = jwt.get_unverified_header(token)
    except jwt.PyJWTError as error:
        raise RefusedSessionError(f"The JWT cannot be read: {error}.") from None
    if header.get("alg") != _ALGORITHM:
        raise RefusedSessionError(f"The JWT is not signed by {_ALGORITHM}.")
    if str(header.get("typ")).lower() not in _TYPES:
        raise RefusedSessionError("The JWT is not of the type at+jwt.")
    return str(header.get("kid", ""))


def _session_of(claims: dict[str, Any]) -> Session:
    return Session(
        session_id=claims["sid"],
        user_id=claims["sub"],
        org_id=claims["org"],
        authenticated_at=datetime.fromtimestamp(claims.get("auth_time", claims["iat"]), UTC),
        expires_at=datetime.fromtimestamp(claims["exp"], UTC),
        amr=tuple(claims.get("amr", ())),
    )

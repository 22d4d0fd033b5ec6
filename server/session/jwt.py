"""JWTs of sessions, for services that verify them offline (RFC 9068)."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Annotated, Final

from pydantic import StringConstraints

from server.access.caller import Actor
from server.session.commands import get_current
from server.session.store import Session
from server.signing.schedule import TOKEN_LIFETIME
from server.signing.signer import Signer
from server.store.database import Statements
from server.validation.fields import Command
from server.values.errors import Violation, invalid
from server.values.ids import new_id

# The header `typ` of RFC 9068, section 2.1.
_TYPE: Final = "at+jwt"


class IssueSessionJWT(Command):
    """Issue a JWT of the session for one audience."""

    audience: Annotated[str, StringConstraints(min_length=1, max_length=500)]


@dataclass(frozen=True, slots=True)
class JWTPolicy:
    """The issuer and the audiences of JWTs. `client_id` is required by RFC 9068."""

    issuer: str
    client_id: str
    audiences: frozenset[str]


@dataclass(frozen=True, slots=True)
class SessionJWT:
    """A signed JWT and its expiry."""

    jwt: str = field(repr=False)
    expires_at: datetime


async def issue(
    database: Statements,
    signer: Signer,
    command: IssueSessionJWT,
    *,
    actor: Actor,
    policy: JWTPolicy,
    idle_timeout: timedelta,
) -> SessionJWT:
    """A JWT of the session of the caller.

    Reads the session from the database: another process may have ended it. `Failure`
    INVALID_ARGUMENT for an audience that is not configured, UNAVAILABLE without a signing key.
    """
    if command.audience not in policy.audiences:
        raise invalid(
            Violation("audience", "must be one of KEYSTEAD_JWT_AUDIENCES, a setting of the server")
        )
    session = await get_current(database, actor=actor, idle_timeout=idle_timeout)
    signing = await signer.ready()
    expires_at = min(signing.now + TOKEN_LIFETIME, session.idle_expires_at).replace(microsecond=0)
    claims = {
        "iss": policy.issuer,
        "sub": session.user_id,
        "aud": command.audience,
        "client_id": policy.client_id,
        "sid": session.session_id,
        "org": session.details.owner,
        "jti": new_id(),
        "iat": int(signing.now.timestamp()),
        "exp": int(expires_at.timestamp()),
        "auth_time": int(session.authenticated_at.timestamp()),
        **authentication_methods(session),
    }
    return SessionJWT(signing.sign(claims, type=_TYPE), expires_at)


def authentication_methods(session: Session) -> dict[str, list[str]]:
    """The authentication methods (RFC 8176): proof of possession of a key, and user presence.

    Passkeys are not attested, so whether hardware protects the key (`hwk`) is unknown. User
    verification by the passkey (PIN, biometrics) is a second factor. The methods of an identity
    provider cannot be verified, and are left out.
    """
    methods = ["pop", "user", *(["mfa"] if session.user_verified else [])]
    return {"amr": methods} if session.passkey_id else {}

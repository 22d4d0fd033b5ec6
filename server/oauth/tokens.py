"""Access tokens (RFC 9068), and ID tokens (OpenID Connect Core, section 2)."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, Final

from server.application.claims import ClaimTarget
from server.application.configuration import AccessTokenTyp
from server.application.store import Application
from server.oauth.claims import GROUPS, PHISHING_RESISTANT
from server.relying_party.id_token import access_token_hash
from server.session.jwt import authentication_methods
from server.session.store import Session
from server.signing.private_key import Algorithm
from server.signing.signer import Signing, Verified
from server.user.attributes.values import FIELDS
from server.user.store import User
from server.values.ids import new_id
from server.values.pictures import picture_uri

BEARER: Final = "Bearer"
ID_TOKEN_TYPE: Final = "JWT"  # noqa: S105 -- a media type
_ACCESS_TOKEN_TYPES: Final[Mapping[str, str]] = {
    AccessTokenTyp.AT_JWT: "at+jwt",
    AccessTokenTyp.JWT: ID_TOKEN_TYPE,
}
ID_TOKEN_LIFETIME: Final = timedelta(minutes=5)
# Of the JSON of the groups in a token, and of that of an application's own claims. A longer token
# fits into no cookie, and into few headers.
_MAX_JSON: Final = 4000
# Between the id of the authorization and the rest of a `jti`.
_SEPARATOR: Final = "."


@dataclass(frozen=True, slots=True)
class UserProfile:
    """The user of an authorization, and the names of its groups by their ids."""

    user: User
    groups: Mapping[str, str]

    def claims(self, names: Iterable[str], *, issuer: str) -> dict[str, Any]:
        """The claims with these names. Those without a value are left out."""
        user, verification = self.user, self.user.email_verification
        is_verified = verification is not None and verification.is_claimed
        values = {
            "name": user.display_name,
            "preferred_username": user.user_name,
            "given_name": user.given_name,
            "family_name": user.family_name,
            "locale": user.locale,
            "zoneinfo": user.zoneinfo,
            "picture": picture_uri(issuer, user.picture_key),
            "updated_at": int(user.updated_at.timestamp()),
            "email": user.email,
            "email_verified": is_verified if user.email else None,
            GROUPS: [*self.groups.values()],
        }
        return {name: values[name] for name in names if values[name] not in ("", None)}

    def user_info(
        self, application: Application, names: Iterable[str], *, issuer: str
    ) -> dict[str, Any]:
        """The claims of userinfo with these names, and the application's own ones."""
        return {
            "sub": self.user.user_id,
            **self.claims(names, issuer=issuer),
            **self.further_claims(application, ClaimTarget.USERINFO),
        }

    def of_id_token(
        self, application: Application, names: Iterable[str], *, issuer: str
    ) -> dict[str, Any]:
        """The claims of an ID token with these names, without those of one sign-in."""
        return {
            "iss": issuer,
            "sub": self.user.user_id,
            "org_id": self.user.details.owner,
            "aud": application.application_id,
            **self.token_claims(names, issuer=issuer),
            **self.further_claims(application, ClaimTarget.ID_TOKEN),
        }

    def further_claims(self, application: Application, target: ClaimTarget) -> dict[str, Any]:
        """The claims of the application's own table for this place, as far as they have a value.

        Of a user of another organization only the fixed texts: its owner chooses the other values.
        Those that are too long for a token are in userinfo only.
        """
        is_own = self.user.details.owner == application.details.owner
        values = {
            each.name: each.text or (self._attribute(each.attribute) if is_own else None)
            for each in application.configuration.claims
            if each.target in (target, ClaimTarget.BOTH)
        }
        found = {name: value for name, value in values.items() if value not in ("", None)}
        return found if target is ClaimTarget.USERINFO else _of_token(found)

    def _attribute(self, name: str) -> Any:
        """The value of an attribute or a field; None: the user has none."""
        if name in FIELDS:
            return getattr(self.user, name)
        found = self.user.attributes.get(name)
        return found.value if found else None

    def token_claims(self, names: Iterable[str], *, issuer: str) -> dict[str, Any]:
        """The same for a token, without groups that are too long together: userinfo has them."""
        claims = self.claims(names, issuer=issuer)
        if len(json.dumps(claims.get(GROUPS, ()))) > _MAX_JSON:
            del claims[GROUPS]
        return claims


def _of_token(claims: dict[str, Any]) -> dict[str, Any]:
    """The claims without the longest, until they fit. A user can make its own ones long."""
    sizes = {name: len(json.dumps({name: value})) for name, value in claims.items()}
    for name in sorted(claims, key=sizes.__getitem__, reverse=True):
        if sum(sizes[kept] for kept in claims) > _MAX_JSON:
            del claims[name]
    return claims


@dataclass(frozen=True, slots=True)
class AccessToken:
    """The claims of an access token that differ between grants."""

    authorization_id: str
    subject: str
    # Of the user, or of the service.
    organization_id: str
    scopes: Sequence[str]
    # None: it is for the application.
    resource: Application | None
    further: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class IssuedTokens:
    """The tokens of one exchange. This is the only time that they are in plaintext."""

    access_token: str = field(repr=False)
    lifetime: timedelta
    scopes: Sequence[str]
    id_token: str = field(default="", repr=False)
    refresh_token: str = field(default="", repr=False)
    # Of a token exchange.
    type: str = ""


def issued(
    signing: Signing,
    application: Application,
    token: AccessToken,
    *,
    issuer: str,
    longest: timedelta = timedelta.max,
) -> IssuedTokens:
    """A signed access token, with the shortest of all lifetimes.

    Keystead's own API refuses it, except for GetUserInfo.
    """
    # What the token is for decides about its form.
    target = token.resource or application
    lifetime = min(
        *(
            timedelta(seconds=each.configuration.access_token_lifetime_seconds)
            for each in (application, target)
        ),
        longest,
    )
    issued_at = int(signing.now.timestamp())
    claims = {
        "iss": issuer,
        "sub": token.subject,
        "org_id": token.organization_id,
        "aud": target.configuration.identifier or target.application_id,
        "client_id": application.application_id,
        "scope": " ".join(token.scopes),
        "jti": f"{token.authorization_id}{_SEPARATOR}{new_id()}",
        "iat": issued_at,
        "exp": issued_at + int(lifetime.total_seconds()),
        **token.further,
    }
    typ = _ACCESS_TOKEN_TYPES[target.configuration.access_token_typ]
    return IssuedTokens(signing.sign(claims, type=typ), lifetime, token.scopes)


def is_access_token(verified: Verified) -> bool:
    """Whether it is an access token of an application.

    JWTs of sessions and ID tokens can have the same type, and never have a scope.
    """
    return verified.type in _ACCESS_TOKEN_TYPES.values() and "scope" in verified.claims


def is_id_token(verified: Verified) -> bool:
    """Whether it is an ID token."""
    return verified.type == ID_TOKEN_TYPE and not is_access_token(verified)


def authorization_of(claims: Mapping[str, Any]) -> str:
    """The id of the authorization of an access token; empty for one of the application itself."""
    return str(claims["jti"]).partition(_SEPARATOR)[0]


def id_token(
    signing: Signing,
    application: Application,
    profile: UserProfile,
    session: Session,
    *,
    issuer: str,
    nonce: str,
    access_token: str,
    claims: Iterable[str],
) -> str:
    """A signed ID token with these claims of the user."""
    algorithm = Algorithm(application.configuration.id_token_alg)
    issued_at = int(signing.now.timestamp())
    content = {
        **profile.of_id_token(application, claims, issuer=issuer),
        "iat": issued_at,
        "exp": issued_at + int(ID_TOKEN_LIFETIME.total_seconds()),
        "at_hash": access_token_hash(access_token, algorithm),
        **authentication(session),
        **({"nonce": nonce} if nonce else {}),
    }
    return signing.sign(content, type=ID_TOKEN_TYPE, algorithm=algorithm)


def authentication(session: Session) -> dict[str, Any]:
    """The claims about the sign-in. `phr`: resistant to phishing (acr-values of OpenID EAP)."""
    return {
        "sid": session.session_id,
        "auth_time": int(session.authenticated_at.timestamp()),
        **authentication_methods(session),
        **({"acr": acr} if (acr := acr_of(session)) else {}),
    }


def acr_of(session: Session) -> str:
    """The class of the sign-in; empty if it has none."""
    return PHISHING_RESISTANT if session.passkey_id and session.user_verified else ""

"""The claims of users, and the parameter `claims` (OpenID Connect Core, sections 5.1 and 5.5)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from pydantic_core import from_json

from server.application.store import Application
from server.oauth.refused.causes import Cause
from server.oauth.request_error import RequestError

GROUPS: Final = "groups"
# By scope: the claims of a user. `sub` belongs to `openid`.
OF_SCOPES: Final[Mapping[str, Sequence[str]]] = {
    "profile": (
        *("name", "preferred_username", "given_name", "family_name"),
        *("locale", "zoneinfo", "picture", "updated_at"),
    ),
    "email": ("email", "email_verified"),
    GROUPS: (GROUPS,),
}
SCOPES: Final = {name: scope for scope, names in OF_SCOPES.items() for name in names}
# The class of a sign-in that resists phishing (OpenID Connect EAP ACR Values 1.0).
PHISHING_RESISTANT: Final = "phr"

_PLACES: Final = ("id_token", "userinfo")


@dataclass(frozen=True, slots=True)
class RequestedClaims:
    """The claims that the parameter `claims` asks for, and that the application may get."""

    id_token: tuple[str, ...]
    user_info: tuple[str, ...]
    # The users that it asks for.
    subjects: frozenset[str]
    essential_acr: tuple[str, ...]


def scopes_of(names: Iterable[str]) -> frozenset[str]:
    """The scopes that carry these claims."""
    return frozenset(SCOPES[name] for name in names)


def claims_of(scopes: Iterable[str]) -> list[str]:
    """The claims that these scopes carry."""
    return [name for scope in scopes for name in OF_SCOPES.get(scope, ())]


def id_token_claims(application: Application, scopes: Sequence[str]) -> list[str]:
    """The claims of the scopes that are in ID tokens, besides userinfo."""
    return [] if application.configuration.omits_id_token_claims else claims_of(scopes)


def allowed_claims(application: Application, names: Iterable[str]) -> list[str]:
    """Those of the claims whose scopes the application may request."""
    allowed = application.configuration.scopes
    return [name for name in names if SCOPES.get(name) in allowed]


def requested_claims(text: str, application: Application) -> RequestedClaims:
    """Reads the parameter. Claims that this server does not have are left out. RequestError."""
    places = _places(text)
    id_token, user_info = (tuple(allowed_claims(application, place)) for place in places)
    subjects = {value for place in places for value in _values(place.get("sub"))}
    acr = places[0].get("acr") or {}
    essential_acr = tuple(_values(acr)) if acr.get("essential") is True else ()
    if essential_acr and PHISHING_RESISTANT not in essential_acr:
        raise RequestError(
            "unmet_authentication_requirements",
            f"this server knows only the acr {PHISHING_RESISTANT}",
        )
    return RequestedClaims(id_token, user_info, frozenset(subjects), essential_acr)


def _places(text: str) -> Sequence[Mapping[str, Any]]:
    """The requested claims of the ID token and of userinfo: each None or an object."""
    try:
        request = from_json(text or "{}")  # refuses lone surrogates, which cannot be sealed
        places = [request.get(name) or {} for name in _PLACES]
        requested = [value for place in places for value in place.values()]
        are_objects = all(value is None or isinstance(value, dict) for value in requested)
        if are_objects and r"\u0000" not in text:  # no value with NUL can be sealed
            return places
    except (ValueError, AttributeError):  # not JSON, or not an object
        pass
    raise RequestError(
        "invalid_request", "claims must be the JSON of OpenID Connect Core, 5.5", Cause.CLAIMS
    )


def _values(requested: Mapping[str, Any] | None) -> Iterator[str]:
    """The values of which the claim must have one."""
    if requested:
        many = requested.get("values")
        values = many if isinstance(many, list) else [requested.get("value")]
        yield from (value for value in values if isinstance(value, str))

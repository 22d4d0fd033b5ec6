"""The headers that an application behind the gate gets, and those that it must not get."""

from collections.abc import Mapping, Sequence
from typing import Final
from urllib.parse import quote

from server.application.configuration import Configuration, GateJWTHeader
from server.gate.forwarded import ForwardedHttp, spelling
from server.oauth.visits import Visit

AUTHORIZATION: Final = "authorization"
JWT: Final = "x-keystead-jwt"
USER: Final = "x-auth-request-user"
EMAIL: Final = "x-auth-request-email"
GROUPS: Final = "x-auth-request-groups"
# The gate and similar ones use names with this beginning, so none of a client may survive.
_OF_GATES: Final = "x-auth-request-"
# The gate gives no header with a longer name, and the spellings of names are kept in memory.
_LONGEST: Final = 100


def given(configuration: Configuration, visit: Visit) -> Mapping[str, str]:
    """The headers about a person. Texts that are not printable ASCII are percent-encoded."""
    headers = (
        {JWT: visit.access_token}
        if configuration.gate_jwt_header == GateJWTHeader.X_KEYSTEAD_JWT
        else {AUTHORIZATION: f"Bearer {visit.access_token}"}
    )
    if configuration.gate_identity_headers:
        headers[USER] = visit.profile.user.user_id
        if email := visit.claims.get("email"):
            headers[EMAIL] = email if _is_plain(email) else quote(email, safe="@")
        if "groups" in visit.claims:
            headers[GROUPS] = ",".join(visit.claims["groups"])
    return headers


def removed(request: ForwardedHttp, headers: Mapping[str, str]) -> Sequence[str]:
    """The headers of the client that the application must not get, in the spelling of the client.

    Those that the gate gives are left out: they are replaced.
    """
    names = {
        name for name, _ in request.headers if _is_protected(spelling(name[:_LONGEST]), headers)
    }
    return sorted({*names, JWT, USER, EMAIL, GROUPS} - headers.keys())


def _is_protected(name: str, headers: Mapping[str, str]) -> bool:
    return name == JWT or name.startswith(_OF_GATES) or name in headers


def _is_plain(text: str) -> bool:
    return text.isascii() and text.isprintable()

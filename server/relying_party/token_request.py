"""Requests of authorization and token endpoints (RFC 6749, RFC 7636). Pure."""

import base64
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, Final
from urllib.parse import quote_plus, urlencode

from server.relying_party.discovery import Metadata
from server.relying_party.http_client import Answer
from server.relying_party.reasons import ProviderError, Reason, quoted
from server.values.pkce import challenge_of

# The age of a session at the provider that every sign-in accepts.
LONGEST_AGE: Final = timedelta(days=365)
# Not 0: some providers compare again after the login, and ask for ever.
_RECENT_AGE: Final = timedelta(minutes=10)


@dataclass(frozen=True, slots=True)
class RelyingParty:
    """This server's registration as a client of a provider."""

    issuer: str
    client_id: str
    client_secret: str = field(repr=False)
    auth_method: str
    scopes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Tokens:
    """The tokens of the token endpoint, which are not stored."""

    id_token: str = field(repr=False)
    access_token: str = field(repr=False)


def authorization_url(
    metadata: Metadata,
    party: RelyingParty,
    *,
    redirect_uri: str,
    state: str,
    nonce: str,
    code_verifier: str,
    reauthenticates: bool,
) -> str:
    """The URL of an authentication request (OpenID Connect Core, section 3.1.2.1).

    `max_age` demands `auth_time` in the ID token, also of a provider that else leaves it out.
    """
    parameters = {
        "response_type": "code",
        "client_id": party.client_id,
        "redirect_uri": redirect_uri,
        "scope": " ".join(("openid", *party.scopes)),
        "state": state,
        "nonce": nonce,
        "code_challenge": challenge_of(code_verifier),
        "code_challenge_method": "S256",
        "max_age": f"{(_RECENT_AGE if reauthenticates else LONGEST_AGE).total_seconds():.0f}",
    }
    if reauthenticates and metadata.sends_auth_time:
        # Google, which does not, knows no such value and refuses unknown ones.
        parameters["prompt"] = "login"
    separator = "&" if "?" in metadata.authorization_endpoint else "?"
    return f"{metadata.authorization_endpoint}{separator}{urlencode(parameters)}"


def token_request(
    party: RelyingParty, *, code: str, redirect_uri: str, code_verifier: str
) -> tuple[dict[str, str], dict[str, str]]:
    """The form and the headers of a token request, with the configured authentication."""
    form = {
        "grant_type": "authorization_code",
        "code": code,
        "redirect_uri": redirect_uri,
        "code_verifier": code_verifier,
    }
    if party.auth_method == "CLIENT_SECRET_BASIC":
        # RFC 6749, section 2.3.1: id and secret are form-urlencoded first.
        pair = f"{quote_plus(party.client_id)}:{quote_plus(party.client_secret)}"
        return form, {"authorization": f"Basic {base64.b64encode(pair.encode()).decode()}"}
    form["client_id"] = party.client_id
    if party.auth_method == "CLIENT_SECRET_POST":
        form["client_secret"] = party.client_secret
    return form, {}


def read_tokens(answer: Answer) -> Tokens:
    """The tokens. `ProviderError` CLIENT_REFUSED, CODE_REFUSED, TOKEN_ANSWER_INVALID."""
    if answer.status not in (200, 400, 401):
        raise answer.unexpected_status()
    document = answer.json()
    if answer.status != 200:
        raise _refused(document)
    token_type = document.get("token_type")
    if not isinstance(token_type, str) or token_type.lower() != "bearer":
        raise ProviderError(Reason.TOKEN_ANSWER_INVALID, "The access token is not a bearer token.")
    return Tokens(_text(document, "id_token"), _text(document, "access_token"))


def _refused(document: Mapping[str, Any]) -> ProviderError:
    """The error of an error response (RFC 6749, section 5.2)."""
    error = document.get("error")
    if error == "invalid_grant":
        return ProviderError(Reason.CODE_REFUSED, "The provider refused the code.")
    observed = f"The provider refused the client: {quoted(error)}."
    return ProviderError(Reason.CLIENT_REFUSED, observed)


def _text(document: Mapping[str, Any], name: str) -> str:
    value = document.get(name)
    if not value or not isinstance(value, str) or not value.isascii() or not value.isprintable():
        raise ProviderError(Reason.TOKEN_ANSWER_INVALID, f"The answer has no {name}.")
    return value

"""The way of an authorization response to the application (OAuth 2.0 Response Modes)."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final
from urllib.parse import urlencode

from server.crypto.keyring import Keyring
from server.crypto.sealed import Sealed
from server.oauth.store import CODE_LIFETIME

FORM_POST: Final = "form_post"
# The page that posts a sealed response: its script may post to this application only.
_FORM_PAGE: Final = "/oauth/form_post"


@dataclass(frozen=True, slots=True)
class FormPost:
    """A response that the browser posts to the redirect URI."""

    redirect_uri: str
    parameters: Mapping[str, str]
    # In seconds since 1970.
    expiry: int


def with_query(uri: str, parameters: Mapping[str, str]) -> str:
    """The URI with these parameters added to its query; those without a value are left out.

    A query that the URI was registered with stays (RFC 6749, section 3.1.2).
    """
    added = urlencode({name: value for name, value in parameters.items() if value})
    return f"{uri}{'&' if '?' in uri else '?'}{added}" if added else uri


class Responses:
    """Makes the URLs that bring responses to applications."""

    def __init__(self, keyring: Keyring, *, issuer: str) -> None:
        self._issuer = issuer
        self._forms = Sealed(keyring, FormPost, purpose="keystead authorization response")

    def url(self, redirect_uri: str, response_mode: str, parameters: Mapping[str, str]) -> str:
        """The URL to which the browser navigates, with the issuer (RFC 9207).

        Parameters without a value are left out.
        """
        complete = {**parameters, "iss": self._issuer}
        if response_mode != FORM_POST:
            return with_query(redirect_uri, complete)
        added = {name: value for name, value in complete.items() if value}
        expiry = int((datetime.now(UTC) + CODE_LIFETIME).timestamp())
        sealed = self._forms.sealed(FormPost(redirect_uri, added, expiry))
        return with_query(f"{self._issuer}{_FORM_PAGE}", {"response": sealed})

    def form(self, sealed: str) -> FormPost | None:
        """The response that the browser posts. None: it was not made here, or has expired."""
        form = self._forms.opened(sealed)
        if form is None or form.expiry <= datetime.now(UTC).timestamp():
            return None
        return form

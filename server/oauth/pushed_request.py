"""Pushed authorization requests (RFC 9126): the `request_uri` contains the sealed request."""

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from server.crypto.keyring import Keyring
from server.crypto.sealed import Sealed
from server.oauth import refusals
from server.oauth.request import MAX_REQUEST_URI, AuthorizationParameters, AuthorizationRequest
from server.values.errors import FixedFailure, Kind

# The application redirects the browser at once.
PUSHED_LIFETIME: Final = timedelta(seconds=90)
_PREFIX: Final = "urn:ietf:params:oauth:request_uri:"

# RFC 9126, section 2.3: 413 over HTTP.
_too_long: Final = FixedFailure(
    "MESSAGE_TOO_LARGE",
    f"The request_uri would have more than {MAX_REQUEST_URI} characters, too many for a URL."
    " Shorten state, nonce, scope, resource or redirect_uri.",
    kind=Kind.RESOURCE_EXHAUSTED,
)


class PushedRequests:
    """Makes and opens the `request_uri` of checked requests."""

    def __init__(self, keyring: Keyring) -> None:
        self._sealed = Sealed(keyring, AuthorizationRequest, purpose="keystead pushed request")

    def uri(self, request: AuthorizationRequest) -> str:
        """The `request_uri` of a request. `Failure` RESOURCE_EXHAUSTED `MESSAGE_TOO_LARGE`."""
        uri = f"{_PREFIX}{self._sealed.sealed(request)}"
        if len(uri) > MAX_REQUEST_URI:
            raise _too_long()
        return uri

    def opened(self, command: AuthorizationParameters, *, now: datetime) -> AuthorizationRequest:
        """The request of a `request_uri`, which starts now. Other parameters are ignored.

        `Failure` FAILED_PRECONDITION `AUTHORIZATION_REQUEST_EXPIRED`: made elsewhere, for another
        application, or too long ago.
        """
        request = self._sealed.opened(command.request_uri.removeprefix(_PREFIX))
        if request is None or request.client_id != command.client_id:
            raise refusals.request_expired("request_uri of another server or application")
        if request.started_at + PUSHED_LIFETIME.total_seconds() <= now.timestamp():
            raise refusals.request_expired("request_uri")
        return replace(request, started_at=int(now.timestamp()))


def is_pushed(request_uri: str) -> bool:
    """Whether it has the form of those of this server (RFC 9126, section 2.2)."""
    return request_uri.startswith(_PREFIX)

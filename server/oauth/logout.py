"""Logout that an application asks for (OpenID Connect RP-Initiated Logout 1.0).

The request travels sealed, as an authorization request does. The page signs out by SignOut, with
the session of the person, and then navigates to the application.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any, Final

from pydantic import StringConstraints

from server.application import store as application_store
from server.application.store import Application
from server.crypto.keyring import Keyring
from server.crypto.sealed import Sealed
from server.oauth import refusals
from server.oauth.request import RequestText
from server.oauth.responses import with_query
from server.store.database import Statements
from server.validation.fields import Command, Printable

_LIFETIME: Final = timedelta(minutes=10)


class StartLogout(Command):
    """Check and seal a request to sign out."""

    id_token_hint: Annotated[str, StringConstraints(max_length=8000)]
    client_id: Annotated[Printable, StringConstraints(max_length=200)]
    post_logout_redirect_uri: RequestText
    state: RequestText


class DescribeLogout(Command):
    """Read a sealed request to sign out."""

    sealed_request: Annotated[str, StringConstraints(min_length=1, max_length=16_000)]


@dataclass(frozen=True, slots=True)
class LogoutRequest:
    """A valid request. Servers of two releases read each other's: a new field needs a default."""

    # Empty: the request names no application.
    client_id: str
    # Where the browser goes after the sign-out, with the state. Empty: nowhere.
    redirect_uri: str
    # The session of the ID token. Empty: any, so the person is asked.
    session_id: str
    # In seconds since 1970.
    expiry: int


class Logouts:
    """Starts and describes requests to sign out."""

    def __init__(self, database: Statements, keyring: Keyring) -> None:
        self._database = database
        self._requests = Sealed(keyring, LogoutRequest, purpose="keystead logout request")

    async def start(self, command: StartLogout, *, hinted: Mapping[str, Any] | None) -> str:
        """The sealed request. `hinted` has the claims of the `id_token_hint`, if they are valid.

        `Failure` FAILED_PRECONDITION `LOGOUT_REQUEST_INVALID`,
        `POST_LOGOUT_REDIRECT_URI_NOT_REGISTERED`.
        """
        if command.id_token_hint and hinted is None:
            raise refusals.logout_request_invalid("the hint is no ID token of this server")
        client_id = command.client_id or (hinted["aud"] if hinted else "")
        if hinted and hinted["aud"] != client_id:
            raise refusals.logout_request_invalid("the hint is of another application")
        application = await self._find(client_id)
        redirect_uri = command.post_logout_redirect_uri
        if redirect_uri:
            registered = application.configuration.post_logout_redirect_uris if application else ()
            if redirect_uri not in registered:
                raise refusals.post_logout_redirect_uri_not_registered()
            redirect_uri = with_query(redirect_uri, {"state": command.state})
        expiry = int((datetime.now(UTC) + _LIFETIME).timestamp())
        session_id = hinted["sid"] if hinted else ""
        return self._requests.sealed(LogoutRequest(client_id, redirect_uri, session_id, expiry))

    async def describe(self, command: DescribeLogout) -> tuple[LogoutRequest, Application | None]:
        """The sealed request, and its application. `Failure` `LOGOUT_REQUEST_INVALID`."""
        request = self._requests.opened(command.sealed_request)
        if request is None or request.expiry <= datetime.now(UTC).timestamp():
            raise refusals.logout_request_invalid("expired, or not sealed here")
        return request, await self._find(request.client_id)

    async def _find(self, client_id: str) -> Application | None:
        client = await application_store.find_client(self._database, client_id)
        return client.application if client else None

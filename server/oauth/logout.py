"""Logout that an application asks for (OpenID Connect RP-Initiated Logout 1.0).

The request travels sealed, as an authorization request does. The page signs out by SignOut, with
the session of the user, and then navigates to the application.
"""

from collections.abc import Mapping, Sequence
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
    # Where the browser goes after the sign-out, without the state. Empty: nowhere.
    redirect_uri: str
    # The session of the ID token. Empty: any, so the user is asked.
    session_id: str
    # In seconds since 1970.
    expiry: int
    state: str = ""


@dataclass(frozen=True, slots=True)
class DescribedLogout:
    """An opened request. `redirect_uri` has the state; empty: it is no longer registered, or none.

    `client_name` is empty without an application.
    """

    client_name: str
    redirect_uri: str
    session_id: str


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
        if redirect_uri and redirect_uri not in _registered(application):
            raise refusals.post_logout_redirect_uri_not_registered()
        expiry = int((datetime.now(UTC) + _LIFETIME).timestamp())
        session_id = hinted["sid"] if hinted else ""
        request = LogoutRequest(client_id, redirect_uri, session_id, expiry, command.state)
        return self._requests.sealed(request)

    async def describe(self, command: DescribeLogout) -> DescribedLogout:
        """The sealed request, with its application of now. `Failure` `LOGOUT_REQUEST_INVALID`."""
        request = self._requests.opened(command.sealed_request)
        if request is None or request.expiry <= datetime.now(UTC).timestamp():
            raise refusals.logout_request_invalid("expired, or not sealed here")
        application = await self._find(request.client_id)
        is_registered = request.redirect_uri in _registered(application)
        return DescribedLogout(
            application.configuration.name if application else "",
            with_query(request.redirect_uri, {"state": request.state}) if is_registered else "",
            request.session_id,
        )

    async def _find(self, client_id: str) -> Application | None:
        client = await application_store.find_client(self._database, client_id)
        return client.application if client else None


def _registered(application: Application | None) -> Sequence[str]:
    return application.configuration.post_logout_redirect_uris if application else ()

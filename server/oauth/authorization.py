"""The commands from the request of an application to its approval."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any, Final, Literal, TypeAlias
from urllib.parse import urlsplit

from pydantic import StringConstraints

from server.access.caller import Actor
from server.access.tokens import TokenKind, new_token, token_hash
from server.application import store as application_store
from server.application.store import Application
from server.crypto.keyring import Keyring
from server.crypto.sealed import Sealed
from server.oauth import approval, refusals
from server.oauth.request import (
    AuthorizationRequest,
    StartAuthorization,
    check_redirect_uri,
    checked,
)
from server.oauth.request_error import RequestError
from server.oauth.responses import FormPost, Responses
from server.session.commands import session_of
from server.store.database import Statements
from server.validation.fields import Command

_LIFETIME: Final = timedelta(minutes=10)
_Denial: TypeAlias = Literal[
    "",
    "access_denied",
    "login_required",
    "consent_required",
    "interaction_required",
    "unmet_authentication_requirements",
]
_Sealed = Annotated[str, StringConstraints(min_length=1, max_length=16_000)]


class DescribeAuthorization(Command):
    """Read a sealed request."""

    sealed_request: _Sealed


class ApproveAuthorization(Command):
    """Approve a sealed request."""

    sealed_request: _Sealed
    consents: bool


class DenyAuthorization(Command):
    """Deny a sealed request."""

    sealed_request: _Sealed
    error: _Denial


class OpenAuthorizationResponse(Command):
    """Read a sealed response."""

    sealed_response: _Sealed


@dataclass(frozen=True, slots=True)
class OAuthPolicy:
    """The issuer, and the idle timeout of sessions."""

    issuer: str
    idle_timeout: timedelta


class Authorizations:
    """Starts, approves and denies authorization requests, which travel sealed."""

    def __init__(self, database: Statements, keyring: Keyring, *, policy: OAuthPolicy) -> None:
        self._database = database
        self._policy = policy
        self._requests = Sealed(
            keyring, AuthorizationRequest, purpose="keystead authorization request"
        )
        self._responses = Responses(keyring, issuer=policy.issuer)

    async def start(
        self, command: StartAuthorization, *, now: datetime, hinted: Mapping[str, Any] | None
    ) -> tuple[str, str]:
        """The sealed request; or an empty text, and the URL that brings an error.

        `hinted` has the claims of the `id_token_hint`, if it is an ID token of this server.
        `Failure` FAILED_PRECONDITION `UNKNOWN_CLIENT`, `REDIRECT_URI_NOT_REGISTERED`.
        """
        application = await self._application(command.client_id, command.redirect_uri)
        try:
            request = checked(command, application, now=int(now.timestamp()), hinted=hinted)
        except RequestError as error:
            parameters = {
                "error": error.error,
                "error_description": error.description,
                "state": command.state,
            }
            url = self._responses.url(command.redirect_uri, command.response_mode, parameters)
            return "", url
        return self._requests.sealed(request), ""

    async def describe(
        self, command: DescribeAuthorization
    ) -> tuple[AuthorizationRequest, Application]:
        """The sealed request, and its application. `Failure`: see DescribeAuthorization."""
        request = self._request(command.sealed_request)
        return request, await self._application(request.client_id, request.redirect_uri)

    async def approve(self, command: ApproveAuthorization, *, actor: Actor) -> str:
        """The URL of the application with a code. `Failure`: see ApproveAuthorization."""
        request = self._request(command.sealed_request)
        session_id, user_id = session_of(actor).session_id, actor.user_id
        application = await self._application(request.client_id, request.redirect_uri)
        code = new_token(TokenKind.APPLICATION_CODE)
        async with self._database.transaction() as transaction:
            await approval.approve(
                transaction,
                request,
                application,
                user_id=user_id,
                session_id=session_id,
                idle_timeout=self._policy.idle_timeout,
                consents=command.consents,
                code_hash=token_hash(code),
            )
        return self._answer(request, {"code": code})

    async def deny(self, command: DenyAuthorization) -> str:
        """The URL of the application with an error."""
        request, _ = await self.describe(
            DescribeAuthorization(sealed_request=command.sealed_request)
        )
        return self._answer(request, {"error": command.error or "access_denied"})

    def form(self, command: OpenAuthorizationResponse) -> FormPost:
        """The response that the browser posts to the application."""
        form = self._responses.form(command.sealed_response)
        if form is None:
            raise refusals.request_expired()
        return form

    def _request(self, sealed: str) -> AuthorizationRequest:
        request = self._requests.opened(sealed)
        if (
            request is None
            or request.started_at + _LIFETIME.total_seconds() <= datetime.now(UTC).timestamp()
        ):
            raise refusals.request_expired()
        return request

    async def _application(self, client_id: str, redirect_uri: str) -> Application:
        """The application, which may have changed since the start of the request."""
        client = await application_store.find_client(self._database, client_id)
        if client is None:
            raise refusals.unknown_client()
        check_redirect_uri(client.application, redirect_uri)
        return client.application

    def _answer(self, request: AuthorizationRequest, parameters: Mapping[str, str]) -> str:
        complete = {**parameters, "state": request.state}
        return self._responses.url(request.redirect_uri, request.response_mode, complete)


def host_of(request: AuthorizationRequest) -> str:
    """The host to which the browser returns; of a private scheme, the scheme."""
    parts = urlsplit(request.redirect_uri)
    return parts.hostname or parts.scheme

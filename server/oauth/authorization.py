"""The commands from the request of an application to its approval."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any, Final, Literal, TypeAlias
from urllib.parse import urlsplit

from pydantic import StringConstraints

from server.access.caller import Actor
from server.access.tokens import TokenKind, new_token, token_hash
from server.application.store import Application
from server.crypto.keyring import Keyring
from server.crypto.sealed import Sealed
from server.oauth import approval, refusals, resources
from server.oauth.client_documents.client_id_url import host_of as document_host
from server.oauth.client_documents.client_id_url import is_url
from server.oauth.clients import Clients
from server.oauth.directory import ClientDirectory, KnownClient
from server.oauth.policy import OAuthPolicy
from server.oauth.pushed_request import PUSHED_LIFETIME, PushedRequests, is_pushed
from server.oauth.refused.causes import Cause
from server.oauth.request import (
    SIGNING_IN,
    AuthorizationParameters,
    AuthorizationRequest,
    PushAuthorizationRequest,
    StartAuthorization,
    allowed_scopes,
    check_redirect_uri,
    checked,
    refused,
)
from server.oauth.request_error import RequestError
from server.oauth.responses import FormPost, Responses
from server.session.commands import session_of
from server.store.database import Statements
from server.store.one_time import USED_KEY, OneTime
from server.store.refusals import on_conflict
from server.validation.fields import Command
from server.validation.uris import is_web
from server.values.errors import Violation, invalid

_LIFETIME: Final = timedelta(minutes=10)
# A request is approved once, also if it was pushed and started several times.
_REQUESTS: Final = OneTime("authorization_request", lifetime=_LIFETIME + PUSHED_LIFETIME)
_Denial: TypeAlias = Literal[
    "",
    "access_denied",
    "login_required",
    "consent_required",
    "interaction_required",
    "unmet_authentication_requirements",
]
_Sealed = Annotated[str, StringConstraints(min_length=1, max_length=20_000)]


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


class Authorizations:
    """Starts, approves and denies authorization requests, which travel sealed."""

    def __init__(
        self,
        database: Statements,
        keyring: Keyring,
        *,
        policy: OAuthPolicy,
        directory: ClientDirectory,
        clients: Clients,
    ) -> None:
        self._database = database
        self._directory = directory
        self._policy = policy
        self._clients = clients
        self._pushed = PushedRequests(keyring)
        self._requests = Sealed(
            keyring, AuthorizationRequest, purpose="keystead authorization request"
        )
        self._responses = Responses(keyring, issuer=policy.issuer)

    async def start(
        self,
        command: StartAuthorization,
        *,
        now: datetime,
        hinted: Mapping[str, Any] | None,
        network: str,
        request_id: str,
    ) -> tuple[str, str, Cause | None]:
        """The sealed request. If it is invalid, also the URL that brings the error, and the cause.

        A page shows that request, too, so that a link to here leads no visitor without a session to
        another site (RFC 9700, section 4.11.2). With `prompt=none`, which shows no page, the sealed
        request is empty.

        `hinted` has the claims of the `id_token_hint`, if it is an ID token of this server.
        `network` is that of the client, here and below. `request_id` is that of the call; an error
        names it, because programs show or log its description. `Failure`: see StartAuthorization.
        """
        if is_pushed(command.request_uri):
            request = self._pushed.opened(command, now=now)
            client = await self._client(request.client_id, request.redirect_uri, network)
            if allowed_scopes(client.application, " ".join(request.scopes)) != request.scopes:
                raise refusals.request_expired("scopes that the application has lost")
            _check_is_shown(client, request)
            return self._requests.sealed(request), "", None
        if not command.redirect_uri:
            raise invalid(Violation("redirectUri", "must not be empty without a pushed request"))
        client = await self._client(command.client_id, command.redirect_uri, network)
        try:
            _check_may_start(client.application)
            request = await self._checked(command, client.application, now=now, hinted=hinted)
        except RequestError as error:
            if not _is_trusted(client, command.redirect_uri):
                raise refusals.request_of_untrusted(error) from None
            request = refused(command, error, now=int(now.timestamp()), request_id=request_id)
            is_silent = "none" in command.prompt.split()
            sealed = "" if is_silent else self._requests.sealed(request)
            return sealed, self._refusal(request), error.cause
        _check_is_shown(client, request)
        return self._requests.sealed(request), "", None

    async def push(
        self,
        command: PushAuthorizationRequest,
        *,
        now: datetime,
        hinted: Mapping[str, Any] | None,
        network: str,
    ) -> str:
        """The `request_uri` of a request. `Failure`: see PushAuthorizationRequest."""
        application = await self._clients.authenticated(command, network=network)
        if application.kind not in SIGNING_IN:
            raise refusals.unauthorized_client(Cause.KIND_WITHOUT_SIGN_IN)
        check_redirect_uri(application, command.redirect_uri)
        if command.request_uri:
            raise refusals.pushed_request(
                RequestError(
                    "invalid_request",
                    "request_uri must be empty (RFC 9126, section 2.1)",
                    Cause.REQUEST_URI_NOT_SUPPORTED,
                )
            )
        try:
            request = await self._checked(command, application, now=now, hinted=hinted)
        except RequestError as error:
            raise refusals.pushed_request(error) from None
        return self._pushed.uri(request)

    async def describe(
        self, command: DescribeAuthorization, *, network: str
    ) -> tuple[AuthorizationRequest, Application, Sequence[Application]]:
        """The sealed request, its application and its resources that exist.

        `Failure`: see DescribeAuthorization.
        """
        request = self.opened(command.sealed_request)
        application = await self._application(request.client_id, request.redirect_uri, network)
        found = await resources.find_all(
            self._database, request.targets, reserved=self._policy.session_audiences
        )
        return request, application, found or ()

    async def approve(
        self, request: AuthorizationRequest, *, consents: bool, actor: Actor, network: str
    ) -> str:
        """The URL of the application with a code. `Failure`: see ApproveAuthorization."""
        session_id, user_id = session_of(actor).session_id, actor.user_id
        application = await self._application(request.client_id, request.redirect_uri, network)
        if request.error:
            return self._refusal(request)
        code = new_token(TokenKind.APPLICATION_CODE)
        with on_conflict({USED_KEY: lambda: refusals.request_expired("approved before")}):
            async with self._database.transaction() as transaction:
                await approval.approve(
                    transaction,
                    request,
                    application,
                    user_id=user_id,
                    session_id=session_id,
                    policy=self._policy,
                    consents=consents,
                    code_hash=token_hash(code),
                )
                if request.request_id:
                    await _REQUESTS.use(transaction, token_hash(request.request_id))
        return self._answer(request, {"code": code})

    async def deny(self, request: AuthorizationRequest, *, error: str, network: str) -> str:
        """The URL of the application with an error, or with that of an invalid request."""
        await self._application(request.client_id, request.redirect_uri, network)
        return self._refusal(request) if request.error else self._answer(request, {"error": error})

    def form(self, command: OpenAuthorizationResponse) -> FormPost:
        """The response that the browser posts to the application."""
        form = self._responses.form(command.sealed_response)
        if form is None:
            raise refusals.request_expired()
        return form

    async def _checked(
        self,
        command: AuthorizationParameters,
        application: Application,
        *,
        now: datetime,
        hinted: Mapping[str, Any] | None,
    ) -> AuthorizationRequest:
        """The valid request, whether it was pushed or not. RequestError."""
        return checked(
            command,
            application,
            now=int(now.timestamp()),
            hinted=hinted,
            resources=await resources.find_all(
                self._database, command.resource, reserved=self._policy.session_audiences
            ),
        )

    def opened(self, sealed: str) -> AuthorizationRequest:
        """A sealed request. `Failure` FAILED_PRECONDITION `AUTHORIZATION_REQUEST_EXPIRED`."""
        request = self._requests.opened(sealed)
        if (
            request is None
            or request.started_at + _LIFETIME.total_seconds() <= datetime.now(UTC).timestamp()
        ):
            raise refusals.request_expired()
        return request

    async def _application(self, client_id: str, redirect_uri: str, network: str) -> Application:
        """The application, which may have changed since the start of the request."""
        return (await self._client(client_id, redirect_uri, network)).application

    async def _client(self, client_id: str, redirect_uri: str, network: str) -> KnownClient:
        """The same, with what is known of it."""
        client = await self._directory.find(client_id, network=network)
        if client is None:
            raise refusals.unknown_client()
        check_redirect_uri(client.application, redirect_uri)
        return client

    def _refusal(self, request: AuthorizationRequest) -> str:
        """The URL that brings the error of an invalid request."""
        error = {"error": request.error, "error_description": request.error_description}
        return self._answer(request, error)

    def _answer(self, request: AuthorizationRequest, parameters: Mapping[str, str]) -> str:
        complete = {**parameters, "state": request.state}
        return self._responses.url(request.redirect_uri, request.response_mode, complete)


def _check_may_start(application: Application) -> None:
    """RequestError if the application must push its requests (RFC 9126, section 6)."""
    if application.configuration.requires_pushed_authorization_requests:
        raise RequestError(
            "invalid_request", "the request must be pushed (RFC 9126)", Cause.NOT_PUSHED
        )


def _check_is_shown(client: KnownClient, request: AuthorizationRequest) -> None:
    """`Failure` if a request without a page (`prompt=none`) would open an unknown site."""
    if "none" in request.prompts and not _is_trusted(client, request.redirect_uri):
        error = RequestError("interaction_required", "prompt must not be none")
        raise refusals.request_of_untrusted(error)


def _is_trusted(client: KnownClient, redirect_uri: str) -> bool:
    """Whether people may be sent to the redirect URI without a question (RFC 9700, 4.11.2).

    Everybody can publish a metadata document, and would have an open redirector. Loopback addresses
    lead to no site.
    """
    return client.is_named or redirect_uri.startswith("http://")


def client_host_of(request: AuthorizationRequest) -> str:
    """The host of the metadata document of the application; empty: it has none."""
    return document_host(request.client_id) if is_url(request.client_id) else ""


def host_of(request: AuthorizationRequest) -> str:
    """The host to which the browser returns, with its port; of a private scheme, the scheme."""
    parts = urlsplit(request.redirect_uri)
    return parts.netloc if is_web(request.redirect_uri) else parts.scheme

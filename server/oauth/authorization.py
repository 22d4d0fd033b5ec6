"""The commands from the request of an application to its approval."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any, Final, Literal, TypeAlias
from urllib.parse import urlsplit

from pydantic import StringConstraints

from server.access import user_aggregate
from server.access.caller import Actor
from server.access.tokens import TokenKind, new_token, token_hash
from server.application import store as application_store
from server.application.configuration import ApplicationAudience
from server.application.store import Application
from server.crypto.keyring import Keyring
from server.crypto.sealed import Sealed
from server.group import member_store
from server.oauth import grant_store, refusals, store
from server.oauth.claims import scopes_of
from server.oauth.events import ApplicationGranted
from server.oauth.request import (
    AuthorizationRequest,
    StartAuthorization,
    check_redirect_uri,
    checked,
)
from server.oauth.request_error import RequestError
from server.oauth.responses import FormPost, Responses
from server.oauth.tokens import acr_of
from server.session import store as session_store
from server.session.commands import session_of
from server.session.store import Session
from server.store.database import Statements
from server.store.eventlog import new_id
from server.validation.fields import Command
from server.values.errors import unauthenticated

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
            # A session ends, and a user is removed, under this lock.
            await user_aggregate.lock(transaction, user_id)
            session = await session_store.get(
                transaction,
                user_id=user_id,
                session_id=session_id,
                idle_timeout=self._policy.idle_timeout,
            )
            if session is None:
                raise unauthenticated()
            _check_sign_in(session, request)
            groups = await member_store.names_of_user(transaction, user_id)
            check_admits(application, organization_id=session.details.owner, group_ids=groups)
            await _check_consent(
                transaction, request, application, user_id=user_id, consents=command.consents
            )
            await store.add(
                transaction,
                authorization_id=new_id(),
                application_id=application.application_id,
                user_id=user_id,
                session_id=session_id,
                redirect_uri=request.redirect_uri,
                code_challenge=request.code_challenge,
                nonce=request.nonce,
                scopes=request.scopes,
                id_token_claims=request.id_token_claims,
                user_info_claims=request.user_info_claims,
                resource=request.resource,
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


def shared_scopes(request: AuthorizationRequest) -> tuple[str, ...]:
    """The scopes of a request, with those that carry the claims that it names."""
    claims = {*request.id_token_claims, *request.user_info_claims}
    return tuple(dict.fromkeys([*request.scopes, *sorted(scopes_of(claims))]))


def check_admits(
    application: Application, *, organization_id: str, group_ids: Mapping[str, Any]
) -> None:
    """`Failure` PERMISSION_DENIED `APPLICATION_NOT_ALLOWED` if it does not admit the user."""
    configuration = application.configuration
    is_outside = (
        configuration.audience != ApplicationAudience.ALL
        and organization_id != application.details.owner
    )
    is_excluded = configuration.admits_groups_only and not any(
        each in group_ids for each in configuration.allowed_groups
    )
    if is_outside or is_excluded:
        raise refusals.not_allowed()


def _check_sign_in(session: Session, request: AuthorizationRequest) -> None:
    """Refuses the sign-in of a session that does not suffice for the request."""
    if request.subject and session.user_id != request.subject:
        raise refusals.another_account_required()
    signed_in_at = session.authenticated_at.timestamp()
    if "login" in request.prompts and signed_in_at < request.started_at:
        raise refusals.sign_in_required()
    if request.max_age is not None and signed_in_at + request.max_age < request.started_at:
        raise refusals.sign_in_required()
    if request.essential_acr and acr_of(session) not in request.essential_acr:
        raise refusals.passkey_required()


async def _check_consent(
    transaction: Statements,
    request: AuthorizationRequest,
    application: Application,
    *,
    user_id: str,
    consents: bool,
) -> None:
    """Records the consent of the locked user, if it is new. `Failure` `CONSENT_REQUIRED`."""
    scopes = shared_scopes(request)
    granted = await grant_store.granted_scopes(
        transaction, user_id=user_id, application_id=application.application_id
    )
    is_granted = granted.issuperset(scopes)
    needs_consent = "consent" in request.prompts or not (
        is_granted or application.configuration.first_party
    )
    if needs_consent and not consents:
        raise refusals.consent_required()
    if not is_granted:
        event = ApplicationGranted(application.application_id, tuple(sorted(granted.union(scopes))))
        await grant_store.GRANT.details(transaction, event, creator=user_id, user_id=user_id)

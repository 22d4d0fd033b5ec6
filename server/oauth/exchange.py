"""The exchange of a grant for tokens: one method for each type of grant."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Annotated, Final

from pydantic import SecretStr, StringConstraints

from server.access.tokens import token_hash
from server.application.configuration import ApplicationKind, ClientAuthMethod
from server.application.store import Application
from server.idp.relying_party.provider import Providers
from server.oauth import refusals, store, tokens
from server.oauth.authorization import OAuthPolicy
from server.oauth.authorized import access_of_user, allowed, find_admitted
from server.oauth.claims import GROUPS, allowed_claims, id_token_claims
from server.oauth.clients import ClientRequest, Clients
from server.oauth.codes import use_code
from server.oauth.device import store as device_store
from server.oauth.device.commands import CHALLENGE, GRANT_TYPE
from server.oauth.device.store import Decision, Poll
from server.oauth.refresh_token import RefreshToken
from server.oauth.request import (
    OFFLINE_ACCESS,
    OPENID,
    RequestText,
    allowed_scopes,
    are_resources,
    is_registered,
)
from server.oauth.store import Authorization
from server.oauth.token_exchange import (
    ACCESS_TOKEN,
    TOKEN_EXCHANGE,
    ExchangedToken,
    checked_target,
)
from server.oauth.tokens import AccessToken, IssuedTokens
from server.oauth.workload import verified_workload
from server.signing.private_key import Algorithm
from server.signing.signer import Signer, Signing
from server.store.database import Statements
from server.validation.fields import Printable
from server.values.errors import Failure, Violation, invalid
from server.values.pkce import challenge_of

_Token = Annotated[SecretStr, StringConstraints(max_length=8000)]
# A token of a workload ends with the job that fetched it, or soon after it.
_WORKLOAD_LIFETIME: Final = timedelta(minutes=5)


class ExchangeToken(ClientRequest, ExchangedToken):
    """Exchange a grant for tokens."""

    grant_type: Annotated[Printable, StringConstraints(min_length=1, max_length=200)]
    code: _Token
    redirect_uri: RequestText
    # RFC 7636, section 4.1.
    code_verifier: Annotated[SecretStr, StringConstraints(max_length=128)]
    refresh_token: _Token
    scope: RequestText
    device_code: _Token


class Exchange:
    """Exchanges the grants of applications."""

    def __init__(
        self,
        database: Statements,
        *,
        policy: OAuthPolicy,
        signer: Signer,
        providers: Providers,
        clients: Clients,
    ) -> None:
        self._database = database
        self._providers = providers
        self._clients = clients
        self._policy = policy
        self._signer = signer

    async def exchange(self, command: ExchangeToken, *, network: str) -> IssuedTokens:
        """Exchanges a grant for tokens. `network` is that of the client.

        `Failure`: see ExchangeToken.
        """
        grant = _GRANTS.get(command.grant_type)
        if grant is None:
            raise refusals.unsupported_grant_type()
        application = await self._clients.authenticated(command, network=network)
        _check_may_use(application, command.grant_type)
        self._policy.check_audience(application)
        _check_has_grant(command)
        # Without a key that signs, nothing is used up.
        algorithm = Algorithm(application.configuration.id_token_alg)
        signing = await self._signer.ready({Algorithm.ES256, algorithm})
        return await grant(self, application, command, signing)

    async def by_code(
        self, application: Application, command: ExchangeToken, signing: Signing
    ) -> IssuedTokens:
        """Exchanges a code. The redirect URI may have been removed since the approval."""
        if not is_registered(application, command.redirect_uri):
            raise refusals.invalid_grant("redirect URI")
        verifier = command.code_verifier.get_secret_value()
        return await self._redeem(
            application,
            signing,
            code_hash=token_hash(command.code.get_secret_value()),
            redirect_uri=command.redirect_uri,
            code_challenge=challenge_of(verifier) if verifier else "",
            resource=self._resource_of(command),
            refused=refusals.invalid_grant("code"),
        )

    async def by_device_code(
        self, application: Application, command: ExchangeToken, signing: Signing
    ) -> IssuedTokens:
        """Exchanges a device code that a person has approved (RFC 8628, section 3.4)."""
        code_hash = token_hash(command.device_code.get_secret_value())
        poll = await device_store.poll(
            self._database, device_code_hash=code_hash, application_id=application.application_id
        )
        if poll is not None and poll.decision is not Decision.APPROVED:
            raise _undecided(poll)
        is_expired = poll is not None and poll.is_expired
        return await self._redeem(
            application,
            signing,
            code_hash=code_hash,
            redirect_uri="",
            code_challenge=CHALLENGE,
            resource=self._resource_of(command),
            refused=refusals.expired_token()
            if is_expired
            else refusals.invalid_grant("device code"),
        )

    async def _redeem(
        self,
        application: Application,
        signing: Signing,
        *,
        code_hash: bytes,
        redirect_uri: str,
        code_challenge: str,
        resource: str,
        refused: Failure,
    ) -> IssuedTokens:
        """Uses up the code of an approval. Its second use ends the tokens of the first.

        `Failure` `INVALID_TARGET` if the code is for another resource, and the one refused.
        """
        refresh_token = RefreshToken.new()
        used = await use_code(
            self._database,
            application,
            code_hash=code_hash,
            redirect_uri=redirect_uri,
            code_challenge=code_challenge,
            resource=resource,
            refresh_token=refresh_token,
            refused=refused,
        )
        return await self._tokens(
            application, used, used.scopes, refresh_token, signing, needs_session=True
        )

    async def by_refresh_token(
        self, application: Application, command: ExchangeToken, signing: Signing
    ) -> IssuedTokens:
        """Uses a refresh token, which rotates unless the application authenticates itself."""
        client_id = application.application_id
        token = RefreshToken.read(command.refresh_token.get_secret_value())
        if token is None:
            raise refusals.invalid_grant("malformed refresh token")
        scopes, resource = tuple(command.scope.split()), self._resource_of(command)
        configuration = application.configuration
        used = await store.use_refresh_token(
            self._database,
            token,
            rotates=configuration.token_endpoint_auth_method == ClientAuthMethod.NONE,
            application_id=client_id,
            scopes=scopes,
            resource=resource,
            idle=timedelta(seconds=configuration.refresh_token_idle_seconds),
        )
        if used is None:
            found = await store.find_by_refresh_token(self._database, token, client_id)
            if found is not None and resource not in ("", found.resource):
                raise refusals.invalid_target("of the refresh token")
            if found is not None:
                raise refusals.invalid_scope()
            await store.end_reused(self._database, token, client_id)
            raise refusals.invalid_grant("refresh token")
        authorization, present = used
        return await self._tokens(
            application, authorization, scopes or authorization.scopes, present, signing
        )

    async def by_credentials(
        self, application: Application, command: ExchangeToken, signing: Signing
    ) -> IssuedTokens:
        """Issues a token of the application itself (RFC 6749, section 4.4)."""
        scopes = _scopes_of_service(application, command.scope)
        resource = self._resource_of(command)
        token = AccessToken("", application.application_id, scopes, resource, {})
        return tokens.issued(signing, application, token, issuer=self._policy.issuer)

    async def by_workload(
        self, application: Application, command: ExchangeToken, signing: Signing
    ) -> IssuedTokens:
        """Issues a token of the application to a workload that it trusts (RFC 8693).

        The subject is the application: the workload acts as it, and nobody has delegated anything
        to it, so there is no claim `act` (section 4.1). The claim `workload` names it.
        """
        resource = checked_target(command, reserved=self._policy.session_audiences)
        workload = await verified_workload(
            self._providers,
            application,
            command.subject_token.get_secret_value(),
            now=signing.now,
        )
        scopes = _scopes_of_service(application, command.scope)
        further = {"workload": workload.claim}
        token = AccessToken("", application.application_id, scopes, resource, further)
        issued = tokens.issued(
            signing,
            application,
            token,
            issuer=self._policy.issuer,
            longest=min(_WORKLOAD_LIFETIME, workload.remaining),
        )
        return replace(issued, type=ACCESS_TOKEN)

    async def _tokens(
        self,
        application: Application,
        used: Authorization,
        scopes: Sequence[str],
        refresh_token: RefreshToken,
        signing: Signing,
        *,
        needs_session: bool = False,
    ) -> IssuedTokens:
        """The tokens of an authorization, if its session or its user still allows it.

        `needs_session`: also with `offline_access`. The application may have lost scopes since the
        approval. `Failure` `INVALID_SCOPE` if none is left.
        """
        used = allowed(application, used)
        scopes = allowed_scopes(application, " ".join(scopes))
        if not scopes:
            raise refusals.invalid_scope()
        claims = [
            *id_token_claims(application, scopes),
            *allowed_claims(application, used.id_token_claims),
        ]
        known = await find_admitted(
            self._database,
            application,
            used,
            idle_timeout=self._policy.idle_timeout,
            with_groups=GROUPS in (*scopes, *claims),
        )
        if known is None or (needs_session and known.session is None):
            raise refusals.invalid_grant("session, or no longer admitted")
        if used.resource in self._policy.session_audiences:
            raise refusals.invalid_grant("resource")
        session = known.session
        groups = known.profile.token_claims([GROUPS]) if GROUPS in scopes else {}
        issued = access_of_user(
            signing,
            application,
            used,
            known,
            issuer=self._policy.issuer,
            scopes=scopes,
            claims=groups,
        )
        id_token = ""
        if OPENID in scopes and session is not None:
            id_token = tokens.id_token(
                signing,
                application,
                known.profile,
                session,
                issuer=self._policy.issuer,
                nonce=used.nonce,
                access_token=issued.access_token,
                claims=claims,
            )
        return replace(
            issued,
            id_token=id_token,
            refresh_token=refresh_token.text if OFFLINE_ACCESS in used.scopes else "",
        )

    def _resource_of(self, command: ExchangeToken) -> str:
        """The resource that an exchange of a grant names (RFC 8707, section 2.2); empty: none.

        `Failure` `INVALID_TARGET`.
        """
        if not are_resources(command.resource, reserved=self._policy.session_audiences):
            raise refusals.invalid_target()
        return next(iter(command.resource), "")


def _check_may_use(application: Application, grant_type: str) -> None:
    """`Failure` `UNAUTHORIZED_CLIENT` if the application cannot use the grant."""
    configuration = application.configuration
    if application.kind != ApplicationKind.SERVICE:
        may = grant_type not in _OF_SERVICES
    elif grant_type == _CLIENT_CREDENTIALS:
        # Without authentication, the client_id alone would suffice.
        may = configuration.token_endpoint_auth_method != ClientAuthMethod.NONE
    else:
        may = grant_type == TOKEN_EXCHANGE and bool(configuration.workload_issuers)
    if not may:
        raise refusals.unauthorized_client()


def _check_has_grant(command: ExchangeToken) -> None:
    """`Failure` INVALID_ARGUMENT without the code or token that the type of the grant needs."""
    needed = {
        "authorization_code": ("code", command.code),
        "refresh_token": ("refreshToken", command.refresh_token),
        GRANT_TYPE: ("deviceCode", command.device_code),
    }.get(command.grant_type)
    if needed and not needed[1].get_secret_value():
        problem = f"must not be empty with the grant_type {command.grant_type}"
        raise invalid(Violation(needed[0], problem))


def _scopes_of_service(application: Application, scope: str) -> tuple[str, ...]:
    """The requested scopes, or all of the application. `Failure` `INVALID_SCOPE`."""
    scopes = allowed_scopes(application, scope)
    if len(scopes) < len(set(scope.split())):
        raise refusals.invalid_scope()
    return scopes or tuple(application.configuration.scopes)


def _undecided(poll: Poll) -> Failure:
    """The answer to a poll without an approval (RFC 8628, section 3.5)."""
    if poll.decision is Decision.DENIED:
        return refusals.access_denied()
    if poll.is_expired:
        return refusals.expired_token()
    return refusals.slow_down() if poll.is_early else refusals.authorization_pending()


_CLIENT_CREDENTIALS: Final = "client_credentials"
_OF_SERVICES: Final = frozenset({_CLIENT_CREDENTIALS, TOKEN_EXCHANGE})
_GRANTS: Final = {
    "authorization_code": Exchange.by_code,
    "refresh_token": Exchange.by_refresh_token,
    _CLIENT_CREDENTIALS: Exchange.by_credentials,
    TOKEN_EXCHANGE: Exchange.by_workload,
    GRANT_TYPE: Exchange.by_device_code,
}
GRANT_TYPES: Final = tuple(_GRANTS)

"""The exchange of a grant for tokens: one method for each type of grant."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Annotated, Any, Final

from pydantic import SecretStr, StringConstraints

from server.access.tokens import token_hash
from server.application.configuration import ApplicationKind, ClientAuthMethod
from server.application.store import Application
from server.oauth import refusals, resources, store, tokens
from server.oauth.authorized import Authorized, access_of_user, allowed, find_admitted
from server.oauth.claims import GROUPS, allowed_claims, id_token_claims
from server.oauth.client_documents.client_id_url import is_url
from server.oauth.clients import ClientRequest, Clients
from server.oauth.codes import use_code
from server.oauth.device import store as device_store
from server.oauth.device.commands import CHALLENGE, GRANT_TYPE
from server.oauth.device.store import Decision, Poll
from server.oauth.policy import OAuthPolicy
from server.oauth.refresh_token import RefreshToken
from server.oauth.refused.causes import Cause
from server.oauth.request import (
    OFFLINE_ACCESS,
    OPENID,
    RequestText,
    is_registered,
)
from server.oauth.store import Authorization
from server.oauth.token_exchange import (
    ACCESS_TOKEN,
    TOKEN_EXCHANGE,
    ExchangedToken,
    checked_target,
    one_target,
)
from server.oauth.tokens import AccessToken, IssuedTokens
from server.relying_party.provider import Providers
from server.relying_party.workload import verified_workload
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
            raise refusals.invalid_grant(Cause.REDIRECT_URI_NOT_REGISTERED)
        verifier = command.code_verifier.get_secret_value()
        return await self._redeem(
            application,
            signing,
            code_hash=token_hash(command.code.get_secret_value()),
            redirect_uri=command.redirect_uri,
            code_challenge=challenge_of(verifier) if verifier else "",
            target=one_target({*command.resource}),
            refused=refusals.invalid_grant(Cause.CODE_INVALID),
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
            target=one_target({*command.resource}),
            refused=refusals.expired_token()
            if is_expired
            else refusals.invalid_grant(Cause.DEVICE_CODE_INVALID),
        )

    async def _redeem(
        self,
        application: Application,
        signing: Signing,
        *,
        code_hash: bytes,
        redirect_uri: str,
        code_challenge: str,
        target: str,
        refused: Failure,
    ) -> IssuedTokens:
        """Uses up the code of an approval. Its second use ends the tokens of the first.

        `Failure` `INVALID_TARGET` if the code is for another resource, and the one refused.
        """
        resource = await self._named(target)
        refresh_token = RefreshToken.new()
        used = await use_code(
            self._database,
            application,
            code_hash=code_hash,
            redirect_uri=redirect_uri,
            code_challenge=code_challenge,
            resource=target,
            refresh_token=refresh_token,
            refused=refused,
        )
        return await self._tokens(
            application, used, resource, (), refresh_token, signing, needs_session=True
        )

    async def by_refresh_token(
        self, application: Application, command: ExchangeToken, signing: Signing
    ) -> IssuedTokens:
        """Uses a refresh token, which rotates unless the application authenticates itself."""
        client_id = application.application_id
        token = RefreshToken.read(command.refresh_token.get_secret_value())
        if token is None:
            raise refusals.invalid_grant(Cause.REFRESH_TOKEN_INVALID)
        scopes, target = tuple(command.scope.split()), one_target({*command.resource})
        # First, because a refused client keeps its token, which must not rotate.
        resource = await self._named(target)
        configuration = application.configuration
        used = await store.use_refresh_token(
            self._database,
            token,
            rotates=configuration.token_endpoint_auth_method == ClientAuthMethod.NONE,
            application_id=client_id,
            scopes=scopes,
            resource=target,
            idle=timedelta(seconds=configuration.refresh_token_idle_seconds),
        )
        if used is None:
            found = await store.find_by_refresh_token(self._database, token, client_id)
            if found is not None and not resources.is_for(found.resources, target):
                raise refusals.invalid_target("of the refresh token")
            if found is not None:
                raise refusals.invalid_scope()
            await store.end_reused(self._database, token, client_id)
            raise refusals.invalid_grant(Cause.REFRESH_TOKEN_INVALID)
        authorization, present = used
        return await self._tokens(application, authorization, resource, scopes, present, signing)

    async def by_credentials(
        self, application: Application, command: ExchangeToken, signing: Signing
    ) -> IssuedTokens:
        """Issues a token of the application itself (RFC 6749, section 4.4)."""
        target = one_target({*command.resource})
        resource, scopes = await self._of_service(application, target, command.scope)
        token = _token_of_service(application, scopes, resource, {})
        return tokens.issued(signing, application, token, issuer=self._policy.issuer)

    async def by_workload(
        self, application: Application, command: ExchangeToken, signing: Signing
    ) -> IssuedTokens:
        """Issues a token of the application to a workload that it trusts (RFC 8693).

        The subject is the application: the workload acts as it, and nobody has delegated anything
        to it, so there is no claim `act` (section 4.1). The claim `workload` names it.
        """
        target = checked_target(command)
        resource, scopes = await self._of_service(application, target, command.scope)
        workload = await verified_workload(
            self._providers,
            application.configuration.workload_issuers,
            command.subject_token.get_secret_value(),
            now=signing.now,
            refused=refusals.invalid_subject_token,
        )
        further = {"workload": workload.claim}
        token = _token_of_service(application, scopes, resource, further)
        issued = tokens.issued(
            signing,
            application,
            token,
            issuer=self._policy.issuer,
            longest=min(
                _WORKLOAD_LIFETIME, workload.expires_at - signing.now.replace(microsecond=0)
            ),
        )
        return replace(issued, type=ACCESS_TOKEN)

    async def _of_service(
        self, application: Application, target: str, scope: str
    ) -> tuple[Application | None, tuple[str, ...]]:
        """The resource and the scopes of the token of a service.

        `Failure` `INVALID_TARGET`, `INVALID_SCOPE`.
        """
        resource = await self._named(target)
        if resource is None:
            return None, _scopes_of_service(scope, application.configuration.scopes)
        allowed = resources.scopes_of_service(resource, application)
        if allowed is None:
            raise refusals.invalid_target("of another organization")
        return resource, _scopes_of_service(scope, allowed)

    async def _tokens(
        self,
        application: Application,
        used: Authorization,
        named: Application | None,
        only: Sequence[str],
        refresh_token: RefreshToken,
        signing: Signing,
        *,
        needs_session: bool = False,
    ) -> IssuedTokens:
        """The tokens of an authorization, if its session or its user still allows it.

        `named` is the resource that the request names, `only` its scopes; empty: all.
        `needs_session`: also with `offline_access`. The application may have lost scopes since the
        approval. `Failure` `INVALID_SCOPE` if none is left, `INVALID_TARGET`.
        """
        whole = allowed(application, used)
        used = _narrowed(whole, only)
        if not (used.scopes or used.resource_scopes):
            raise refusals.invalid_scope()
        claims = [
            *id_token_claims(application, used.scopes),
            *allowed_claims(application, used.id_token_claims),
        ]
        known = await find_admitted(
            self._database,
            application,
            whole,
            idle_timeout=self._policy.idle_timeout,
            with_groups=GROUPS in (*used.scopes, *claims),
        )
        if known is None or (needs_session and known.session is None):
            raise refusals.invalid_grant(Cause.SIGN_IN_ENDED)
        session = known.session
        resource, scopes = await self._resource(application, used, named, known)
        issuer = self._policy.issuer
        groups = known.profile.token_claims([GROUPS], issuer=issuer) if GROUPS in scopes else {}
        issued = access_of_user(
            signing,
            application,
            used,
            known,
            issuer=self._policy.issuer,
            scopes=scopes,
            claims=groups,
            resource=resource,
        )
        id_token = ""
        if OPENID in used.scopes and session is not None:
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
            refresh_token=refresh_token.text if OFFLINE_ACCESS in whole.scopes else "",
        )

    async def _resource(
        self,
        application: Application,
        used: Authorization,
        named: Application | None,
        known: Authorized,
    ) -> tuple[Application | None, Sequence[str]]:
        """The resource of the token, if it is not for the application, and its scopes.

        Without one in the request, that of an authorization for one resource. `Failure`
        `INVALID_TARGET`.
        """
        resource = named or await self._named(next(iter(used.resources), ""))
        if resource is None:
            await self._check_no_resource(application)
            return None, used.scopes
        scopes = await resources.current_scopes(
            self._database, application, used, resource, user=known.profile.user
        )
        if scopes is None:
            raise refusals.invalid_target("changed since the authorization")
        return resource, scopes

    async def _named(self, target: str) -> Application | None:
        """The resource with this identifier; None without one. `Failure` `INVALID_TARGET`."""
        if not target:
            return None
        reserved = self._policy.session_audiences
        found = await resources.find_all(self._database, [target], reserved=reserved)
        if not found:
            raise refusals.invalid_target("unknown")
        return found[0]

    async def _check_no_resource(self, application: Application) -> None:
        """Refuses a token for an application by a metadata document whose URL is an identifier."""
        client_id = application.application_id
        if is_url(client_id) and await resources.find_all(
            self._database, [client_id], reserved=frozenset()
        ):
            raise refusals.invalid_target("the client ID is the identifier of a resource")


def _check_may_use(application: Application, grant_type: str) -> None:
    """`Failure` `UNAUTHORIZED_CLIENT` if the application cannot use the grant."""
    configuration = application.configuration
    if application.kind == ApplicationKind.RESOURCE:
        may = False
    elif application.kind != ApplicationKind.SERVICE:
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


def _narrowed(used: Authorization, only: Sequence[str]) -> Authorization:
    """The authorization with these scopes only; with all of its own, if there are none."""
    if not only:
        return used
    return replace(
        used,
        scopes=[each for each in used.scopes if each in only],
        resource_scopes=[each for each in used.resource_scopes if each in only],
    )


def _scopes_of_service(scope: str, allowed: Sequence[str]) -> tuple[str, ...]:
    """The requested scopes, or all that are allowed. `Failure` `INVALID_SCOPE`."""
    requested = tuple(dict.fromkeys(scope.split()))
    if not set(allowed).issuperset(requested):
        raise refusals.invalid_scope()
    return requested or tuple(allowed)


def _token_of_service(
    application: Application,
    scopes: Sequence[str],
    resource: Application | None,
    further: Mapping[str, Any],
) -> AccessToken:
    """The token of an application for itself, which is in the organization of the application."""
    client_id, organization_id = application.application_id, application.details.owner
    return AccessToken("", client_id, organization_id, scopes, resource, further)


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

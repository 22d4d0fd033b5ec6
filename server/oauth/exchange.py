"""The commands of applications: exchange, introspect and revoke tokens."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Annotated, Any, Final

from pydantic import SecretStr, StringConstraints

from server.access.tokens import token_hash
from server.application import store as application_store
from server.application.configuration import ApplicationKind, ClientAuthMethod
from server.application.store import Application
from server.group import member_store
from server.idp.relying_party.provider import Providers
from server.oauth import refusals, store, tokens
from server.oauth.approval import admits, admits_document
from server.oauth.authorization import OAuthPolicy
from server.oauth.claims import GROUPS, allowed_claims, claims_of, id_token_claims
from server.oauth.client_documents.client_id_url import is_url
from server.oauth.clients import ClientRequest, Clients
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
)
from server.oauth.store import Authorization
from server.oauth.token_exchange import (
    ACCESS_TOKEN,
    TOKEN_EXCHANGE,
    ExchangedToken,
    checked_target,
)
from server.oauth.tokens import AccessToken, UserProfile
from server.oauth.workload import verified_workload
from server.session import store as session_store
from server.session.store import Session
from server.signing.private_key import Algorithm
from server.signing.signer import Signer, Signing
from server.store.database import Statements
from server.user import store as user_store
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


class ClientToken(ClientRequest):
    """Introspect or revoke a token."""

    token: Annotated[SecretStr, StringConstraints(min_length=1, max_length=8000)]


@dataclass(frozen=True, slots=True)
class IssuedTokens:
    """The tokens of one exchange. This is the only time that they are in plaintext."""

    access_token: str = field(repr=False)
    lifetime: timedelta
    scopes: Sequence[str]
    id_token: str = field(default="", repr=False)
    refresh_token: str = field(default="", repr=False)
    # Of a token exchange.
    type: str = ""


class Exchange:
    """The commands of applications on tokens."""

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
        """Exchanges a grant for tokens. `network` is that of the client, here and below.

        `Failure`: see ExchangeToken.
        """
        grant = _GRANTS.get(command.grant_type)
        if grant is None:
            raise refusals.unsupported_grant_type()
        application = await self._clients.authenticated(command, network=network)
        _check_may_use(application, command.grant_type)
        _check_has_grant(command)
        # Without a key that signs, nothing is used up.
        algorithm = Algorithm(application.configuration.id_token_alg)
        signing = await self._signer.ready({Algorithm.ES256, algorithm})
        return await grant(self, application, command, signing)

    async def introspect(self, command: ClientToken, *, network: str) -> Mapping[str, Any] | None:
        """The claims of an active token of the application (RFC 7662). None: it is not active."""
        application = await self._clients.authenticated(command, network=network)
        client_id, text = application.application_id, command.token.get_secret_value()
        if (refresh_token := RefreshToken.read(text)) is not None:
            found = await store.find_by_refresh_token(self._database, refresh_token, client_id)
            if found is None:
                return None
            found = _allowed(application, found)
            if await self._find_admitted(application, found) is None:
                return None
            return {
                "client_id": client_id,
                "sub": found.user_id,
                "scope": " ".join(found.scopes),
                "exp": int(found.expires_at.timestamp()),
            }
        claims = await self._read_access_token(text)
        if claims is None or claims["client_id"] != client_id:
            return None
        alive = await self._alive(claims, application)
        return {**alive, "token_type": tokens.BEARER} if alive is not None else None

    async def revoke(self, command: ClientToken, *, network: str) -> None:
        """Ends the authorization of a token of the application (RFC 7009)."""
        application = await self._clients.authenticated(command, network=network)
        client_id, text = application.application_id, command.token.get_secret_value()
        if (refresh_token := RefreshToken.read(text)) is not None:
            await store.end_family(self._database, refresh_token, client_id)
        elif (claims := await self._read_access_token(text)) is not None:
            await store.end(
                self._database,
                authorization_id=tokens.authorization_of(claims),
                application_id=client_id,
            )

    async def user_info(self, token: str) -> Mapping[str, Any]:
        """The claims of the user of an access token.

        `Failure` UNAUTHENTICATED `INVALID_TOKEN`, PERMISSION_DENIED `INSUFFICIENT_SCOPE`.
        """
        claims = await self._read_access_token(token)
        if claims is None:
            raise refusals.invalid_token()
        if claims["aud"] != claims["client_id"]:
            raise refusals.invalid_token("it is for a resource server")
        found = await store.find(self._database, tokens.authorization_of(claims))
        if found is None:
            raise refusals.invalid_token("its authorization has ended")
        scopes = _kept(claims, found)
        names = [*claims_of(scopes), *found.user_info_claims]
        # One with a metadata document belongs to no organization, and is not removed.
        if is_url(found.application_id):
            known = await self._find_of_document(found)
        else:
            client = await application_store.find_client(self._database, found.application_id)
            if client is None:
                raise refusals.invalid_token("its application was removed")
            application = client.application
            names, found = allowed_claims(application, names), _allowed(application, found)
            known = await self._find_admitted(application, found, with_groups=GROUPS in names)
        if known is None:
            raise refusals.invalid_token("its session or its user has ended, or is not admitted")
        if OPENID not in scopes:
            raise refusals.insufficient_scope()
        return {"sub": known.profile.user.user_id, **known.profile.claims(names)}

    async def read_id_token(self, token: str) -> Mapping[str, Any] | None:
        """The claims of an ID token of this server, also of an expired one. None: it is not one."""
        verified = await self._signer.verify(token)
        if verified is None or verified.type != tokens.ID_TOKEN_TYPE:
            return None
        return verified.claims

    async def _read_access_token(self, token: str) -> Mapping[str, Any] | None:
        """The claims of an access token of an application. None: it is not one, or has expired."""
        verified = await self._signer.verify(token)
        if verified is None or verified.type != tokens.ACCESS_TOKEN_TYPE:
            return None
        now = (await self._signer.ready()).now
        # JWTs of sessions have the same type, and no scope.
        is_valid = "scope" in verified.claims and verified.claims["exp"] > now.timestamp()
        return verified.claims if is_valid else None

    async def by_code(
        self, application: Application, command: ExchangeToken, signing: Signing
    ) -> IssuedTokens:
        """Exchanges a code."""
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
        used = await self._use_code(
            application,
            code_hash=code_hash,
            redirect_uri=redirect_uri,
            code_challenge=code_challenge,
            resource=resource,
            refresh_token=refresh_token,
            refused=refused,
        )
        return await self._tokens(application, used, used.scopes, refresh_token, signing)

    async def _use_code(
        self,
        application: Application,
        *,
        code_hash: bytes,
        redirect_uri: str,
        code_challenge: str,
        resource: str,
        refresh_token: RefreshToken,
        refused: Failure,
    ) -> Authorization:
        """Uses up a code. Its second use ends the authorization, and raises `refused`.

        `Failure` `INVALID_TARGET` if the code is for another resource.
        """
        configuration = application.configuration
        client_id = application.application_id
        used = await store.use_code(
            self._database,
            code_hash=code_hash,
            application_id=client_id,
            redirect_uri=redirect_uri,
            code_challenge=code_challenge,
            resource=resource,
            refresh_token=refresh_token,
            idle=timedelta(seconds=configuration.refresh_token_idle_seconds),
            lifetime=timedelta(seconds=configuration.refresh_token_lifetime_seconds),
        )
        if used is None:
            granted = await store.resource_of_code(
                self._database, code_hash=code_hash, application_id=client_id
            )
            if resource and granted not in (None, resource):
                raise refusals.invalid_target("of the code")
            await store.end_reused_code(
                self._database, code_hash=code_hash, application_id=client_id
            )
            raise refused
        return used

    async def enter(
        self, application: Application, *, code: str, redirect_uri: str, code_verifier: str
    ) -> str:
        """Uses up a code for the gate, which needs no tokens; returns the id of the authorization.

        `Failure` FAILED_PRECONDITION `INVALID_GRANT`.
        """
        used = await self._use_code(
            application,
            code_hash=token_hash(code),
            redirect_uri=redirect_uri,
            code_challenge=challenge_of(code_verifier),
            resource="",
            # Nobody gets it, so it is never used.
            refresh_token=RefreshToken.new(),
            refused=refusals.invalid_grant("code"),
        )
        return used.authorization_id

    async def visit(self, application: Application, authorization_id: str) -> "Visit | None":
        """The person of an authorization, for the gate, with an access token.

        Counts as a use of the session. None: the authorization or its session has ended.
        """
        found = await store.find(self._database, authorization_id)
        if found is None or found.application_id != application.application_id:
            return None
        known = await self._find(found, application.details.owner)
        if known is None or known.session is None:
            return None
        signing = await self._signer.ready()
        idle_timeout = self._policy.idle_timeout
        await session_store.use(
            self._database, known.session, now=signing.now, idle_timeout=idle_timeout
        )
        scopes = allowed_scopes(application, " ".join(found.scopes))
        claims = known.profile.claims(claims_of(scopes))
        token = self._access_of_user(application, found, scopes, known, signing, claims)
        return Visit(known.profile, known.session, token.access_token, claims, signing.now)

    async def by_refresh_token(
        self, application: Application, command: ExchangeToken, signing: Signing
    ) -> IssuedTokens:
        """Replaces a refresh token."""
        client_id = application.application_id
        token = RefreshToken.read(command.refresh_token.get_secret_value())
        if token is None:
            raise refusals.invalid_grant("malformed refresh token")
        following, scopes = token.rotated(), tuple(command.scope.split())
        resource = self._resource_of(command)
        idle = application.configuration.refresh_token_idle_seconds
        used = await store.rotate(
            self._database,
            token,
            following=following,
            application_id=client_id,
            scopes=scopes,
            resource=resource,
            idle=timedelta(seconds=idle),
        )
        if used is None:
            found = await store.find_by_refresh_token(self._database, token, client_id)
            if found is not None and resource not in ("", found.resource):
                raise refusals.invalid_target("of the refresh token")
            if found is not None:
                raise refusals.invalid_scope()
            await store.end_reused(self._database, token, client_id)
            raise refusals.invalid_grant("refresh token")
        return await self._tokens(application, used, scopes or used.scopes, following, signing)

    async def by_credentials(
        self, application: Application, command: ExchangeToken, signing: Signing
    ) -> IssuedTokens:
        """Issues a token of the application itself (RFC 6749, section 4.4)."""
        scopes = _scopes_of_service(application, command.scope)
        resource = self._resource_of(command)
        token = AccessToken("", application.application_id, scopes, resource, {})
        return self._access(application, token, signing)

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
        longest = min(_WORKLOAD_LIFETIME, workload.remaining)
        return replace(self._access(application, token, signing, longest), type=ACCESS_TOKEN)

    def _access(
        self,
        application: Application,
        token: AccessToken,
        signing: Signing,
        longest: timedelta = timedelta.max,
    ) -> IssuedTokens:
        """An access token, with the lifetime of the application's, or the longest one."""
        of_application = application.configuration.access_token_lifetime_seconds
        lifetime = min(timedelta(seconds=of_application), longest)
        text = tokens.access_token(
            signing, application, token, issuer=self._policy.issuer, lifetime=lifetime
        )
        return IssuedTokens(text, lifetime, token.scopes)

    async def _tokens(
        self,
        application: Application,
        used: Authorization,
        scopes: Sequence[str],
        refresh_token: RefreshToken,
        signing: Signing,
    ) -> IssuedTokens:
        """The tokens of an authorization, if its session or its user still allows it.

        The application may have lost scopes since the approval.
        """
        used = _allowed(application, used)
        scopes = allowed_scopes(application, " ".join(scopes))
        claims = [
            *id_token_claims(application, scopes),
            *allowed_claims(application, used.id_token_claims),
        ]
        with_groups = GROUPS in (*scopes, *claims)
        known = await self._find_admitted(application, used, with_groups=with_groups)
        if known is None:
            raise refusals.invalid_grant("session, or no longer admitted")
        if used.resource in self._policy.session_audiences:
            raise refusals.invalid_grant("resource")
        session = known.session
        groups = known.profile.claims([GROUPS]) if GROUPS in scopes else {}
        issued = self._access_of_user(application, used, scopes, known, signing, groups)
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

    def _access_of_user(
        self,
        application: Application,
        used: Authorization,
        scopes: Sequence[str],
        known: "_Known",
        signing: Signing,
        claims: Mapping[str, Any],
    ) -> IssuedTokens:
        """An access token of an authorization, with these claims of its user."""
        session = known.session
        authentication = tokens.authentication(session) if session else {"sid": used.session_id}
        further = {**authentication, **claims}
        token = AccessToken(used.authorization_id, used.user_id, scopes, used.resource, further)
        return self._access(application, token, signing)

    def _resource_of(self, command: ExchangeToken) -> str:
        """The resource that an exchange of a grant names (RFC 8707, section 2.2); empty: none.

        `Failure` `INVALID_TARGET`.
        """
        if not are_resources(command.resource, reserved=self._policy.session_audiences):
            raise refusals.invalid_target()
        return next(iter(command.resource), "")

    async def _find_admitted(
        self, application: Application, authorization: Authorization, *, with_groups: bool = False
    ) -> "_Known | None":
        """The user and the session of an authorization, if the application admits the user."""
        reads_groups = with_groups or application.configuration.admits_groups_only
        known = await self._find(authorization, application.details.owner if reads_groups else "")
        is_admitted = known and await admits(
            self._database,
            application,
            organization_id=known.profile.user.details.owner,
            group_ids=known.profile.groups,
        )
        return known if is_admitted else None

    async def _find_of_document(self, authorization: Authorization) -> "_Known | None":
        """The same of an application with a metadata document, which need not be read."""
        known = await self._find(authorization)
        is_admitted = known and await admits_document(
            self._database,
            authorization.application_id,
            organization_id=known.profile.user.details.owner,
        )
        return known if is_admitted else None

    async def _find(self, authorization: Authorization, groups_of: str = "") -> "_Known | None":
        """The user and the session of an authorization. None: it has ended with one of them.

        `groups_of` is the organization of the application, if it needs the groups of the user: a
        statement more. Their names mean something in their own organization only: the owner of
        another one chooses the same names.
        """
        session = await session_store.get(
            self._database,
            user_id=authorization.user_id,
            session_id=authorization.session_id,
            idle_timeout=self._policy.idle_timeout,
        )
        if session is None and OFFLINE_ACCESS not in authorization.scopes:
            return None
        user = await user_store.get(self._database, authorization.user_id)
        if user is None or user.locked_at:
            return None
        groups: Mapping[str, str] = {}
        if user.details.owner == groups_of:
            groups = await member_store.names_of_user(self._database, authorization.user_id)
        return _Known(UserProfile(user, groups), session)

    async def _alive(
        self, claims: Mapping[str, Any], application: Application
    ) -> Mapping[str, Any] | None:
        """The claims of a token of the application, without those of scopes lost since.

        None: it has ended before its expiry, or no scope is left.
        """
        authorization_id = tokens.authorization_of(claims)
        if not authorization_id:  # of the application itself
            return claims
        found = await store.find(self._database, authorization_id)
        if found is None:
            return None
        found = _allowed(application, found)
        scopes = _kept(claims, found)
        if not scopes or await self._find_admitted(application, found) is None:
            return None
        lost = claims_of(set(claims["scope"].split()).difference(scopes))
        kept = {name: value for name, value in claims.items() if name not in lost}
        return {**kept, "scope": " ".join(scopes)}


@dataclass(frozen=True, slots=True)
class _Known:
    profile: UserProfile
    # None: it has ended, and the authorization outlives it.
    session: Session | None


@dataclass(frozen=True, slots=True)
class Visit:
    """A person at the gate: the profile, the session, an access token, and the granted claims.

    `now` is the present time of the database's clock.
    """

    profile: UserProfile
    session: Session
    access_token: str = field(repr=False)
    claims: Mapping[str, Any]
    now: datetime


def _allowed(application: Application, authorization: Authorization) -> Authorization:
    """The authorization without the scopes that the application has lost since."""
    scopes = allowed_scopes(application, " ".join(authorization.scopes))
    return replace(authorization, scopes=scopes)


def _kept(claims: Mapping[str, Any], authorization: Authorization) -> list[str]:
    """The scopes of an access token that the authorization still has."""
    return [each for each in claims["scope"].split() if each in authorization.scopes]


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

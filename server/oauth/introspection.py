"""The commands on issued tokens: introspect, revoke, and read the claims of their user."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from pydantic import SecretStr, StringConstraints

from server.application import store as application_store
from server.application.configuration import ApplicationKind
from server.application.store import Application
from server.oauth import refusals, resources, store, tokens
from server.oauth.authorized import Authorized, allowed, find_admitted
from server.oauth.claims import GROUPS, allowed_claims, claims_of
from server.oauth.client_documents.client_id_url import is_url
from server.oauth.client_documents.document import unread
from server.oauth.clients import ClientRequest, Clients
from server.oauth.policy import OAuthPolicy
from server.oauth.refresh_token import RefreshToken
from server.oauth.request import OPENID, allowed_scopes
from server.oauth.store import Authorization
from server.signing.signer import Signer
from server.store.database import Statements


class ClientToken(ClientRequest):
    """Introspect or revoke a token."""

    token: Annotated[SecretStr, StringConstraints(min_length=1, max_length=8000)]


class Introspection:
    """Reads and ends issued tokens."""

    def __init__(
        self, database: Statements, *, policy: OAuthPolicy, signer: Signer, clients: Clients
    ) -> None:
        self._database = database
        self._policy = policy
        self._signer = signer
        self._clients = clients

    async def introspect(self, command: ClientToken, *, network: str) -> Mapping[str, Any] | None:
        """The claims of an active token of the application (RFC 7662). None: it is not active.

        `network` is that of the client, here and below.
        """
        application = await self._clients.authenticated(command, network=network)
        text = command.token.get_secret_value()
        if (refresh_token := RefreshToken.read(text)) is not None:
            return await self._refresh_token(application, refresh_token)
        claims = await self.read_access_token(text)
        if claims is None:
            return None
        alive = await self._alive(claims, application)
        return {**alive, "token_type": tokens.BEARER} if alive is not None else None

    async def _refresh_token(
        self, application: Application, token: RefreshToken
    ) -> Mapping[str, Any] | None:
        client_id = application.application_id
        found = await store.find_by_refresh_token(self._database, token, client_id)
        if found is None:
            return None
        found = allowed(application, found)
        scopes = (*found.scopes, *found.resource_scopes)
        known = await self._find(application, found) if scopes else None
        if known is None:
            return None
        return {
            "client_id": client_id,
            "sub": found.user_id,
            "org_id": known.profile.user.details.owner,
            "scope": " ".join(dict.fromkeys(scopes)),
            "exp": int(found.expires_at.timestamp()),
        }

    async def revoke(self, command: ClientToken, *, network: str) -> None:
        """Ends the authorization of a token of the application (RFC 7009)."""
        application = await self._clients.authenticated(command, network=network)
        client_id, text = application.application_id, command.token.get_secret_value()
        if (refresh_token := RefreshToken.read(text)) is not None:
            await store.end_family(self._database, refresh_token, client_id)
        elif (claims := await self.read_access_token(text)) is not None:
            await store.end(
                self._database,
                authorization_id=tokens.authorization_of(claims),
                application_id=client_id,
            )

    async def user_info(self, claims: Mapping[str, Any]) -> Mapping[str, Any]:
        """The claims of the user of an access token, which has these claims.

        `Failure` UNAUTHENTICATED `INVALID_TOKEN`, PERMISSION_DENIED `INSUFFICIENT_SCOPE`.
        """
        if claims["aud"] != claims["client_id"]:
            raise refusals.invalid_token("it is for a resource server")
        found = await store.find(self._database, tokens.authorization_of(claims))
        if found is None:
            raise refusals.invalid_token("its authorization has ended")
        application = await self._client_of(claims)
        if application is None:
            raise refusals.invalid_token("its application was removed")
        found = allowed(application, found)
        names = allowed_claims(application, _names(claims, found))
        known = await self._find(application, found, with_groups=GROUPS in names)
        if known is None:
            raise refusals.invalid_token("its session or its user has ended, or is not admitted")
        if OPENID not in _kept(claims, found):
            raise refusals.insufficient_scope()
        return known.profile.user_info(application, names, issuer=self._policy.issuer)

    async def read_id_token(self, token: str) -> Mapping[str, Any] | None:
        """The claims of an ID token of this server, also of an expired one. None: it is not one."""
        verified = await self._signer.verify(token)
        return verified.claims if verified and tokens.is_id_token(verified) else None

    async def read_access_token(self, token: str) -> Mapping[str, Any] | None:
        """The claims of an access token of an application. None: it is not one, or has expired."""
        verified = await self._signer.verify(token)
        if verified is None or not tokens.is_access_token(verified):
            return None
        now = await self._signer.now()
        return verified.claims if verified.claims["exp"] > now.timestamp() else None

    async def _alive(
        self, claims: Mapping[str, Any], asking: Application
    ) -> Mapping[str, Any] | None:
        """The claims of a token of the application, or for it, without the scopes lost since.

        None: it is another's, or has ended before its expiry, or no scope is left.
        """
        is_for_resource = claims["aud"] != claims["client_id"]
        if asking.kind == ApplicationKind.RESOURCE:
            is_own = is_for_resource and claims["aud"] == asking.configuration.identifier
        else:
            is_own = claims["client_id"] == asking.application_id
        if not is_own:
            return None
        if is_for_resource:
            scopes = await self._scopes_of_resource(claims, asking)
        else:
            scopes = await self._scopes_of_application(claims, asking)
        if scopes is None:
            return None
        lost = claims_of(set(claims["scope"].split()).difference(scopes))
        kept = {name: value for name, value in claims.items() if name not in lost}
        return {**kept, "scope": " ".join(scopes)}

    async def _scopes_of_application(
        self, claims: Mapping[str, Any], application: Application
    ) -> Sequence[str] | None:
        """The scopes that a token for the application itself still has. None: it has ended."""
        authorization_id = tokens.authorization_of(claims)
        if not authorization_id:
            return allowed_scopes(application, claims["scope"])
        found = await store.find(self._database, authorization_id)
        if found is None:
            return None
        found = allowed(application, found)
        scopes = _kept(claims, found)
        return scopes if scopes and await self._find(application, found) else None

    async def _scopes_of_resource(
        self, claims: Mapping[str, Any], asking: Application
    ) -> Sequence[str] | None:
        """The scopes that a token for a resource still has. None: it has ended.

        Also if the resource has another identifier since, or is out of reach.
        """
        if asking.kind == ApplicationKind.RESOURCE:
            resource: Application | None = asking
            client = await self._client_of(claims)
        else:
            resource, client = await self._resource_of(claims), asking
        if resource is None or client is None:
            return None
        authorization_id = tokens.authorization_of(claims)
        if authorization_id:
            scopes = await self._scopes_of_user(authorization_id, client, resource)
        else:
            scopes = resources.scopes_of_service(resource, client)
        if scopes is None or claims["iat"] < int(resource.details.creation_date.timestamp()):
            return None
        had = claims["scope"].split()
        kept = [each for each in had if each in scopes]
        return kept if kept or not had else None

    async def _client_of(self, claims: Mapping[str, Any]) -> Application | None:
        """The application that has the token. None: it was removed.

        A metadata document is not read, because the server of its URL may not answer.
        """
        client_id: str = claims["client_id"]
        if is_url(client_id):
            return unread(client_id)
        client = await application_store.find_client(self._database, client_id)
        return client.application if client else None

    async def _resource_of(self, claims: Mapping[str, Any]) -> Application | None:
        reserved = self._policy.session_audiences
        found = await resources.find_all(self._database, [claims["aud"]], reserved=reserved)
        return found[0] if found else None

    async def _scopes_of_user(
        self, authorization_id: str, client: Application, resource: Application
    ) -> tuple[str, ...] | None:
        found = await store.find(self._database, authorization_id)
        if found is None or found.application_id != client.application_id:
            return None
        found = allowed(client, found)
        known = await self._find(client, found)
        if known is None:
            return None
        return await resources.current_scopes(
            self._database, client, found, resource, user=known.profile.user
        )

    async def _find(
        self, application: Application, authorization: Authorization, *, with_groups: bool = False
    ) -> Authorized | None:
        return await find_admitted(
            self._database,
            application,
            authorization,
            idle_timeout=self._policy.idle_timeout,
            with_groups=with_groups,
        )


def _kept(claims: Mapping[str, Any], authorization: Authorization) -> list[str]:
    """The scopes of an access token that the authorization still has."""
    return [each for each in claims["scope"].split() if each in authorization.scopes]


def _names(claims: Mapping[str, Any], authorization: Authorization) -> list[str]:
    """The claims of the user that an access token still gives."""
    return [*claims_of(_kept(claims, authorization)), *authorization.user_info_claims]

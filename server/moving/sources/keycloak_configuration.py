"""The clients and identity providers of a Keycloak realm.

https://github.com/keycloak/keycloak: ClientRepresentation, OIDCConfigAttributes,
IdentityProviderRepresentation and OIDCIdentityProviderConfig. `kc.sh export` has the secrets; the
partial export of the console has asterisks.
"""

from collections.abc import Iterator
from typing import Any, Final

from server.moving.sources.configured import Configured, public_kind
from server.moving.sources.moved import Json, Left, documents

# Clients of every realm (Constants), and those of other realms in `master`.
_BUILT_IN: Final = frozenset(
    (
        "account",
        "account-console",
        "admin-cli",
        "broker",
        "realm-management",
        "security-admin-console",
        "master-realm",
    )
)
_PROVIDERS: Final = ("oidc", "keycloak-oidc")
_GOOGLE: Final = "https://accounts.google.com"
_LIST: Final = "##"
# By the names of client authenticators, and of the settings of providers.
_CLIENT_METHODS: Final = {"client-secret": "CLIENT_SECRET_BASIC", "client-jwt": "PRIVATE_KEY_JWT"}
_PROVIDER_METHODS: Final = {
    "": "",
    "client_secret_basic": "CLIENT_SECRET_BASIC",
    "client_secret_post": "CLIENT_SECRET_POST",
}


def configure(content: bytes, found: Configured) -> None:
    """Adds the clients and providers of the realms of a file."""
    for document in documents(content):
        for realm in document if isinstance(document, list) else [document]:
            for client in realm.get("clients", ()):
                if client["clientId"] not in _BUILT_IN:
                    _client(client, found)
            for provider in realm.get("identityProviders", ()):
                _provider(provider, found)
            _leave(realm, found.left)


def _leave(realm: Json, left: Left) -> None:
    for name, sentence in {
        "identityProviderMappers": "mappers of identity providers stay: write mappings",
        "clientScopes": "client scopes stay, with their protocol mappers",
    }.items():
        if realm.get(name):
            left.note(sentence, len(realm[name]))


def _client(client: Json, found: Configured) -> None:
    client_id, attributes = client["clientId"], client.get("attributes") or {}
    if reason := _reason_to_stay(client):
        found.left.note(f"client {client_id} stays: {reason}", 0)
        return
    _leave_parts(client, client_id, found.left)
    is_public, signs_in = client.get("publicClient", False), client.get("standardFlowEnabled", True)
    uris = list(_absolute(client, client.get("redirectUris") or ()))
    kind = (public_kind(uris) if is_public else "WEB") if signs_in else "SERVICE"
    method = "" if is_public else _CLIENT_METHODS[_authenticator(client)]
    has_key = method == "PRIVATE_KEY_JWT"
    uses_pkce = attributes.get("pkce.code.challenge.method") == "S256"
    name = client.get("name") or ""
    found.application(
        client_id,
        "" if "${" in name else name,
        kind=kind,
        method=method,
        uris=uris if signs_in else (),
        logout_uris=_logout_uris(client, attributes, uris) if signs_in else (),
        secret=client.get("secret"),
        access_seconds=int(attributes.get("access.token.lifespan") or 0),
        jwks_uri=attributes.get("jwks.url") if has_key else "",
        backchannel_logout_uri=attributes.get("backchannel.logout.url") if signs_in else "",
        pkce="APPLICATION_PKCE_REQUIRED" if uses_pkce and signs_in else "",
        first_party=signs_in and not client.get("consentRequired", False),
        requires_pushed_authorization_requests=signs_in
        and attributes.get("require.pushed.authorization.requests") == "true",
    )


def _authenticator(client: Json) -> str:
    return client.get("clientAuthenticatorType") or "client-secret"


def _reason_to_stay(client: Json) -> str:
    """The reason why a client cannot move; empty if it can."""
    attributes = client.get("attributes") or {}
    if client.get("protocol", "openid-connect") != "openid-connect":
        return f"it speaks {client['protocol']}"
    if not client.get("enabled", True):
        return "it is disabled"
    if client.get("bearerOnly"):
        return "it only takes tokens: create an application of the kind RESOURCE"
    is_public = client.get("publicClient", False)
    serves_itself = client.get("serviceAccountsEnabled") and not is_public
    if not client.get("standardFlowEnabled", True) and not serves_itself:
        return "it has neither the authorization code flow nor a service account"
    method = _CLIENT_METHODS.get(_authenticator(client))
    if not is_public and method is None:
        return f"it authenticates by {_authenticator(client)}"
    if not is_public and method == "PRIVATE_KEY_JWT" and not attributes.get("jwks.url"):
        return "its key is a certificate: create the application with jwks or jwks_uri"
    return ""


def _leave_parts(client: Json, client_id: str, left: Left) -> None:
    if mappers := client.get("protocolMappers"):
        names = ", ".join(sorted(each["name"] for each in mappers))
        left.note(f"client {client_id}: its protocol mappers stay: {names}", 0)
    for name, sentence in {
        "implicitFlowEnabled": "the implicit flow stays",
        "directAccessGrantsEnabled": "the password grant stays",
        "authorizationServicesEnabled": "its authorization services stay",
        "authorizationSettings": "its authorization services stay",
    }.items():
        if client.get(name):
            left.note(f"client {client_id}: {sentence}", 0)
    if client.get("standardFlowEnabled", True) and client.get("serviceAccountsEnabled"):
        left.note(
            f"client {client_id}: its service account stays: create an application of the kind"
            " SERVICE",
            0,
        )


def _logout_uris(client: Json, attributes: Json, redirect_uris: list[str]) -> Iterator[str]:
    for uri in filter(None, (attributes.get("post.logout.redirect.uris") or "").split(_LIST)):
        if uri == "+":
            yield from redirect_uris
        elif uri != "-":
            yield from _absolute(client, (uri,))


def _absolute(client: Json, uris: Any) -> Iterator[str]:
    """The URIs; those that begin with a slash are below the root URL."""
    for uri in uris:
        yield f"{(client.get('rootUrl') or '').rstrip('/')}{uri}" if uri.startswith("/") else uri


def issuer_of(provider: Json) -> str:
    """The issuer of a provider; the kind or address of one without."""
    if (kind := provider["providerId"]) == "google":
        return _GOOGLE
    config = provider.get("config") or {}
    places = ("issuer", "authorizationUrl", "singleSignOnServiceUrl")
    return str(next(filter(None, map(config.get, places)), kind))


def _provider(provider: Json, found: Configured) -> None:
    alias, kind, config = provider["alias"], provider["providerId"], provider.get("config") or {}
    method = config.get("clientAuthMethod") or ""
    if kind not in (*_PROVIDERS, "google"):
        found.left.note(f"identity provider {alias} stays: {kind} is not OpenID Connect", 0)
        return
    if method not in _PROVIDER_METHODS:
        found.left.note(f"identity provider {alias} stays: it authenticates by {method}", 0)
        return
    if provider.get("trustEmail"):
        found.left.note(
            f"identity provider {alias}: addresses need email_verified of the provider", 0
        )
    found.idp(
        alias,
        _GOOGLE if kind == "google" else config.get("issuer") or "",
        config.get("clientId") or "",
        secret=config.get("clientSecret"),
        method=_PROVIDER_METHODS[method],
        scopes=(config.get("defaultScope") or "profile email").split(),
        is_disabled=not provider.get("enabled", True),
    )

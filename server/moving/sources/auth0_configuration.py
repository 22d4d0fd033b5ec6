"""The clients and connections of Auth0: the answers of two methods, as further files.

`GET /api/v2/clients` and `GET /api/v2/connections` of the Management API,
https://auth0.com/docs/api/management/v2: GetClientResponseContent, ConnectionOptionsCommonOidc and
ConnectionOptionsGoogleOAuth2. Secrets are there with the scopes `read:client_keys` and
`read:connections_options`.
"""

from typing import Any, Final

from server.moving.sources.configured import Configured, public_kind
from server.moving.sources.moved import Json, documents

_METHODS: Final = {
    "client_secret_basic": "CLIENT_SECRET_BASIC",
    "client_secret_post": "CLIENT_SECRET_POST",
}
_KINDS: Final = {"regular_web": "WEB", "non_interactive": "SERVICE", "spa": "", "native": ""}
_GOOGLE: Final = "https://accounts.google.com"
_USERS: Final = ("auth0", "email", "sms")


def configure(content: bytes, found: Configured) -> None:
    """Adds the clients and connections of a file."""
    for each in objects(content):
        if is_client(each):
            _client(each, found)
        elif is_connection(each):
            _connection(each, found)


def objects(content: bytes) -> list[Any]:
    """The objects of a file: a list, a page of a list (`include_totals`), or one a line."""
    found = documents(content)
    if len(found) > 1 or not isinstance(found[0], list | dict):
        return found
    [only] = found
    if isinstance(only, dict):
        only = only.get("clients", only.get("connections", [only]))
    return list(only)


def is_client(each: Any) -> bool:
    """Whether an object is a client."""
    return isinstance(each, dict) and "client_id" in each and "user_id" not in each


def is_connection(each: Any) -> bool:
    """Whether an object is a connection."""
    return isinstance(each, dict) and "strategy" in each and "user_id" not in each


def _client(client: Json, found: Configured) -> None:
    name, left = client.get("name") or client["client_id"], found.left
    if client.get("global"):
        return
    kind, method = client.get("app_type") or "regular_web", client.get("token_endpoint_auth_method")
    if kind not in _KINDS:
        left.note(f"client {name} stays: it is of the type {kind}", 0)
        return
    is_public = method == "none" or not _KINDS[kind]
    if not is_public and method not in (*_METHODS, None):
        left.note(f"client {name} stays: it authenticates by {method}", 0)
        return
    if client.get("addons"):
        left.note(f"client {name}: its add-ons stay: {', '.join(sorted(client['addons']))}", 0)
    if (client.get("jwt_configuration") or {}).get("alg") not in (None, "RS256"):
        left.note(f"client {name}: its ID tokens are signed by RS256 here", 0)
    uris = client.get("callbacks") or ()
    signs_in = kind != "non_interactive"
    logout = client.get("oidc_logout") or client.get("oidc_backchannel_logout") or {}
    [backchannel, *_] = logout.get("backchannel_logout_urls") or [""]
    found.application(
        client["client_id"],
        name,
        kind=public_kind(uris) if signs_in and is_public else "WEB" if signs_in else "SERVICE",
        method="" if is_public else _METHODS[method or "client_secret_post"],
        uris=uris if signs_in else (),
        logout_uris=(client.get("allowed_logout_urls") or ()) if signs_in else (),
        secret=client.get("client_secret"),
        first_party=signs_in and bool(client.get("is_first_party")),
        backchannel_logout_uri=backchannel,
    )


def _connection(connection: Json, found: Configured) -> None:
    name, strategy = connection["name"], connection["strategy"]
    options = connection.get("options") or {}
    if strategy in _USERS:
        return
    if strategy not in ("oidc", "okta", "google-oauth2"):
        found.left.note(f"connection {name} stays: {strategy} is not plain OpenID Connect", 0)
        return
    client_id = options.get("client_id") or ""
    if not client_id:
        found.left.note(f"connection {name} stays: it uses keys of Auth0", 0)
        return
    method = options.get("token_endpoint_auth_method")
    if method not in (*_METHODS, None):
        found.left.note(f"connection {name} stays: it authenticates by {method}", 0)
        return
    domain = f"https://{options['domain']}" if strategy == "okta" and options.get("domain") else ""
    scopes = options.get("scope") or "profile email"
    has_secret = bool(options.get("client_secret")) or options.get("type") != "front_channel"
    found.idp(
        name,
        _GOOGLE if strategy == "google-oauth2" else options.get("issuer") or domain,
        client_id,
        secret=options.get("client_secret"),
        method=_METHODS.get(method or "", "") if has_secret else "NONE",
        scopes=scopes.split() if isinstance(scopes, str) else scopes,
    )

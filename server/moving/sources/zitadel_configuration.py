"""The OpenID Connect applications and identity providers of Zitadel.

https://github.com/zitadel/zitadel: DataOIDCApplication and DataOIDCIDP of v1.proto, with
AddOIDCAppRequest and AddOrgOIDCIDPRequest of management.proto. The export has neither the client
IDs nor the secrets of applications. Enums with the number 0 are left out of it.
"""

from collections.abc import Iterator
from typing import Any, Final

from server.moving.sources.configured import Configured
from server.moving.sources.moved import Json, documents

_KINDS: Final = {
    "OIDC_APP_TYPE_WEB": "WEB",
    "OIDC_APP_TYPE_USER_AGENT": "BROWSER",
    "OIDC_APP_TYPE_NATIVE": "NATIVE",
}
_METHODS: Final = {
    "OIDC_AUTH_METHOD_TYPE_BASIC": "CLIENT_SECRET_BASIC",
    "OIDC_AUTH_METHOD_TYPE_POST": "CLIENT_SECRET_POST",
    "OIDC_AUTH_METHOD_TYPE_NONE": "",
}


def configure(content: bytes, found: Configured) -> None:
    """Adds the applications and providers of all organizations of an export."""
    for org in orgs_of(content):
        for each in org.get("oidcApps", ()):
            _application(each["app"], found)
        for each in org.get("oidcIdps", ()):
            _provider(each["idp"], found)
        for name, sentence in {
            "apiApps": "API applications stay: create applications of the kind RESOURCE",
            "jwtIdps": "JWT identity providers stay",
            "projectRoles": "roles of projects stay: applications read groups",
            "actions": "actions stay",
        }.items():
            if org.get(name):
                found.left.note(sentence, len(org[name]))


def orgs_of(content: bytes) -> list[Any]:
    """The organizations of an export; none in another file."""
    [export, *_] = documents(content)
    return list(export.get("orgs") or (export.get("dataOrgs") or {}).get("orgs") or ())


def names_of_providers(org: Json) -> Iterator[tuple[str, str]]:
    """The IDs of the providers of an organization, with their names."""
    return ((each["idpId"], each["idp"]["name"]) for each in org.get("oidcIdps", ()))


def _application(app: Json, found: Configured) -> None:
    name, method = app["name"], app.get("authMethodType", "OIDC_AUTH_METHOD_TYPE_BASIC")
    kind = _KINDS[app.get("appType", "OIDC_APP_TYPE_WEB")]
    if method not in _METHODS:
        found.left.note(f"application {name} stays: its public key is not in the export", 0)
        return
    if kind == "WEB" and not _METHODS[method]:
        kind = "BROWSER"
    if "OIDC_GRANT_TYPE_IMPLICIT" in app.get("grantTypes", ()):
        found.left.note(f"application {name}: the implicit flow stays", 0)
    found.left.note(f"application {name} gets another client ID: its own is not in the export", 0)
    found.application(
        "",
        name,
        kind=kind,
        method=_METHODS[method] if kind == "WEB" else "",
        uris=app.get("redirectUris", ()),
        logout_uris=app.get("postLogoutRedirectUris", ()),
        secret=None,
    )


def _provider(idp: Json, found: Configured) -> None:
    found.idp(
        idp["name"],
        idp.get("issuer", ""),
        idp.get("clientId", ""),
        secret=idp.get("clientSecret"),
        scopes=idp.get("scopes") or ("profile", "email"),
        auto_register=bool(idp.get("autoRegister")),
    )

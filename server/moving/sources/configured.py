"""The applications and identity providers of an export, as the sections of `keystead apply`.

The rule: the file has only values that the server takes, and everything that it leaves out is
noted, so that the plan of the file succeeds.
"""

import itertools
import re
from collections.abc import Callable, Container, Iterable, Iterator
from typing import Any, Final, TypeAlias

from server.application.chosen import check_client_id, check_secret
from server.moving.sources.moved import Left, without_empty
from server.validation.uris import (
    check_https_uri,
    check_redirect_uri,
    check_secure_uri,
    is_private_http,
    is_web,
)
from server.validation.value_lists import MAX_VALUES

_KIND: Final = "APPLICATION_KIND_"
_METHOD: Final = "TOKEN_ENDPOINT_AUTH_METHOD_"
_WITH_SECRETS: Final = frozenset(("CLIENT_SECRET_BASIC", "CLIENT_SECRET_POST"))
# Secrets that an export hides, and references to a vault.
_HIDDEN: Final = re.compile(r"\*+|\$\{.*\}")
_MIN_ACCESS: Final = 60
_MAX_ACCESS: Final = 3600
_LOOPBACK: Final = ("http://127.0.0.1", "http://[::1]", "http://localhost")


class Configured:
    """The content of a file of `keystead apply`. `secrets` are the values of its variables."""

    def __init__(self, left: Left) -> None:
        self.left = left
        self.secrets: dict[str, str] = {}
        self._groups: dict[str, Any] = {}
        self._applications: dict[str, Any] = {}
        self._client_ids: set[str] = set()
        self._idps: dict[str, Any] = {}

    @property
    def content(self) -> dict[str, Any]:
        """The sections with an object."""
        return without_empty(
            {"groups": self._groups, "applications": self._applications, "idps": self._idps}
        )

    def group(self, name: str, display_name: str) -> None:
        """Adds a group that an application names."""
        self._groups[name] = without_empty({"display_name": display_name})

    def application(
        self,
        client_id: str,
        name: str,
        *,
        kind: str,
        method: str = "",
        uris: Iterable[str] = (),
        logout_uris: Iterable[str] = (),
        secret: str | None = "",
        access_seconds: int = 0,
        jwks_uri: str | None = "",
        backchannel_logout_uri: str | None = "",
        **fields: Any,
    ) -> None:
        """Adds an application. A `secret` that is None is there, but hashed or hidden."""
        shown = name or client_id
        redirects = list(self._uris(shown, kind, uris))
        if kind in ("WEB", "BROWSER", "NATIVE") and not redirects:
            self._note(f"application {shown} has no redirect URI that can move, so it stays")
            return
        logouts = list(self._uris(shown, kind, logout_uris))
        self._applications[_free(self._applications, shown, client_id)] = without_empty(
            {
                "id": self._client_id(shown, client_id),
                "kind": f"{_KIND}{kind}",
                "redirect_uris": redirects,
                "post_logout_redirect_uris": logouts,
                "allows_http": any(map(is_private_http, (*redirects, *logouts))),
                "token_endpoint_auth_method": method and f"{_METHOD}{method}",
                "access_token_lifetime_seconds": self._lifetime(shown, access_seconds),
                "jwks_uri": self._url(shown, check_https_uri, jwks_uri),
                "backchannel_logout_uri": self._url(
                    shown, check_secure_uri, backchannel_logout_uri
                ),
                **fields,
                "secret": self._secret_of_application(shown, kind, method, secret),
            }
        )

    def idp(
        self,
        name: str,
        issuer: str,
        client_id: str,
        *,
        secret: str | None,
        method: str = "",
        scopes: Iterable[str] = (),
        **fields: Any,
    ) -> None:
        """Adds an identity provider that speaks OpenID Connect.

        SourceError: another issuer has its name, by which the links of users name it.
        """
        if problem := _problem(check_https_uri, issuer or "-"):
            self._note(f"identity provider {name} stays: its issuer {issuer or '(none)'} {problem}")
            return
        self.left.rename("identity provider", issuer, name)
        if name in self._idps:
            self._note(f"identity provider {name} is there more than once; the first one moves")
            return
        config: dict[str, Any] = {
            "issuer": issuer,
            "client_id": client_id,
            "token_endpoint_auth_method": method and f"{_METHOD}{method}",
            "scopes": [each for each in dict.fromkeys(scopes) if each != "openid"],
        }
        if method != "NONE":
            config["client_secret"] = self._variable(name, secret)
            if _is_hidden(secret):
                variable = config["client_secret"]["from_env"]
                self._note(
                    f"identity provider {name}: set {variable} to its secret, which the export does"
                    " not have"
                )
        self._idps[name] = {**without_empty(fields), "oidc_config": without_empty(config)}

    def _note(self, sentence: str) -> None:
        self.left.note(sentence, 0)

    def _client_id(self, name: str, client_id: str) -> str:
        problem = _problem(check_client_id, client_id)
        if client_id in self._client_ids:
            problem = "is that of another application"
        if problem:
            self._note(f"application {name} gets another client ID: {client_id!r} {problem}")
            return ""
        self._client_ids |= {client_id} - {""}
        return client_id

    def _uris(self, name: str, kind: str, uris: Iterable[str]) -> Iterator[str]:
        kept = 0
        for uri in dict.fromkeys(uris):
            problem = _problem_of_uri(uri, kind)
            if not problem and kept == MAX_VALUES:
                problem = f"is more than the {MAX_VALUES} that it can have"
            if problem:
                self._note(f"application {name}: {uri} {problem}")
            else:
                kept += 1
                yield uri

    def _url(self, name: str, check: Callable[[str], str], url: str | None) -> str:
        problem = _problem(check, url) if url else ""
        if problem:
            self._note(f"application {name}: {url} {problem}")
        return "" if problem else url or ""

    def _lifetime(self, name: str, seconds: int) -> int:
        if seconds and not _MIN_ACCESS <= seconds <= _MAX_ACCESS:
            self._note(
                f"application {name}: its access tokens get the default lifetime; {seconds} seconds"
                f" are not {_MIN_ACCESS} to {_MAX_ACCESS}"
            )
            return 0
        return seconds

    def _secret_of_application(self, name: str, kind: str, method: str, secret: str | None) -> Any:
        if kind not in ("WEB", "SERVICE") or (method and method not in _WITH_SECRETS):
            return None
        remedy = "make another by keystead app create-secret"
        if _is_hidden(secret):
            self._note(f"application {name}: its secret is not in the export: {remedy}")
            return None
        if problem := _problem(check_secret, secret or ""):
            self._note(f"application {name}: its secret {problem}; {remedy}")
            return None
        return self._variable(name, secret)

    def _variable(self, name: str, secret: str | None) -> dict[str, str]:
        base = re.sub("[^A-Z0-9]+", "_", f"{name}_SECRET".upper()).lstrip("_0123456789")
        variable, number = base, 1
        while variable in self.secrets:
            number += 1
            variable = f"{base}_{number}"
        self.secrets[variable] = "" if _is_hidden(secret) else str(secret)
        return {"from_env": variable}


def _free(taken: Container[str], name: str, client_id: str) -> str:
    """The name, or one with the client ID or a number that no object has."""
    numbered = (f"{name} ({number})" for number in itertools.count(2))
    names = itertools.chain([name], [f"{name} ({client_id})"] if client_id else (), numbered)
    return next(each for each in names if each not in taken)


def public_kind(uris: Iterable[str]) -> str:
    """The kind of an application without a secret, by its redirect URIs."""
    is_native = any(uri.startswith(_LOOPBACK) or not is_web(uri) for uri in uris)
    return "NATIVE" if is_native else "BROWSER"


Configure: TypeAlias = Callable[[bytes, Configured], None]


def _is_hidden(secret: str | None) -> bool:
    return not secret or bool(_HIDDEN.fullmatch(secret))


def _problem(check: Callable[[str], str], text: str) -> str:
    try:
        check(text)
    except ValueError as error:
        return str(error)
    return ""


def _problem_of_uri(uri: str, kind: str) -> str:
    if "*" in uri:
        return "has a wildcard: name each URI"
    if problem := _problem(check_redirect_uri, uri):
        return problem
    if kind != "NATIVE" and not is_web(uri):
        return "has a scheme that only applications of the kind NATIVE can have"
    if kind != "WEB" and is_private_http(uri):
        return "must begin with https://"
    return ""

"""The members of a client ID metadata document (section 4 of the draft; RFC 7591). Pure."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from server.application.configuration import (
    ApplicationAudience,
    ApplicationKind,
    ClientAuthMethod,
    Configuration,
    with_defaults,
)
from server.application.keys import check_jwks
from server.application.store import Application
from server.oauth.client_documents.client_id_url import host_of, origin_of
from server.store.rows import Details
from server.validation import json_text
from server.validation.confusables import mixes_scripts
from server.validation.fields import Name
from server.validation.scopes import OF_OPENID
from server.validation.uris import check_https_uri, check_redirect_uri, is_private_http

_MAX_URIS: Final = 50
# Nobody has checked the name: it must not be a text that advises people.
_MAX_SHOWN_NAME: Final = 40
_NO_AUTHENTICATION: Final = "none"
# It is no row, and belongs to no organization.
_NO_DETAILS: Final = Details(
    sequence=0,
    creation_date=datetime.fromtimestamp(0, UTC),
    change_date=datetime.fromtimestamp(0, UTC),
    owner="",
)


class DocumentError(ValueError):
    """A document cannot be used. The message names the member and the correction."""


class _Members(BaseModel):
    """The members that are read; all others are ignored. None: absent."""

    model_config = ConfigDict(hide_input_in_errors=True)

    client_id: str
    client_name: Name | None = None
    redirect_uris: Annotated[tuple[str, ...], Field(min_length=1, max_length=_MAX_URIS)]
    # RFC 7591 has another default, which a document cannot have: there is no shared secret.
    token_endpoint_auth_method: Literal["none", "private_key_jwt"] = _NO_AUTHENTICATION
    jwks: dict[str, Any] | None = None
    jwks_uri: str | None = None
    scope: Annotated[str, Field(max_length=2000)] | None = None
    grant_types: tuple[str, ...] = ("authorization_code",)
    response_types: tuple[str, ...] = ("code",)
    client_secret: None = None
    client_secret_expires_at: None = None


def parsed(content: bytes) -> Mapping[str, Any]:
    """The JSON object of a document. DocumentError, also for a member that is there twice."""
    try:
        value = json_text.loads(content, _DECODER)
    except ValueError as error:
        raise DocumentError(f"is not JSON: {error}") from None
    if not isinstance(value, dict):
        raise DocumentError("is not a JSON object")
    return value


def application_of(document: Mapping[str, Any], *, url: str) -> Application:
    """The application that a document at a URL describes. DocumentError."""
    try:
        members = _Members.model_validate(document)
    except ValidationError as error:
        problem = error.errors(include_url=False)[0]
        path = ".".join(map(str, problem["loc"]))
        raise DocumentError(f"has a wrong {path}: {problem['msg']}") from None
    if members.client_id != url:
        raise DocumentError("has another client_id than its URL, to the letter")
    if "authorization_code" not in members.grant_types or "code" not in members.response_types:
        raise DocumentError("needs the grant type authorization_code and the response type code")
    uris = tuple(dict.fromkeys(_usable(members.redirect_uris, origin_of(url))))
    if not uris:
        raise DocumentError(
            "has no redirect URI of its own origin, or of http on 127.0.0.1, [::1] or localhost"
        )
    jwks, jwks_uri = _keys(members, origin_of(url))
    configuration = Configuration(
        name=_shown_name(members.client_name or host_of(url)),
        redirect_uris=uris,
        token_endpoint_auth_method=ClientAuthMethod(members.token_endpoint_auth_method.upper()),
        jwks=jwks,
        jwks_uri=jwks_uri,
        audience=ApplicationAudience.ALL,
    )
    # The kind for which the port of loopback addresses is free (RFC 8252, section 7.3).
    kind = ApplicationKind.NATIVE
    # Without scopes, it may request all: see `allowed_scopes`.
    scopes = tuple((members.scope or "").split())
    complete = replace(with_defaults(kind, configuration), scopes=scopes)
    return Application(url, kind, complete, (), _NO_DETAILS)


def unread(url: str) -> Application:
    """The application of a document that is not read: nothing limits its scopes."""
    configuration = Configuration(
        name=url, audience=ApplicationAudience.ALL, scopes=tuple(OF_OPENID)
    )
    return Application(url, ApplicationKind.NATIVE, configuration, (), _NO_DETAILS)


def _shown_name(name: str) -> str:
    """The name as people are shown it. DocumentError for one that mixes scripts."""
    if mixes_scripts(name):
        raise DocumentError("has a client_name with letters of several scripts: use one script")
    return name if len(name) <= _MAX_SHOWN_NAME else f"{name[: _MAX_SHOWN_NAME - 1].rstrip()}\u2026"


def _usable(uris: Sequence[str], origin: str) -> Iterator[str]:
    """The URIs to which people may return. Those for other servers of the client are left out."""
    for uri in uris:
        try:
            check_redirect_uri(uri)
        except ValueError:
            continue
        if is_private_http(uri):
            continue
        if uri == origin or uri.startswith(("http://", f"{origin}/", f"{origin}?")):
            yield uri


def _keys(members: _Members, origin: str) -> tuple[str, str]:
    """The JWK Set, or the URI of one of the same origin; empty without `private_key_jwt`."""
    if members.token_endpoint_auth_method == _NO_AUTHENTICATION:
        return "", ""
    if (members.jwks is None) == (members.jwks_uri is None):
        raise DocumentError("needs either jwks or jwks_uri with private_key_jwt")
    try:
        if members.jwks is not None:
            return check_jwks(json.dumps(members.jwks)), ""
        jwks_uri = check_https_uri(members.jwks_uri or "")
    except ValueError as error:
        raise DocumentError(f"has keys that cannot be used: {error}") from None
    if not jwks_uri.startswith(f"{origin}/"):
        raise DocumentError("has a jwks_uri of another origin than its URL")
    return "", jwks_uri


def _without_twins(members: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(members)
    if len(found) < len(members):
        raise ValueError("a member is there twice")
    return found


_DECODER: Final = json_text.decoder(object_pairs_hook=_without_twins)

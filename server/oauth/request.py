"""Authorization requests: the checks of RFC 6749, section 4.1.1, RFC 9700 and OpenID Connect Core.

The client and the redirect URI are checked first. Only after that, an error goes to the redirect
URI, with the `state` and the issuer (RFC 9207).
"""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Final
from urllib.parse import urlsplit

from pydantic import Field, StringConstraints

from server.application.configuration import ApplicationKind, ApplicationPKCE
from server.application.store import Application
from server.oauth import refusals
from server.oauth.claims import requested_claims
from server.oauth.client_documents.client_id_url import is_url
from server.oauth.clients import ClientRequest
from server.oauth.refused.causes import Cause
from server.oauth.request_error import RequestError
from server.oauth.resources import can_name, requested_scopes
from server.oauth.responses import FORM_POST
from server.validation.fields import Command, Id, Printable
from server.validation.scopes import OF_OPENID, is_scope
from server.values.descriptions import described
from server.values.ids import new_id

OPENID: Final = "openid"
OFFLINE_ACCESS: Final = "offline_access"
RESPONSE_TYPE: Final = "code"
RESPONSE_MODES: Final = ("query", FORM_POST)
CHALLENGE_METHOD: Final = "S256"
PROMPTS: Final = ("none", "login", "consent", "select_account")
# Fits into a URL of 8 KiB, as much as common proxies take.
MAX_REQUEST_URI: Final = 7000
# A SHA-256 in base64url.
_CHALLENGE: Final = re.compile(r"[A-Za-z0-9_-]{43}")
SIGNING_IN: Final = frozenset(
    {
        ApplicationKind.WEB,
        ApplicationKind.BROWSER,
        ApplicationKind.NATIVE,
        ApplicationKind.GATE,
    }
)
_LOOPBACK: Final = frozenset({"localhost", "127.0.0.1", "::1"})

# The path of every origin of the kind GATE at which the gate takes the response.
GATE_CALLBACK: Final = "/.keystead/callback"

# A parameter, and the resources of a request (RFC 8707). PostgreSQL stores no NUL.
RequestText = Annotated[Printable, StringConstraints(max_length=2000)]
Resources = tuple[RequestText, ...]
_Short = Annotated[Printable, StringConstraints(max_length=200)]


class AuthorizationParameters(Command):
    """The parameters of an authorization request."""

    client_id: Id
    redirect_uri: RequestText
    response_type: _Short
    response_mode: _Short
    scope: RequestText
    # Portals keep the way back in it. The response fits into a URL of 8 KiB.
    state: Annotated[Printable, StringConstraints(max_length=4096)]
    nonce: RequestText
    code_challenge: _Short
    code_challenge_method: _Short
    prompt: _Short
    max_age: Annotated[int, Field(ge=0)] | None
    login_hint: _Short
    ui_locales: _Short
    acr_values: _Short
    id_token_hint: Annotated[str, StringConstraints(max_length=8000)]
    claims: Annotated[str, StringConstraints(max_length=8000)]
    resource: Resources
    request: Annotated[str, StringConstraints(max_length=8000)]
    request_uri: Annotated[Printable, StringConstraints(max_length=MAX_REQUEST_URI)]


class StartAuthorization(AuthorizationParameters):
    """Check and seal an authorization request."""


class PushAuthorizationRequest(ClientRequest, AuthorizationParameters):
    """Check and seal an authorization request before the browser is involved (RFC 9126)."""

    redirect_uri: Annotated[Printable, StringConstraints(min_length=1, max_length=2000)]


@dataclass(frozen=True, slots=True)
class AuthorizationRequest:
    """A valid request. Servers of two releases read each other's: a new field needs a default."""

    client_id: str
    redirect_uri: str
    scopes: tuple[str, ...]
    state: str
    nonce: str
    code_challenge: str
    prompts: tuple[str, ...]
    max_age: int | None
    login_hint: str
    ui_locales: str
    # The first of `resources`, for servers of earlier builds.
    resource: str
    # In seconds since 1970.
    started_at: int
    # `query` or `form_post`.
    response_mode: str
    # The user whom the application asks for. Empty: any.
    subject: str
    # The sign-in must have one of these classes (`acr`). Empty: any.
    essential_acr: tuple[str, ...]
    # Names of claims beside those of the scopes.
    id_token_claims: tuple[str, ...]
    user_info_claims: tuple[str, ...]
    # It is approved once. Empty in requests of an older server.
    request_id: str = ""
    # An invalid request: the error that its approval brings to the application.
    error: str = ""
    error_description: str = ""
    # Of an invalid request: the ID of the call that refused it.
    refused_in: str = ""
    # Identifiers, and the requested scopes of these resources.
    resources: tuple[str, ...] = ()
    resource_scopes: tuple[str, ...] = ()

    @property
    def targets(self) -> tuple[str, ...]:
        """The identifiers, also of a request that a server of an earlier build has sealed."""
        return self.resources or tuple(filter(None, [self.resource]))


def refused(
    command: AuthorizationParameters, error: RequestError, *, now: int, request_id: str
) -> AuthorizationRequest:
    """An invalid request, which has the redirect URI of its client."""
    return AuthorizationRequest(
        client_id=command.client_id,
        redirect_uri=command.redirect_uri,
        scopes=(),
        state=command.state,
        nonce="",
        code_challenge="",
        prompts=(),
        max_age=None,
        login_hint=command.login_hint,
        ui_locales=command.ui_locales,
        resource="",
        started_at=now,
        response_mode=command.response_mode,
        subject="",
        essential_acr=(),
        id_token_claims=(),
        user_info_claims=(),
        error=error.error,
        error_description=described(f"{error.description} (request {request_id})"),
        refused_in=request_id,
    )


def check_redirect_uri(application: Application, redirect_uri: str) -> None:
    """`Failure` FAILED_PRECONDITION `UNKNOWN_CLIENT`, `REDIRECT_URI_NOT_REGISTERED`."""
    if application.kind not in SIGNING_IN:
        raise refusals.unknown_client(Cause.KIND_WITHOUT_SIGN_IN)
    if not is_registered(application, redirect_uri):
        raise refusals.redirect_uri_not_registered()


def is_registered(application: Application, redirect_uri: str) -> bool:
    """Whether the application has registered the redirect URI."""
    registered = application.configuration.redirect_uris
    if application.kind == ApplicationKind.NATIVE:
        # RFC 8252, section 7.3: the port of a loopback address is chosen at the request.
        registered = tuple(map(_without_loopback_port, registered))
        redirect_uri = _without_loopback_port(redirect_uri)
    elif application.kind == ApplicationKind.GATE:
        registered = tuple(
            f"{origin}{GATE_CALLBACK}" for origin in application.configuration.origins
        )
    return redirect_uri in registered


def checked(
    command: AuthorizationParameters,
    application: Application,
    *,
    now: int,
    hinted: Mapping[str, Any] | None,
    resources: Sequence[Application] | None,
) -> AuthorizationRequest:
    """The request of an application whose redirect URI is valid. RequestError if it is not.

    `hinted` has the claims of the `id_token_hint`; None: it is not an ID token of this server.
    `resources` are those of the request; None: one is unknown.
    """
    if command.request:
        raise RequestError("request_not_supported", "request objects are not supported")
    if command.request_uri:
        raise RequestError("request_uri_not_supported", "request_uri is not supported")
    if command.response_type != RESPONSE_TYPE:
        raise RequestError("unsupported_response_type", "response_type must be code")
    if command.response_mode not in ("", *RESPONSE_MODES):
        raise RequestError(
            "invalid_request",
            "response_mode must be query or form_post",
            Cause.UNSUPPORTED_RESPONSE_MODE,
        )
    prompts = tuple(command.prompt.split())
    if not set(PROMPTS).issuperset(prompts) or ("none" in prompts and len(prompts) > 1):
        raise RequestError(
            "invalid_request",
            "prompt must be none, or of login, consent and select_account",
            Cause.PROMPT,
        )
    if resources is None or not all(can_name(application, each) for each in resources):
        raise RequestError(
            "invalid_target",
            "resource must be the identifier of a resource of the application's organization, or"
            " of one for all organizations",
        )
    if command.resource and application.kind == ApplicationKind.GATE:
        raise RequestError("invalid_target", "the tokens of the gate are for the application alone")
    if not is_scope_list(command.scope):
        raise RequestError(
            "invalid_scope",
            "scope has a character that RFC 6749 does not allow",
            Cause.SCOPE_MALFORMED,
        )
    # A client of a resource server, such as MCP, may not know any scope (RFC 6749, section 3.3).
    scopes = allowed_scopes(application, command.scope or (OPENID if command.resource else ""))
    resource_scopes = requested_scopes(application, command.scope, resources)
    if not (scopes or resource_scopes):
        raise RequestError("invalid_scope", "scope has no value that the application may request")
    _check_challenge(command, application.configuration.pkce, scopes)
    requested = requested_claims(command.claims, application)
    if command.id_token_hint and (hinted is None or hinted["aud"] != command.client_id):
        raise RequestError(
            "invalid_request",
            "id_token_hint is no ID token of the application",
            Cause.ID_TOKEN_HINT,
        )
    subjects = {*requested.subjects, *([hinted["sub"]] if hinted else [])}
    if len(subjects) > 1:
        raise RequestError(
            "invalid_request",
            "id_token_hint and claims ask for different users",
            Cause.ID_TOKEN_HINT,
        )
    return AuthorizationRequest(
        client_id=command.client_id,
        redirect_uri=command.redirect_uri,
        scopes=scopes,
        state=command.state,
        nonce=command.nonce,
        code_challenge=command.code_challenge,
        prompts=prompts,
        max_age=command.max_age,
        login_hint=command.login_hint,
        ui_locales=command.ui_locales,
        resource=next(iter(command.resource), ""),
        started_at=now,
        response_mode=command.response_mode or "query",
        subject=next(iter(subjects), ""),
        essential_acr=requested.essential_acr,
        id_token_claims=requested.id_token,
        user_info_claims=requested.user_info,
        request_id=new_id(),
        resources=tuple(each.configuration.identifier for each in resources),
        resource_scopes=resource_scopes,
    )


def is_scope_list(scope: str) -> bool:
    """Whether a `scope` has values of allowed characters only (RFC 6749, section 3.3)."""
    return all(map(is_scope, filter(None, scope.split(" "))))


def allowed_scopes(application: Application, scope: str) -> tuple[str, ...]:
    """The values of a `scope` that the application may request, each once."""
    allowed: Collection[str] = application.configuration.scopes
    if is_url(application.application_id):
        # A metadata document without scopes limits nothing. Others are those of resources.
        allowed = OF_OPENID.intersection(allowed or OF_OPENID)
    return tuple(each for each in dict.fromkeys(scope.split(" ")) if each in allowed)


def _check_challenge(command: AuthorizationParameters, pkce: str, scopes: Collection[str]) -> None:
    """RequestError if nothing protects the code (RFC 9700, section 2.1.1).

    A nonce does by the ID token, which the scope `openid` gives.
    """
    if not command.code_challenge:
        if command.code_challenge_method:
            raise RequestError(
                "invalid_request", "code_challenge is missing", Cause.CODE_CHALLENGE_MISSING
            )
        if pkce == ApplicationPKCE.REQUIRED:
            raise RequestError(
                "invalid_request", "code_challenge is required (RFC 7636)", Cause.PKCE_MISSING
            )
        if pkce == ApplicationPKCE.PKCE_OR_NONCE and not (command.nonce and OPENID in scopes):
            raise RequestError(
                "invalid_request",
                "code_challenge is required (RFC 7636), or a nonce with the scope openid",
                Cause.PKCE_MISSING,
            )
    elif command.code_challenge_method != CHALLENGE_METHOD:
        raise RequestError(
            "invalid_request", "code_challenge_method must be S256", Cause.CODE_CHALLENGE_METHOD
        )
    elif not _CHALLENGE.fullmatch(command.code_challenge):
        raise RequestError(
            "invalid_request",
            "code_challenge must be a SHA-256 in base64url",
            Cause.CODE_CHALLENGE_MALFORMED,
        )


def _without_loopback_port(uri: str) -> str:
    try:
        parts = urlsplit(uri)
        host, port = parts.hostname, parts.port
    except ValueError:
        return uri
    if not uri.startswith("http://") or host not in _LOOPBACK or port is None:
        return uri
    return uri.replace(parts.netloc, parts.netloc.removesuffix(f":{port}"), 1)

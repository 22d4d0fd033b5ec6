"""The configuration of an application: its defaults, and the rules between its fields."""

import enum
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from server.application.claims import ApplicationClaim
from server.application.resources import ResourceScope
from server.relying_party.workload_issuers import WorkloadIssuer
from server.validation.uris import is_private_http, is_web
from server.values.errors import Violation


class ApplicationKind(enum.StrEnum):
    """Kinds of applications, by the API's names without `APPLICATION_KIND_`."""

    WEB = "WEB"
    BROWSER = "BROWSER"
    NATIVE = "NATIVE"
    SERVICE = "SERVICE"
    GATE = "GATE"
    RESOURCE = "RESOURCE"


class ClientAuthMethod(enum.StrEnum):
    """How applications authenticate, by the API's names without `TOKEN_ENDPOINT_AUTH_METHOD_`."""

    NONE = "NONE"
    CLIENT_SECRET_BASIC = "CLIENT_SECRET_BASIC"  # noqa: S105 -- a name
    CLIENT_SECRET_POST = "CLIENT_SECRET_POST"  # noqa: S105 -- a name
    PRIVATE_KEY_JWT = "PRIVATE_KEY_JWT"


class IDTokenAlg(enum.StrEnum):
    """Algorithms of ID tokens, by the API's names without `ID_TOKEN_ALG_`."""

    RS256 = "RS256"
    ES256 = "ES256"


class ApplicationPKCE(enum.StrEnum):
    """What protects codes, by the API's names without `APPLICATION_PKCE_`."""

    REQUIRED = "REQUIRED"
    PKCE_OR_NONCE = "PKCE_OR_NONCE"
    NONE = "NONE"


class AccessTokenTyp(enum.StrEnum):
    """Header `typ` of access tokens, by the API's names without `ACCESS_TOKEN_TYP_`."""

    AT_JWT = "AT_JWT"
    JWT = "JWT"


class ApplicationAudience(enum.StrEnum):
    """Users whom applications admit, by the API's names without `APPLICATION_AUDIENCE_`."""

    ORGANIZATION = "ORGANIZATION"
    ALL = "ALL"


class GateJWTHeader(enum.StrEnum):
    """Headers with the JWT of the gate, by the API's names without `GATE_JWT_HEADER_`."""

    AUTHORIZATION = "AUTHORIZATION"
    X_KEYSTEAD_JWT = "X_KEYSTEAD_JWT"


# Of client assertions. Asymmetric ones: nobody but the application can sign.
ASSERTION_ALGORITHMS: Final = ("ES256", "RS256", "PS256", "EdDSA")
# They keep no secret, so they cannot authenticate. (A SERVICE may have none: decision 26.)
PUBLIC_KINDS: Final = frozenset(
    {ApplicationKind.BROWSER, ApplicationKind.NATIVE, ApplicationKind.GATE}
)
_WITHOUT_USERS: Final = frozenset({ApplicationKind.SERVICE, ApplicationKind.RESOURCE})
METHODS_WITH_SECRETS: Final = frozenset(
    {ClientAuthMethod.CLIENT_SECRET_BASIC, ClientAuthMethod.CLIENT_SECRET_POST}
)

_NOT_PRIVATE: Final = "must begin with https://, except with APPLICATION_KIND_NATIVE"
_NO_HTTP: Final = (
    "must begin with https://, except on 127.0.0.1, [::1] and localhost: set allowsHttp, which"
    " APPLICATION_KIND_WEB can have, for private names and addresses"
)
_DAY: Final = 86_400
_DEFAULT_ACCESS: Final = 300
_DEFAULT_REFRESH: Final = 30 * _DAY
_DEFAULT_IDLE: Final = 7 * _DAY
_DEFAULT_SCOPES: Final = ("openid", "profile", "email")


@dataclass(frozen=True, slots=True)
class Configuration:
    """The fields of an application that can be changed. Enums have their names.

    An empty value stands for the default until `with_defaults`.
    """

    name: str
    redirect_uris: tuple[str, ...] = ()
    post_logout_redirect_uris: tuple[str, ...] = ()
    backchannel_logout_uri: str = ""
    token_endpoint_auth_method: str = ""
    jwks: str = ""
    jwks_uri: str = ""
    scopes: tuple[str, ...] = ()
    id_token_alg: str = ""
    first_party: bool = False
    pkce: str = ""
    # Ids of groups.
    allowed_groups: tuple[str, ...] = ()
    admits_groups_only: bool = False
    audience: str = ""
    access_token_lifetime_seconds: int = 0
    refresh_token_lifetime_seconds: int = 0
    refresh_token_idle_seconds: int = 0
    logo: bytes = field(default=b"", repr=False)
    omits_id_token_claims: bool = False
    origins: tuple[str, ...] = ()
    workload_issuers: tuple[WorkloadIssuer, ...] = ()
    # Empty with all kinds but GATE.
    gate_jwt_header: str = ""
    gate_identity_headers: bool = False
    requires_pushed_authorization_requests: bool = False
    # Of client assertions. Empty: any of `ASSERTION_ALGORITHMS`.
    token_endpoint_auth_signing_alg: str = ""
    allows_token_endpoint_audience: bool = False
    access_token_typ: str = ""
    # Of the kind RESOURCE: the audience of its access tokens, and their scopes.
    identifier: str = ""
    resource_scopes: tuple[ResourceScope, ...] = ()
    requires_email: bool = False
    # On private names and addresses.
    allows_http: bool = False
    claims: tuple[ApplicationClaim, ...] = ()


def with_defaults(kind: ApplicationKind, given: Configuration) -> Configuration:
    """The configuration with the defaults of the kind in place of empty values."""
    method = given.token_endpoint_auth_method or (
        ClientAuthMethod.NONE if kind in PUBLIC_KINDS else ClientAuthMethod.CLIENT_SECRET_BASIC
    )
    lifetime = given.refresh_token_lifetime_seconds or _DEFAULT_REFRESH
    gate_jwt_header = GateJWTHeader.AUTHORIZATION if kind == ApplicationKind.GATE else ""
    is_web = kind == ApplicationKind.WEB
    pkce = ApplicationPKCE.PKCE_OR_NONCE if is_web else ApplicationPKCE.REQUIRED
    return replace(
        given,
        token_endpoint_auth_method=method,
        scopes=given.scopes or (() if kind in _WITHOUT_USERS else _DEFAULT_SCOPES),
        id_token_alg=given.id_token_alg or IDTokenAlg.RS256,
        pkce=given.pkce or pkce,
        audience=given.audience or ApplicationAudience.ORGANIZATION,
        access_token_lifetime_seconds=given.access_token_lifetime_seconds or _DEFAULT_ACCESS,
        refresh_token_lifetime_seconds=lifetime,
        refresh_token_idle_seconds=given.refresh_token_idle_seconds or min(_DEFAULT_IDLE, lifetime),
        gate_jwt_header=given.gate_jwt_header or gate_jwt_header,
        access_token_typ=given.access_token_typ or AccessTokenTyp.AT_JWT,
    )


def contradictions(kind: ApplicationKind, complete: Configuration) -> Sequence[Violation]:
    """The fields that contradict the kind or other fields."""
    found = (
        *_of_uris(kind, complete),
        *_of_gate(kind, complete),
        *_of_resource(kind, complete),
        *_of_authentication(kind, complete),
        *_of_claims(kind, complete),
        *_of_admission(complete),
    )
    return [Violation(f"application.{path}", description) for path, description in found]


# The path of a field and the correction.
_Contradictions = Iterator[tuple[str, str]]


def _of_uris(kind: ApplicationKind, complete: Configuration) -> _Contradictions:
    lists = {
        "redirectUris": complete.redirect_uris,
        "postLogoutRedirectUris": complete.post_logout_redirect_uris,
    }
    has_none = kind in (*_WITHOUT_USERS, ApplicationKind.GATE)
    for path, uris in lists.items():
        if has_none and uris:
            yield path, f"must be empty with APPLICATION_KIND_{kind}"
            continue
        for index, uri in enumerate(uris):
            if kind != ApplicationKind.NATIVE and not is_web(uri):
                yield f"{path}.{index}", _NOT_PRIVATE
            elif is_private_http(uri) and not complete.allows_http:
                yield f"{path}.{index}", _NO_HTTP
    if complete.allows_http and kind != ApplicationKind.WEB:
        yield "allowsHttp", "must be false, except with APPLICATION_KIND_WEB"
    if has_none and complete.backchannel_logout_uri:
        yield "backchannelLogoutUri", f"must be empty with APPLICATION_KIND_{kind}"
    if has_none and complete.requires_pushed_authorization_requests:
        yield "requiresPushedAuthorizationRequests", f"must be false with APPLICATION_KIND_{kind}"


def _of_gate(kind: ApplicationKind, complete: Configuration) -> _Contradictions:
    if kind == ApplicationKind.GATE:
        if not complete.origins:
            yield "origins", "must not be empty with APPLICATION_KIND_GATE"
        return
    if complete.origins:
        yield "origins", "must be empty, except with APPLICATION_KIND_GATE"
    if complete.gate_jwt_header:
        yield "gateJwtHeader", "must be empty, except with APPLICATION_KIND_GATE"
    if complete.gate_identity_headers:
        yield "gateIdentityHeaders", "must be false, except with APPLICATION_KIND_GATE"


def _of_resource(kind: ApplicationKind, complete: Configuration) -> _Contradictions:
    if kind != ApplicationKind.RESOURCE:
        if complete.identifier:
            yield "identifier", "must be empty, except with APPLICATION_KIND_RESOURCE"
        if complete.resource_scopes:
            yield "resourceScopes", "must be empty, except with APPLICATION_KIND_RESOURCE"
        return
    if not complete.identifier:
        yield "identifier", "must not be empty with APPLICATION_KIND_RESOURCE"
    if complete.scopes:
        yield "scopes", "must be empty with APPLICATION_KIND_RESOURCE: its own are resourceScopes"
    if complete.first_party:
        yield "firstParty", "must be false with APPLICATION_KIND_RESOURCE, which signs nobody in"


def _of_authentication(kind: ApplicationKind, complete: Configuration) -> _Contradictions:
    method = complete.token_endpoint_auth_method
    if kind in PUBLIC_KINDS and method != ClientAuthMethod.NONE:
        yield (
            "tokenEndpointAuthMethod",
            f"must be TOKEN_ENDPOINT_AUTH_METHOD_NONE with APPLICATION_KIND_{kind}",
        )
    is_service = kind == ApplicationKind.SERVICE
    if complete.workload_issuers and not is_service:
        yield "workloadIssuers", "must be empty, except with APPLICATION_KIND_SERVICE"
    may_have_none = kind in PUBLIC_KINDS or (is_service and bool(complete.workload_issuers))
    if method == ClientAuthMethod.NONE and not may_have_none:
        unless = " and without workloadIssuers" if is_service else ""
        yield (
            "tokenEndpointAuthMethod",
            f"must not be TOKEN_ENDPOINT_AUTH_METHOD_NONE with APPLICATION_KIND_{kind}{unless}",
        )
    if kind in PUBLIC_KINDS and complete.pkce != ApplicationPKCE.REQUIRED:
        yield "pkce", f"must be APPLICATION_PKCE_REQUIRED with APPLICATION_KIND_{kind}"
    keys = {"jwks": complete.jwks, "jwksUri": complete.jwks_uri}
    if method != ClientAuthMethod.PRIVATE_KEY_JWT:
        of_keys = {**keys, "tokenEndpointAuthSigningAlg": complete.token_endpoint_auth_signing_alg}
        for path, value in of_keys.items():
            if value:
                yield path, "must be empty without TOKEN_ENDPOINT_AUTH_METHOD_PRIVATE_KEY_JWT"
        if complete.allows_token_endpoint_audience:
            yield (
                "allowsTokenEndpointAudience",
                "must be false without TOKEN_ENDPOINT_AUTH_METHOD_PRIVATE_KEY_JWT",
            )
    elif all(keys.values()):
        yield "jwksUri", "must be empty together with jwks"
    elif not any(keys.values()):
        yield "jwks", "must be given, or jwksUri, with TOKEN_ENDPOINT_AUTH_METHOD_PRIVATE_KEY_JWT"


def _of_claims(kind: ApplicationKind, complete: Configuration) -> _Contradictions:
    if complete.claims and kind in _WITHOUT_USERS:
        yield "claims", f"must be empty with APPLICATION_KIND_{kind}, which signs nobody in"


def _of_admission(complete: Configuration) -> _Contradictions:
    if complete.allowed_groups and not complete.admits_groups_only:
        yield "admitsGroupsOnly", "must be true together with allowedGroups"
    if complete.requires_email and "email" not in complete.scopes:
        yield "requiresEmail", "must be false without the scope email"
    lifetime = complete.refresh_token_lifetime_seconds
    if complete.refresh_token_idle_seconds > lifetime:
        yield (
            "refreshTokenIdleSeconds",
            f"must be at most refreshTokenLifetimeSeconds, which is {lifetime}",
        )

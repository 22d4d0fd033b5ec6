"""The commands on applications as their fields with their limits.

The rules between fields are in `configuration.py`.
"""

from typing import Annotated, Any, ClassVar, Final

from pydantic import AfterValidator, JsonValue, SecretStr

from server.access.listing import FilteredPage
from server.application import store
from server.application.chosen import MAX_CLIENT_ID, MAX_SECRET, check_client_id, check_secret
from server.application.claims import Claims
from server.application.configuration import (
    ASSERTION_ALGORITHMS,
    AccessTokenTyp,
    ApplicationAudience,
    ApplicationKind,
    ApplicationPKCE,
    ClientAuthMethod,
    GateJWTHeader,
    IDTokenAlg,
)
from server.application.keys import MAX_JWKS, check_jwks
from server.application.resources import Identifier, ResourceScopes, check_group, check_scope
from server.relying_party.workload_issuers import WorkloadIssuers
from server.rpc.update_mask import mask_of
from server.validation.fields import Command, Id, Name, described, named
from server.validation.logos import Logo
from server.validation.uris import (
    MAX_URI,
    check_https_uri,
    check_redirect_uri,
    check_secure_origin,
    check_secure_uri,
)
from server.validation.value_lists import MAX_VALUES, Values, each


def _https_uri(uri: str | None) -> str | None:
    return check_https_uri(uri) if uri else uri


def _logout_uri(uri: str | None) -> str | None:
    return check_secure_uri(uri) if uri else uri


def _jwks(text: str | None) -> str | None:
    return text if text is None else check_jwks(text)


def _seconds(lowest: int, highest: int) -> AfterValidator:
    def check(seconds: int | None) -> int | None:
        if seconds and not lowest <= seconds <= highest:
            raise ValueError(f"must be {lowest} to {highest}, or 0 for the default")
        return seconds

    return AfterValidator(check)


def _seconds_schema(lowest: int, highest: int) -> Any:
    # As in `OptionalMailAddress`.
    unless_default: dict[str, JsonValue] = {"if": {"minimum": 1}, "then": {"minimum": lowest}}
    return described(minimum=0, maximum=highest, **unless_default)


_MIN_ACCESS: Final = 60
_MAX_ACCESS: Final = 3600
_MIN_REFRESH: Final = 3600
_MAX_REFRESH: Final = 400 * 86_400
_Uris = Annotated[Values, each(check_redirect_uri), described(maxItems=MAX_VALUES)]
_RefreshSeconds = Annotated[
    int | None,
    _seconds(_MIN_REFRESH, _MAX_REFRESH),
    _seconds_schema(_MIN_REFRESH, _MAX_REFRESH),
]
_HttpsUri = Annotated[
    str | None,
    AfterValidator(_https_uri),
    described(maxLength=MAX_URI, pattern="^(https://[!-~]+)?$"),
]


def _assertion_algorithm(text: str | None) -> str | None:
    if text and text not in ASSERTION_ALGORITHMS:
        raise ValueError(f"must be one of {', '.join(ASSERTION_ALGORITHMS)}, or empty")
    return text


def _chosen_secret(secret: SecretStr) -> SecretStr:
    check_secret(secret.get_secret_value())
    return secret


_ChosenId = Annotated[
    str,
    AfterValidator(check_client_id),
    described(maxLength=MAX_CLIENT_ID, pattern="^[A-Za-z0-9._~-]*$"),
]
_ChosenSecret = Annotated[
    SecretStr,
    AfterValidator(_chosen_secret),
    described(maxLength=MAX_SECRET, pattern="^[!-$&-~]*$"),
]


class ApplicationFields(Command):
    """The fields of an application; None leaves a field of a patch unchanged."""

    name: Name | None
    redirect_uris: _Uris
    post_logout_redirect_uris: _Uris
    backchannel_logout_uri: Annotated[
        str | None,
        AfterValidator(_logout_uri),
        described(maxLength=MAX_URI, pattern="^(https?://[!-~]+)?$"),
    ]
    token_endpoint_auth_method: Annotated[
        str | None, named(ClientAuthMethod, "TOKEN_ENDPOINT_AUTH_METHOD", unspecified="")
    ]
    jwks: Annotated[
        str | None,
        AfterValidator(_jwks),
        described(maxLength=MAX_JWKS, pattern=r"^\s*(\{[\s\S]*\}\s*)?$"),
    ]
    jwks_uri: _HttpsUri
    scopes: Annotated[Values, each(check_scope), described(maxItems=MAX_VALUES)]
    id_token_alg: Annotated[str | None, named(IDTokenAlg, "ID_TOKEN_ALG", unspecified="")]
    first_party: bool | None
    pkce: Annotated[str | None, named(ApplicationPKCE, "APPLICATION_PKCE", unspecified="")]
    allowed_groups: Annotated[Values, each(check_group), described(maxItems=MAX_VALUES)]
    # By default, whether `allowed_groups` has any.
    admits_groups_only: bool | None
    audience: Annotated[
        str | None, named(ApplicationAudience, "APPLICATION_AUDIENCE", unspecified="")
    ]
    access_token_lifetime_seconds: Annotated[
        int | None, _seconds(_MIN_ACCESS, _MAX_ACCESS), _seconds_schema(_MIN_ACCESS, _MAX_ACCESS)
    ]
    refresh_token_lifetime_seconds: _RefreshSeconds
    refresh_token_idle_seconds: _RefreshSeconds
    logo: Logo | None
    omits_id_token_claims: bool | None
    origins: Annotated[Values, each(check_secure_origin), described(maxItems=MAX_VALUES)]
    workload_issuers: WorkloadIssuers
    gate_jwt_header: Annotated[str | None, named(GateJWTHeader, "GATE_JWT_HEADER", unspecified="")]
    gate_identity_headers: bool | None
    requires_pushed_authorization_requests: bool | None
    token_endpoint_auth_signing_alg: Annotated[
        str | None,
        AfterValidator(_assertion_algorithm),
        described(enum=["", *ASSERTION_ALGORITHMS]),
    ]
    allows_token_endpoint_audience: bool | None
    access_token_typ: Annotated[
        str | None, named(AccessTokenTyp, "ACCESS_TOKEN_TYP", unspecified="")
    ]
    identifier: Identifier
    resource_scopes: ResourceScopes
    requires_email: bool | None
    allows_http: bool | None
    claims: Claims


PATCHABLE = tuple(ApplicationFields.model_fields)


class NewApplication(ApplicationFields):
    """The fields of an added application. None is the default."""

    name: Name
    kind: Annotated[str, named(ApplicationKind, "APPLICATION_KIND")]


class CreateApplication(Command):
    """Create an application. Without a chosen ID it gets one, without a secret none."""

    application: NewApplication
    application_id: _ChosenId
    secret: _ChosenSecret


class PatchedApplication(ApplicationFields):
    """The fields of a patch."""

    application_id: Id


class PatchApplication(Command):
    """Set the fields that the mask names."""

    application: PatchedApplication
    update_mask: Annotated[tuple[str, ...], mask_of(PATCHABLE)]


class OneApplication(Command):
    """Select an application."""

    application_id: Id


class CreateApplicationSecret(OneApplication):
    """Create a secret of an application, or store a chosen one."""

    secret: _ChosenSecret


class OneApplicationSecret(Command):
    """Select a secret of an application."""

    application_id: Id
    secret_id: Id


class ListApplications(FilteredPage):
    """List the applications of an organization, or those that a text and a filter select."""

    filters = store.LISTING.filters

    max_page_size: ClassVar[int] = 50

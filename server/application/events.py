"""Events of applications."""

from server.application.claims import ApplicationClaim
from server.application.resources import ResourceScope
from server.log.event import Event, ForOperators, Shown, event
from server.relying_party.workload_issuers import WorkloadIssuer


@event("application.added")
class ApplicationAdded(Event):
    """An application was added."""

    kind: Shown[str]
    name: Shown[str]
    redirect_uris: Shown[tuple[str, ...]]
    post_logout_redirect_uris: Shown[tuple[str, ...]]
    backchannel_logout_uri: Shown[str]
    token_endpoint_auth_method: Shown[str]
    jwks: Shown[str]
    jwks_uri: Shown[str]
    scopes: Shown[tuple[str, ...]]
    id_token_alg: Shown[str]
    first_party: Shown[bool]
    pkce: Shown[str]
    # Ids.
    allowed_groups: Shown[tuple[str, ...]]
    admits_groups_only: Shown[bool]
    audience: Shown[str]
    access_token_lifetime_seconds: Shown[int]
    refresh_token_lifetime_seconds: Shown[int]
    refresh_token_idle_seconds: Shown[int]
    # base64
    logo: ForOperators[str]
    omits_id_token_claims: Shown[bool]
    origins: Shown[tuple[str, ...]]
    workload_issuers: Shown[tuple[WorkloadIssuer, ...]] = ()
    gate_jwt_header: Shown[str] = ""
    gate_identity_headers: Shown[bool] = False
    requires_pushed_authorization_requests: Shown[bool] = False
    token_endpoint_auth_signing_alg: Shown[str] = ""
    allows_token_endpoint_audience: Shown[bool] = False
    access_token_typ: Shown[str] = "AT_JWT"  # noqa: S105 -- a name
    identifier: Shown[str] = ""
    resource_scopes: Shown[tuple[ResourceScope, ...]] = ()
    requires_email: Shown[bool] = False
    allows_http: Shown[bool] = False
    claims: Shown[tuple[ApplicationClaim, ...]] = ()


@event("application.changed")
class ApplicationChanged(Event):
    """Fields were set; None means unchanged.

    A `token_endpoint_auth_method` without secrets removes the secrets.
    """

    name: Shown[str | None] = None
    redirect_uris: Shown[tuple[str, ...] | None] = None
    post_logout_redirect_uris: Shown[tuple[str, ...] | None] = None
    backchannel_logout_uri: Shown[str | None] = None
    token_endpoint_auth_method: Shown[str | None] = None
    jwks: Shown[str | None] = None
    jwks_uri: Shown[str | None] = None
    scopes: Shown[tuple[str, ...] | None] = None
    id_token_alg: Shown[str | None] = None
    first_party: Shown[bool | None] = None
    pkce: Shown[str | None] = None
    allowed_groups: Shown[tuple[str, ...] | None] = None
    admits_groups_only: Shown[bool | None] = None
    audience: Shown[str | None] = None
    access_token_lifetime_seconds: Shown[int | None] = None
    refresh_token_lifetime_seconds: Shown[int | None] = None
    refresh_token_idle_seconds: Shown[int | None] = None
    logo: ForOperators[str | None] = None
    omits_id_token_claims: Shown[bool | None] = None
    origins: Shown[tuple[str, ...] | None] = None
    workload_issuers: Shown[tuple[WorkloadIssuer, ...] | None] = None
    gate_jwt_header: Shown[str | None] = None
    gate_identity_headers: Shown[bool | None] = None
    requires_pushed_authorization_requests: Shown[bool | None] = None
    token_endpoint_auth_signing_alg: Shown[str | None] = None
    allows_token_endpoint_audience: Shown[bool | None] = None
    access_token_typ: Shown[str | None] = None
    identifier: Shown[str | None] = None
    resource_scopes: Shown[tuple[ResourceScope, ...] | None] = None
    requires_email: Shown[bool | None] = None
    allows_http: Shown[bool | None] = None
    claims: Shown[tuple[ApplicationClaim, ...] | None] = None


@event("application.removed")
class ApplicationRemoved(Event):
    """An application was removed with its secrets."""


@event("application.secret_created")
class ApplicationSecretCreated(Event):
    """A secret was created. The event contains only its hash."""

    secret_id: Shown[str]
    # base64 of the SHA-256
    hash: ForOperators[str]


@event("application.secret_removed")
class ApplicationSecretRemoved(Event):
    """A secret was removed."""

    secret_id: Shown[str]

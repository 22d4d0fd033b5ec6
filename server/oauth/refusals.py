"""The errors of the provider. Reasons are the error codes of RFC 6749 and its extensions."""

from datetime import timedelta
from typing import Final

from server.oauth.device.store import BUDGET_INTERVAL
from server.oauth.grant_store import MAX_GRANTS
from server.oauth.request_error import RequestError
from server.relying_party.provider import RETRY_SECONDS
from server.values.errors import Failure, FixedFailure, Kind

# Before these checks, the redirect URI cannot be trusted: the user sees the error.
unknown_client: Final = FixedFailure(
    "UNKNOWN_CLIENT",
    "The application is not known here, so the sign-in cannot continue. Go back to the application,"
    " and tell its administrator to check its client_id.",
)
redirect_uri_not_registered: Final = FixedFailure(
    "REDIRECT_URI_NOT_REGISTERED",
    "The address to which the application wants to return is not registered for it. Go back to the"
    " application, and tell its administrator to add its redirect_uri, to the letter.",
)


# RFC 6750, section 3.1.
several_authorizations: Final = FixedFailure(
    "INVALID_REQUEST",
    "The request has several headers authorization. Send one.",
    kind=Kind.INVALID_ARGUMENT,
)


def client_metadata_invalid(problem: str) -> Failure:
    """The document at the `client_id`, which is public, cannot be used."""
    return Failure(
        Kind.FAILED_PRECONDITION,
        "CLIENT_METADATA_INVALID",
        f"The client ID metadata document {problem}. Go back to the application, and tell its"
        " administrator to correct the document.",
        log_detail=problem,
    )


# The same for every reason, so that nobody learns of hosts beyond the Internet.
client_metadata_unreachable: Final = FixedFailure(
    "CLIENT_METADATA_UNREACHABLE",
    "The client ID metadata document cannot be read from the client_id at present. Try again later,"
    " and check that the URL answers with JSON of at most 64 KiB over https, without a redirect.",
    kind=Kind.UNAVAILABLE,
    retry_after=timedelta(seconds=RETRY_SECONDS),
)

request_expired: Final = FixedFailure(
    "AUTHORIZATION_REQUEST_EXPIRED",
    "The sign-in took too long, or its address is incomplete. Go back to the application and start"
    " again.",
)
sign_in_required: Final = FixedFailure(
    "SIGN_IN_REQUIRED",
    "The application asks for a new sign-in. Sign in again.",
    kind=Kind.UNAUTHENTICATED,
)
another_account_required: Final = FixedFailure(
    "ANOTHER_ACCOUNT_REQUIRED",
    "The application asks for another account than that of this session. Sign in with the account"
    " that you used at the application before.",
)
passkey_required: Final = FixedFailure(
    "PASSKEY_REQUIRED",
    "The application asks for a sign-in with a passkey and its PIN or biometrics. Sign in again"
    " with a passkey.",
    kind=Kind.UNAUTHENTICATED,
)
consent_required: Final = FixedFailure(
    "CONSENT_REQUIRED",
    "The user has not agreed yet. Show the application and its scopes, and call this method again"
    " with consents.",
)
too_many_grants: Final = FixedFailure(
    "TOO_MANY_GRANTS",
    f"You use {MAX_GRANTS:,} applications, which is the maximum. End the access of those that you"
    " no longer use.",
    kind=Kind.RESOURCE_EXHAUSTED,
)
not_allowed: Final = FixedFailure(
    "APPLICATION_NOT_ALLOWED",
    "Your account may not use this application. Ask its administrator for access, or sign in with"
    " another account.",
    kind=Kind.PERMISSION_DENIED,
)
email_required: Final = FixedFailure(
    "EMAIL_REQUIRED",
    "The application requires a mail address, and your account has none. Ask the administrator of"
    " your organization to add it to your account, and sign in again.",
)

logout_request_invalid: Final = FixedFailure(
    "LOGOUT_REQUEST_INVALID",
    "The request to sign out is invalid or has expired. Go back to the application and sign out"
    " again, or sign out on the page of your account.",
)
post_logout_redirect_uri_not_registered: Final = FixedFailure(
    "POST_LOGOUT_REDIRECT_URI_NOT_REGISTERED",
    "The address to which the application wants to return after the sign-out is not registered for"
    " it. Tell its administrator to add its post_logout_redirect_uri, to the letter.",
)

# One text for every reason: unknown, no secret, wrong secret.
invalid_client: Final = FixedFailure(
    "INVALID_CLIENT",
    "The application is unknown, or its authentication failed. Check its client_id, its secret, and"
    " that the secret is sent in the way of its token_endpoint_auth_method.",
    kind=Kind.UNAUTHENTICATED,
)
# The same for every reason, so that nobody learns of hosts beyond the Internet.
client_keys_unreachable: Final = FixedFailure(
    "CLIENT_KEYS_UNREACHABLE",
    "The keys of the application cannot be read from its jwks_uri at present. Try again later, and"
    " check that the jwks_uri answers with a JWK Set over https, without a redirect.",
    kind=Kind.UNAVAILABLE,
    retry_after=timedelta(seconds=RETRY_SECONDS),
)
# One text for every reason: unknown, used, expired, of another application, of an ended session.
invalid_grant: Final = FixedFailure(
    "INVALID_GRANT",
    "The code, device code or refresh token is unknown, used, expired or revoked, or does not fit"
    " the application, redirect_uri or code_verifier. Start a new authorization.",
)
# One text for every reason; the log has the claim. Over HTTP, `invalid_request` (RFC 8693, 2.2.2).
invalid_subject_token: Final = FixedFailure(
    "INVALID_SUBJECT_TOKEN",
    "The subject_token is malformed, expired, longer valid than a day, or does not fit the"
    " workload_issuers of the application. Compare its iss, aud, sub and further claims with these,"
    " and get a new one.",
)
unauthorized_client: Final = FixedFailure(
    "UNAUTHORIZED_CLIENT",
    "The application cannot use this grant_type. People sign in to applications of the kinds WEB,"
    " BROWSER and NATIVE. The kind SERVICE uses client_credentials if it has a secret or a key, and"
    " token-exchange if it has workload_issuers.",
)
unsupported_grant_type: Final = FixedFailure(
    "UNSUPPORTED_GRANT_TYPE",
    "The grant_type is not supported. Use authorization_code, refresh_token, client_credentials, or"
    " device_code or token-exchange after urn:ietf:params:oauth:grant-type:.",
)
invalid_target: Final = FixedFailure(
    "INVALID_TARGET",
    "The resource or audience must be the identifier of a resource that the application may name,"
    " and one of those of the authorization. Send the right one, or ask the application's"
    " administrator to add the resource.",
)
invalid_scope: Final = FixedFailure(
    "INVALID_SCOPE",
    "The scope has values that were not granted, or that the application may not request. Leave out"
    " these values, or the whole scope.",
)
no_scope: Final = FixedFailure(
    "INVALID_SCOPE",
    "The scope has no value that the application may request. Send one of the application's, such"
    " as openid.",
)
# One text for every reason, as RFC 6750 wants it.
invalid_token: Final = FixedFailure(
    "INVALID_TOKEN",
    "The access token is missing, malformed, expired or revoked, or is not meant for this. Send a"
    " valid one as the header 'authorization: Bearer <token>'.",
    kind=Kind.UNAUTHENTICATED,
)
insufficient_scope: Final = FixedFailure(
    "INSUFFICIENT_SCOPE",
    "The access token has not the scope openid. Request it with the authorization.",
    kind=Kind.PERMISSION_DENIED,
)

# The authorization of devices (RFC 8628, section 3.5).
authorization_pending: Final = FixedFailure(
    "AUTHORIZATION_PENDING",
    "The user has not decided yet. Poll again after the interval.",
)
slow_down: Final = FixedFailure(
    "SLOW_DOWN",
    "The poll came before its interval had passed. Wait 5 seconds longer from now on.",
)
expired_token: Final = FixedFailure(
    "EXPIRED_TOKEN",
    "The device code has expired. Start again.",
)
access_denied: Final = FixedFailure(
    "ACCESS_DENIED",
    "The user denied the request. Do not poll again.",
)
no_device: Final = FixedFailure(
    "UNAUTHORIZED_CLIENT",
    "An application of this kind cannot start on a device. Use the kind NATIVE or WEB.",
)
# One text for every reason: unknown, expired, used, denied.
user_code_invalid: Final = FixedFailure(
    "USER_CODE_INVALID",
    "The code is unknown, expired or was used already. Compare it with the device, or start again"
    " there.",
)
too_many_user_codes: Final = FixedFailure(
    "TOO_MANY_USER_CODES",
    "You have entered too many codes. Wait for the retry delay before you try again.",
    kind=Kind.RESOURCE_EXHAUSTED,
    retry_after=BUDGET_INTERVAL,
)


def pushed_request(error: RequestError) -> Failure:
    """The failure of a pushed request: its application sees the error, and no browser."""
    return Failure(
        Kind.FAILED_PRECONDITION,
        error.error.upper(),
        f"The request is invalid: {error.description}. Correct it and push it again.",
        log_detail=error.cause,
    )


def request_of_untrusted(error: RequestError) -> Failure:
    """The failure of a request whose error is shown to the user, and opens no site."""
    return Failure(
        Kind.FAILED_PRECONDITION,
        error.error.upper(),
        f"The request of the application is invalid: {error.description}. Go back to the"
        " application, and tell its administrator to correct the request.",
        log_detail=error.cause,
    )

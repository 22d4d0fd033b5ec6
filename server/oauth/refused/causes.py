"""The causes of refusals, and the parameters that they concern."""

import enum
from collections.abc import Mapping
from typing import Final

from server.values.errors import Failure


class Cause(enum.StrEnum):
    """The cause of a refusal: an error code in capitals, or a finer one where that is too coarse.

    As the `log_detail` of a `Failure`, it takes precedence over the reason.
    """

    # Of every endpoint.
    INVALID_FIELDS = "INVALID_FIELDS"
    UNKNOWN_CLIENT = "UNKNOWN_CLIENT"
    CLIENT_METADATA_INVALID = "CLIENT_METADATA_INVALID"
    CLIENT_METADATA_UNREACHABLE = "CLIENT_METADATA_UNREACHABLE"
    REDIRECT_URI_NOT_REGISTERED = "REDIRECT_URI_NOT_REGISTERED"
    INVALID_TARGET = "INVALID_TARGET"
    INVALID_SCOPE = "INVALID_SCOPE"
    MESSAGE_TOO_LARGE = "MESSAGE_TOO_LARGE"

    # Of authorization requests.
    KIND_WITHOUT_SIGN_IN = "KIND_WITHOUT_SIGN_IN"
    AUTHORIZATION_REQUEST_EXPIRED = "AUTHORIZATION_REQUEST_EXPIRED"
    REQUEST_NOT_SUPPORTED = "REQUEST_NOT_SUPPORTED"
    REQUEST_URI_NOT_SUPPORTED = "REQUEST_URI_NOT_SUPPORTED"
    UNSUPPORTED_RESPONSE_TYPE = "UNSUPPORTED_RESPONSE_TYPE"
    UNSUPPORTED_RESPONSE_MODE = "UNSUPPORTED_RESPONSE_MODE"
    PKCE_MISSING = "PKCE_MISSING"
    CODE_CHALLENGE_MISSING = "CODE_CHALLENGE_MISSING"
    CODE_CHALLENGE_METHOD = "CODE_CHALLENGE_METHOD"
    CODE_CHALLENGE_MALFORMED = "CODE_CHALLENGE_MALFORMED"
    PROMPT = "PROMPT"
    SCOPE_MALFORMED = "SCOPE_MALFORMED"
    CLAIMS = "CLAIMS"
    ID_TOKEN_HINT = "ID_TOKEN_HINT"  # noqa: S105 -- a name
    NOT_PUSHED = "NOT_PUSHED"
    UNMET_AUTHENTICATION_REQUIREMENTS = "UNMET_AUTHENTICATION_REQUIREMENTS"
    LOGIN_REQUIRED = "LOGIN_REQUIRED"
    CONSENT_REQUIRED = "CONSENT_REQUIRED"
    INTERACTION_REQUIRED = "INTERACTION_REQUIRED"
    ACCESS_DENIED = "ACCESS_DENIED"
    APPLICATION_NOT_ALLOWED = "APPLICATION_NOT_ALLOWED"
    EMAIL_REQUIRED = "EMAIL_REQUIRED"

    # Of the authentication of applications. INVALID_CLIENT: another fault of an assertion.
    INVALID_CLIENT = "INVALID_CLIENT"
    SECRET_MISSING = "SECRET_MISSING"  # noqa: S105 -- a name
    SECRET_WRONG = "SECRET_WRONG"  # noqa: S105 -- a name
    SECRET_NOT_EXPECTED = "SECRET_NOT_EXPECTED"  # noqa: S105 -- a name
    ASSERTION_MISSING = "ASSERTION_MISSING"
    ASSERTION_NOT_EXPECTED = "ASSERTION_NOT_EXPECTED"
    ASSERTION_AUDIENCE = "ASSERTION_AUDIENCE"
    CLIENT_KEYS_UNREACHABLE = "CLIENT_KEYS_UNREACHABLE"

    # Of grants.
    UNAUTHORIZED_CLIENT = "UNAUTHORIZED_CLIENT"
    UNSUPPORTED_GRANT_TYPE = "UNSUPPORTED_GRANT_TYPE"
    CODE_INVALID = "CODE_INVALID"
    REFRESH_TOKEN_INVALID = "REFRESH_TOKEN_INVALID"  # noqa: S105 -- a name
    SIGN_IN_ENDED = "SIGN_IN_ENDED"
    DEVICE_CODE_INVALID = "DEVICE_CODE_INVALID"
    EXPIRED_TOKEN = "EXPIRED_TOKEN"  # noqa: S105 -- an error code
    INVALID_SUBJECT_TOKEN = "INVALID_SUBJECT_TOKEN"  # noqa: S105 -- an error code
    WORKLOAD_ISSUER_UNREACHABLE = "WORKLOAD_ISSUER_UNREACHABLE"

    # Of logouts and userinfo.
    LOGOUT_REQUEST_INVALID = "LOGOUT_REQUEST_INVALID"
    POST_LOGOUT_REDIRECT_URI_NOT_REGISTERED = "POST_LOGOUT_REDIRECT_URI_NOT_REGISTERED"
    INVALID_TOKEN = "INVALID_TOKEN"  # noqa: S105 -- an error code
    INSUFFICIENT_SCOPE = "INSUFFICIENT_SCOPE"

    # Of the gate.
    UNKNOWN_ORIGIN = "UNKNOWN_ORIGIN"
    TWO_HOSTS = "TWO_HOSTS"
    SIGN_IN_NEEDED = "SIGN_IN_NEEDED"
    SIGN_IN_EXPIRED = "SIGN_IN_EXPIRED"
    SIGN_IN_REFUSED = "SIGN_IN_REFUSED"
    ANOTHER_BROWSER = "ANOTHER_BROWSER"


# The parameter that a cause concerns.
PARAMETERS: Final[Mapping[Cause, str]] = {
    Cause.UNKNOWN_CLIENT: "client_id",
    Cause.KIND_WITHOUT_SIGN_IN: "client_id",
    Cause.CLIENT_METADATA_INVALID: "client_id",
    Cause.CLIENT_METADATA_UNREACHABLE: "client_id",
    Cause.REDIRECT_URI_NOT_REGISTERED: "redirect_uri",
    Cause.INVALID_TARGET: "resource",
    Cause.INVALID_SCOPE: "scope",
    Cause.AUTHORIZATION_REQUEST_EXPIRED: "request_uri",
    Cause.REQUEST_NOT_SUPPORTED: "request",
    Cause.REQUEST_URI_NOT_SUPPORTED: "request_uri",
    Cause.NOT_PUSHED: "request_uri",
    Cause.UNSUPPORTED_RESPONSE_TYPE: "response_type",
    Cause.UNSUPPORTED_RESPONSE_MODE: "response_mode",
    Cause.PKCE_MISSING: "code_challenge",
    Cause.CODE_CHALLENGE_MISSING: "code_challenge",
    Cause.CODE_CHALLENGE_METHOD: "code_challenge_method",
    Cause.CODE_CHALLENGE_MALFORMED: "code_challenge",
    Cause.PROMPT: "prompt",
    Cause.LOGIN_REQUIRED: "prompt",
    Cause.CONSENT_REQUIRED: "prompt",
    Cause.INTERACTION_REQUIRED: "prompt",
    Cause.SCOPE_MALFORMED: "scope",
    Cause.CLAIMS: "claims",
    Cause.UNMET_AUTHENTICATION_REQUIREMENTS: "claims",
    Cause.ID_TOKEN_HINT: "id_token_hint",
    Cause.LOGOUT_REQUEST_INVALID: "id_token_hint",
    Cause.POST_LOGOUT_REDIRECT_URI_NOT_REGISTERED: "post_logout_redirect_uri",
    Cause.SECRET_MISSING: "client_secret",
    Cause.SECRET_WRONG: "client_secret",
    Cause.SECRET_NOT_EXPECTED: "client_secret",
    Cause.INVALID_CLIENT: "client_assertion",
    Cause.ASSERTION_MISSING: "client_assertion",
    Cause.ASSERTION_NOT_EXPECTED: "client_assertion",
    Cause.ASSERTION_AUDIENCE: "client_assertion",
    Cause.UNAUTHORIZED_CLIENT: "grant_type",
    Cause.UNSUPPORTED_GRANT_TYPE: "grant_type",
    Cause.CODE_INVALID: "code",
    Cause.SIGN_IN_ENDED: "code",
    Cause.REFRESH_TOKEN_INVALID: "refresh_token",
    Cause.DEVICE_CODE_INVALID: "device_code",
    Cause.EXPIRED_TOKEN: "device_code",
    Cause.INVALID_SUBJECT_TOKEN: "subject_token",
    Cause.UNKNOWN_ORIGIN: "origin",
    Cause.TWO_HOSTS: "host",
}


_CAUSES: Final[Mapping[str, Cause]] = {each.value: each for each in Cause}


def cause_of(failure: Failure) -> Cause | None:
    """The cause of a failure. None: it refuses no request of an application.

    It is a step of a sign-in or of a poll, or the server cannot answer at present.
    """
    return _CAUSES.get(failure.log_detail) or _CAUSES.get(failure.reason)

"""The capabilities of the provider, by their names in its metadata (RFC 8414, section 2)."""

from collections.abc import Mapping
from typing import Any, Final

from server.application.configuration import ClientAuthMethod, IDTokenAlg
from server.oauth.claims import OF_SCOPES, PHISHING_RESISTANT, SCOPES
from server.oauth.clients import ASSERTION_ALGORITHMS
from server.oauth.exchange import GRANT_TYPES
from server.oauth.request import (
    CHALLENGE_METHOD,
    OFFLINE_ACCESS,
    OPENID,
    PROMPTS,
    RESPONSE_MODES,
    RESPONSE_TYPE,
)

# Claims of every ID token, or of the sign-in (`tokens.py`).
_CLAIMS: Final = (
    "iss", "sub", "aud", "exp", "iat", "auth_time", "nonce", "acr", "amr", "sid", "at_hash",
)  # fmt: skip
# The endpoints to which applications authenticate.
_ENDPOINTS: Final = ("token_endpoint", "introspection_endpoint", "revocation_endpoint")


def capabilities(issuer: str) -> Mapping[str, Any]:
    """The issuer and the values that the provider takes and gives, without the endpoints' URLs."""
    authentication: dict[str, Any] = {}
    for endpoint in _ENDPOINTS:
        methods = [method.lower() for method in ClientAuthMethod]
        authentication[f"{endpoint}_auth_methods_supported"] = methods
        algorithms = f"{endpoint}_auth_signing_alg_values_supported"
        authentication[algorithms] = [*ASSERTION_ALGORITHMS]
    return {
        "issuer": issuer,
        "scopes_supported": [OPENID, *OF_SCOPES, OFFLINE_ACCESS],
        "response_types_supported": [RESPONSE_TYPE],
        "response_modes_supported": [*RESPONSE_MODES],
        "grant_types_supported": [*GRANT_TYPES],
        "subject_types_supported": ["public"],
        "id_token_signing_alg_values_supported": [*IDTokenAlg],
        "code_challenge_methods_supported": [CHALLENGE_METHOD],
        "prompt_values_supported": [*PROMPTS],
        "acr_values_supported": [PHISHING_RESISTANT],
        "claims_supported": [*_CLAIMS, *SCOPES],
        "claims_parameter_supported": True,
        "request_parameter_supported": False,
        "request_uri_parameter_supported": False,
        "authorization_response_iss_parameter_supported": True,
        **authentication,
    }

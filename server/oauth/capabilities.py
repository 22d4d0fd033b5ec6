"""The capabilities of the provider, by their names in its metadata (RFC 8414, section 2)."""

import asyncio
from collections.abc import Mapping
from typing import Any, Final

from server.application.configuration import ASSERTION_ALGORITHMS, ClientAuthMethod, IDTokenAlg
from server.oauth.claims import OF_SCOPES, PHISHING_RESISTANT, SCOPES
from server.oauth.exchange import GRANT_TYPES
from server.oauth.request import (
    CHALLENGE_METHOD,
    OFFLINE_ACCESS,
    OPENID,
    PROMPTS,
    RESPONSE_MODES,
    RESPONSE_TYPE,
)
from server.org import store as org_store
from server.store.database import Statements
from server.values.cache import Cache
from server.values.errors import Failure

# Organizations rarely change their settings, and anybody reads the metadata.
_KEPT_SECONDS: Final = 5.0
_READ_SECONDS: Final = 1.0

# Claims of every ID token, or of the sign-in (`tokens.py`).
_CLAIMS: Final = (
    "iss", "sub", "aud", "exp", "iat", "auth_time", "nonce", "acr", "amr", "sid", "at_hash",
    "org_id",
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
        # OpenID Connect Back-Channel Logout 1.0, section 2.1.
        "backchannel_logout_supported": True,
        "backchannel_logout_session_supported": True,
        **authentication,
    }


class MetadataDocuments:
    """Whether an organization admits client ID metadata documents, from five seconds ago at most.

    A client that reads so comes without being added; otherwise it asks people for a client ID.
    """

    def __init__(self, database: Statements) -> None:
        self._database = database
        self._admission: Cache[None, bool] = Cache(failed_seconds=_KEPT_SECONDS)

    async def are_admitted(self) -> bool:
        """The same as before while the database does not answer within a second."""
        try:
            return await self._admission.get(None, self._read, seconds=_KEPT_SECONDS)
        except (TimeoutError, Failure):
            return bool(self._admission.known(None))

    async def _read(self) -> bool:
        async with asyncio.timeout(_READ_SECONDS):
            return await org_store.admits_metadata(self._database)

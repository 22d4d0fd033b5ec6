"""The response of an authorization endpoint: the query of the redirect URI. Pure.

RFC 6749, sections 4.1.2 and 4.1.2.1; `iss` by RFC 9207.
"""

import hmac
from collections.abc import Mapping
from urllib.parse import parse_qsl

from server.relying_party.discovery import Metadata
from server.relying_party.reasons import ProviderError, Reason, quoted

# A real response has code, state, iss and session_state.
_MAX_PARAMETERS = 50
# Errors on the provider's side (section 4.1.2.1); all others refuse the user or this client.
_TEMPORARY = frozenset({"server_error", "temporarily_unavailable"})


def read_response(query: str) -> Mapping[str, str]:
    """The parameters, each present once. `ProviderError` RESPONSE_INVALID."""
    try:
        pairs = parse_qsl(
            query.removeprefix("?"),
            keep_blank_values=True,
            strict_parsing=True,
            errors="strict",
            max_num_fields=_MAX_PARAMETERS,
        )
    except ValueError:
        raise ProviderError(Reason.RESPONSE_INVALID, "The callback has no valid query.") from None
    parameters = dict(pairs)
    if len(parameters) != len(pairs):
        raise ProviderError(Reason.RESPONSE_INVALID, "The callback has a parameter twice.")
    return parameters


def check_state(response: Mapping[str, str], state: str) -> None:
    """`state` is that of the flow, so the response is for this flow and this browser."""
    if not hmac.compare_digest(response.get("state", "").encode(), state.encode()):
        raise ProviderError(Reason.STATE_MISMATCH, "The callback belongs to another flow.")


def check_response_issuer(response: Mapping[str, str], metadata: Metadata) -> None:
    """`iss` is the issuer; it may be absent unless the provider announces it."""
    issuer = response.get("iss", None if metadata.sends_issuer else metadata.issuer)
    if issuer != metadata.issuer:
        observed = f"The callback is from {quoted(issuer)}, not from {metadata.issuer}."
        raise ProviderError(Reason.ISSUER_MISMATCH, observed)


def read_code(response: Mapping[str, str]) -> str:
    """The code. `ProviderError` DENIED, PROVIDER_FAILED, RESPONSE_INVALID."""
    if error := response.get("error"):
        reason = Reason.PROVIDER_FAILED if error in _TEMPORARY else Reason.DENIED
        raise ProviderError(reason, f"The provider refused: {quoted(error)}.")
    code = response.get("code")
    if not code:
        raise ProviderError(Reason.RESPONSE_INVALID, "The callback has no code.")
    return code

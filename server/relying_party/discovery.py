"""The discovery document of a provider (OpenID Connect Discovery 1.0, section 3). Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from server.relying_party.reasons import ProviderError, Reason, quoted
from server.values.https_url import check_https_url

# Asymmetric signatures (RFC 7518, RFC 8037, RFC 9864). `none` and HMAC are never allowed: with the
# public key as HMAC secret, anybody could sign.
ALGORITHMS: Final = (
    *("RS256", "RS384", "RS512", "PS256", "PS384", "PS512"),
    *("ES256", "ES384", "ES512", "EdDSA", "Ed25519"),
)
_MAX_URL = 2000


@dataclass(frozen=True, slots=True)
class SigningIssuer:
    """The members by which the signatures of an issuer are verified."""

    issuer: str
    jwks_uri: str
    algorithms: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Metadata(SigningIssuer):
    """The members that a relying party uses; `userinfo_endpoint` may be empty."""

    authorization_endpoint: str
    token_endpoint: str
    userinfo_endpoint: str
    # Whether responses carry `iss` (RFC 9207).
    sends_issuer: bool
    # Whether ID tokens carry `auth_time` if the request has `max_age`.
    sends_auth_time: bool


def discovery_url(issuer: str) -> str:
    """The URL of an issuer's discovery document (section 4)."""
    return f"{issuer.removesuffix('/')}/.well-known/openid-configuration"


def read_issuer(document: Mapping[str, Any], *, issuer: str) -> SigningIssuer:
    """Checks the document of an issuer that may only sign, and has no further endpoints.

    `ProviderError` ISSUER_MISMATCH, METADATA_INVALID, ALGORITHMS_NOT_SUPPORTED.
    """
    if document.get("issuer") != issuer:
        observed = f"The issuer calls itself {quoted(document.get('issuer'))}, not {issuer}."
        raise ProviderError(Reason.ISSUER_MISMATCH, observed)
    return SigningIssuer(issuer, _url(document, "jwks_uri"), _algorithms(document))


def read_metadata(document: Mapping[str, Any], *, issuer: str) -> Metadata:
    """Checks the document of a provider. `ProviderError`: see `read_issuer`."""
    signing = read_issuer(document, issuer=issuer)
    claims = document.get("claims_supported")
    return Metadata(
        issuer=issuer,
        jwks_uri=signing.jwks_uri,
        algorithms=signing.algorithms,
        authorization_endpoint=_url(document, "authorization_endpoint"),
        token_endpoint=_url(document, "token_endpoint"),
        userinfo_endpoint=_url(document, "userinfo_endpoint", required=False),
        sends_issuer=document.get("authorization_response_iss_parameter_supported") is True,
        sends_auth_time=isinstance(claims, list) and "auth_time" in claims,
    )


def _url(document: Mapping[str, Any], name: str, *, required: bool = True) -> str:
    url = document.get(name)
    if url is None and not required:
        return ""
    is_text = isinstance(url, str) and len(url) <= _MAX_URL
    try:
        return check_https_url(str(url) if is_text else "")
    except ValueError as problem:
        observed = f"In the discovery document, {name} {problem}."
        raise ProviderError(Reason.METADATA_INVALID, observed) from None


def _algorithms(document: Mapping[str, Any]) -> tuple[str, ...]:
    offered = document.get("id_token_signing_alg_values_supported", ["RS256"])
    if not isinstance(offered, list):
        observed = "id_token_signing_alg_values_supported is not a list."
        raise ProviderError(Reason.METADATA_INVALID, observed)
    algorithms = tuple(name for name in ALGORITHMS if name in offered)
    if not algorithms:
        observed = f"The provider signs ID tokens only with {quoted(offered)}."
        raise ProviderError(Reason.ALGORITHMS_NOT_SUPPORTED, observed)
    return algorithms

"""The checks of an ID token (OpenID Connect Core, sections 3.1.3.7 and 3.1.3.8). Pure."""

import base64
import hashlib
import hmac
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeAlias

from joserfc import jws
from joserfc.errors import JoseError
from joserfc.jwk import ECKey, JWKRegistry, OKPKey, RSAKey

from server.relying_party.http_client import MAX_BYTES
from server.relying_party.reasons import ProviderError, Reason, quoted
from server.relying_party.time_claims import (
    check_authenticated_at,
    check_expiry,
    check_issued_at,
    check_not_before,
)
from server.validation import json_text
from server.values.base64url import base64url

PublicKey: TypeAlias = RSAKey | ECKey | OKPKey
Claims: TypeAlias = Mapping[str, Any]

_MAX_SUBJECT = 255
_MAX_KEYS = 100
# Different keys with one `kid`, or of an issuer whose tokens have none. A verification takes up to
# 0.4 ms (RSA with 8192 bits).
_MAX_TRIED_KEYS = 4
# 2048 bits in base64url, without leading zeros (`A`); joserfc only warns of shorter keys.
_LEAST_RSA_MODULUS = 342
# Of RSA with 8192 bits and an exponent of 64, and of P-521, in base64url. Longer members take long
# to read, and with the longest exponent a verification takes a hundred times as long.
_LONGEST_MEMBERS: Mapping[str, int] = {"n": 1368, "e": 11, "x": 88, "y": 88}
_ALGORITHMS_OF_KEYS: Mapping[str, Collection[str]] = {
    "RSA": ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512"),
    "P-256": ("ES256",),
    "P-384": ("ES384",),
    "P-521": ("ES512",),
    "Ed25519": ("EdDSA", "Ed25519"),
}
_HASHES = {"256": hashlib.sha256, "384": hashlib.sha384, "512": hashlib.sha512}


@dataclass(frozen=True, slots=True)
class Expected:
    """The values that an ID token must match."""

    issuer: str
    client_id: str
    nonce: str
    access_token: str


def read_keys(document: Mapping[str, Any]) -> tuple[PublicKey, ...]:
    """The different usable public keys of a JWK set; others are ignored (RFC 7517, section 5).

    `ProviderError` KEYS_UNUSABLE if none is usable.
    """
    listed = document.get("keys")
    keys = {
        (key.thumbprint(), repr(key.get("kid")), repr(key.get("alg"))): key
        for each in (listed if isinstance(listed, list) else [])[:_MAX_KEYS]
        if (key := _public_key(each)) is not None
    }
    if not keys:
        raise ProviderError(Reason.KEYS_UNUSABLE, "The provider has no key that can be used.")
    return tuple(keys.values())


def _public_key(document: object) -> PublicKey | None:
    if not isinstance(document, dict) or document.get("use", "sig") != "sig" or "d" in document:
        return None
    kind = document.get("kty")
    if kind not in ("RSA", "EC", "OKP"):  # joserfc warns of short symmetric keys
        return None
    try:
        if any(len(document.get(name, "")) > most for name, most in _LONGEST_MEMBERS.items()):
            return None
        if kind == "RSA" and len(document["n"].lstrip("A")) < _LEAST_RSA_MODULUS:
            return None
        key = JWKRegistry.import_key(document)
        return key if isinstance(key, RSAKey | ECKey | OKPKey) and algorithms_of(key) else None
    except (JoseError, ValueError, TypeError, KeyError, AttributeError):
        return None


def algorithms_of(key: PublicKey) -> Collection[str]:
    """The algorithms that the key can verify."""
    kind = "RSA" if isinstance(key, RSAKey) else str(key.curve_name)
    return _ALGORITHMS_OF_KEYS.get(kind, ())


def verify(
    token: str,
    *,
    keys: Sequence[PublicKey],
    algorithms: Collection[str],
    expected: Expected,
    now: datetime,
) -> Claims:
    """The claims of an ID token that passes all checks. `ProviderError` otherwise."""
    claims, algorithm = verify_signature(token, keys=keys, algorithms=algorithms)
    check_issuer(claims, expected.issuer)
    check_audience(claims, expected.client_id)
    check_authorized_party(claims, expected.client_id)
    check_expiry(claims, now)
    check_not_before(claims, now)
    check_issued_at(claims, now)
    check_authenticated_at(claims, now)
    check_nonce(claims, expected.nonce)
    check_subject(claims)
    check_access_token_hash(claims, expected.access_token, algorithm)
    return claims


def verify_signature(
    token: str, *, keys: Sequence[PublicKey], algorithms: Collection[str]
) -> tuple[Claims, str]:
    """The claims of a signed JWT, which are not checked, and its algorithm. `ProviderError`."""
    header = read_header(token)
    algorithm = check_algorithm(header, algorithms)
    check_critical(header)
    suitable = suitable_keys(header, keys, algorithm)
    return check_signature(token, suitable, algorithm), algorithm


def unverified_claims(token: str) -> Claims:
    """The claims of a JWT whose signature is not verified. `ProviderError` ID_TOKEN_MALFORMED."""
    read_header(token)
    return _json_object(token.split(".")[1])


def read_header(token: str) -> Mapping[str, Any]:
    """The header of a compact JWS. `ProviderError` ID_TOKEN_MALFORMED."""
    if token.count(".") != 2 or not token.isascii():
        raise ProviderError(Reason.ID_TOKEN_MALFORMED, "The ID token is not a signed JWT.")
    return _json_object(token.partition(".")[0])


def _json_object(segment: str) -> dict[str, Any]:
    try:
        padded = segment + "=" * (-len(segment) % 4)
        value = json_text.loads(base64.b64decode(padded, altchars="-_", validate=True))
    except ValueError:
        value = None
    if not isinstance(value, dict):
        raise ProviderError(Reason.ID_TOKEN_MALFORMED, "The ID token is not a signed JWT.")
    return value


def check_algorithm(header: Mapping[str, Any], algorithms: Collection[str]) -> str:
    """The algorithm is one of the provider's asymmetric algorithms."""
    for algorithm in algorithms:
        if header.get("alg") == algorithm:
            return algorithm
    observed = f"The ID token is signed with {quoted(header.get('alg'))}."
    raise ProviderError(Reason.ALGORITHM_NOT_ALLOWED, observed)


def check_critical(header: Mapping[str, Any]) -> None:
    """No extension is critical, since this server supports none (RFC 7515, section 4.1.11)."""
    if "crit" in header:
        raise ProviderError(Reason.CRITICAL_HEADER, "The ID token demands an unknown extension.")


def suitable_keys(
    header: Mapping[str, Any], keys: Sequence[PublicKey], algorithm: str
) -> Sequence[PublicKey]:
    """The keys for the algorithm, with the `kid` if the header has one. KEY_UNKNOWN: none, or many.

    Key sets can have several keys with one `kid` (RFC 7517, section 4.5).
    """
    kid = header.get("kid")
    suitable = [
        key
        for key in keys
        if algorithm in algorithms_of(key)
        and key.get("alg", algorithm) == algorithm
        and (kid is None or key.get("kid") == kid)
    ]
    if not 0 < len(suitable) <= _MAX_TRIED_KEYS:
        named = "has no key ID" if kid is None else f"has the key ID {quoted(kid)}"
        observed = (
            f"The token {named}, and {len(suitable)} keys of the provider for {algorithm} fit;"
            f" expected were 1 to {_MAX_TRIED_KEYS}."
        )
        raise ProviderError(Reason.KEY_UNKNOWN, observed)
    return suitable


def check_signature(token: str, keys: Sequence[PublicKey], algorithm: str) -> Claims:
    """Verifies the signature by one of the keys, and returns the claims."""
    registry = jws.JWSRegistry(algorithms=[algorithm], strict_check_header=False)
    registry.max_header_length = registry.max_payload_length = MAX_BYTES
    for key in keys:
        try:
            verified = jws.deserialize_compact(token, key, [algorithm], registry)
            claims = json_text.loads(verified.payload)
        except (JoseError, ValueError, TypeError, KeyError, AttributeError):
            continue
        if isinstance(claims, dict):
            return claims
    raise ProviderError(Reason.SIGNATURE_INVALID, "The signature of the ID token is invalid.")


def check_issuer(claims: Claims, issuer: str) -> None:
    """`iss` equals the issuer, byte for byte."""
    if claims.get("iss") != issuer:
        observed = f"The ID token was issued by {quoted(claims.get('iss'))}, not by {issuer}."
        raise ProviderError(Reason.ISSUER_MISMATCH, observed)


def check_audience(claims: Claims, client_id: str) -> None:
    """`aud` contains this client; further audiences only in a token that was issued to it."""
    audience = claims.get("aud")
    audiences = audience if isinstance(audience, list) else [audience]
    if client_id not in audiences:
        observed = f"The ID token is for {quoted(audience)}, not for this client."
        raise ProviderError(Reason.AUDIENCE_MISMATCH, observed)
    if any(each != client_id for each in audiences) and claims.get("azp") is None:
        observed = f"The ID token is for {quoted(audience)}, and does not name its client in azp."
        raise ProviderError(Reason.AUDIENCE_MISMATCH, observed)


def check_authorized_party(claims: Claims, client_id: str) -> None:
    """`azp`, if present, is this client."""
    authorized_party = claims.get("azp")
    if authorized_party not in (None, client_id):
        observed = f"The ID token was issued to {quoted(authorized_party)}."
        raise ProviderError(Reason.AUTHORIZED_PARTY_MISMATCH, observed)


def check_nonce(claims: Claims, nonce: str) -> None:
    """`nonce` is that of the flow."""
    received = claims.get("nonce")
    if not isinstance(received, str) or not _equal(received, nonce):
        raise ProviderError(Reason.NONCE_MISMATCH, "The ID token belongs to another sign-in.")


def _equal(received: str, expected: str) -> bool:
    # JSON can contain lone surrogates, which UTF-8 cannot encode.
    return hmac.compare_digest(received.encode(errors="backslashreplace"), expected.encode())


def check_subject(claims: Claims) -> None:
    """`sub` has 1 to 255 printable characters of ASCII (section 2)."""
    subject = claims.get("sub")
    is_text = isinstance(subject, str) and subject.isascii() and subject.isprintable()
    if not is_text or not 0 < len(str(subject)) <= _MAX_SUBJECT:
        raise ProviderError(Reason.SUBJECT_INVALID, "The ID token has no valid subject.")


def access_token_hash(access_token: str, algorithm: str) -> str:
    """The claim `at_hash` of an ID token that this algorithm signs (section 3.1.3.6)."""
    digest = _HASHES.get(algorithm[-3:], hashlib.sha512)(access_token.encode()).digest()
    return base64url(digest[: len(digest) // 2])


def check_access_token_hash(claims: Claims, access_token: str, algorithm: str) -> None:
    """`at_hash`, if present, is the hash of the access token."""
    if claims.get("at_hash") is None:
        return
    received, expected = claims["at_hash"], access_token_hash(access_token, algorithm)
    if not isinstance(received, str) or not _equal(received, expected):
        observed = "The access token does not belong to the ID token."
        raise ProviderError(Reason.ACCESS_TOKEN_HASH_MISMATCH, observed)


def check_userinfo(userinfo: Claims, subject: str) -> None:
    """`sub` of the userinfo is that of the ID token (section 5.3.2)."""
    if userinfo.get("sub") != subject:
        observed = "The userinfo and the ID token have different subjects."
        raise ProviderError(Reason.USERINFO_SUBJECT_MISMATCH, observed)

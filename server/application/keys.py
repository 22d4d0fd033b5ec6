"""JWK Sets of applications that authenticate with a private key (RFC 7517), checked when set."""

import warnings
from typing import Final

from joserfc.errors import JoseError
from joserfc.jwk import ECKey, JWKRegistry, OKPKey, RSAKey

from server.validation import json_text

MAX_JWKS: Final = 16 * 1024
_MAX_KEYS: Final = 10
_RSA_BITS: Final = range(2048, 8193)
# With the longest exponent, a verification takes a hundred times as long.
_RSA_EXPONENT_BITS: Final = 32
_CURVES: Final = frozenset({"P-256", "P-384", "P-521", "Ed25519"})
# The algorithms of each `kty` begin with these (RFC 7518, section 3.1; RFC 8037; RFC 9864).
_ALGORITHMS: Final = {"RSA": ("RS", "PS"), "EC": ("ES",), "OKP": ("EdDSA", "Ed25519")}
# RFC 7518, sections 6.2.2, 6.3.2 and 6.4.1.
_PRIVATE: Final = frozenset({"d", "p", "q", "dp", "dq", "qi", "oth", "k"})


def check_jwks(text: str) -> str:
    """A JWK Set of public keys for signatures. ValueError with the correction; empty: none."""
    if not text:
        return text
    if len(text) > MAX_JWKS:
        raise ValueError(f"must be at most {MAX_JWKS} characters")
    try:
        document = json_text.loads(text)
    except ValueError:
        raise ValueError("must be JSON") from None
    keys = document.get("keys") if isinstance(document, dict) else None
    if not isinstance(keys, list) or not 0 < len(keys) <= _MAX_KEYS:
        raise ValueError(f"must be an object whose member keys lists 1 to {_MAX_KEYS} keys")
    for index, key in enumerate(keys):
        if problem := _problem(key):
            raise ValueError(f"has the key {index}, which {problem}")
    ids = [key["kid"] for key in keys if "kid" in key]
    if len(set(ids)) < len(ids):
        raise ValueError("must not have two keys with the same kid")
    return text


def _problem(document: object) -> str:
    """The reason why a key is not accepted; empty if it is."""
    if not isinstance(document, dict) or document.get("kty") not in ("RSA", "EC", "OKP"):
        return "must have the kty RSA, EC or OKP"
    if document.keys() & _PRIVATE:
        return "must not have private members: replace this key, since it is no longer private"
    families = _ALGORITHMS[document["kty"]]
    if "alg" in document and not str(document["alg"]).startswith(families):
        return f"must have no alg, or one that begins with {' or '.join(families)}"
    if document.get("use", "sig") != "sig" or not isinstance(document.get("kid", ""), str):
        return "must be for signatures, and its kid a string"
    try:
        with warnings.catch_warnings(action="ignore"):  # of a short key, which is refused below
            key = JWKRegistry.import_key(document)
        if isinstance(key, RSAKey):
            if key.raw_value.key_size not in _RSA_BITS:
                return "must have 2048 to 8192 bits"
            exponent, modulus = key.public_key.public_numbers().e, key.public_key.public_numbers().n
            if modulus % 2 == 0:
                return "is not a valid public key"
            is_short = exponent.bit_length() <= _RSA_EXPONENT_BITS
            return "" if is_short else f"must have an exponent of at most {_RSA_EXPONENT_BITS} bits"
        is_known = isinstance(key, ECKey | OKPKey) and key.curve_name in _CURVES
    except (JoseError, ValueError, TypeError, KeyError, AttributeError):
        return "is not a valid public key"
    return "" if is_known else f"must have one of the curves {', '.join(sorted(_CURVES))}"

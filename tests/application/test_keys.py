"""The JWK Sets that applications can have."""

import json
from base64 import urlsafe_b64encode
from typing import Any

import pytest
from joserfc.jwk import ECKey, RSAKey

from server.application.keys import check_jwks
from tests.application.calls import JWKS
from tests.support import rsa_keys

_RSA = rsa_keys.jwk("a")
_EC = ECKey.generate_key("P-256", private=True)


def _set(*keys: Any, **further: Any) -> str:
    return json.dumps({"keys": keys, **further})


def _public(key: RSAKey | ECKey, **further: Any) -> dict[str, Any]:
    return {**key.as_dict(private=False), **further}


def _rsa_of(bits: int, exponent: str = "AQAB", *, odd: bool = True) -> dict[str, Any]:
    modulus = ((1 << bits) - (1 if odd else 2)).to_bytes(bits // 8, "big")
    return {"kty": "RSA", "n": urlsafe_b64encode(modulus).rstrip(b"=").decode(), "e": exponent}


@pytest.mark.parametrize(
    "text",
    [
        "",
        JWKS,
        _set(_public(_RSA, use="sig", alg="PS256"), _public(_EC, kid="b", alg="ES256")),
        _set(_public(_EC), _public(ECKey.generate_key("P-521")), further="member"),
    ],
    ids=["none", "Ed25519", "RSA and EC", "without kid"],
)
def test_public_keys_are_accepted(text: str) -> None:
    assert check_jwks(text) == text


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("{", "must be JSON"),
        ("[]", "member keys"),
        ('{"keys": {}}', "member keys"),
        (_set(), "1 to 10 keys"),
        (_set(*[_public(_EC)] * 11), "1 to 10 keys"),
        (_set("key"), "key 0, which must have the kty"),
        (_set(_public(_EC), {"kty": "oct", "k": "c2VjcmV0"}), "key 1, which must have the kty"),
        (_set(_EC.as_dict(private=True)), "private members"),
        (_set(_RSA.as_dict(private=True)), "private members"),
        (_set(_public(_EC, k="c2VjcmV0")), "private members"),
        (_set(_public(_EC, use="enc")), "for signatures"),
        (_set(_public(_EC, kid=7)), "kid a string"),
        (_set(_public(_RSA, alg="HS256")), "must have no alg"),
        (_set(_public(_EC, alg="RS256")), "must have no alg"),
        (_set(_public(_EC, alg=None)), "must have no alg"),
        (_set(_rsa_of(2048, odd=False)), "not a valid public key"),
        (_set(_public(_EC, kid="a"), _public(_RSA)), "the same kid"),
        (_set(_rsa_of(1024)), "2048 to 8192 bits"),
        (_set(_rsa_of(3072, "_" * 64)), "exponent of at most 32 bits"),
        (_set(_public(ECKey.generate_key("secp256k1"))), "one of the curves"),
        (JWKS.replace("Ed25519", "X25519"), "one of the curves"),
        (_set({"kty": "EC", "crv": "P-256", "x": "AA", "y": "AA"}), "not a valid public key"),
        (_set({"kty": "RSA", "n": "!", "e": "AQAB"}), "not a valid public key"),
        (_set({"kty": "EC"}), "not a valid public key"),
        (_set(_public(_EC), padding="x" * 16_384), "at most 16384 characters"),
    ],
)
def test_other_keys_are_refused(text: str, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        check_jwks(text)

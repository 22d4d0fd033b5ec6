"""Tokens of workloads, right and forged."""

import base64
import json
import time
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

import jwt
from joserfc.jwk import RSAKey

from tests.support import rsa_keys
from tests.support.oidc_provider import Provider

SUBJECT: Final = "repo:example/shop:ref:refs/heads/main"
Claims: TypeAlias = dict[str, Any]


def claims_of(provider: Provider, audience: Any, **claims: Any) -> Claims:
    """The claims of a right token; one of None is left out."""
    now = int(time.time())
    regular = {
        "iss": provider.issuer,
        "aud": audience,
        "sub": SUBJECT,
        "iat": now,
        "exp": now + 3600,
    }
    return {name: value for name, value in (regular | claims).items() if value is not None}


def _by_hmac(provider: Provider, claims: Claims) -> str:
    """A token signed by HMAC, with the public key as the secret."""
    public = provider.key.as_pem(private=False).decode()
    segments = [
        base64.urlsafe_b64encode(json.dumps(part).encode()).rstrip(b"=").decode()
        for part in ({"alg": "HS256", "kid": provider.key.kid}, claims)
    ]
    signature = jwt.algorithms.HMACAlgorithm(jwt.algorithms.HMACAlgorithm.SHA256).sign(
        ".".join(segments).encode(), public.encode()
    )
    return ".".join([*segments, base64.urlsafe_b64encode(signature).rstrip(b"=").decode()])


def _altered(provider: Provider, claims: Claims) -> str:
    header, _, signature = provider.signed(claims | {"sub": "other"}).split(".")
    return f"{header}.{provider.signed(claims).split('.')[1]}.{signature}"


_OF_AN_ATTACKER: Final = rsa_keys.jwk("a", "first")


def _signed(claims: Claims, key: RSAKey, **headers: Any) -> str:
    """A token with these claims and headers, signed by this key."""
    private = key.as_pem(private=True)
    return jwt.encode(claims, private, algorithm="RS256", headers=headers)


Forge: TypeAlias = Callable[[Provider, Claims], str]

# Tokens with right claims that their issuer did not sign, or not like this.
FORGERIES: Final[Mapping[str, Forge]] = {
    "HMAC": _by_hmac,
    "none": lambda provider, claims: jwt.encode(
        claims, "", algorithm="none", headers={"kid": provider.key.kid}
    ),
    "altered": _altered,
    "another key": lambda _provider, claims: _signed(claims, _OF_AN_ATTACKER, kid="first"),
    "its own key": lambda _provider, claims: _signed(
        claims, _OF_AN_ATTACKER, jwk=_OF_AN_ATTACKER.as_dict(private=False)
    ),
    "unknown kid": lambda provider, claims: provider.signed(claims, kid="unknown"),
    "critical": lambda provider, claims: _signed(
        claims, provider.key, kid=provider.key.kid, crit=["x"], x=1
    ),
    "four parts": lambda provider, claims: provider.signed(claims) + ".",
    "no signature": lambda provider, claims: provider.signed(claims).rpartition(".")[0] + ".",
    "no JWT": lambda _provider, _claims: "text",
}

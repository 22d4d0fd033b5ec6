"""RSA keys by name. A new one takes a tenth of a second of processor time."""

from functools import cache

from cryptography.hazmat.primitives.asymmetric import rsa
from joserfc.jwk import RSAKey


@cache
def rsa_key(name: str, bits: int = 2048) -> rsa.RSAPrivateKey:
    """The key with this name."""
    return rsa.generate_private_key(65537, bits)


def jwk(name: str, kid: str = "") -> RSAKey:
    """The key with this name as a JWK; its `kid` is the name, unless given."""
    key = rsa_key(name)
    return RSAKey(key, key, {"kid": kid or name})

"""Private keys: P-256 and RSA in JWK format (RFC 7518, section 6), encrypted under the keyring."""

import enum
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from joserfc.errors import JoseError
from joserfc.jwk import ECKey, RSAKey

from server.crypto.keyring import EncryptedSecret, EncryptionKeyError, Keyring

_CURVE: Final = "P-256"
_RSA_BITS: Final = 2048


class Algorithm(enum.StrEnum):
    """An algorithm of signatures (RFC 7518, section 3.1)."""

    ES256 = "ES256"
    RS256 = "RS256"


_KEY_TYPES: Final[Mapping[str, type[ECKey | RSAKey]]] = {"EC": ECKey, "RSA": RSAKey}


@dataclass(frozen=True, slots=True)
class PrivateKey:
    """A private key. Its id is the JWK thumbprint (RFC 7638)."""

    kid: str
    key: ECKey | RSAKey = field(repr=False)

    @classmethod
    def generate(cls, algorithm: Algorithm) -> "PrivateKey":
        """A new private key. One for RS256 takes up to a second."""
        is_rsa = algorithm is Algorithm.RS256
        key = RSAKey.generate_key(_RSA_BITS) if is_rsa else ECKey.generate_key(_CURVE)
        return cls(key.thumbprint(), key)

    @property
    def algorithm(self) -> Algorithm:
        """The algorithm that the key is for."""
        return Algorithm.RS256 if isinstance(self.key, RSAKey) else Algorithm.ES256

    @property
    def public_key(self) -> str:
        """The public key as a JWK for its algorithm, in JSON."""
        public = self.key.as_dict(private=False)
        return json.dumps({**public, "use": "sig", "alg": self.algorithm, "kid": self.kid})

    def encrypted(self, keyring: Keyring) -> EncryptedSecret:
        """The private key under the first key of the keyring."""
        text = json.dumps(self.key.as_dict(private=True))
        return keyring.encrypt(text, context=_context(self.kid))


def decrypted(keyring: Keyring, kid: str, encrypted: EncryptedSecret | None) -> PrivateKey:
    """The private key with this id.

    EncryptionKeyError: it is missing, encrypted under a missing key, or has another id.
    """
    if encrypted is None:
        raise EncryptionKeyError("It is not stored.")
    text = keyring.decrypt(encrypted, context=_context(kid))
    try:
        key = imported(json.loads(text))
    except (JoseError, LookupError, TypeError, ValueError):
        raise EncryptionKeyError("It is neither an elliptic curve key nor an RSA key.") from None
    if key.thumbprint() != kid:
        raise EncryptionKeyError("It does not match its ID.")
    return PrivateKey(kid, key)


def imported(jwk: Mapping[str, Any]) -> ECKey | RSAKey:
    """The key of a JWK. JoseError, LookupError, TypeError or ValueError: it is none of these."""
    return _KEY_TYPES[jwk["kty"]].import_key(dict(jwk))


def _context(kid: str) -> bytes:
    """Binds the ciphertext to the id of the key."""
    return json.dumps(["signing.key", kid]).encode()

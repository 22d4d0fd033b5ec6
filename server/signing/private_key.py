"""Private keys: P-256 in JWK format (RFC 7518, section 6.2), encrypted under the keyring."""

import json
from dataclasses import dataclass, field

from joserfc.errors import JoseError
from joserfc.jwk import ECKey

from server.crypto.keyring import EncryptedSecret, EncryptionKeyError, Keyring

_CURVE = "P-256"


@dataclass(frozen=True, slots=True)
class PrivateKey:
    """A private key. Its id is the JWK thumbprint (RFC 7638)."""

    kid: str
    key: ECKey = field(repr=False)

    @classmethod
    def generate(cls) -> "PrivateKey":
        """A new private key."""
        key = ECKey.generate_key(_CURVE)
        return cls(key.thumbprint(), key)

    @property
    def public_key(self) -> str:
        """The public key as a JWK for ES256, in JSON."""
        public = self.key.as_dict(private=False)
        return json.dumps({**public, "use": "sig", "alg": "ES256", "kid": self.kid})

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
        key = ECKey.import_key(json.loads(text))
    except (JoseError, ValueError):
        raise EncryptionKeyError("It is not an elliptic curve key.") from None
    if key.thumbprint() != kid:
        raise EncryptionKeyError("It does not match its ID.")
    return PrivateKey(kid, key)


def _context(kid: str) -> bytes:
    """Binds the ciphertext to the id of the key."""
    return json.dumps(["signing.key", kid]).encode()

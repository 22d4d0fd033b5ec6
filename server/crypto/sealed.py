"""Sealed values: an encrypted token that travels through a browser, instead of a row (decision 20).

Fernet (AES-128-CBC and HMAC-SHA-256) under keys that are derived for one purpose only. Its random
IV has 128 bits. Anybody can cause such tokens, and the 96-bit IV of AES-GCM would be safe for 2^32
of them only (NIST SP 800-38D, section 8.3).
"""

import base64
from typing import Generic, TypeVar

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from pydantic import TypeAdapter
from pydantic_core import to_json

from server.crypto.keyring import Keyring

_T = TypeVar("_T")


class Sealed(Generic[_T]):
    """Seals values under the first key of the keyring, and opens them under any key.

    Servers of two releases open each other's values: unknown fields are ignored, and a new field
    needs a default.
    """

    def __init__(self, keyring: Keyring, kind: type[_T], *, purpose: str) -> None:
        keys = (keyring.derive(each, purpose=purpose) for each in keyring.key_ids)
        self._fernet = MultiFernet([Fernet(base64.urlsafe_b64encode(key)) for key in keys])
        self._kind = TypeAdapter(kind)

    def sealed(self, value: _T) -> str:
        """The token of a value, in base64url."""
        return self._fernet.encrypt(to_json(value)).decode()

    def opened(self, token: str) -> _T | None:
        """The value of a token. None: no server with these keys made it, in these characters.

        Python's decoder ignores characters outside of base64url and spare bits, so one value would
        have many tokens, each of which could be used once.
        """
        try:
            if base64.urlsafe_b64encode(base64.urlsafe_b64decode(token)).decode() != token:
                return None
            return self._kind.validate_json(self._fernet.decrypt(token))
        except (InvalidToken, ValueError):  # ValueError: not base64, or not of the kind
            return None

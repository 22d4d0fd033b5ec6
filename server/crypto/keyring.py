"""Secrets at rest: AES-256-GCM (NIST SP 800-38D) under several keys; the first one encrypts.

The rule: a secret is bound to its use. `context` is authenticated with the ciphertext, so a
password stored for one destination cannot be decrypted for another.
"""

import base64
import hashlib
import os
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

import structlog
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from pydantic import SecretBytes, SecretStr

from server.crypto.private_file import write_private_file
from server.values.errors import OperatorError

_log = structlog.get_logger("encryption")

_KEY_BYTES = 32
# 96 random bits, as the standard requires: safe for 2^32 encryptions per key (section 8.3).
_NONCE_BYTES = 12


class EncryptionKeyError(OperatorError):
    """The keys are invalid or cannot decrypt a secret; the message says how to correct that."""


@dataclass(frozen=True, slots=True)
class EncryptedSecret:
    """A stored secret: the key ID, and the nonce followed by ciphertext and tag."""

    key_id: str
    ciphertext: bytes


class Keyring:
    """The keys of this instance.

    The ID of a key is the first 16 hex digits of its SHA-256, so a wrong key has another ID.
    """

    def __init__(self, keys: Sequence[bytes]) -> None:
        by_id = {hashlib.sha256(key).hexdigest()[:16]: key for key in keys}
        self._keys = {key_id: SecretBytes(key) for key_id, key in by_id.items()}
        self._ciphers = {key_id: AESGCM(key) for key_id, key in by_id.items()}
        self.writing_key_id = next(iter(self._ciphers))

    @property
    def key_ids(self) -> Sequence[str]:
        """The ids of all keys; the first one encrypts."""
        return list(self._ciphers)

    def must_have(self, key_ids: Collection[str]) -> None:
        """Raises EncryptionKeyError if a key of stored secrets is missing."""
        if missing := sorted(set(key_ids) - self._ciphers.keys()):
            raise EncryptionKeyError(
                "Stored secrets are encrypted with keys that are not configured:"
                f" {', '.join(missing)}. Put them into KEYSTEAD_ENCRYPTION_KEYS or the"
                " file encryption.keys of the data directory; a key's id is the first 16 hex digits"
                " of the SHA-256 of its 32 bytes."
            )

    def derive(self, key_id: str, *, purpose: str) -> bytes:
        """Derives 32 bytes for one purpose (HKDF, RFC 5869) from one of the keys."""
        derivation = HKDF(hashes.SHA256(), length=32, salt=None, info=purpose.encode())
        return derivation.derive(self._keys[key_id].get_secret_value())

    def encrypt(self, secret: str, *, context: bytes) -> EncryptedSecret:
        """Encrypts with the first key."""
        nonce = os.urandom(_NONCE_BYTES)
        cipher = self._ciphers[self.writing_key_id]
        return EncryptedSecret(
            self.writing_key_id, nonce + cipher.encrypt(nonce, secret.encode(), context)
        )

    def decrypt(self, encrypted: EncryptedSecret, *, context: bytes) -> str:
        """Decrypts the secret.

        Raises EncryptionKeyError for a missing key, an altered ciphertext, or another context.
        """
        self.must_have([encrypted.key_id])
        cipher = self._ciphers[encrypted.key_id]
        nonce, ciphertext = encrypted.ciphertext[:_NONCE_BYTES], encrypted.ciphertext[_NONCE_BYTES:]
        try:
            return cipher.decrypt(nonce, ciphertext, context).decode()
        except (InvalidTag, ValueError):  # ValueError: truncated within the nonce
            raise EncryptionKeyError(
                "A stored secret does not match its record: it was altered, or copied from another"
                " record. Set it again."
            ) from None


def parse_keys(encoded: Sequence[str], *, source: str) -> list[bytes]:
    """Parses keys in base64.

    EncryptionKeyError names the source and position of an invalid key, never its text.
    """
    keys = []
    for place, text in enumerate(encoded, start=1):
        try:
            key = base64.b64decode(text, validate=True)
        except ValueError:
            key = b""
        if len(key) != _KEY_BYTES:
            raise EncryptionKeyError(
                f"Key {place} of {source} is not {_KEY_BYTES} bytes in base64."
                " Restore it from a backup, or for a new installation make one:"
                " openssl rand -base64 32"
            )
        keys.append(key)
    return keys


def load_keyring(encoded: Sequence[SecretStr], key_file: Path) -> Keyring:
    """The given keys in base64, or those of the key file if none are given."""
    if encoded:
        keys = [key.get_secret_value() for key in encoded]
        return Keyring(parse_keys(keys, source="KEYSTEAD_ENCRYPTION_KEYS"))
    return Keyring(read_key_file(key_file))


def read_key_file(path: Path) -> list[bytes]:
    """The keys of the file, one per line; `#` begins a comment."""
    if not path.is_file():
        # A container runtime creates a folder for a missing file.
        problem = "a folder" if path.is_dir() else "missing"
        raise EncryptionKeyError(
            f"{path} is {problem}; it should hold the key of stored secrets."
            " Restore it from a backup, or put the key into KEYSTEAD_ENCRYPTION_KEYS."
        )
    file = path.stat()
    if file.st_uid not in (0, os.geteuid(), path.parent.stat().st_uid):
        raise EncryptionKeyError(
            f"{path} belongs to user {file.st_uid}, who knows the keys in it. Restore it from"
            " a backup; if the keys are yours, change its owner."
        )
    if file.st_mode & 0o077:
        raise EncryptionKeyError(
            f"{path} can be read by others than its owner. Run: chmod 600 {path}"
        )
    keys = parse_keys(key_words(path.read_text("ascii", "replace")), source=str(path))
    if not keys:
        raise EncryptionKeyError(
            f"{path} is empty. Restore it from a backup; without it stored secrets are lost."
        )
    return keys


def key_words(text: str) -> list[str]:
    """The words of a key file, without comments."""
    return [word for line in text.splitlines() for word in line.partition("#")[0].split()]


def create_key_file(path: Path) -> None:
    """Creates the file (mode 0600) with a new key unless it exists; of two processes one wins.

    Logs it, because other servers of the database need the same key.
    """
    if not path.exists():
        key = base64.b64encode(os.urandom(_KEY_BYTES)).decode()
        if write_private_file(path, key + "\n", replace=False):
            _log.info(
                "created encryption.keys; all servers of one database need the same keys",
                path=str(path),
            )

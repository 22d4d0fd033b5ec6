"""The secrets of subscriptions, and the signatures of webhooks.

https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md

The rule: a secret is encrypted for one subscription. It signs what is sent to the URL that the
subscription has at that time.
"""

import base64
import enum
import hashlib
import hmac
import json
import os
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from server.crypto import stored_secrets
from server.crypto.keyring import EncryptionKeyError, Keyring
from server.crypto.stored_secrets import Secret
from server.push import store
from server.push.store import StoredSecret
from server.store.database import Statements
from server.values.ids import new_id

# The specification recommends 24 to 64 bytes.
_HMAC_BYTES: Final = 32
_HMAC_PREFIX: Final = "whsec_"
_PUBLIC_PREFIX: Final = "whpk_"


class SecretKind(enum.StrEnum):
    """Kinds of secrets, by the API's names without `SECRET_KIND_`."""

    HMAC = "HMAC"
    ED25519 = "ED25519"


@dataclass(frozen=True, slots=True)
class NewSubscriptionSecret:
    """A new secret. `key` is for the target: the secret itself, or a public key."""

    kind: SecretKind
    stored: Secret
    public_key: str
    key: str = field(repr=False)

    @property
    def secret_id(self) -> str:
        """The id of the secret."""
        return self.stored.secret_id


def new_secret(keyring: Keyring, subscription_id: str, kind: SecretKind) -> NewSubscriptionSecret:
    """A new secret of the subscription. The stored text is the base64 of its 32 bytes."""
    secret_id = new_id()
    raw = os.urandom(_HMAC_BYTES)
    public_key = ""
    if kind is SecretKind.ED25519:
        public = Ed25519PrivateKey.from_private_bytes(raw).public_key().public_bytes_raw()
        public_key = f"{_PUBLIC_PREFIX}{base64.b64encode(public).decode()}"
    text = base64.b64encode(raw).decode()
    encrypted = keyring.encrypt(text, context=_context(subscription_id, secret_id))
    return NewSubscriptionSecret(
        kind, Secret(secret_id, encrypted), public_key, public_key or f"{_HMAC_PREFIX}{text}"
    )


def signed_headers(
    keyring: Keyring,
    secrets: Sequence[StoredSecret],
    *,
    delivery_id: str,
    now: datetime,
    body: bytes,
) -> dict[str, str]:
    """The headers of a webhook, with a signature by each secret. EncryptionKeyError."""
    timestamp = str(int(now.timestamp()))
    content = b".".join((delivery_id.encode(), timestamp.encode(), body))
    return {
        "webhook-id": delivery_id,
        "webhook-timestamp": timestamp,
        "webhook-signature": " ".join(_signature(keyring, each, content) for each in secrets),
    }


def _signature(keyring: Keyring, secret: StoredSecret, content: bytes) -> str:
    if secret.encrypted is None:
        raise EncryptionKeyError(
            f"The secret {secret.secret_id} of the subscription is missing from the table secrets."
            " Restore the table from a backup, or create another secret and remove this one."
        )
    context = _context(secret.subscription_id, secret.secret_id)
    raw = base64.b64decode(keyring.decrypt(secret.encrypted, context=context))
    if secret.kind == SecretKind.ED25519:
        version, signature = "v1a", Ed25519PrivateKey.from_private_bytes(raw).sign(content)
    else:
        version, signature = "v1", hmac.digest(raw, content, hashlib.sha256)
    return f"{version},{base64.b64encode(signature).decode()}"


async def rotate_secrets(database: Statements, keyring: Keyring) -> int:
    """Encrypts the secrets of all subscriptions under the first key; returns their number.

    No lock is needed, since other code only erases a secret. EncryptionKeyError: a secret cannot be
    decrypted.
    """
    number = 0
    async for subscription_id, secret_id, encrypted in store.list_secrets(
        database, not_under=keyring.writing_key_id
    ):
        number += await stored_secrets.reencrypt(
            database,
            keyring,
            encrypted,
            aggregate_id=subscription_id,
            secret_id=secret_id,
            context=_context(subscription_id, secret_id),
        )
    return number


async def unreadable(
    database: Statements, keyring: Keyring
) -> AsyncIterator[tuple[str, EncryptionKeyError]]:
    """The subscriptions with a secret that cannot be decrypted, by ID, with the reason."""
    async for subscription_id, secret_id, encrypted in store.list_secrets(database):
        try:
            keyring.decrypt(encrypted, context=_context(subscription_id, secret_id))
        except EncryptionKeyError as error:
            yield subscription_id, error


def _context(subscription_id: str, secret_id: str) -> bytes:
    """Binds the ciphertext to this row."""
    return json.dumps(["push.secret", subscription_id, secret_id]).encode()

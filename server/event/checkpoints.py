"""Checkpoints of the log, by which `keystead audit verify` detects changes (decision 35).

A checkpoint contains the digests of its events and a message authentication code over itself and
the previous checkpoint (HMAC-SHA-256, RFC 2104). The keyring encrypts the key of that code, so
`keystead rotate-keys` leaves checkpoints unchanged.

The rule: write access to the database is not enough to make a checkpoint; it takes the keyring.
"""

import base64
import hashlib
import hmac
import json
import os
import struct
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from server.crypto import stored_secrets
from server.crypto.keyring import Keyring
from server.store.database import Row, Statements
from server.store.log.event_checkpoints import (
    Checkpoint,
    add_checkpoint,
    last_checkpoint,
    read_covered,
)
from server.store.log.positions import last_position
from server.values.errors import OperatorError

# The time between checkpoints of new events.
INTERVAL_SECONDS: Final = 600

# Maximum number of events in one checkpoint.
_MOST_EVENTS: Final = 1000
_DIGEST_BYTES: Final = 32

_KEY: Final = {"aggregate_id": "event_checkpoints", "secret_id": "key"}
_CONTEXT: Final = b"keystead event checkpoints"
_HEADER: Final = struct.Struct(">QQq32s32s")
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_NO_MAC: Final = bytes(32)
# The columns of an event that its digest covers.
FIELDS: Final = (
    *("position", "aggregate_id", "sequence", "aggregate_type", "event_type", "revision"),
    *("payload", "creator", "owner", "written_at"),
)


# Stands before the first checkpoint.
NO_CHECKPOINT: Final = Checkpoint(0, 0, datetime.min.replace(tzinfo=UTC), b"", _NO_MAC)


class CheckpointKeyError(OperatorError):
    """Checkpoints exist, but their key is missing."""

    def __init__(self) -> None:
        super().__init__(
            "The key of the checkpoints of the event log is missing from the table secrets, so they"
            " prove nothing. Restore the tables secrets and event_checkpoints from a backup."
        )


async def take(database: Statements, keyring: Keyring) -> None:
    """Takes checkpoints until they cover all events that have a position.

    Concurrent processes are safe: a checkpoint number is stored once.
    """
    key = None
    while True:
        before = await last_checkpoint(database)
        after = before.last_position if before else 0
        until = min(await last_position(database), after + _MOST_EVENTS)
        if until <= after:
            return
        if before is None:
            await _make_key(database, keyring)
        key = key or await key_of(database, keyring)
        digests = b"".join(map(digest_of, await read_covered(database, after=after, until=until)))
        number, taken_at = (before.number + 1 if before else 1), datetime.now(UTC)
        previous = before.mac if before else _NO_MAC
        mac = _mac(key, number, until, taken_at, digests, previous)
        await add_checkpoint(database, Checkpoint(number, until, taken_at, digests, mac))


def is_authentic(key: bytes, checkpoint: Checkpoint, before: Checkpoint) -> bool:
    """Whether a checkpoint was made with the key, after the one before it."""
    number, until = checkpoint.number, checkpoint.last_position
    mac = _mac(key, number, until, checkpoint.taken_at, checkpoint.digests, before.mac)
    return hmac.compare_digest(mac, checkpoint.mac)


async def read_with_digests(
    database: Statements, checkpoint: Checkpoint, *, after: int
) -> Iterable[tuple[Row, bytes]]:
    """The event of each position after `after` that the checkpoint covers, and its digest there.

    `event_type` of the event is null where it is gone.
    """
    rows = await read_covered(database, after=after, until=checkpoint.last_position)
    return zip(rows, _split(checkpoint.digests), strict=True)


async def rotate_key(database: Statements, keyring: Keyring) -> bool:
    """Encrypts the key under the keyring's first key. False: it is already, or there is no key."""
    encrypted = await stored_secrets.get(database, **_KEY)
    return encrypted is not None and await stored_secrets.reencrypt(
        database, keyring, encrypted, **_KEY, context=_CONTEXT
    )


async def _make_key(database: Statements, keyring: Keyring) -> None:
    """Makes the key of checkpoints if none exists."""
    new = keyring.encrypt(base64.b64encode(os.urandom(32)).decode(), context=_CONTEXT)
    await stored_secrets.add(database, **_KEY, encrypted=new)


async def key_of(database: Statements, keyring: Keyring) -> bytes:
    """The key of checkpoints. Raises CheckpointKeyError, EncryptionKeyError."""
    encrypted = await stored_secrets.get(database, **_KEY)
    if encrypted is None:
        raise CheckpointKeyError
    return base64.b64decode(keyring.decrypt(encrypted, context=_CONTEXT))


def _mac(
    key: bytes, number: int, until: int, taken_at: datetime, digests: bytes, previous: bytes
) -> bytes:
    microseconds = (taken_at - _EPOCH) // timedelta(microseconds=1)
    header = _HEADER.pack(number, until, microseconds, hashlib.sha256(digests).digest(), previous)
    return hmac.digest(key, header, "sha256")


def digest_of(row: Row | Mapping[str, Any]) -> bytes:
    """The digest of all columns of the event, as a JSON array."""
    values: list[Any] = [row[name] for name in FIELDS]
    return hashlib.sha256(json.dumps(values).encode()).digest()


def _split(digests: bytes) -> Iterable[bytes]:
    return (
        digests[start : start + _DIGEST_BYTES] for start in range(0, len(digests), _DIGEST_BYTES)
    )

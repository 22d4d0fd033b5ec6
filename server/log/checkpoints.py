"""Checkpoints of the log, by which `keystead audit verify` detects changes (decision 3).

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

import structlog

from server.crypto import stored_secrets
from server.crypto.keyring import Keyring
from server.log.checkpoint_store import (
    Checkpoint,
    add_checkpoint,
    get_checkpoint,
    last_checkpoint,
    read_covered,
)
from server.log.positions import last_position
from server.log.stored_event import by_turns
from server.store.database import Row, Statements
from server.values.errors import OperatorError

# The time between checkpoints of new events.
INTERVAL_SECONDS: Final = 600

# Maximum number of events in one checkpoint. A greater one would make the full checkpoints of
# earlier releases look as if they had reached the end of the log.
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


_log = structlog.get_logger("event_log")


class TamperedLogError(OperatorError):
    """The log or its checkpoints were changed, so no checkpoint continues them."""

    def __init__(self, what: str) -> None:
        super().__init__(
            f"{what} Somebody changed the database, or an older backup was restored, so no further"
            " checkpoints are taken. See docs/operating-event-log.md and run: keystead audit verify"
        )


class CheckpointKeyError(OperatorError):
    """Checkpoints exist, but their key is missing."""

    def __init__(self) -> None:
        super().__init__(
            "The key of the checkpoints of the event log is missing from the table secrets, so they"
            " prove nothing. Restore the tables secrets and event_checkpoints from a backup."
        )


async def take(database: Statements, keyring: Keyring) -> Checkpoint | None:
    """Takes checkpoints until they cover all events that have a position.

    Returns the last one; None without events. Concurrent processes are safe: a checkpoint number
    is stored once. Raises TamperedLogError rather than continuing checkpoints that were changed,
    and CheckpointKeyError, EncryptionKeyError.
    """
    before, has_made = await _trusted_last(database, keyring), False
    while True:
        # Read first: an event with a later position got it after this time (`reached_end`).
        taken_at = datetime.now(UTC)
        after = before.last_position
        until = min(await last_position(database), after + _MOST_EVENTS)
        if until <= after:
            break
        async with database.transaction() as transaction:
            if before is NO_CHECKPOINT:
                await _make_key(transaction, keyring)
            key = await key_of(transaction, keyring)
            events = await read_covered(transaction, after=after, until=until)
            digests = b"".join(await by_turns(events, digest_of))
            number = before.number + 1
            mac = _mac(key, number, until, taken_at, digests, before.mac)
            checkpoint = Checkpoint(number, until, taken_at, digests, mac)
            added = await add_checkpoint(transaction, checkpoint)
        before = checkpoint if added else await _trusted_last(database, keyring)
        has_made |= added
    if before is NO_CHECKPOINT:
        return None
    if has_made:
        _log.info(
            "checkpoint",
            number=before.number,
            mac=before.mac.hex(),
            last_position=before.last_position,
        )
    return before


async def _trusted_last(database: Statements, keyring: Keyring) -> Checkpoint:
    """The last checkpoint. TamperedLogError if it was changed, or if all were removed.

    The key is written with the first checkpoint, so a key that was read first proves that there is
    one.
    """
    is_begun = await has_key(database)
    last = await last_checkpoint(database)
    if last is None:
        if is_begun:
            raise TamperedLogError("All checkpoints of the event log are gone.")
        return NO_CHECKPOINT
    previous = await get_checkpoint(database, last.number - 1) or NO_CHECKPOINT
    if not is_authentic(await key_of(database, keyring), last, previous):
        raise TamperedLogError(f"Checkpoint {last.number}, or the one before it, was changed.")
    return last


def reached_end(checkpoint: Checkpoint) -> bool:
    """Whether no further event had a position when the checkpoint was taken.

    A full checkpoint may have been followed by others at once.
    """
    return len(checkpoint.digests) < _MOST_EVENTS * _DIGEST_BYTES


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


async def has_key(database: Statements) -> bool:
    """Whether the key of checkpoints exists, and so at least one checkpoint was taken."""
    return await stored_secrets.get(database, **_KEY) is not None


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

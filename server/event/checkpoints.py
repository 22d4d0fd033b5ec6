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
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from server.crypto import stored_secrets
from server.crypto.keyring import Keyring
from server.event.archive_records import Coverage
from server.store.database import Row, Statements
from server.store.event_archives import list_archives
from server.store.event_checkpoints import (
    Checkpoint,
    add_checkpoint,
    last_checkpoint,
    list_checkpoints,
    list_out_of_order,
    list_without_position,
    read_covered,
)
from server.store.positions import last_position
from server.values.errors import OperatorError

# The time between checkpoints of new events.
INTERVAL_SECONDS: Final = 600

# Maximum number of events in one checkpoint.
_MOST_EVENTS: Final = 1000
_DIGEST_BYTES: Final = 32
_CHECKPOINTS_READ: Final = 20
# Maximum number of reported events, of those that no checkpoint covers.
_MOST_NAMED: Final = 100

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


async def verify(
    database: Statements, keyring: Keyring, *, expected: tuple[int, str] | None = None
) -> AsyncIterator[str]:
    """Yields a sentence for each problem of the log: an event, or a range of events.

    `expected` is a checkpoint that was kept elsewhere: its number and MAC in hexadecimal digits.
    Reads some thousand events at a time. Raises CheckpointKeyError, EncryptionKeyError.
    """
    before = NO_CHECKPOINT
    key = await key_of(database, keyring)
    archived = Coverage(key, await list_archives(database))
    while found := await list_checkpoints(database, after=before.number, limit=_CHECKPOINTS_READ):
        for each in found:
            async for problem in _verify_one(database, key, each, before, archived):
                yield problem
            if expected and expected[0] == each.number and expected[1] != each.mac.hex():
                yield f"Checkpoint {each.number} is not the one that was kept elsewhere."
            before = each
    if expected and expected[0] > before.number:
        yield (
            f"Checkpoint {expected[0]} is missing: the log was cut off after checkpoint"
            f" {before.number}, or an older backup was restored."
        )
    for problem in archived.problems():
        yield problem
    for row in await list_without_position(database, limit=_MOST_NAMED):
        yield f"{_named(row)} has no position: it was inserted past the triggers."
    for row in await list_out_of_order(database, limit=_MOST_NAMED):
        yield (
            f"Position {row['position']}: event {row['sequence']} of {row['aggregate_id']} came"
            " after a later one: it was inserted."
        )


async def _verify_one(
    database: Statements,
    key: bytes,
    checkpoint: Checkpoint,
    before: Checkpoint,
    archived: Coverage,
) -> AsyncIterator[str]:
    number, after, until = checkpoint.number, before.last_position, checkpoint.last_position
    if number != before.number + 1:
        yield f"The checkpoints {before.number + 1} to {number - 1} are missing."
    if not is_authentic(key, checkpoint, before):
        yield (
            f"Checkpoint {number} was changed, or the one before it: it proves nothing about the"
            f" positions {after + 1} to {until}."
        )
        return
    removed: list[int] = []
    for row, digest in await read_with_digests(database, checkpoint, after=after):
        if row["event_type"] is None:
            if not archived.has(row["position"], digest):
                removed.append(row["position"])
        elif digest_of(row) != digest:
            yield f"Position {row['position']}: {_named(row)} was changed or replaced."
    for first, last in _ranges(removed):
        places = f"Position {first}" if first == last else f"Positions {first} to {last}"
        yield f"{places}: removed. Checkpoint {number} of {checkpoint.taken_at} covers it."


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
    if encrypted is None:
        return False
    again = keyring.encrypt(keyring.decrypt(encrypted, context=_CONTEXT), context=_CONTEXT)
    return await stored_secrets.replace(database, **_KEY, encrypted=again)


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


def _ranges(positions: Sequence[int]) -> Iterable[tuple[int, int]]:
    """Groups ascending positions into ranges without gaps."""
    known = set(positions)
    starts = [each for each in positions if each - 1 not in known]
    ends = [each for each in positions if each + 1 not in known]
    return zip(starts, ends, strict=True)


def _named(row: Row) -> str:
    return f"{row['event_type']}, event {row['sequence']} of {row['aggregate_id']}"

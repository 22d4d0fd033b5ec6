"""Checkpoints of the log, by which `keystead audit verify` detects changes (decision 3).

A checkpoint contains the digests of its events and a message authentication code over itself and
the previous checkpoint (HMAC-SHA-256, RFC 2104). The keyring encrypts the key of that code, so
`keystead rotate-keys` leaves checkpoints unchanged.

A checkpoint is a row that is written once. It covers positions, which have no gaps and never change
(`positions`), so no event can join its range later.

The rule: write access to the database is not enough to make a checkpoint; it takes the keyring.
"""

import base64
import hashlib
import hmac
import json
import os
import struct
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import structlog

from server.crypto import stored_secrets
from server.crypto.keyring import Keyring
from server.log.event import by_turns
from server.log.partitions import sequence_at
from server.log.positions import last_position
from server.store.database import Row, Statements
from server.store.statement import statement
from server.values.errors import OperatorError

_log = structlog.get_logger("event_log")

# The time between checkpoints of new events.
INTERVAL_SECONDS: Final = 600

# Maximum number of events in one checkpoint. A greater one would make the full checkpoints of
# earlier releases look as if they had reached the end of the log.
_MOST_EVENTS: Final = 1000
_DIGEST_BYTES: Final = 32

_KEY: Final = {"aggregate_id": "event_checkpoints", "secret_id": "key"}
_CONTEXT: Final = b"keystead event checkpoints"
_HEADER: Final = struct.Struct(">QQq32s32s")
_NO_MAC: Final = bytes(32)
# The columns of an event that its digest covers.
FIELDS: Final = (
    *("position", "aggregate_id", "sequence", "aggregate_type", "event_type", "revision"),
    *("payload", "creator", "owner", "written_at"),
)

_COLUMNS = "number, last_position, taken_at, digests, mac"

# The latest checkpoint.
_LAST = statement(f"select {_COLUMNS} from event_checkpoints order by number desc limit 1")

# The checkpoint of a number.
_GET = statement(f"select {_COLUMNS} from event_checkpoints where number = :number")

# The checkpoints after a number.
_LIST = statement(f"""
select {_COLUMNS} from event_checkpoints where number > :after order by number limit :limit""")

# The last checkpoint that ends before the first event that is in the database.
_BEFORE_EVENTS = statement(f"""
select {_COLUMNS} from event_checkpoints
where last_position < (select coalesce(min(position), 1) from event_positions)
order by number desc limit 1""")

# Adds a checkpoint, unless another process has added one of the same number.
_ADD = statement(f"""
insert into event_checkpoints ({_COLUMNS})
values (:number, :last_position, :taken_at, :digests, :mac)
on conflict do nothing returning number""")

# The event of each position of a range, or nulls where it is gone. The limit makes the planner look
# up each event instead of scanning all events.
_COVERED = statement("""
select distinct on (position) position, place.aggregate_id, place.sequence,
    event.aggregate_type, event.event_type, event.revision, event.payload::text as payload,
    event.creator, event.owner,
    (extract(epoch from event.created_at) * 1000000)::bigint as written_at
from generate_series(:after::bigint + 1, :until::bigint) as position
left join event_positions as place using (position)
left join lateral (
    select * from events
    where events.aggregate_id = place.aggregate_id and events.sequence = place.sequence
    limit 1) as event on true
order by position""")

# The age of the oldest event that no checkpoint covers.
_UNCOVERED_FOR = statement("""
select clock_timestamp() - ('epoch'::timestamptz + sequence * interval '1 microsecond') as age
from event_positions
where position > coalesce(
    (select last_position from event_checkpoints order by number desc limit 1), 0)
order by position limit 1""")


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A row of the table."""

    number: int
    last_position: int
    taken_at: datetime
    digests: bytes
    mac: bytes


# Stands before the first checkpoint.
NO_CHECKPOINT: Final = Checkpoint(0, 0, datetime.min.replace(tzinfo=UTC), b"", _NO_MAC)


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
            events = await transaction.fetch(_COVERED, after=after, until=until)
            digests = b"".join(await by_turns(events, digest_of))
            number = before.number + 1
            mac = _mac(key, number, until, taken_at, digests, before.mac)
            checkpoint = Checkpoint(number, until, taken_at, digests, mac)
            added = await transaction.fetch_row(_ADD, **asdict(checkpoint)) is not None
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
    rows = await database.fetch(_COVERED, after=after, until=checkpoint.last_position)
    starts = range(0, len(checkpoint.digests), _DIGEST_BYTES)
    digests = (checkpoint.digests[start : start + _DIGEST_BYTES] for start in starts)
    return zip(rows, digests, strict=True)


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
    header = _HEADER.pack(
        number, until, sequence_at(taken_at), hashlib.sha256(digests).digest(), previous
    )
    return hmac.digest(key, header, "sha256")


def digest_of(row: Row | Mapping[str, Any]) -> bytes:
    """The digest of all columns of the event, as a JSON array."""
    values: list[Any] = [row[name] for name in FIELDS]
    return hashlib.sha256(json.dumps(values).encode()).digest()


async def last_checkpoint(database: Statements) -> Checkpoint | None:
    """The latest checkpoint. None: there is none yet."""
    row = await database.fetch_row(_LAST)
    return Checkpoint(**row) if row else None


async def get_checkpoint(database: Statements, number: int) -> Checkpoint | None:
    """The checkpoint with a number. None: there is none."""
    row = await database.fetch_row(_GET, number=number)
    return Checkpoint(**row) if row else None


async def list_checkpoints(database: Statements, *, after: int, limit: int) -> list[Checkpoint]:
    """The checkpoints after a number, in their order."""
    return [Checkpoint(**row) for row in await database.fetch(_LIST, after=after, limit=limit)]


async def checkpoint_before_events(database: Statements) -> Checkpoint:
    """The last checkpoint before all events that are in the database, or NO_CHECKPOINT."""
    row = await database.fetch_row(_BEFORE_EVENTS)
    return Checkpoint(**row) if row else NO_CHECKPOINT


async def uncovered_for(database: Statements) -> timedelta | None:
    """The age of the oldest event that no checkpoint covers. None: all events are covered."""
    row = await database.fetch_row(_UNCOVERED_FOR)
    return row["age"] if row else None

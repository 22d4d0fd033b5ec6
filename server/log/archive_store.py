"""The table `event_archives`: partitions of the log that were moved to files (decision 3).

A record has a message authentication code under the key of the checkpoints: write access to the
database is not enough to make removed events look archived.

The rule: the record of an archive is written by the transaction that removes its events. An archive
is restored exactly while its positions exist, so no record is changed for that.
"""

import hmac
import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from server.log.partitions import EPOCH, Partition
from server.store.database import Database, Row, Statements, Transaction
from server.store.rows import from_row
from server.store.statement import statement
from server.values.errors import Failure, Kind, OperatorError

_IS_RESTORED = """exists (
    select from event_positions as place where place.position = lower(archive.positions))"""

# All archives, oldest record first.
_LIST = statement(f"""
select number, first_sequence, until_sequence, event_count, digest, file_name, archived_at, mac,
    array(select lower(range) from unnest(positions) as range) as firsts,
    array(select upper(range) from unnest(positions) as range) as untils,
    {_IS_RESTORED} as is_restored
from event_archives as archive order by number""")

# The end of the archived part of the log.
_END = statement(f"""
select coalesce(max(upper(positions)) - 1, 0) as position, max(until_sequence) as until_sequence
from event_archives as archive where not {_IS_RESTORED}""")

# Records an archive. Its ranges of positions do not overlap.
_ADD = statement("""
insert into event_archives (number, first_sequence, until_sequence, event_count, positions, digest,
    file_name, archived_at, mac)
select :number, :first_sequence, :until_sequence, :event_count, range_agg(int8range(first, until)),
    :digest, :file_name, :archived_at, :mac
from unnest(:firsts::bigint[], :untils::bigint[]) as range (first, until)""")

# Deletes the positions of the archived events.
_REMOVE_POSITIONS = statement("""
delete from event_positions as place
using unnest(:firsts::bigint[], :untils::bigint[]) as range (first, until)
where place.position >= range.first and place.position < range.until""")

# Whether an event of a range of sequences has a position after another one, or waits for one.
_HAS_NEWER = statement("""
select exists (
        select from event_positions where position > :position
            and sequence >= coalesce(:first_sequence::bigint, -9223372036854775808)
            and sequence < :until_sequence)
    or exists (
        select from unpositioned_events
        where sequence >= coalesce(:first_sequence::bigint, -9223372036854775808)
            and sequence < :until_sequence) as has_newer""")

# Puts archived events, a JSON array, into the table of a partition that is not attached yet, and
# their positions back.
_RESTORE: Final = """
with event as (
    select * from json_to_recordset(:events::json) as event (position bigint, aggregate_id text,
        sequence bigint, aggregate_type text, event_type text, revision smallint, payload text,
        creator text, owner text, written_at bigint)),
positioned as (
    insert into event_positions (position, aggregate_id, sequence)
    select position, aggregate_id, sequence from event)
insert into {name} (aggregate_id, sequence, aggregate_type, event_type, revision, payload, creator,
    owner, created_at)
select aggregate_id, sequence, aggregate_type, event_type, revision, payload::jsonb, creator, owner,
    'epoch'::timestamptz + written_at * interval '1 microsecond'
from event"""

# No checkpoint begins like this (`checkpoints._HEADER`), so one cannot pass for an archive.
_DOMAIN = b"keystead event archive"

# Makes archiving and restoring wait until the transaction ends.
_HOLD = """
set local idle_in_transaction_session_timeout = 0;
lock table events in access share mode"""


@dataclass(frozen=True, slots=True)
class Archive:
    """A row of the table. `ranges` of positions are ascending, each to before its second number."""

    number: int
    partition: Partition
    event_count: int
    ranges: tuple[tuple[int, int], ...]
    digest: bytes
    file_name: str
    archived_at: datetime
    mac: bytes = b""
    is_restored: bool = False


class End(NamedTuple):
    """The end of the archived part of the log: its last position, and its time.

    All events after that position, and from that time on, are in the database. 0 and None: all are.
    """

    position: int
    until: datetime | None


class EventsArchivedError(OperatorError):
    """A command needs all events, and some are in archives."""

    def __init__(self, archives: Sequence[Archive]) -> None:
        files = " ".join(archive.file_name for archive in archives)
        super().__init__(
            "Events are in archives, and all are needed. In the directory of these files, run:"
            f" keystead archive restore {files}"
        )


def mac_of(key: bytes, archive: Archive) -> bytes:
    """The message authentication code of a record (HMAC-SHA-256, RFC 2104)."""
    values = (
        archive.number,
        archive.partition.first_sequence,
        archive.partition.until_sequence,
        archive.event_count,
        archive.ranges,
        archive.digest.hex(),
        archive.file_name,
        archive.archived_at.isoformat(),
    )
    return hmac.digest(key, _DOMAIN + json.dumps(values).encode(), "sha256")


def is_authentic_record(key: bytes, archive: Archive) -> bool:
    """Whether the record was made with the key."""
    return hmac.compare_digest(mac_of(key, archive), archive.mac)


async def list_archives(database: Statements) -> list[Archive]:
    """All archives, in the order in which they were made."""
    return [_archive(row) for row in await database.fetch(_LIST)]


def absent(archives: Sequence[Archive]) -> list[Archive]:
    """The archives whose events are in files only. Of a partition, the latest one."""
    latest = {each.partition: each for each in archives}
    return [each for each in latest.values() if not each.is_restored]


async def end_of_archives(database: Statements) -> End:
    """The end of the part of the log that is in archives only."""
    row = await database.fetch_one(_END)
    until = row["until_sequence"]
    return End(row["position"], EPOCH + timedelta(microseconds=until) if until else None)


@asynccontextmanager
async def without_archiving(database: Database) -> AsyncIterator[Transaction]:
    """A transaction during which no events are archived or restored. It may be idle for long."""
    async with database.transaction() as transaction:
        await transaction.script(_HOLD)
        yield transaction


def extend(ranges: list[tuple[int, int]], position: int) -> None:
    """Adds the next higher position to ascending ranges, each to before its second number."""
    if ranges and ranges[-1][1] == position:
        ranges[-1] = (ranges[-1][0], position + 1)
    else:
        ranges.append((position, position + 1))


async def require_all_events(database: Statements) -> None:
    """EventsArchivedError if events are in archives only."""
    if missing := absent(await list_archives(database)):
        raise EventsArchivedError(missing)


async def require_positions(database: Statements, after: int, *, cursor_offset: int) -> None:
    """`Failure` FAILED_PRECONDITION if an event after the position is in an archive only.

    The failure names cursors.
    """
    end = await end_of_archives(database)
    if after < end.position:
        first = cursor_offset + end.position
        raise Failure(
            Kind.FAILED_PRECONDITION,
            "EVENTS_ARCHIVED",
            f"Events after the cursor {cursor_offset + after} were archived. Begin at {first} or"
            " later, or ask an operator for the archived events.",
            metadata={"afterCursor": str(first)},
        )


async def lock(transaction: Transaction) -> None:
    """Makes other commands that archive wait until the transaction ends."""
    await transaction.script("lock table event_archives in share row exclusive mode")


async def add_archive(transaction: Transaction, archive: Archive) -> None:
    """Records an archive and removes the positions of its events."""
    firsts, untils = zip(*archive.ranges, strict=True)
    await transaction.fetch(
        _ADD,
        number=archive.number,
        first_sequence=archive.partition.first_sequence,
        until_sequence=archive.partition.until_sequence,
        event_count=archive.event_count,
        firsts=firsts,
        untils=untils,
        digest=archive.digest,
        file_name=archive.file_name,
        archived_at=archive.archived_at,
        mac=archive.mac,
    )
    await transaction.fetch(_REMOVE_POSITIONS, firsts=firsts, untils=untils)


async def has_newer(database: Statements, partition: Partition, *, position: int) -> bool:
    """Whether events were added to the partition after this position."""
    row = await database.fetch_one(
        _HAS_NEWER,
        position=position,
        first_sequence=partition.first_sequence,
        until_sequence=partition.until_sequence,
    )
    return bool(row["has_newer"])


async def restore_events(transaction: Transaction, partition: Partition, events: str) -> None:
    """Puts events, a JSON array, with their positions into the table of a detached partition."""
    await transaction.fetch(statement(_RESTORE.format(name=partition.name)), events=events)


def _archive(row: Row) -> Archive:
    ranges = tuple(zip(row["firsts"], row["untils"], strict=True))
    return from_row(Archive, row, partition=Partition.of(row), ranges=ranges)

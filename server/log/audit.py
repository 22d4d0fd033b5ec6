"""Reads the log for operators, also from the files of archives: `keystead audit`.

Partitions have disjoint ranges of sequences, so a full page needs no archive beyond it.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final, NamedTuple

from server.log import archives, lives
from server.log.archive_file import ArchivedEvent
from server.log.archive_store import Archive, absent, list_archives, without_archiving
from server.log.event import StoredEvent, by_turns
from server.log.lives import LogEnd
from server.log.partitions import EPOCH, Partition, sequence_at
from server.log.positions import Assigner, PositionedEvent, read_positions
from server.store.database import Database, Statements, Transaction
from server.store.statement import statement

# The wanted events. Its parameters are the fields of `Wanted`, and so is `Wanted.has`.
_WANTED: Final = """
select created_at, sequence, event_type, aggregate_type, aggregate_id, owner, creator, payload
from events
where (:aggregate_id::text is null or aggregate_id = :aggregate_id)
    and (:creator::text is null or creator = :creator)
    and (:types::text[] = '{}' or event_type = any(:types) or aggregate_type = any(:types))
    and (:since::timestamptz is null or created_at >= :since)
    and (:until::timestamptz is null or created_at < :until)
    and sequence < coalesce(:before::bigint, 9223372036854775807)
    and sequence > coalesce(:after::bigint, 0)"""

# A page of the wanted events, ordered by `sequence`. A sequence is unique only within its
# aggregate, so a page has all events of its last sequence: it never ends between two of them.
_LATEST = statement(f"{_WANTED} order by sequence desc fetch first :limit rows with ties")
_EARLIEST = statement(f"{_WANTED} order by sequence fetch first :limit rows with ties")

# The maximum number of positions that one look at the log covers.
_LOOK: Final = 5_000
# The time limit of a look: on a dead connection it would never end.
_PATIENCE_SECONDS = 30


@dataclass(frozen=True, slots=True)
class Wanted:
    """Conditions on events. All events meet a condition that is None, and empty `types`.

    `types` are of events or of aggregates. `since` (inclusive) and `until` (exclusive) are compared
    with the time of writing, `before` and `after` (both exclusive) with the sequence.
    """

    aggregate_id: str | None = None
    creator: str | None = None
    types: tuple[str, ...] = ()
    since: datetime | None = None
    until: datetime | None = None
    before: int | None = None
    after: int | None = None

    def has(self, event: StoredEvent) -> bool:
        """Whether the event meets all conditions."""
        types = {event.event_type, event.aggregate_type}
        return (
            self.aggregate_id in (None, event.aggregate_id)
            and self.creator in (None, event.creator)
            and (not self.types or not types.isdisjoint(self.types))
            and (self.since is None or event.created_at >= self.since)
            and (self.until is None or event.created_at < self.until)
            and (self.before is None or event.sequence < self.before)
            and (self.after is None or event.sequence > self.after)
        )

    def may_be_in(self, partition: Partition) -> bool:
        """Whether events with a wanted sequence and time can be in the partition."""
        since = max(sequence_at(self.since) if self.since else 0, (self.after or 0) + 1)
        ends = [self.before, sequence_at(self.until) if self.until else None]
        until = min((end for end in ends if end is not None), default=None)
        is_early_enough = until is None or (partition.first_sequence or 0) < until
        return partition.until_sequence > since and is_early_enough


class AuditPage(NamedTuple):
    """Wanted events, and the archives that were not found and may have others of the page."""

    events: list[StoredEvent]
    unread: list[Archive]


async def read_page(
    database: Database, wanted: Wanted, *, limit: int, directories: Sequence[Path]
) -> AuditPage:
    """As `read_events`, with the events of the archives in the directories. ArchiveFileError."""
    async with without_archiving(database) as transaction:
        return await _read_page(transaction, wanted, limit=limit, directories=directories)


async def read_events(database: Statements, wanted: Wanted, *, limit: int) -> list[StoredEvent]:
    """The latest wanted events, or with `after` the earliest ones, oldest first.

    A few more than `limit` if several events have the last sequence.
    """
    page = _LATEST if wanted.after is None else _EARLIEST
    rows = await database.fetch(page, **asdict(wanted), limit=limit)
    return sorted(await by_turns(rows, StoredEvent.of), key=_key)


async def _read_page(
    transaction: Transaction, wanted: Wanted, *, limit: int, directories: Sequence[Path]
) -> AuditPage:
    events, unread = await read_events(transaction, wanted, limit=limit), list[Archive]()
    for archive in _in_order(absent(await list_archives(transaction)), wanted):
        if not wanted.may_be_in(archive.partition) or (
            len(events) >= limit and _is_beyond(archive.partition, events, wanted)
        ):
            continue
        path = archives.find(archive, directories)
        if path is None:
            unread.append(archive)
            continue
        for some in archives.read(path, archive):
            found = filter(wanted.has, map(_stored, some))
            events = _cut([*events, *found], wanted, limit=limit)
    return AuditPage(events, unread)


def _stored(archived: ArchivedEvent) -> StoredEvent:
    created_at = EPOCH + timedelta(microseconds=archived["written_at"])
    return StoredEvent.of({**archived, "created_at": created_at})


def _cut(events: Sequence[StoredEvent], wanted: Wanted, *, limit: int) -> list[StoredEvent]:
    """The events that `read_events` would give if the database had no others."""
    ordered = sorted(events, key=_key)
    if len(ordered) <= limit:
        return ordered
    if wanted.after is None:
        first = ordered[-limit].sequence
        return [event for event in ordered if event.sequence >= first]
    last = ordered[limit - 1].sequence
    return [event for event in ordered if event.sequence <= last]


def _in_order(absent_archives: Sequence[Archive], wanted: Wanted) -> list[Archive]:
    """Those first whose events come first on a page."""
    return sorted(
        absent_archives,
        key=lambda archive: archive.partition.until_sequence,
        reverse=wanted.after is None,
    )


def _is_beyond(partition: Partition, events: Sequence[StoredEvent], wanted: Wanted) -> bool:
    """Whether all events of the partition come after the last one of the page."""
    if wanted.after is None:
        return partition.until_sequence <= events[0].sequence
    return (partition.first_sequence or 0) > events[-1].sequence


class Follower:
    """Reads the existing events of the log, then the added ones, each event once.

    Added events come in the order of positions. After an error `added` may be called again: it
    finds the events written meanwhile.
    """

    def __init__(self, database: Statements, wanted: Wanted) -> None:
        self._database = database
        self._wanted = wanted
        self._assigner = Assigner(database)
        self._end = LogEnd(0, 0)
        self._existing: frozenset[tuple[int, str]] = frozenset()

    async def existing(self, *, limit: int) -> list[StoredEvent]:
        """The latest events that are wanted, oldest first."""
        self._end = await self._assigner.end()
        events = await read_events(self._database, self._wanted, limit=limit)
        # Those that were committed in between get their positions later.
        self._existing = frozenset(map(_key, events))
        return events

    async def added(self) -> list[PositionedEvent]:
        """The wanted events that got a position since the last look.

        `Failure`, or TimeoutError if the database does not answer at all.
        """
        async with asyncio.timeout(_PATIENCE_SECONDS):
            end = await self._assigner.end()
            after = min(self._end.position, end.position)
            # Lower than before after a failover to a standby that was behind.
            if end.cursor_offset != self._end.cursor_offset:
                after = (await lives.look(self._database)).kept_of(self._end)
            until = min(after + _LOOK, end.position)
            events = await read_positions(self._database, after=after, until=until, types=())
        self._end = end._replace(position=until)
        wanted = filter(self._wanted.has, events)
        return [event for event in wanted if _key(event) not in self._existing]


def _key(event: StoredEvent) -> tuple[int, str]:
    return event.sequence, event.aggregate_id

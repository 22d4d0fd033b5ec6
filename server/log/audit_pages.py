"""Pages of the log with archived events: `keystead audit --archives`.

Partitions have disjoint ranges of sequences, so a full page needs no archive beyond it.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from server.log import archives
from server.log.archive_store import Archive, absent, list_archives, without_archiving
from server.log.audit import LoggedEvent, Wanted, archived_events, page_of, read_events
from server.log.partitions import Partition, sequence_at
from server.store.database import Database, Transaction


class AuditPage(NamedTuple):
    """Wanted events, and the archives that were not found and may have others of the page."""

    events: list[LoggedEvent]
    unread: list[Archive]


async def read_page(
    database: Database, wanted: Wanted, *, limit: int, directories: Sequence[Path]
) -> AuditPage:
    """As `read_events`, with the events of the archives in the directories. ArchiveFileError."""
    async with without_archiving(database) as transaction:
        return await _read_page(transaction, wanted, limit=limit, directories=directories)


async def _read_page(
    transaction: Transaction, wanted: Wanted, *, limit: int, directories: Sequence[Path]
) -> AuditPage:
    events, unread = await read_events(transaction, wanted, limit=limit), list[Archive]()
    for archive in _in_order(absent(await list_archives(transaction)), wanted):
        if not _may_have(archive.partition, wanted) or (
            len(events) >= limit and _is_beyond(archive.partition, events, wanted)
        ):
            continue
        path = archives.find(archive, directories)
        if path is None:
            unread.append(archive)
            continue
        for some in archives.read(path, archive):
            found = await archived_events(transaction, wanted, events=json.dumps(some))
            events = page_of([*events, *found], wanted, limit=limit)
    return AuditPage(events, unread)


def _in_order(absent_archives: Sequence[Archive], wanted: Wanted) -> list[Archive]:
    """Those first whose events come first on a page."""
    return sorted(
        absent_archives,
        key=lambda archive: archive.partition.until_sequence,
        reverse=wanted.after is None,
    )


def _may_have(partition: Partition, wanted: Wanted) -> bool:
    """Whether events with a wanted sequence and time can be in the partition."""
    since = max(sequence_at(wanted.since) if wanted.since else 0, (wanted.after or 0) + 1)
    ends = [wanted.before, sequence_at(wanted.until) if wanted.until else None]
    until = min((end for end in ends if end is not None), default=None)
    is_early_enough = until is None or (partition.first_sequence or 0) < until
    return partition.until_sequence > since and is_early_enough


def _is_beyond(partition: Partition, events: Sequence[LoggedEvent], wanted: Wanted) -> bool:
    """Whether all events of the partition come after the last one of the page."""
    if wanted.after is None:
        return partition.until_sequence <= int(events[0]["sequence"])
    return (partition.first_sequence or 0) > int(events[-1]["sequence"])

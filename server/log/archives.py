"""Moves old partitions of the log to files, and back (decision 3).

The rule: no event leaves the database before its file is complete and durable, and before it was
compared with the checkpoints. Its removal and the record of the archive are one transaction.
"""

import asyncio
import hashlib
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Final

from server.crypto.keyring import Keyring
from server.log import archive_file, archive_store, checkpoints, partitions
from server.log.archive_file import ArchivedEvent, ArchiveFileError
from server.log.archive_store import Archive, absent, extend, is_authentic_record, mac_of
from server.log.checkpoints import checkpoint_before_events, last_checkpoint, list_checkpoints
from server.log.partitions import Partition
from server.log.positions import last_position
from server.store.database import Database, Row, Statements, Transaction
from server.store.migrate import SHORT_WAIT
from server.values.counted import counted
from server.values.errors import Failure, Kind, OperatorError
from server.values.progress import Progress, Tell, tell_nobody

# The number of attempts to detach a partition, and the pause between two.
_ATTEMPTS: Final = 30
_PAUSE_SECONDS: Final = 1.0


class ArchiveError(OperatorError):
    """A partition cannot be archived or restored now; the message has the reason."""


async def to_archive(database: Statements, *, before: datetime) -> list[Partition]:
    """The partitions with events whose months ended before a time. Oldest first."""
    end = partitions.sequence_at(min(before, datetime.now(UTC)))
    return [
        partition
        for partition in await partitions.list_partitions(database)
        if partition.until_sequence <= end and await partitions.count_events(database, partition)
    ]


async def archive(
    database: Database,
    keyring: Keyring,
    partition: Partition,
    directory: Path,
    *,
    tell: Tell = tell_nobody,
) -> Archive:
    """Moves the events of a partition to a file in the directory.

    Reads a thousand events at a time. If it is killed, either nothing has changed in the database,
    or all is done; the file may exist in both cases, and is used by the next attempt. Raises
    ArchiveError, ArchiveFileError, CheckpointKeyError, EncryptionKeyError.
    """
    if await last_checkpoint(database) is None:
        raise ArchiveError("There is no checkpoint yet. Run: keystead audit checkpoint")
    key = await checkpoints.key_of(database, keyring)
    position = await last_position(database)
    count = await partitions.count_events(database, partition)
    if not count:
        raise _archived_meanwhile(partition)
    digest, ranges = hashlib.sha256(), list[tuple[int, int]]()
    path = directory / _file_name(partition)
    progress = Progress(f"Archiving {partition.name}", total=count)
    with archive_file.written(path) as file:
        async for event, digest_of_event in _intact(database, key, partition, count=count):
            file.add(event)
            digest.update(digest_of_event)
            extend(ranges, event["position"])
            progress = progress._replace(done=progress.done + 1)
            tell(progress)
    made = Archive(
        number=0,
        partition=partition,
        event_count=sum(until - first for first, until in ranges),
        ranges=tuple(ranges),
        digest=digest.digest(),
        file_name=path.name,
        archived_at=datetime.now(UTC),
    )
    return await _remove(database, key, made, position)


async def _remove(database: Database, key: bytes, made: Archive, position: int) -> Archive:
    """Records an archive and removes its events, unless one was added after the position.

    Returns the archive with its number.
    """
    partition = made.partition
    async with database.transaction() as transaction:
        await archive_store.lock(transaction)
        if await partitions.count_events(transaction, partition) < made.event_count:
            raise _archived_meanwhile(partition)
        number = len(await archive_store.list_archives(transaction)) + 1
        made = replace(made, number=number)
        made = replace(made, mac=mac_of(key, made))
        await archive_store.add_archive(transaction, made)
        await _wait_for_readers(transaction, partial(partitions.detach, partition=partition))
        if await archive_store.has_newer(transaction, partition, position=position):
            raise ArchiveError(
                f"An event was added to {partition.name} meanwhile: the clock of the database was"
                " set back. Run the command again."
            )
        await partitions.drop_table(transaction, partition)
    return made


def find(archive: Archive, directories: Sequence[Path]) -> Path | None:
    """The file of an archive, in the first of the directories that has one."""
    paths = (directory / archive.file_name for directory in directories)
    return next(filter(Path.is_file, paths), None)


def read(path: Path, archive: Archive) -> Iterator[Sequence[ArchivedEvent]]:
    """The events of an archive in the order of positions, some at a time.

    ArchiveFileError, at the end if not before, unless the file has the events of the record.
    """
    digest = hashlib.sha256()
    for events in archive_file.read(path):
        _update(digest, events)
        yield events
    if digest.digest() != archive.digest:
        raise ArchiveFileError(other_events(path, archive))


def other_events(path: Path | None, archive: Archive) -> str:
    """The problem of a file with events other than those of the archive."""
    return (
        f"{path} does not have the events of archive {archive.number}. Use another copy of the"
        " file."
    )


async def verify(database: Statements, keyring: Keyring, path: Path) -> Archive:
    """The archive in a file. Raises ArchiveFileError if it is not one of this database.

    `verification.Verification` compares its record with the checkpoints.
    """
    digest = hashlib.sha256()
    for events in archive_file.read(path):
        _update(digest, events)
    return await _recorded(database, keyring, digest.digest(), path)


async def restore(
    database: Database, path: Path, archive: Archive, *, tell: Tell = tell_nobody
) -> bool:
    """Puts the events of an archive back. False: they are in the database already.

    Raises ArchiveError, ArchiveFileError.
    """
    partition = archive.partition
    missing = absent(await archive_store.list_archives(database))
    if partition not in {each.partition for each in missing}:
        return False
    async with database.transaction() as transaction:
        await partitions.create_table(transaction, partition)
        progress = Progress(f"Restoring {partition.name}", total=archive.event_count)
        for events in read(path, archive):
            await archive_store.restore_events(transaction, partition, json.dumps(events))
            progress = progress._replace(done=progress.done + len(events))
            tell(progress)
        if added := await partitions.count_events(transaction, partition):
            raise ArchiveError(
                f"{counted(added, 'event')} of the same months came since: the clock of the"
                " database was set back. Restore into a copy of the database that has none of them."
            )
        await _wait_for_readers(transaction, partial(partitions.attach, partition=partition))
    return True


async def _intact(
    database: Statements, key: bytes, partition: Partition, *, count: int
) -> AsyncIterator[tuple[Row, bytes]]:
    """The events of a partition with their digests, in the order of positions.

    ArchiveError unless all of them, `count`, are as the checkpoints say.
    """
    left = count
    before = await checkpoint_before_events(database)
    while left and (found := await list_checkpoints(database, after=before.number, limit=1)):
        [checkpoint] = found
        if not checkpoints.is_authentic(key, checkpoint, before):
            raise _not_intact()
        for event, digest in await checkpoints.read_with_digests(
            database, checkpoint, after=before.last_position
        ):
            if event["event_type"] is not None and partition.has(event["sequence"]):
                if checkpoints.digest_of(event) != digest:
                    raise _not_intact()
                yield event, digest
                left -= 1
        before = checkpoint
    if left:
        words = f"event of {partition.name} is", f"events of {partition.name} are"
        raise ArchiveError(
            f"{counted(left, *words)} in no checkpoint. Run: keystead audit checkpoint. If that"
            " does not help, run: keystead audit verify"
        )


async def _wait_for_readers(
    transaction: Transaction, change: Callable[[Transaction], Awaitable[None]]
) -> None:
    """Changes the partitions, once no other transaction reads the whole log.

    Each attempt makes other statements on the log wait for half a second at most.
    """
    for attempt in range(1, _ATTEMPTS + 1):
        await transaction.script(f"savepoint attempt; {SHORT_WAIT}")
        try:
            await change(transaction)
        except Failure as failure:
            if failure.kind is not Kind.ABORTED:
                raise
            await transaction.script("rollback to savepoint attempt")
            if attempt == _ATTEMPTS:
                raise ArchiveError(
                    "Another transaction reads the whole event log, such as a backup. Run the"
                    " command again once it has ended."
                ) from failure
            await asyncio.sleep(_PAUSE_SECONDS)
        else:
            return


async def _recorded(database: Statements, keyring: Keyring, digest: bytes, path: Path) -> Archive:
    """The latest authentic record with this digest."""
    key = await checkpoints.key_of(database, keyring)
    for archive in reversed(await archive_store.list_archives(database)):
        if archive.digest == digest and is_authentic_record(key, archive):
            return archive
    raise ArchiveFileError(
        f"{path} is not an archive of this database, or was changed. `keystead archive list`"
        " lists the archives."
    )


def _update(digest: "hashlib._Hash", events: Sequence[ArchivedEvent]) -> None:
    for event in events:
        digest.update(checkpoints.digest_of(event))


def _file_name(partition: Partition) -> str:
    return f"keystead-{partition.name.replace('_', '-')}.jsonl.gz"


def _archived_meanwhile(partition: Partition) -> ArchiveError:
    return ArchiveError(
        f"Another command has archived {partition.name} meanwhile. Run `keystead archive list` to"
        " find its file, and this command again for the other months."
    )


def _not_intact() -> ArchiveError:
    return ArchiveError(
        "The event log is not as its checkpoints say, so nothing is archived. Run: keystead audit"
        " verify"
    )

"""Verifies the whole log by its checkpoints: `keystead audit verify` (decision 3).

The rule: an event up to the last checkpoint counts as verified only if its digest, or that of the
archive which has it, was compared with the checkpoints in this run.
"""

import bisect
from collections.abc import AsyncIterator, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import chain
from pathlib import Path
from typing import Final

from server.crypto.keyring import Keyring
from server.log import archives, checkpoint_store
from server.log.archive_file import ArchivedEvent, ArchiveFileError
from server.log.archive_records import Coverage
from server.log.archive_store import Archive, list_archives
from server.log.checkpoint_file import Kept
from server.log.checkpoint_store import (
    Checkpoint,
    last_checkpoint,
    list_checkpoints,
)
from server.log.checkpoints import (
    NO_CHECKPOINT,
    digest_of,
    is_authentic,
    key_of,
    reached_end,
    read_with_digests,
)
from server.log.partitions import sequence_at
from server.store.database import Row, Statements
from server.values.progress import Progress, Tell, tell_nobody

_CHECKPOINTS_READ: Final = 20
# Maximum number of reported events, of those that no checkpoint covers.
_MOST_NAMED: Final = 100
# An honest event may be older than a checkpoint before its position by the time of its transaction,
# and by the difference of the clocks of server and database.
_MOST_DELAY: Final = timedelta(minutes=5)


@dataclass(frozen=True, slots=True)
class Part:
    """Events that are in one place: the database, or an archive. `ranges` are as in `Archive`.

    `path` is the file of an archive that was read. `verified` of the `events` are as the
    checkpoints say; a problem names the others, unless nothing was read.
    """

    events: int
    verified: int
    ranges: tuple[tuple[int, int], ...]
    archive: Archive | None = None
    path: Path | None = None

    @property
    def is_unread(self) -> bool:
        """Whether it is an archive without a file."""
        return self.archive is not None and self.path is None


@dataclass(slots=True)
class Verification:
    """A verification of the log, with the files of archives in `directories`.

    No events may be archived or restored meanwhile (`archive_store.without_archiving`).
    `expected` are checkpoints that were kept elsewhere. Up to the position `times_accepted_until`,
    events may be older than a checkpoint before them. Iterate over `problems` to the end; the other
    attributes are set then.
    """

    database: Statements
    keyring: Keyring
    expected: Collection[Kept] = ()
    directories: Sequence[Path] = ()
    times_accepted_until: int = 0
    tell: Tell = tell_nobody
    last: Checkpoint = NO_CHECKPOINT
    parts: list[Part] = field(default_factory=list)
    _in_database: int = 0
    # Positions, and the lowest sequence that the events after each may have; both ascend.
    _oldest: list[tuple[int, int]] = field(default_factory=lambda: [(0, 0)])

    async def problems(self) -> AsyncIterator[str]:
        """A sentence for each problem: an event, or a range of events.

        Reads some thousand events at a time. Raises CheckpointKeyError, EncryptionKeyError.
        """
        key = await key_of(self.database, self.keyring)
        archived = Coverage(key, await list_archives(self.database))
        async for problem in self._checkpoints(key, archived):
            yield problem
        for problem in archived.problems():
            yield problem
        for problem in self._files(archived):
            yield problem
        self._add_database(archived)
        self.tell(Progress("Looking for inserted events"))
        async for problem in self._inserted():
            yield problem

    async def _inserted(self) -> AsyncIterator[str]:
        """Events that no command writes, whether a checkpoint covers them or not."""
        for row in await self.database.fetch(checkpoint_store.REPEATED_EVENTS, limit=_MOST_NAMED):
            yield f"{row['copies']} rows for {_named(row)}: the others were inserted."
        for row in await self.database.fetch(
            checkpoint_store.REPEATED_POSITIONS, limit=_MOST_NAMED
        ):
            yield f"{row['copies']} rows for the position {row['position']}: others were inserted."
        after = max(self.last.last_position, self.times_accepted_until)
        _, oldest = self._oldest[-1]
        for row in await self.database.fetch(
            checkpoint_store.OLDER, after=after, oldest=oldest, limit=_MOST_NAMED
        ):
            yield _older(row)
        for row in await self.database.fetch(checkpoint_store.WITHOUT_POSITION, limit=_MOST_NAMED):
            yield f"{_named(row)} has no position: it was inserted past the triggers."
        for row in await self.database.fetch(checkpoint_store.OUT_OF_ORDER, limit=_MOST_NAMED):
            yield (
                f"Position {row['position']}: event {row['sequence']} of {row['aggregate_id']} came"
                " after a later one: it was inserted."
            )

    async def _checkpoints(self, key: bytes, archived: Coverage) -> AsyncIterator[str]:
        end, replaced = await last_checkpoint(self.database), list[int]()
        expected: dict[int, set[str]] = {}
        for kept in self.expected:
            expected.setdefault(kept.number, set()).add(kept.mac)
        progress = Progress("Comparing with checkpoints", total=end.last_position if end else 0)
        while found := await list_checkpoints(
            self.database, after=self.last.number, limit=_CHECKPOINTS_READ
        ):
            for each in found:
                async for problem in self._checkpoint(key, each, archived):
                    yield problem
                if expected.get(each.number, set()) - {each.mac.hex()}:
                    replaced.append(each.number)
                self.last = each
                self.tell(progress._replace(done=each.last_position))
        for first, last in _ranges(replaced):
            if first == last:
                yield f"Checkpoint {first} is not the one that was kept elsewhere."
            else:
                yield f"Checkpoints {first} to {last} are not those that were kept elsewhere."
        if end is None and not expected:
            yield "All checkpoints were removed: their key still exists."
        if (latest := max(expected, default=0)) > self.last.number:
            yield (
                f"Checkpoint {latest} is missing: the log was cut off after checkpoint"
                f" {self.last.number}, or an older backup was restored."
            )

    async def _checkpoint(
        self, key: bytes, checkpoint: Checkpoint, archived: Coverage
    ) -> AsyncIterator[str]:
        before = self.last
        number, after, until = checkpoint.number, before.last_position, checkpoint.last_position
        if number <= before.number:
            yield f"Checkpoint {number} is stored twice: one of the two was inserted."
        elif number != before.number + 1:
            yield f"The checkpoints {before.number + 1} to {number - 1} are missing."
        if not is_authentic(key, checkpoint, before):
            yield (
                f"Checkpoint {number} was changed, or the one before it: it proves nothing about"
                f" the positions {after + 1} to {until}."
            )
            return
        removed: list[int] = []
        _, oldest = self._oldest[-1]
        for row, digest in await read_with_digests(self.database, checkpoint, after=after):
            if row["event_type"] is None:
                if not archived.has(row["position"], digest):
                    removed.append(row["position"])
            elif digest_of(row) != digest:
                yield f"Position {row['position']}: {_named(row)} was changed or replaced."
            else:
                self._in_database += 1
                if problem := self._wrong_time(row, oldest):
                    yield problem
        if reached_end(checkpoint):
            since = sequence_at(checkpoint.taken_at - _MOST_DELAY)
            self._oldest.append((until, max(oldest, since)))
        for first, last in _ranges(removed):
            places = f"Position {first}" if first == last else f"Positions {first} to {last}"
            yield f"{places}: removed. Checkpoint {number} of {checkpoint.taken_at} covers it."

    def _files(self, archived: Coverage) -> Iterator[str]:
        """Reads the file of each archive whose record is as the checkpoints say."""
        for archive in archived.archives:
            path, verified = archives.find(archive, self.directories), 0
            if path and archived.is_proven(archive):
                wrong = list[str]()
                try:
                    verified = self._read(path, archive, wrong)
                except ArchiveFileError as error:
                    yield str(error)
                yield from wrong
            self.parts.append(Part(archive.event_count, verified, archive.ranges, archive, path))

    def _read(self, path: Path, archive: Archive, wrong: list[str]) -> int:
        """The number of the events of an archive, which are intact. ArchiveFileError.

        Adds problems of their times to `wrong`.
        """
        progress = Progress(f"Reading {path.name}", total=archive.event_count)
        for events in archives.read(path, archive):
            for event in events:
                place = bisect.bisect_left(self._oldest, (event["position"], 0)) - 1
                if problem := self._wrong_time(event, self._oldest[place][1]):
                    wrong.append(problem)
            progress = progress._replace(done=progress.done + len(events))
            self.tell(progress)
        return progress.done

    def _wrong_time(self, event: Row | ArchivedEvent, oldest: int) -> str:
        """The problem of an event whose time cannot be that of its position, or an empty text."""
        if event["written_at"] != event["sequence"]:
            return f"Position {event['position']}: the time of {_named(event)} is not its sequence."
        is_older = event["sequence"] < oldest and event["position"] > self.times_accepted_until
        return _older(event) if is_older else ""

    def _add_database(self, archived: Coverage) -> None:
        """Adds the part of the positions that are in no archive."""
        elsewhere = sorted(chain.from_iterable(each.ranges for each in archived.archives))
        ranges = tuple(_gaps(elsewhere, until=self.last.last_position + 1))
        events = sum(until - first for first, until in ranges)
        self.parts.append(Part(events, self._in_database, ranges))


def _gaps(ranges: Iterable[tuple[int, int]], *, until: int) -> Iterator[tuple[int, int]]:
    """The ranges of positions between ascending ones, from 1 to before `until`."""
    start = 1
    for first, end in [*ranges, (until, until)]:
        if start < first:
            yield start, first
        start = end


def _ranges(positions: Sequence[int]) -> Iterable[tuple[int, int]]:
    """Groups ascending positions into ranges without gaps."""
    known = set(positions)
    starts = [each for each in positions if each - 1 not in known]
    ends = [each for each in positions if each + 1 not in known]
    return zip(starts, ends, strict=True)


def _older(event: Row | ArchivedEvent) -> str:
    return (
        f"Position {event['position']}: {_named(event)} is older than a checkpoint before it: it"
        " was inserted later, or the clock of the database was set back."
    )


def _named(row: Row | ArchivedEvent) -> str:
    return f"{row['event_type']}, event {row['sequence']} of {row['aggregate_id']}"

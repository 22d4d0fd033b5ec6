"""Verifies the whole log by its checkpoints: `keystead audit verify` (decisions 35 and 59).

The rule: an event up to the last checkpoint counts as verified only if its digest, or that of the
archive which has it, was compared with the checkpoints in this run.
"""

from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Final

from server.crypto.keyring import Keyring
from server.event import archives
from server.event.archive_file import ArchiveFileError
from server.event.archive_records import Coverage
from server.event.checkpoints import (
    NO_CHECKPOINT,
    digest_of,
    is_authentic,
    key_of,
    read_with_digests,
)
from server.store.database import Row, Statements
from server.store.log.event_archives import Archive, list_archives
from server.store.log.event_checkpoints import (
    Checkpoint,
    last_checkpoint,
    list_checkpoints,
    list_out_of_order,
    list_without_position,
)
from server.values.progress import Progress, Tell, tell_nobody

_CHECKPOINTS_READ: Final = 20
# Maximum number of reported events, of those that no checkpoint covers.
_MOST_NAMED: Final = 100


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

    No events may be archived or restored meanwhile (`event_archives.without_archiving`).
    `expected` is a checkpoint that was kept elsewhere: its number and MAC in hexadecimal digits.
    Iterate over `problems` to the end; the other attributes are set then.
    """

    database: Statements
    keyring: Keyring
    expected: tuple[int, str] | None = None
    directories: Sequence[Path] = ()
    tell: Tell = tell_nobody
    last: Checkpoint = NO_CHECKPOINT
    parts: list[Part] = field(default_factory=list)
    _in_database: int = 0

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
        for row in await list_without_position(self.database, limit=_MOST_NAMED):
            yield f"{_named(row)} has no position: it was inserted past the triggers."
        for row in await list_out_of_order(self.database, limit=_MOST_NAMED):
            yield (
                f"Position {row['position']}: event {row['sequence']} of {row['aggregate_id']} came"
                " after a later one: it was inserted."
            )

    async def _checkpoints(self, key: bytes, archived: Coverage) -> AsyncIterator[str]:
        expected, end = self.expected, await last_checkpoint(self.database)
        progress = Progress("Comparing with checkpoints", total=end.last_position if end else 0)
        while found := await list_checkpoints(
            self.database, after=self.last.number, limit=_CHECKPOINTS_READ
        ):
            for each in found:
                async for problem in self._checkpoint(key, each, archived):
                    yield problem
                if expected and expected[0] == each.number and expected[1] != each.mac.hex():
                    yield f"Checkpoint {each.number} is not the one that was kept elsewhere."
                self.last = each
                self.tell(progress._replace(done=each.last_position))
        if expected and expected[0] > self.last.number:
            yield (
                f"Checkpoint {expected[0]} is missing: the log was cut off after checkpoint"
                f" {self.last.number}, or an older backup was restored."
            )

    async def _checkpoint(
        self, key: bytes, checkpoint: Checkpoint, archived: Coverage
    ) -> AsyncIterator[str]:
        before = self.last
        number, after, until = checkpoint.number, before.last_position, checkpoint.last_position
        if number != before.number + 1:
            yield f"The checkpoints {before.number + 1} to {number - 1} are missing."
        if not is_authentic(key, checkpoint, before):
            yield (
                f"Checkpoint {number} was changed, or the one before it: it proves nothing about"
                f" the positions {after + 1} to {until}."
            )
            return
        removed: list[int] = []
        for row, digest in await read_with_digests(self.database, checkpoint, after=after):
            if row["event_type"] is None:
                if not archived.has(row["position"], digest):
                    removed.append(row["position"])
            elif digest_of(row) != digest:
                yield f"Position {row['position']}: {_named(row)} was changed or replaced."
            else:
                self._in_database += 1
        for first, last in _ranges(removed):
            places = f"Position {first}" if first == last else f"Positions {first} to {last}"
            yield f"{places}: removed. Checkpoint {number} of {checkpoint.taken_at} covers it."

    def _files(self, archived: Coverage) -> Iterator[str]:
        """Reads the file of each archive whose record is as the checkpoints say."""
        for archive in archived.archives:
            path, verified = archives.find(archive, self.directories), 0
            if path and archived.is_proven(archive):
                try:
                    verified = self._read(path, archive)
                except ArchiveFileError as error:
                    yield str(error)
            self.parts.append(Part(archive.event_count, verified, archive.ranges, archive, path))

    def _read(self, path: Path, archive: Archive) -> int:
        """The number of the events of an archive, which are intact. ArchiveFileError."""
        progress = Progress(f"Reading {path.name}", total=archive.event_count)
        for events in archives.read(path, archive):
            progress = progress._replace(done=progress.done + len(events))
            self.tell(progress)
        return progress.done

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


def _named(row: Row) -> str:
    return f"{row['event_type']}, event {row['sequence']} of {row['aggregate_id']}"

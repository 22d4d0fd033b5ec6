"""Verifies the whole log by its checkpoints: `keystead audit verify` (decision 3).

The files of archives are read beside the checkpoints, each event when its digest comes.

The rule: an event up to the last checkpoint counts as verified only if its digest was compared with
the checkpoints in this run.
"""

import bisect
from collections.abc import AsyncIterator, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import chain
from pathlib import Path
from typing import Final

from server.crypto.keyring import Keyring
from server.log import archives
from server.log.archive_file import ArchivedEvent, ArchiveFileError
from server.log.archive_store import Archive, absent, extend, is_authentic_record, list_archives
from server.log.checkpoints import (
    NO_CHECKPOINT,
    Checkpoint,
    digest_of,
    is_authentic,
    key_of,
    last_checkpoint,
    list_checkpoints,
    reached_end,
    read_with_digests,
)
from server.log.partitions import sequence_at
from server.log.witness import Kept
from server.store.database import Row, Statements
from server.store.statement import statement
from server.values.progress import Progress, Tell, tell_nobody

# Events without a position that do not wait for one: the trigger that queues them did not run.
_WITHOUT_POSITION: Final = statement("""
select aggregate_id, sequence, event_type from events
where not exists (
        select from event_positions as place
        where place.aggregate_id = events.aggregate_id and place.sequence = events.sequence)
    and not exists (
        select from unpositioned_events as waiting
        where waiting.aggregate_id = events.aggregate_id and waiting.sequence = events.sequence)
order by aggregate_id, sequence limit :limit""")

# Events positioned after a later event of their aggregate. No command writes such an event.
_OUT_OF_ORDER: Final = statement("""
select position, aggregate_id, sequence from (
    select position, aggregate_id, sequence,
        max(sequence) over (partition by aggregate_id order by position
            rows between unbounded preceding and 1 preceding) as earlier
    from event_positions) as places
where sequence <= earlier
order by position limit :limit""")

# Keys of several events. Only without the primary key can there be any.
_REPEATED_EVENTS: Final = statement("""
select aggregate_id, sequence, min(event_type) as event_type, count(*) as copies from events
group by aggregate_id, sequence having count(*) > 1
order by aggregate_id, sequence limit :limit""")

# Positions of several events. Only without the primary key can there be any.
_REPEATED_POSITIONS: Final = statement("""
select position, count(*) as copies from event_positions
group by position having count(*) > 1
order by position limit :limit""")

# Events after a position whose sequence is less than `:oldest`.
_OLDER: Final = statement("""
select place.position, place.aggregate_id, place.sequence, event.event_type
from event_positions as place
join lateral (
    select event_type from events
    where events.aggregate_id = place.aggregate_id and events.sequence = place.sequence
    limit 1) as event on true
where place.position > :after and place.sequence < :oldest
order by place.position limit :limit""")

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


class _Archived:
    """The events of an archive, whose record is authentic, and its file if it was found."""

    def __init__(self, archive: Archive, path: Path | None) -> None:
        self.archive = archive
        self.path = path
        self.problem = ""
        self._verified = 0
        self._events = chain.from_iterable(archives.read(path, archive)) if path else iter(())

    @property
    def part(self) -> Part:
        """The result, once `end` was called."""
        verified = 0 if self.problem else self._verified
        return Part(
            self.archive.event_count, verified, self.archive.ranges, self.archive, self.path
        )

    def read(self, position: int, digest: bytes) -> ArchivedEvent | None:
        """The event at a position, if it is in the file and as the checkpoint says.

        Positions come in ascending order.
        """
        event = self._next()
        while event and event["position"] < position:  # a changed checkpoint covers it
            event = self._next()
        if event and (event["position"] != position or digest_of(event) != digest):
            self.problem = archives.other_events(self.path, self.archive)
        if event is None or self.problem:
            return None
        self._verified += 1
        return event

    def found_in_database(self, position: int) -> None:
        """Notes that the database has an event, so the archive is restored, but not whole."""
        self.problem = self.problem or (
            f"Position {position} is in the database, and other events of the restored archive"
            f" {self.archive.number} are not: they were removed."
        )

    def end(self) -> None:
        """Reads to the end of the file."""
        while self._next():
            pass

    def _next(self) -> ArchivedEvent | None:
        if self.problem:
            return None
        try:
            return next(self._events, None)
        except ArchiveFileError as error:
            self.problem = str(error)
            return None


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
    # The lowest sequence that the events after the last checkpoint may have.
    _oldest: int = 0
    # The archives, and their ranges of positions, ascending, each with the place of its archive.
    _archived: list[_Archived] = field(default_factory=list)
    _ranges: list[tuple[int, int, int]] = field(default_factory=list)

    async def problems(self) -> AsyncIterator[str]:
        """A sentence for each problem: an event, or a range of events.

        Reads some thousand events at a time. Raises CheckpointKeyError, EncryptionKeyError.
        """
        key = await key_of(self.database, self.keyring)
        for problem in await self._find_archives(key):
            yield problem
        async for problem in self._checkpoints(key):
            yield problem
        for each in self._archived:
            each.end()
            if each.problem:
                yield each.problem
            self.parts.append(each.part)
        self._add_database()
        self.tell(Progress("Looking for inserted events"))
        async for problem in self._inserted():
            yield problem

    async def _find_archives(self, key: bytes) -> list[str]:
        """Finds the archives with absent events, and gives a sentence for each forged record."""
        recorded, authentic, problems = await list_archives(self.database), [], []
        for each in recorded:
            if is_authentic_record(key, each):
                authentic.append(each)
            else:
                problems.append(
                    f"The record of the archive {each.number} ({each.file_name}) was changed or"
                    " inserted: it proves nothing."
                )
        self._archived = [
            _Archived(each, archives.find(each, self.directories)) for each in absent(authentic)
        ]
        self._ranges = sorted(
            (first, until, place)
            for place, each in enumerate(self._archived)
            for first, until in each.archive.ranges
        )
        return problems

    def _archived_at(self, position: int) -> _Archived | None:
        """The archive with the event of a position."""
        place = bisect.bisect_right(self._ranges, (position, 2**63, 0)) - 1
        if place < 0 or position >= self._ranges[place][1]:
            return None
        return self._archived[self._ranges[place][2]]

    async def _inserted(self) -> AsyncIterator[str]:
        """Events that no command writes, whether a checkpoint covers them or not."""
        for row in await self.database.fetch(_REPEATED_EVENTS, limit=_MOST_NAMED):
            yield f"{row['copies']} rows for {_named(row)}: the others were inserted."
        for row in await self.database.fetch(_REPEATED_POSITIONS, limit=_MOST_NAMED):
            yield f"{row['copies']} rows for the position {row['position']}: others were inserted."
        after = max(self.last.last_position, self.times_accepted_until)
        for row in await self.database.fetch(
            _OLDER, after=after, oldest=self._oldest, limit=_MOST_NAMED
        ):
            yield _older(row)
        for row in await self.database.fetch(_WITHOUT_POSITION, limit=_MOST_NAMED):
            yield f"{_named(row)} has no position: it was inserted past the triggers."
        for row in await self.database.fetch(_OUT_OF_ORDER, limit=_MOST_NAMED):
            yield (
                f"Position {row['position']}: event {row['sequence']} of {row['aggregate_id']} came"
                " after a later one: it was inserted."
            )

    async def _checkpoints(self, key: bytes) -> AsyncIterator[str]:
        end, replaced = await last_checkpoint(self.database), list[tuple[int, int]]()
        expected: dict[int, set[str]] = {}
        for kept in self.expected:
            expected.setdefault(kept.number, set()).add(kept.mac)
        progress = Progress("Comparing with checkpoints", total=end.last_position if end else 0)
        while found := await list_checkpoints(
            self.database, after=self.last.number, limit=_CHECKPOINTS_READ
        ):
            for each in found:
                async for problem in self._checkpoint(key, each):
                    yield problem
                if expected.get(each.number, set()) - {each.mac.hex()}:
                    extend(replaced, each.number)
                self.last = each
                self.tell(progress._replace(done=each.last_position))
        for first, until in replaced:
            if until == first + 1:
                yield f"Checkpoint {first} is not the one that was kept elsewhere."
            else:
                yield f"Checkpoints {first} to {until - 1} are not those that were kept elsewhere."
        if end is None and not expected:
            yield "All checkpoints were removed: their key still exists."
        if (latest := max(expected, default=0)) > self.last.number:
            yield (
                f"Checkpoint {latest} is missing: the log was cut off after checkpoint"
                f" {self.last.number}, or an older backup was restored."
            )

    async def _checkpoint(self, key: bytes, checkpoint: Checkpoint) -> AsyncIterator[str]:
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
        removed = list[tuple[int, int]]()
        for row, digest in await read_with_digests(self.database, checkpoint, after=after):
            archived = self._archived_at(row["position"])
            if row["event_type"] is not None:
                problem = self._in_place(row, digest)
                if archived:
                    archived.found_in_database(row["position"])
            elif archived:
                event = archived.read(row["position"], digest)
                problem = self._wrong_time(event) if event else ""
            else:
                extend(removed, row["position"])
                continue
            if problem:
                yield problem
        if reached_end(checkpoint):
            self._oldest = max(self._oldest, sequence_at(checkpoint.taken_at - _MOST_DELAY))
        for first, end in removed:
            places = f"Position {first}" if end == first + 1 else f"Positions {first} to {end - 1}"
            yield f"{places}: removed. Checkpoint {number} of {checkpoint.taken_at} covers it."

    def _in_place(self, row: Row, digest: bytes) -> str:
        """The problem of an event that is in the database, or an empty text."""
        if digest_of(row) != digest:
            return f"Position {row['position']}: {_named(row)} was changed or replaced."
        self._in_database += 1
        return self._wrong_time(row)

    def _wrong_time(self, event: Row | ArchivedEvent) -> str:
        """The problem of an event whose time cannot be that of its position, or an empty text."""
        if event["written_at"] != event["sequence"]:
            return f"Position {event['position']}: the time of {_named(event)} is not its sequence."
        is_accepted = event["position"] <= self.times_accepted_until
        return "" if event["sequence"] >= self._oldest or is_accepted else _older(event)

    def _add_database(self) -> None:
        """Adds the part of the positions that are in no archive."""
        elsewhere = [(first, until) for first, until, _ in self._ranges]
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


def _older(event: Row | ArchivedEvent) -> str:
    return (
        f"Position {event['position']}: {_named(event)} is older than a checkpoint before it: it"
        " was inserted later, or the clock of the database was set back."
    )


def _named(row: Row | ArchivedEvent) -> str:
    return f"{row['event_type']}, event {row['sequence']} of {row['aggregate_id']}"

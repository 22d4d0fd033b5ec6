"""Takes checkpoints, and notices when earlier ones are gone (decision 3).

A superuser of PostgreSQL can remove the last checkpoints and change the events that they covered.
The remaining checkpoints verify, and the next one would cover the changed log. So each process
remembers the last checkpoint that it saw, and a file, which PostgreSQL cannot change, has a line
for each: the columns of `keystead audit checkpoint`, separated by tabs, which are the number, the
MAC, the time and the last position.

The rule: no checkpoint is taken unless the last one that is known is still stored. Lines are only
appended, and `append` returns when its line is on disk.
"""

import asyncio
import os
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Final, NamedTuple

import structlog

from server.crypto.keyring import Keyring
from server.log import checkpoints
from server.log.checkpoints import Checkpoint, TamperedLogError, get_checkpoint
from server.store.database import Statements
from server.values.errors import OperatorError

_log = structlog.get_logger("event_log")

_LINE: Final = re.compile(r"([1-9][0-9]{0,17})[\t:]([0-9a-f]{64})(?:\t.*)?")
# More than a page of lines, among which the latest checkpoint is looked for.
_TAIL_BYTES: Final = 8192


class CheckpointFileError(OperatorError):
    """The file cannot be read or written; the message has the reason and a remedy."""


class Kept(NamedTuple):
    """A checkpoint that was kept outside of the database: its number, and its MAC in hex digits."""

    number: int
    mac: str

    @classmethod
    def of(cls, checkpoint: Checkpoint) -> "Kept":
        """What is kept of a checkpoint."""
        return cls(checkpoint.number, checkpoint.mac.hex())

    @classmethod
    def read(cls, line: str) -> "Kept | None":
        """The checkpoint of a line, or of NUMBER:MAC. None: the line is not one of a checkpoint."""
        found = _LINE.fullmatch(line)
        return cls(int(found[1]), found[2]) if found else None


def line_of(checkpoint: Checkpoint) -> str:
    """The line of a checkpoint, without its end."""
    columns = (
        *Kept.of(checkpoint),
        checkpoint.taken_at.isoformat(),
        checkpoint.last_position,
    )
    return "\t".join(map(str, columns))


def read(path: Path) -> list[Kept]:
    """All checkpoints of a file. A line that a crash cut short is skipped. CheckpointFileError."""
    try:
        with path.open(errors="replace") as file:
            return _known(path, file)
    except OSError as error:
        raise _unusable(path, f"cannot be read: {error.strerror}") from None


def latest(path: Path) -> Kept | None:
    """The checkpoint with the highest number among the last lines of a file.

    None: there is no file, or it is empty. CheckpointFileError.
    """
    try:
        with path.open("rb") as file:
            start = max(0, file.seek(0, os.SEEK_END) - _TAIL_BYTES)
            file.seek(start)
            lines = file.read().decode(errors="replace").splitlines()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise _unusable(path, f"cannot be read: {error.strerror}") from None
    return max(_known(path, lines[1:] if start else lines), default=None)


def append(path: Path, checkpoint: Checkpoint) -> None:
    """Appends the line of a checkpoint durably. CheckpointFileError."""
    try:
        with path.open("a+b", buffering=0) as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - 1))
            is_cut = file.read(1) not in (b"", b"\n")  # a crash cut the last line short
            file.write(("\n" * is_cut + line_of(checkpoint) + "\n").encode())
            os.fsync(file.fileno())
    except OSError as error:
        raise _unusable(path, f"cannot be written: {error.strerror}") from None


def _known(path: Path, lines: Iterable[str]) -> list[Kept]:
    """CheckpointFileError for a file that has only other lines: it is not ours to append to."""
    is_empty, found = True, list[Kept]()
    for line in lines:
        is_empty = False
        if kept := Kept.read(line.rstrip("\n")):
            found.append(kept)
    if not is_empty and not found:
        raise _unusable(path, "is not a file of checkpoints")
    return found


def _unusable(path: Path, why: str) -> CheckpointFileError:
    return CheckpointFileError(
        f"The file of checkpoints {path} {why}. Correct the path, or its permissions."
    )


async def is_stored(database: Statements, kept: Kept) -> bool:
    """Whether the database still has a checkpoint, with the same MAC."""
    stored = await get_checkpoint(database, kept.number)
    return stored is not None and Kept.of(stored) == kept


class Witness:
    """The checkpoints that one process knows from its memory, and from the file `path` if given."""

    def __init__(self, database: Statements, keyring: Keyring, path: Path | None) -> None:
        self._database = database
        self._keyring = keyring
        self._path = path
        self._seen: Kept | None = None

    async def take(self) -> Checkpoint | None:
        """Takes checkpoints of all new events, and appends the last one to the file.

        Returns the last one; None without events. TamperedLogError if the last known checkpoint is
        gone; CheckpointFileError, CheckpointKeyError, EncryptionKeyError.
        """
        in_file = None
        if self._seen:
            await self._require(self._seen, "which this server has seen")
        if self._path:
            in_file = await asyncio.to_thread(latest, self._path)
            if in_file:
                await self._require(in_file, f"which {self._path} has")
        last = await checkpoints.take(self._database, self._keyring)
        if last is None:
            return None
        self._seen = Kept.of(last)
        if self._path and (in_file is None or in_file.number < last.number):
            if in_file is None and last.number > 1:
                _log.warning("a new file of checkpoints was begun", path=str(self._path))
            await asyncio.to_thread(append, self._path, last)
        return last

    async def _require(self, kept: Kept, known: str) -> None:
        if not await is_stored(self._database, kept):
            raise TamperedLogError(
                f"Checkpoint {kept.number}, {known}, is not in the database any more."
            )

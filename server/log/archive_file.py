"""Files of archived events: JSON lines (jsonlines.org), compressed by gzip (RFC 1952).

A line is an object with the columns of an event and its position, in the order of positions.
`payload` is a string with JSON, because checkpoints cover its text.
"""

import contextlib
import gzip
import json
import zlib
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, Final

from server.crypto.private_file import new_private_file
from server.log.checkpoints import FIELDS
from server.store.database import Row
from server.values.errors import OperatorError

_LINES_AT_ONCE: Final = 1000

ArchivedEvent = Mapping[str, Any]


class ArchiveFileError(OperatorError):
    """An archive cannot be read or written; the message has the reason."""


class Writer:
    """Writes events to an archive."""

    def __init__(self, file: gzip.GzipFile) -> None:
        self._file = file

    def add(self, event: Row | ArchivedEvent) -> None:
        """Writes an event, which may have further columns."""
        line = json.dumps({name: event[name] for name in FIELDS})
        self._file.write(f"{line}\n".encode())


@contextlib.contextmanager
def written(path: Path) -> Iterator[Writer]:
    """An archive that exists, complete and durable, from the end of the block on.

    ArchiveFileError if a file of the name with other contents exists.
    """
    try:
        with (
            new_private_file(path, replace=False) as file,
            gzip.GzipFile(filename="", fileobj=file, mode="wb", mtime=0) as compressed,
        ):
            yield Writer(compressed)
    except FileExistsError:
        raise ArchiveFileError(
            f"{path} exists with other contents. Use another directory, or move that file away."
        ) from None


def read(path: Path) -> Iterator[Sequence[ArchivedEvent]]:
    """The events of an archive, some at a time. ArchiveFileError if it is damaged."""
    try:
        with gzip.open(path) as lines:
            events = map(_event, lines)
            while some := list(islice(events, _LINES_AT_ONCE)):
                yield some
    except (EOFError, gzip.BadGzipFile, zlib.error, ValueError, RecursionError) as error:
        raise ArchiveFileError(
            f"{path} is damaged or not an archive of events. Use another copy of the file."
        ) from error


def _event(line: bytes) -> ArchivedEvent:
    event = json.loads(line)
    if not isinstance(event, dict) or event.keys() != set(FIELDS):
        raise ValueError("not an event")
    return event

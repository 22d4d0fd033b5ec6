"""Reads users from NDJSON, in batches that ImportUsers takes."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO, Final

from google.protobuf.json_format import ParseDict, ParseError

from keystead.user.v1 import user_import_pb2 as pb

MAX_USERS: Final = 500
_MAX_BYTES: Final = 2 * 1024 * 1024
# A member of the lines of refused users, which are read again once they are corrected.
WRONG_FIELDS: Final = "wrongFields"


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a file; without a user, `problem` says why."""

    number: int
    content: dict[str, Any]
    user: pb.ImportedUser | None = None
    problem: str = ""


@dataclass(slots=True)
class LineBatch:
    """Lines that follow one another, and the offset in bytes after them."""

    lines: list[Line] = field(default_factory=list)
    bytes: int = 0
    end: int = 0

    @property
    def is_full(self) -> bool:
        """Whether no further line belongs to it."""
        return len(self.lines) >= MAX_USERS or self.bytes >= _MAX_BYTES


def batches(file: BinaryIO, number: int = 0) -> Iterator[LineBatch]:
    """The users from the position of the file on, after `number` lines."""
    batch, end = LineBatch(), file.tell()
    for number, text in enumerate(file, start=number + 1):  # noqa: B020 -- goes on
        end += len(text)
        batch.bytes += len(text)
        if text.strip():
            batch.lines.append(_line(number, text))
        batch.end = end
        if batch.is_full:
            yield batch
            batch = LineBatch(end=end)
    if batch.lines:
        yield batch


def _line(number: int, text: bytes) -> Line:
    try:
        content = json.loads(text)
    except ValueError:
        content = None
    if not isinstance(content, dict):
        return Line(number, {"line": number}, problem=f"Line {number} is not a JSON object")
    content.pop(WRONG_FIELDS, None)
    try:
        return Line(number, content, ParseDict(content, pb.ImportedUser()))
    except ParseError as error:
        return Line(number, content, problem=f"Line {number}: {error}")


def count(path: Path) -> int:
    """The number of lines of a file."""
    with path.open("rb") as file:
        return sum(1 for text in file if text.strip())

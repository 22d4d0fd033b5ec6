"""Checks of single JSON values: each yields a violation for every mistake, named by its path."""

import re
from collections.abc import Callable, Iterable, Iterator
from decimal import Decimal
from typing import Any, TypeAlias

from google.protobuf.duration_pb2 import Duration
from google.protobuf.field_mask_pb2 import FieldMask
from google.protobuf.timestamp_pb2 import Timestamp

from bridge.json.codec import Number, RepeatedMembers
from server.values.errors import Violation

# The violations of a JSON value, given its path and its depth. The value is never null, which
# stands for an absent field.
Check: TypeAlias = Callable[[Any, str, int], Iterable[Violation]]

# The binary format nests at most 100 messages, and one level of a Struct is three of them.
MAX_DEPTH = 32
_MAX_SHOWN = 100

# Of a double.
_LARGEST = 1.7976931348623157e308

_INTEGER = re.compile("-?[0-9]{1,20}")
_NUMBER = re.compile(r"-?[0-9]{1,400}(\.[0-9]{1,400})?([eE][+-]?[0-9]{1,4})?")
_BASE64 = re.compile("([A-Za-z0-9+/_-]*)={0,2}")
_INSTANT = re.compile(
    "[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}"
    r"(\.[0-9]{1,9})?(Z|[+-][0-9]{2}:[0-9]{2})"
)
_DURATION = re.compile(r"-?[0-9]{1,12}(\.[0-9]{1,9})?s")
# protobuf parses a mask letter by letter in Python: one of 4 MiB would block every other call for
# seconds.
_MAX_MASK = 10_000
_MASK = re.compile(f".{{0,{_MAX_MASK}}}", re.DOTALL)


def member_path(path: str, name: str) -> str:
    """The path of a member. Shortens a long name, which is no name of the schema."""
    if len(name) > _MAX_SHOWN:
        name = f"{name[:_MAX_SHOWN]}..."
    name = name or '""'
    return f"{path}.{name}" if path else name


def single(expected: str, accepts: Callable[[Any], bool], *, reason: str = "") -> Check:
    """A check with one message for every value that is not accepted."""

    def check(value: Any, path: str, _depth: int) -> Iterable[Violation]:
        return () if accepts(value) else (Violation(path, expected, reason),)

    return check


def of_type(kind: type, expected: str) -> Check:
    """A check that a value has this type."""

    def check(value: Any, path: str, _depth: int) -> Iterable[Violation]:
        return () if isinstance(value, kind) else (Violation(path, expected),)

    return check


def integer(low: int, high: int) -> Check:
    """A whole number in this range, as a number or as a string."""
    expected = f"must be a whole number from {low} to {high}"

    def check(value: Any, path: str, _depth: int) -> Iterable[Violation]:
        exact = exact_number(value)
        if exact is None or not low <= exact <= high or exact != int(exact):
            return (Violation(path, expected),)
        # json_format converts anything but plain digits to a float, which rounds.
        if not is_digits(value) and int(float(exact)) != exact:
            return (
                Violation(
                    path,
                    "must be written in digits only; otherwise it would be rounded",
                ),
            )
        return ()

    return check


def exact_number(value: Any) -> int | Decimal | None:
    """A number, or a string with one, without rounding; None for anything else."""
    if isinstance(value, int):
        return None if isinstance(value, bool) else value
    text = value.text if isinstance(value, Number) else value
    return Decimal(text) if isinstance(text, str) and _NUMBER.fullmatch(text) else None


def is_digits(value: Any) -> bool:
    """Whether it is an integer, or a string that Python reads as one."""
    return isinstance(value, int) or (isinstance(value, str) and bool(_INTEGER.fullmatch(value)))


def _is_base64(value: Any) -> bool:
    match = _BASE64.fullmatch(value) if isinstance(value, str) else None
    return match is not None and len(match[1]) % 4 != 1


def _written_as(pattern: re.Pattern[str], message: type[Any]) -> Callable[[Any], bool]:
    """Accepts strings of a pattern that a well-known type can parse."""

    def accepts(value: Any) -> bool:
        if not isinstance(value, str) or not pattern.fullmatch(value):
            return False
        try:
            message().FromJsonString(value)
        except ValueError:
            return False
        return True

    return accepts


def list_of(check: Check) -> Check:
    """A list whose items all pass a check."""

    def check_all(value: Any, path: str, depth: int) -> Iterator[Violation]:
        if not isinstance(value, list):
            yield Violation(path, "must be a list")
            return
        for index, item in enumerate(value):
            yield from unless_null(check, item, f"{path}[{index}]", depth)

    return check_all


def unless_null(check: Check, value: Any, path: str, depth: int) -> Iterable[Violation]:
    """The violations of an item of a list or a map."""
    if value is None:
        return (Violation(path, "must not be null"),)
    return check(value, path, depth)


def json_object(value: Any, path: str, depth: int) -> Iterable[Violation]:
    """An object with any members, each given once."""
    if not isinstance(value, dict):
        return (Violation(path, "must be an object"),)
    if depth > MAX_DEPTH:
        return (_too_deep(path),)
    if isinstance(value, RepeatedMembers):
        return [repeated(path, name) for name in value.repeated]
    return ()


def repeated(path: str, name: str) -> Violation:
    """The violation of a member that is given a second time."""
    return Violation(member_path(path, name), "must not be given twice")


def _too_deep(path: str) -> Violation:
    return Violation(path, f"must not be deeper than {MAX_DEPTH} levels")


boolean = of_type(bool, "must be true or false")
string = of_type(str, "must be a string")
base64_string = single("must be a string in base64", _is_base64)
instant = single(
    "must be an instant like 2026-11-21T10:30:00Z",
    _written_as(_INSTANT, Timestamp),
    reason="INVALID_TIME",
)
duration = single("must be a duration like 1.5s", _written_as(_DURATION, Duration))
field_mask = single(
    "must be names of fields in lowerCamelCase with commas between them, of at most"
    f" {_MAX_MASK} characters",
    _written_as(_MASK, FieldMask),
)


def struct(value: Any, path: str, depth: int) -> Iterator[Violation]:
    """A `google.protobuf.Struct`."""
    yield from json_object(value, path, depth)
    if isinstance(value, dict) and depth <= MAX_DEPTH:
        for name, item in value.items():
            yield from _anything(item, member_path(path, name), depth + 1)


def _anything(value: Any, path: str, depth: int) -> Iterator[Violation]:
    """A value in a Struct, which may be null."""
    if isinstance(value, dict):
        yield from struct(value, path, depth)
    elif isinstance(value, list):
        if depth > MAX_DEPTH:
            yield _too_deep(path)
            return
        for index, item in enumerate(value):
            yield from _anything(item, f"{path}[{index}]", depth + 1)
    elif isinstance(value, (int, float)) and abs(value) > _LARGEST:
        yield Violation(path, "must be a number that is not too large")

"""Invalid and unusual messages of any type, made from its descriptor alone."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from random import Random
from typing import TypeVar, cast

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message

from tests.hostile.wire import (
    END_GROUP,
    FIXED32,
    GROUP,
    VARINT,
    any_field,
    bytes_field,
    double_field,
    number_field,
    tag,
    varint,
    wire_type_of,
)
from tests.passkey.attacks import mutated

# The maximum size of messages.
MAX_MESSAGE_BYTES = 4 * 1024 * 1024

DEPTH = 1000
_UNKNOWN_FIELDS = (18_999, 2**29 - 1)

Hostile = tuple[str, bytes]
Each = TypeVar("Each")

_TEXTS = {
    "a stray continuation": b"\x80",
    "an impossible byte": b"ok\xff",
    "a surrogate": b"\xed\xa0\x80",
    "an overlong slash": b"\xc0\xaf",
    "beyond Unicode": b"\xf4\x90\x80\x80",
    "a character cut off": "💥".encode()[:3],
    "NUL": b"a\0b",
    "line breaks": b"a\r\nb: c",
    "other controls": "\x7f\x85\u2028\ufeff".encode(),
    "a number": b"-1",
    "a non-character": "\ufffe\uffff".encode(),
    "text direction": "\u202eabc".encode(),
    "white space": " \u2003 ".encode(),
    "combining marks": b"a" + "\u0301".encode() * 200,
    "SQL": b"'; drop table events; --",
    "a path": b"../../etc/passwd",
    "a format": b"%s%n{}{0}${x}",
    "100,000 characters": b"x" * 100_000,
    "100,000 characters beyond the BMP": "💥".encode() * 100_000,
}
_NUMBERS = (-1, 99, 2**31 - 1, 2**31, -(2**31), 2**32, 2**63 - 1, -(2**63), 2**64 - 1)
_DOUBLES = tuple(map(float, ("nan", "inf", "-inf", "-0.0", "5e-324", "1.7e308")))


def share(attacks: Iterable[Each], turn: int, every: int) -> Iterator[Each]:
    """A share of the attacks: every `every`-th, beginning at `turn`."""
    return islice(attacks, turn % every, None, every)


def hostile(message: Message, random: Random) -> Iterator[Hostile]:
    """The mistake, and the bytes of a message that is valid except for it."""
    right = message.SerializeToString()
    yield from _noise(right, random)
    yield from _unknown(right)
    for path in _paths(message):
        name = ".".join(field.name for field in path)
        for what, value in _wrong(path[-1]):
            yield f"{name}: {what}", right + _within(path, value)


def large(message: Message) -> Iterator[Hostile]:
    """Messages of the maximum size. `tests/bridge/test_unreadable_requests.py` has larger ones."""
    right = message.SerializeToString()
    yield "an unknown field up to the limit", _padded(right, MAX_MESSAGE_BYTES)
    for path in _paths(message):
        name = ".".join(field.name for field in path)
        if path[-1].is_repeated:
            one = bytes_field(path[-1].number, b"")
            times = (MAX_MESSAGE_BYTES - len(right) - 100) // len(one)
            yield f"{name}: {times} times", right + _within(path, one * times)


def _paths(message: Message) -> Iterator[tuple[FieldDescriptor, ...]]:
    return paths_of(cast(Descriptor, message.DESCRIPTOR))


def paths_of(message: Descriptor, *path: FieldDescriptor) -> Iterator[tuple[FieldDescriptor, ...]]:
    """The paths of all fields of a message and its messages, with each type once in a path."""
    above = {message.full_name} | {_type_of(field) for field in path}
    for field in message.fields:
        yield (*path, field)
        if field.message_type and _type_of(field) not in above:
            yield from paths_of(field.message_type, *path, field)


def _type_of(field: FieldDescriptor) -> str:
    """The name of the message type of a field; empty for other types."""
    return field.message_type.full_name if field.message_type else ""


def _noise(right: bytes, random: Random) -> Iterator[Hostile]:
    for size in (1, 2, 3, 8, 64, 1000):
        yield f"{size} random bytes", random.randbytes(size)
    for n in range(16):
        yield f"mutation {n}", mutated(right + b"\0\0", random)
    for end in sorted({len(right) * n // 8 for n in range(1, 8)}):
        yield f"cut after {end} bytes", right[:end]


def _unknown(right: bytes) -> Iterator[Hostile]:
    for number in _UNKNOWN_FIELDS:
        for wire_type in (VARINT, 1, 2, GROUP, FIXED32):
            yield f"unknown field {number}, type {wire_type}", right + any_field(number, wire_type)
    unknown = _UNKNOWN_FIELDS[0]
    yield "field 0", right + number_field(0, 1)
    yield "wire type 6", right + tag(unknown, 6)
    yield "wire type 7", right + tag(unknown, 7)
    yield "a number of 11 bytes", right + tag(unknown, VARINT) + b"\xff" * 10 + b"\1"
    yield "a tag of 6 bytes", right + b"\xff" * 5 + b"\1"
    yield "a length beyond the end", right + tag(unknown, 2) + varint(2**31)
    yield "a negative length", right + tag(unknown, 2) + varint(-1)
    yield "a group without end", right + tag(unknown, GROUP)
    yield "an end without group", right + tag(unknown, END_GROUP)
    yield f"{DEPTH} groups", right + _nested_groups(unknown, DEPTH)
    yield "10,000 unknown fields", right + number_field(unknown, 1) * 10_000


def _nested_groups(number: int, depth: int) -> bytes:
    return tag(number, GROUP) * depth + tag(number, END_GROUP) * depth


def _wrong(field: FieldDescriptor) -> Iterator[Hostile]:
    """Invalid values of a field, encoded."""
    number = field.number
    for wire_type in {VARINT, 1, 2, GROUP, FIXED32} - {wire_type_of(field)}:
        yield f"wire type {wire_type}", any_field(number, wire_type)
    match field.type:
        case FieldDescriptor.TYPE_STRING | FieldDescriptor.TYPE_BYTES:
            values: Mapping[str, bytes] = {"nothing": b"", **_TEXTS}
            for what, text in values.items():
                yield what, bytes_field(number, text)
            yield "10,000 times", bytes_field(number, b"x") * 10_000
        case FieldDescriptor.TYPE_MESSAGE:
            yield "nothing", bytes_field(number, b"")
            yield "no message", bytes_field(number, b"\xff")
            yield "1,000 times", bytes_field(number, b"") * 1000
            if field.message_type and (cycle := _cycle(field.message_type)):
                yield f"{DEPTH} levels", bytes_field(number, _nested(cycle, DEPTH))
        case FieldDescriptor.TYPE_DOUBLE:
            for value in _DOUBLES:
                yield str(value), double_field(number, value)
        case _:
            for value in _NUMBERS:
                yield str(value), number_field(number, value)


def _within(path: Sequence[FieldDescriptor], value: bytes) -> bytes:
    """The last field of a path, encoded within the messages that contain it."""
    for field in reversed(path[:-1]):
        value = bytes_field(field.number, value)
    return value


def _cycle(message: Descriptor) -> Sequence[int]:
    """The field numbers by which a message contains a message of its own type, or none."""
    for path in paths_of(message):
        if _type_of(path[-1]) == message.full_name:
            return [field.number for field in path]
    return []


def _nested(cycle: Sequence[int], depth: int) -> bytes:
    value = b""
    for _ in range(depth):
        for number in reversed(cycle):
            value = bytes_field(number, value)
    return value


def _padded(right: bytes, size: int) -> bytes:
    """The message, with an unknown field that fills it to this size."""
    overhead = len(bytes_field(_UNKNOWN_FIELDS[0], bytes(size))) - size
    return right + bytes_field(_UNKNOWN_FIELDS[0], bytes(size - overhead - len(right)))

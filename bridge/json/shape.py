"""What the JSON of a message must look like, checked more strictly than `json_format` does alone.

https://protobuf.dev/programming-guides/json. `json_format` stops at the first mistake, and lets
pass what surely is one: a field given twice, base64 with foreign characters, digits that are not
ASCII, an integer that a float rounds. So all mistakes are looked for first, each named by its path;
then `json_format` reads.
"""

import functools
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, TypeAlias

from google.protobuf import json_format
from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor
from google.protobuf.duration_pb2 import Duration
from google.protobuf.field_mask_pb2 import FieldMask
from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp

from bridge.json.codec import Number, RepeatedMembers, malformed
from server.values.errors import Violation

# What is wrong with a JSON value, given its path and its depth. It is never null: that is absent.
Check: TypeAlias = Callable[[Any, str, int], Iterable[Violation]]

# What is read here must fit into the binary format too, which ends at 100 messages inside each
# other; one level of a Struct is three.
_MAX_DEPTH = 32
_MAX_SHOWN = 100

_MAX_FLOAT = 3.4028234663852886e38
_MAX_DOUBLE = 1.7976931348623157e308
_INTEGER = re.compile("-?[0-9]{1,20}")
_NUMBER = re.compile(r"-?[0-9]{1,400}(\.[0-9]{1,400})?([eE][+-]?[0-9]{1,4})?")
_BASE64 = re.compile("([A-Za-z0-9+/_-]*)={0,2}")
_INSTANT = re.compile(
    "[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}"
    r"(\.[0-9]{1,9})?(Z|[+-][0-9]{2}:[0-9]{2})"
)
_DURATION = re.compile(r"-?[0-9]{1,12}(\.[0-9]{1,9})?s")
_ANY_TEXT = re.compile(".*", re.DOTALL)
# protobuf reads a mask letter by letter in Python: one of 4 MiB would keep every other call waiting
# for seconds. No sensible one has more characters than this.
_MAX_MASK = 10_000
_MASK = re.compile(f".{{0,{_MAX_MASK}}}", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Member:
    """A field as a member of a JSON object; `name` is its JSON name."""

    field: FieldDescriptor
    name: str
    check: Check

    @property
    def is_text(self) -> bool:
        """Whether its values, or those of its list, can be written as texts in a URL."""
        message = self.field.message_type
        return message is None or message.full_name in _TEXTS

    def of_text(self, text: str) -> Any:
        """The JSON value of a text in a URL; the text itself where the check will refuse it."""
        if self.field.type == FieldDescriptor.TYPE_BOOL:
            return {"true": True, "false": False}.get(text, text)
        if self.field.enum_type is not None and _INTEGER.fullmatch(text):
            return int(text)
        return text

    def key(self, members: Mapping[str, Any]) -> str:
        """By which of its two names an object has it, or should."""
        return self.field.name if self.field.name in members else self.name


class Shape:
    """The JSON objects of one type of message."""

    def __init__(self, message: Descriptor) -> None:
        self._message = message

    @functools.cached_property
    def members(self) -> Mapping[str, Member]:
        """The fields by their names: that of JSON and that of the schema."""
        fields = [Member(each, each.json_name, _check(each)) for each in self._message.fields]
        return {name: each for each in fields for name in (each.field.name, each.name)}

    def find(self, path: str) -> tuple[Member, ...]:
        """The members on the way to a field, `idp.idpId`; none if there is no such field."""
        name, dot, rest = path.partition(".")
        member = self.members.get(name)
        if member is None or not dot:
            return () if member is None else (member,)
        message = member.field.message_type
        if message is None or message.full_name in _CHECKS or member.field.is_repeated:
            return ()
        further = shape_of(message).find(rest)
        return (member, *further) if further else ()

    def violations(self, value: Any, path: str = "", depth: int = 1) -> Iterator[Violation]:
        """Everything that is wrong with a value that should be such an object."""
        yield from _object(value, path, depth)
        if not isinstance(value, dict) or depth > _MAX_DEPTH:
            return
        for name, item in value.items():
            member = self.members.get(name)
            if member is None:
                yield Violation(inside(path, name), self._unknown)
            elif name != member.name and member.name in value:
                yield _repeated(path, member.name)
            elif item is not None:
                yield from member.check(item, inside(path, member.name), depth + 1)
        for oneof in self._oneofs:
            first, *others = [
                each.name for each in oneof if value.get(each.key(value)) is not None
            ] or [""]
            for name in others:
                yield Violation(inside(path, name), f"must not be given together with {first}")

    @functools.cached_property
    def _oneofs(self) -> Sequence[Sequence[Member]]:
        return [
            [self.members[field.name] for field in oneof.fields]
            for oneof in self._message.oneofs
            if len(oneof.fields) > 1  # else it is how the compiler writes `optional`
        ]

    @functools.cached_property
    def _unknown(self) -> str:
        known = ", ".join(field.json_name for field in self._message.fields)
        return f"is unknown; known are {known}" if known else "is unknown; there are no fields"


@functools.cache
def shape_of(message: Descriptor) -> Shape:
    """The shape of a type of message."""
    return Shape(message)


def unread_types(message: Descriptor) -> list[str]:
    """The types in a message, at any depth, whose JSON is special and not read here."""
    types, further = {message}, [message]
    while further:
        for field in further.pop().fields:
            part = field.message_type
            if part is not None and part not in types and part.full_name not in _CHECKS:
                types.add(part)
                further.append(part)
    return sorted(each.full_name for each in types if each.file.name in _UNREAD_FILES)


def parse(members: dict[str, Any], message: type[Message]) -> Message:
    """The message of an object that its shape finds no violations in."""
    try:
        return json_format.ParseDict(members, message())
    except json_format.ParseError:  # it may refuse, in some release, what the checks do not know
        raise malformed("A field has a value that its type does not allow") from None


def inside(path: str, name: str) -> str:
    """The path of a member. A name that the client made up is shown as far as one would read it."""
    if len(name) > _MAX_SHOWN:
        name = f"{name[:_MAX_SHOWN]}..."
    name = name or '""'
    return f"{path}.{name}" if path else name


def _check(field: FieldDescriptor) -> Check:
    if not field.is_repeated:
        return _check_of_one(field)
    if field.message_type is not None and field.message_type.GetOptions().map_entry:
        return _map(field.message_type)
    return _list(_check_of_one(field))


def _check_of_one(field: FieldDescriptor) -> Check:
    if field.message_type is not None:
        known = _CHECKS.get(field.message_type.full_name)
        return known or shape_of(field.message_type).violations
    return _enum(field.enum_type) if field.enum_type is not None else _SCALARS[field.type]


def _single(expected: str, accepts: Callable[[Any], bool]) -> Check:
    def check(value: Any, path: str, _depth: int) -> Iterable[Violation]:
        return () if accepts(value) else (Violation(path, expected),)

    return check


def _text(expected: str, pattern: re.Pattern[str], message: type[Any] | None = None) -> Check:
    """A string of a pattern; for a type that is written as one, such that it can be read."""

    def accepts(value: Any) -> bool:
        if not isinstance(value, str) or not pattern.fullmatch(value):
            return False
        if message is None:
            return True
        try:
            message().FromJsonString(value)
        except ValueError:
            return False
        return True

    return _single(expected, accepts)


def _integer(low: int, high: int) -> Check:
    expected = f"must be a whole number from {low} to {high}"

    def check(value: Any, path: str, _depth: int) -> Iterable[Violation]:
        exact = _exact(value)
        if exact is None or not low <= exact <= high or exact != int(exact):
            return (Violation(path, expected),)
        # json_format reads a float, and takes a text that is no integer to Python for one.
        if not _is_digits(value) and int(float(exact)) != exact:
            return (Violation(path, "must be written in digits alone, or it would be rounded"),)
        return ()

    return check


def _exact(value: Any) -> int | Decimal | None:
    """A number, or the text of one, as it was written; None for anything else."""
    if isinstance(value, int):
        return None if isinstance(value, bool) else value
    text = value.text if isinstance(value, Number) else value
    return Decimal(text) if isinstance(text, str) and _NUMBER.fullmatch(text) else None


def _is_digits(value: Any) -> bool:
    return isinstance(value, int) or (isinstance(value, str) and bool(_INTEGER.fullmatch(value)))


def _float(largest: float) -> Check:
    def accepts(value: Any) -> bool:
        if isinstance(value, str):
            if value in ("NaN", "Infinity", "-Infinity"):
                return True
            if not _NUMBER.fullmatch(value):
                return False
            value = float(value)
        return _is_number(value) and abs(value) <= largest

    return _single("must be a number that is not too large", accepts)


def _enum(enum: EnumDescriptor) -> Check:
    """Its names, and all numbers: which of those mean something is for the method to say."""
    names = enum.values_by_name
    number = _integer(-(2**31), 2**31 - 1)

    def accepts(value: Any) -> bool:
        return value in names if isinstance(value, str) else not any(number(value, "", 0))

    return _single(f"must be one of {', '.join(names)}", accepts)


def _list(check: Check) -> Check:
    def check_all(value: Any, path: str, depth: int) -> Iterator[Violation]:
        if not isinstance(value, list):
            yield Violation(path, "must be a list")
            return
        for index, item in enumerate(value):
            yield from _unless_null(check, item, f"{path}[{index}]", depth)

    return check_all


def _map(entry: Descriptor) -> Check:
    key, value = (Member(each, each.name, _check_of_one(each)) for each in entry.fields)
    are_texts = key.field.type in (FieldDescriptor.TYPE_STRING, FieldDescriptor.TYPE_BOOL)

    def check_all(members: Any, path: str, depth: int) -> Iterator[Violation]:
        yield from _object(members, path, depth)
        if isinstance(members, dict):
            numbers = set()
            for name, item in members.items():
                yield from key.check(key.of_text(name), inside(path, name), depth)
                yield from _unless_null(value.check, item, inside(path, name), depth + 1)
                if not are_texts and (number := _exact(name)) is not None:
                    if number in numbers:  # "1" and "01"
                        yield _repeated(path, name)
                    numbers.add(number)

    return check_all


def _unless_null(check: Check, value: Any, path: str, depth: int) -> Iterable[Violation]:
    if value is None and check is not _anything:
        return (Violation(path, "must not be null"),)
    return check(value, path, depth)


def _anything(value: Any, path: str, depth: int) -> Iterator[Violation]:
    """A `google.protobuf.Value`."""
    if isinstance(value, dict):
        yield from _struct(value, path, depth)
    elif isinstance(value, list):
        yield from _list_value(value, path, depth)
    elif _is_number(value):
        yield from _SCALARS[FieldDescriptor.TYPE_DOUBLE](value, path, depth)


def _struct(value: Any, path: str, depth: int) -> Iterator[Violation]:
    yield from _object(value, path, depth)
    if isinstance(value, dict) and depth <= _MAX_DEPTH:
        for name, item in value.items():
            yield from _anything(item, inside(path, name), depth + 1)


def _list_value(value: Any, path: str, depth: int) -> Iterable[Violation]:
    if depth > _MAX_DEPTH:
        return (_too_deep(path),)
    return _list(_anything)(value, path, depth + 1)


def _object(value: Any, path: str, depth: int) -> Iterable[Violation]:
    """What is wrong with a value that should be an object, whatever may be in it."""
    if not isinstance(value, dict):
        return (Violation(path, "must be an object"),)
    if depth > _MAX_DEPTH:
        return (_too_deep(path),)
    if isinstance(value, RepeatedMembers):
        return [_repeated(path, name) for name in value.repeated]
    return ()


def _too_deep(path: str) -> Violation:
    return Violation(path, f"must not be deeper than {_MAX_DEPTH} levels")


def _repeated(path: str, name: str) -> Violation:
    return Violation(inside(path, name), "must not be given twice")


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _is_base64(value: Any) -> bool:
    match = _BASE64.fullmatch(value) if isinstance(value, str) else None
    return match is not None and len(match[1]) % 4 != 1


_INT32 = _integer(-(2**31), 2**31 - 1)
_INT64 = _integer(-(2**63), 2**63 - 1)
_UINT32 = _integer(0, 2**32 - 1)
_UINT64 = _integer(0, 2**64 - 1)
_SCALARS: Mapping[int, Check] = {
    FieldDescriptor.TYPE_BOOL: _single(
        "must be true or false", lambda value: isinstance(value, bool)
    ),
    FieldDescriptor.TYPE_STRING: _text("must be a string", _ANY_TEXT),
    FieldDescriptor.TYPE_BYTES: _single("must be a string in base64", _is_base64),
    FieldDescriptor.TYPE_DOUBLE: _float(_MAX_DOUBLE),
    FieldDescriptor.TYPE_FLOAT: _float(_MAX_FLOAT),
    FieldDescriptor.TYPE_INT32: _INT32,
    FieldDescriptor.TYPE_SINT32: _INT32,
    FieldDescriptor.TYPE_SFIXED32: _INT32,
    FieldDescriptor.TYPE_INT64: _INT64,
    FieldDescriptor.TYPE_SINT64: _INT64,
    FieldDescriptor.TYPE_SFIXED64: _INT64,
    FieldDescriptor.TYPE_UINT32: _UINT32,
    FieldDescriptor.TYPE_FIXED32: _UINT32,
    FieldDescriptor.TYPE_UINT64: _UINT64,
    FieldDescriptor.TYPE_FIXED64: _UINT64,
}
_TEXTS: Mapping[str, Check] = {
    "google.protobuf.Timestamp": _text(
        "must be an instant like 2026-11-21T10:30:00Z", _INSTANT, Timestamp
    ),
    "google.protobuf.Duration": _text("must be a duration like 1.5s", _DURATION, Duration),
    "google.protobuf.FieldMask": _text(
        "must be names of fields in lowerCamelCase with commas between them, of at most"
        f" {_MAX_MASK} characters",
        _MASK,
        FieldMask,
    ),
}
# The types whose JSON is not an object of their fields.
_CHECKS: Mapping[str, Check] = {
    **_TEXTS,
    "google.protobuf.Struct": _struct,
    "google.protobuf.ListValue": _list_value,
    "google.protobuf.Value": _anything,
}
# Types whose JSON is no object of their fields either.
_UNREAD_FILES = ("google/protobuf/any.proto", "google/protobuf/wrappers.proto")

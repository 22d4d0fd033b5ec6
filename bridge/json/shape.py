"""The JSON objects of messages: their members, checked more strictly than `json_format` does alone.

`json_format` stops at the first mistake, and accepts some: a field given twice, base64 with foreign
characters, digits that are not ASCII, an integer that a float rounds. So all mistakes are found
first, each named by its path; then `json_format` parses.
"""

import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from google.protobuf import json_format
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message

from bridge.json.checks import Check, json_object, list_of, member_path, repeated, unless_null
from bridge.json.codec import malformed
from bridge.json.types import JsonType, oneofs, type_of, value_of_map
from server.values.errors import Violation


@dataclass(frozen=True, slots=True, eq=False)
class Member:
    """A field as a member of a JSON object; `name` is its JSON name.

    `is_text`: a URL can contain its value, or the items of its list. `of_text` gives the JSON value
    of a text in a URL; the text itself if the check will refuse it.
    """

    field: FieldDescriptor
    name: str
    check: Check
    is_text: bool
    of_text: Callable[[str], Any]

    def key(self, members: Mapping[str, Any]) -> str:
        """Its name in an object: that of the schema, or else that of JSON."""
        return self.field.name if self.field.name in members else self.name


class Shape:
    """The JSON objects of one type of message."""

    def __init__(self, message: Descriptor) -> None:
        self._message = message

    @functools.cached_property
    def members(self) -> Mapping[str, Member]:
        """The fields by their names: that of JSON and that of the schema."""
        fields = [_member(each) for each in self._message.fields]
        return {name: each for each in fields for name in (each.field.name, each.name)}

    def find(self, path: str) -> tuple[Member, ...]:
        """The members of a field path such as `idp.idp_id`, which has a field."""
        name, _, rest = path.partition(".")
        member = self.members[name]
        if not rest:
            return (member,)
        return (member, *shape_of(cast(Descriptor, member.field.message_type)).find(rest))

    def violations(self, value: Any, path: str = "", depth: int = 1) -> Iterator[Violation]:
        """All violations of a value that should be such an object."""
        yield from json_object(value, path, depth)
        if not isinstance(value, dict):
            return
        for name, item in value.items():
            member = self.members.get(name)
            if member is None:
                yield Violation(member_path(path, name), self._unknown)
            elif name != member.name and member.name in value:
                yield repeated(path, member.name)
            elif item is not None:
                yield from member.check(item, member_path(path, member.name), depth + 1)
        for oneof in self._oneofs:
            first, *others = [
                each.name for each in oneof if value.get(each.key(value)) is not None
            ] or [""]
            for name in others:
                yield Violation(member_path(path, name), f"must not be given together with {first}")

    @functools.cached_property
    def _oneofs(self) -> Sequence[Sequence[Member]]:
        return [[self.members[field.name] for field in fields] for fields in oneofs(self._message)]

    @functools.cached_property
    def _unknown(self) -> str:
        known = ", ".join(field.json_name for field in self._message.fields)
        return f"is unknown; known are {known}" if known else "is unknown; there are no fields"


@functools.cache
def shape_of(message: Descriptor) -> Shape:
    """The shape of a type of message."""
    return Shape(message)


def parse(members: dict[str, Any], message: type[Message]) -> Message:
    """The message of an object that its shape finds no violations in."""
    try:
        return json_format.ParseDict(members, message())
    except json_format.ParseError:  # a later release of protobuf may refuse more than the checks
        raise malformed("A field has a value that its type does not allow") from None


def _member(field: FieldDescriptor) -> Member:
    kind = type_of(field)
    from_url = kind.from_url if isinstance(kind, JsonType) else None
    return Member(field, field.json_name, _check(field), from_url is not None, from_url or str)


def _check(field: FieldDescriptor) -> Check:
    if value := value_of_map(field):
        return _map_of(_check_of_one(value))
    return list_of(_check_of_one(field)) if field.is_repeated else _check_of_one(field)


def _check_of_one(field: FieldDescriptor) -> Check:
    kind = type_of(field)
    return kind.check if isinstance(kind, JsonType) else shape_of(kind).violations


def _map_of(check: Check) -> Check:
    """An object whose values all pass a check."""

    def check_all(members: Any, path: str, depth: int) -> Iterator[Violation]:
        yield from json_object(members, path, depth)
        if isinstance(members, dict):
            for name, item in members.items():
                yield from unless_null(check, item, member_path(path, name), depth + 1)

    return check_all

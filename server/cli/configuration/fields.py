"""The fields of a kind, from the requests and responses of its methods."""

import functools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, cast

from google.api import field_behavior_pb2
from google.protobuf import json_format
from google.protobuf.descriptor import Descriptor, FieldDescriptor, MethodDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from bridge.json.types import behavior
from server.cli.configuration.kinds import ObjectKind
from server.cli.declared.command import service_of

_NOT_SET: Final = {field_behavior_pb2.OUTPUT_ONLY, field_behavior_pb2.IDENTIFIER}
_MASK: Final = "update_mask"
# The organization of an object is the one that has the section.
_OF_PLACE: Final = "org_id"


@dataclass(frozen=True, slots=True, eq=False)
class KindFields:
    """The fields of a kind.

    `message` is the type of objects as they are read. `settable` are the fields that a file can
    have, by name; those of `secrets` cannot be read, those of `initial` only be given to `create`.
    """

    message: Descriptor
    settable: Mapping[str, FieldDescriptor]
    secrets: frozenset[str]
    initial: frozenset[str]

    def new(self) -> Message:
        """An empty object."""
        return GetMessageClass(self.message)()

    def readable(self) -> Iterator[str]:
        """The settable fields that objects have when they are read."""
        return (name for name in self.settable if name in self.message.fields_by_name)


def method_of(kind: ObjectKind, name: str) -> MethodDescriptor:
    """The descriptor of a method of a kind."""
    return service_of(kind.service).methods_by_name[name]


@functools.cache
def fields_of(kind: ObjectKind, parent: ObjectKind | None = None) -> KindFields:
    """The fields of a kind; `parent` is the one that it is a part of."""
    message = _message(kind, parent)
    of_update = _settable(kind, kind.update, message) if kind.update else {}
    of_create = _settable(kind, kind.create, message) if kind.create else {}
    of_members = {name: message.fields_by_name[name] for name in kind.members}
    settable = of_create | of_update | of_members
    for part in kind.parts:
        settable.pop(part.section, None)
    for name in kind.elsewhere:
        settable.pop(name)
    secrets = {name for name, field in settable.items() if field.GetOptions().debug_redact}
    once = of_create.keys() - of_update.keys() - of_members.keys() - secrets - {kind.key}
    return KindFields(
        message,
        {name: field for name, field in settable.items() if name not in (kind.key, kind.id)},
        frozenset(secrets),
        frozenset(once | _immutable(message)),
    )


def _message(kind: ObjectKind, parent: ObjectKind | None) -> Descriptor:
    """The type of the objects that `read` gives."""
    if kind.read:
        fields = method_of(kind, kind.read).output_type.fields
    else:
        fields = [fields_of(cast(ObjectKind, parent)).message.fields_by_name[kind.section]]
    [found] = [each.message_type for each in fields if each.message_type]
    return found


def _settable(kind: ObjectKind, method: str, message: Descriptor) -> dict[str, FieldDescriptor]:
    """The fields of a request, with those of the object in it."""
    found: dict[str, FieldDescriptor] = {}
    for field in method_of(kind, method).input_type.fields:
        if field.message_type is message:
            found |= {
                each.name: each for each in message.fields if not _NOT_SET & {*behavior(each)}
            }
        elif field.name not in (_MASK, _OF_PLACE, kind.id, kind.chosen_id):
            found[field.name] = field
    return found


def _immutable(message: Descriptor) -> set[str]:
    return {each.name for each in message.fields if field_behavior_pb2.IMMUTABLE in behavior(each)}


def parsed(fields: KindFields, values: Mapping[str, Any]) -> Any:
    """The object with those of these values, which have been checked, that it has."""
    known = fields.message.fields_by_name
    return json_format.ParseDict(
        {name: value for name, value in values.items() if name in known}, fields.new()
    )


def is_same(field: str, one: Any, other: Any) -> bool:
    """Whether two objects have the same value."""
    return bool(getattr(one, field) == getattr(other, field)) and (
        not _has_presence(one, field) or one.HasField(field) == other.HasField(field)
    )


def _has_presence(message: Any, field: str) -> bool:
    return bool(message.DESCRIPTOR.fields_by_name[field].has_presence)


def shown(fields: KindFields, message: Any, *, is_whole: bool = False) -> dict[str, Any]:
    """The settable values of an object, by the names of the schema.

    Without `is_whole`, those that are no value, such as false, are left out.
    """
    names = {*fields.readable()}
    values = json_format.MessageToDict(
        message,
        preserving_proto_field_name=True,
        always_print_fields_with_no_presence=is_whole,
    )
    return {name: value for name, value in values.items() if name in names}


def request(
    method: MethodDescriptor,
    desired: Message,
    names: Iterable[str],
    *,
    ids: Mapping[str, str],
    extra: Mapping[str, Any],
    current: Any = None,
) -> Message:
    """The request of a method that creates or changes an object.

    A request with the object in it gets `desired`, and `names` as its mask. One with the fields of
    the object gets those in `names` from `desired`, and the others from `current`, if there is one.
    """
    made: Any = GetMessageClass(method.input_type)()
    known = set(desired.DESCRIPTOR.fields_by_name)
    changed = [*names]
    for field in method.input_type.fields:
        name = field.name
        if field.message_type is desired.DESCRIPTOR:
            getattr(made, name).CopyFrom(desired)
            for each in ids.keys() & known:
                setattr(getattr(made, name), each, ids[each])
        elif name == _MASK:
            made.update_mask.paths.extend(changed)
        elif name in ids:
            setattr(made, name, ids[name])
        elif name in extra:
            json_format.ParseDict({name: extra[name]}, made)
        elif name in known:
            _copy(desired if name in changed or current is None else current, made, name)
    return cast(Message, made)


def named(method: MethodDescriptor, ids: Mapping[str, str], **values: str) -> Any:
    """The request of a method that names its object, and has these values."""
    made: Any = GetMessageClass(method.input_type)()
    fields = method.input_type.fields_by_name
    known = {name: value for name, value in ids.items() if name in fields}
    return json_format.ParseDict({**known, **values}, made)


def _copy(source: Any, target: Any, name: str) -> None:
    field = source.DESCRIPTOR.fields_by_name[name]
    value = getattr(source, name)
    if field.is_repeated:
        getattr(target, name).extend(value)
    elif field.message_type:
        if source.HasField(name):
            getattr(target, name).CopyFrom(value)
    else:
        setattr(target, name, value)

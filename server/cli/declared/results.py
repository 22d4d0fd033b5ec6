"""The values of a response as the cells of a list, or as the fields of one object."""

import json
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC
from typing import Any, Final

from google.protobuf.descriptor import EnumDescriptor, FieldDescriptor
from google.protobuf.message import Message

from server.cli.lists import Cell, ListRow
from server.rpc.messages import json_text

# The date fields of `Details` come after the fields of its object.
_DETAILS: Final = "keystead.common.v1.Details"
_WELL_KNOWN: Final[Mapping[str, Callable[[Any], Any]]] = {
    "google.protobuf.Timestamp": lambda value: value.ToDatetime(UTC),
    "google.protobuf.Struct": lambda value: json.loads(json_text(value, field="")),
    "google.protobuf.Duration": lambda value: value.ToMilliseconds(),
}


def values_of(message: Message) -> dict[str, Cell]:
    """The values of a message by the names of its fields, those of its details last."""
    values, details = dict[str, Cell](), dict[str, Cell]()
    field: Any
    for field in message.DESCRIPTOR.fields:
        value = getattr(message, field.name)
        if field.message_type and field.message_type.full_name == _DETAILS:
            details = values_of(value)
        elif field.type == FieldDescriptor.TYPE_BYTES:
            values[f"{field.name}_bytes"] = len(value)
        elif field.message_type and field.message_type.full_name == "google.protobuf.Duration":
            values["milliseconds"] = _one(field, value)
        elif field.is_repeated:
            values[field.name] = _all(field, value)
        elif field.has_presence and not message.HasField(field.name):
            values[field.name] = None
        else:
            values[field.name] = _one(field, value)
    return values | details


def columns_of(row: ListRow, columns: str) -> dict[str, Cell]:
    """The cells of these columns, which are paths. `a.b as c` renames a column, as in SQL."""
    cells = dict[str, Cell]()
    for column in columns.split(", "):
        path, _, name = column.partition(" as ")
        cells[name or path] = _at(row, path.split("."))
    return cells


def names_of(columns: str) -> Iterator[str]:
    """The names of these columns."""
    for column in columns.split(", "):
        yield column.rpartition(" as ")[2]


def label(kind: EnumDescriptor, number: int) -> str:
    """The name of an enum's value without its prefix; empty if it is unspecified."""
    return kind.values_by_number[number].name.removeprefix(prefix(kind)).replace("UNSPECIFIED", "")


def prefix(kind: EnumDescriptor) -> str:
    """The beginning of the names of all values of an enum."""
    return kind.values[0].name.removesuffix("UNSPECIFIED")


def _at(value: Any, path: list[str]) -> Any:
    """The value at a path; -1 is the last element of a list. None if there is none."""
    for name in path:
        if isinstance(value, list):
            value = value[int(name)] if value else None
        else:
            value = value and value[name]
    return value


def _all(field: Any, values: Any) -> Any:
    if field.message_type and field.message_type.GetOptions().map_entry:
        return dict(values)
    if field.message_type:
        return [values_of(each) for each in values]
    return tuple(_one(field, each) for each in values)


def _one(field: Any, value: Any) -> Any:
    if field.enum_type:
        return label(field.enum_type, value)
    if field.message_type:
        return _WELL_KNOWN.get(field.message_type.full_name, values_of)(value)
    return value

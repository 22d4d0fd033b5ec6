"""The JSON of protobuf's types, in one table: https://protobuf.dev/programming-guides/json.

The table is used to check requests, and to make the description of the API and its examples. A
message that is not in the table is an object of its fields.

The rule: the table has the types of the schema, and no others (`tests/bridge/test_json_types.py`).
"""

import functools
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from google.api import field_behavior_pb2
from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor

from bridge.json import checks
from bridge.json.checks import Check

Schema = dict[str, Any]


@dataclass(frozen=True, slots=True)
class JsonType:
    """The check and the description of the values of a type.

    `schema` is JSON Schema that client generators accept (decision 9). `example` is None if the
    type alone suggests none. `from_url` makes the JSON value of a text in a path or a query, or
    returns the text, which the check then refuses; None if a URL cannot contain such a value.
    """

    check: Check
    schema: Schema
    example: Any = None
    from_url: Callable[[str], Any] | None = None


def _boolean_from_url(text: str) -> bool | str:
    return {"true": True, "false": False}.get(text, text)


def _number_from_url(text: str) -> int | str:
    return int(text) if checks.is_digits(text) else text


_INT32 = JsonType(
    checks.integer(-(2**31), 2**31 - 1),
    {"type": "integer", "minimum": -(2**31), "maximum": 2**31 - 1, "format": "int32"},
    from_url=str,
)

SCALARS: Mapping[int, JsonType] = {
    FieldDescriptor.TYPE_BOOL: JsonType(
        checks.boolean, {"type": "boolean"}, True, from_url=_boolean_from_url
    ),
    FieldDescriptor.TYPE_STRING: JsonType(checks.string, {"type": "string"}, from_url=str),
    FieldDescriptor.TYPE_BYTES: JsonType(
        checks.base64_string, {"type": "string", "contentEncoding": "base64"}, from_url=str
    ),
    FieldDescriptor.TYPE_INT32: _INT32,
    # JSON writes it as a string, because a double would round it.
    FieldDescriptor.TYPE_UINT64: JsonType(
        checks.integer(0, 2**64 - 1),
        {"type": "string", "pattern": "^[0-9]{1,20}$", "format": "uint64"},
        from_url=str,
    ),
}

WELL_KNOWN: Mapping[str, JsonType] = {
    "google.protobuf.Duration": JsonType(
        checks.duration,
        {"type": "string", "pattern": r"^-?[0-9]+(\.[0-9]{1,9})?s$"},
        "0.250s",
        from_url=str,
    ),
    "google.protobuf.FieldMask": JsonType(checks.field_mask, {"type": "string"}, from_url=str),
    "google.protobuf.Struct": JsonType(checks.struct, {"type": "object"}),
    "google.protobuf.Timestamp": JsonType(
        checks.instant,
        {"type": "string", "format": "date-time"},
        "2026-11-21T09:30:00Z",
        from_url=str,
    ),
}


def type_of(field: FieldDescriptor) -> JsonType | Descriptor:
    """The type of a field's value, or of a list's items; a descriptor if its JSON is an object."""
    if field.message_type is not None:
        return WELL_KNOWN.get(field.message_type.full_name, field.message_type)
    if field.enum_type is not None:
        return _enum(field.enum_type, is_required(field))
    return SCALARS[field.type]


def behavior(field: FieldDescriptor) -> Collection[int]:
    """The behavior that the schema declares (https://google.aip.dev/203)."""
    declared: Collection[int] = field.GetOptions().Extensions[field_behavior_pb2.field_behavior]
    return declared


def is_required(field: FieldDescriptor) -> bool:
    """Whether a request must have the field."""
    return field_behavior_pb2.REQUIRED in behavior(field)


def value_of_map(field: FieldDescriptor) -> FieldDescriptor | None:
    """The value of a map, whose keys are texts; None for a field that is no map."""
    message = field.message_type
    if message is None or not message.GetOptions().map_entry:
        return None
    return message.fields_by_name["value"]


def oneofs(message: Descriptor) -> Sequence[Sequence[FieldDescriptor]]:
    """The fields of each oneof; an object has at most one of them."""
    # The compiler represents `optional` as a oneof with one field.
    return [oneof.fields for oneof in message.oneofs if len(oneof.fields) > 1]


@functools.cache
def _enum(enum: EnumDescriptor, is_required: bool) -> JsonType:
    """The JSON of an enum: its names, and every 32-bit number, which the method checks.

    A refusal does not suggest zero for a required field. The method refuses it, with all other
    violations, because it means that the field is missing.
    """
    names = [value.name for value in enum.values]
    suggested = [value.name for value in enum.values if value.number or not is_required]

    def accepts(value: Any) -> bool:
        return value in names if isinstance(value, str) else not any(_INT32.check(value, "", 0))

    return JsonType(
        checks.single(f"must be one of {', '.join(suggested)}", accepts),
        {"type": "string", "enum": names},
        names[-1],
        from_url=_number_from_url,
    )

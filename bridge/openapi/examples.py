"""What messages look like, for a description of the API.

A field looks as its option `keystead.options.v1.example` says, or else as its type or its name
says. If nothing is known it is left out; in an answer, if that cannot be, it is empty.
"""

import json
from collections.abc import Collection
from typing import Any

from google.protobuf import json_format
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message_factory import GetMessageClass

from bridge.openapi.json_schema import below, is_well_known, written
from keystead.options.v1 import options_pb2

_WELL_KNOWN = {
    "google.protobuf.Duration": "0.250s",
    "google.protobuf.Timestamp": "2026-11-21T09:30:00Z",
}
IDENTIFIER = "0199d3a8-5f1c-7c3a-9b7e-2f60d8a1c4b5"


def example_of(
    message: Descriptor,
    *,
    in_request: bool = False,
    without: Collection[str] = (),
    inside: tuple[Descriptor, ...] = (),
) -> dict[str, Any]:
    """A message, an answer's unless `in_request`.

    `without` are the paths of fields that are not part of it; `inside`, what it is a part of.
    """
    values = {
        field.json_name: example_of_field(
            field,
            in_request=in_request,
            without=below(field, without),
            inside=(*inside, message),
        )
        for field in (written(message) if in_request else message.fields)
        if field.name not in without and _is_first_of_its_oneof(field)
    }
    unset = {} if in_request else _unset(message)
    filled = {name: unset.get(name) if value is None else value for name, value in values.items()}
    return {name: value for name, value in filled.items() if value is not None}


def example_of_field(
    field: FieldDescriptor,
    *,
    in_request: bool = False,
    without: Collection[str] = (),
    inside: tuple[Descriptor, ...] = (),
) -> Any:
    """A value of a field; None if nothing is known of it."""
    text = field.GetOptions().Extensions[options_pb2.example]
    if text:
        is_text = field.type == FieldDescriptor.TYPE_STRING and not field.is_repeated
        return text if is_text else json.loads(text)
    message = field.message_type
    if message is None:
        value = _scalar(field)
    elif is_well_known(message):
        value = _WELL_KNOWN.get(message.full_name)
    elif message in inside:
        value = None
    else:
        value = example_of(message, in_request=in_request, without=without, inside=inside)
    return [value] if field.is_repeated and value is not None else value


def _unset(message: Descriptor) -> dict[str, Any]:
    """An answer that has only what it must have."""
    return json_format.MessageToDict(
        GetMessageClass(message)(), always_print_fields_with_no_presence=True
    )


def _scalar(field: FieldDescriptor) -> Any:
    if field.enum_type:
        return field.enum_type.values[-1].name
    if field.type == FieldDescriptor.TYPE_BOOL:
        return True
    return IDENTIFIER if field.name.endswith("_id") else None


def _is_first_of_its_oneof(field: FieldDescriptor) -> bool:
    oneof = field.containing_oneof
    return oneof is None or field.index == oneof.fields[0].index

"""Examples of messages, for the description of the API.

The example of a field is its option `keystead.options.v1.example`, or else that of its type, or an
identifier if its name ends in `_id`. A field without an example is left out; in an answer, a field
that is always present is then empty.
"""

import json
from collections.abc import Collection
from typing import Any

from google.protobuf import json_format
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message_factory import GetMessageClass

from bridge.json.types import JsonType, oneofs, type_of, value_of_map
from keystead.options.v1 import options_pb2
from tests.support.openapi.json_schema import paths_below, settable_fields

IDENTIFIER = "0199d3a8-5f1c-7c3a-9b7e-2f60d8a1c4b5"


def example_of(
    message: Descriptor, *, in_request: bool = False, without: Collection[str] = ()
) -> dict[str, Any]:
    """The example of a message of an answer, or with `in_request` of a request.

    `without` are the paths of fields to leave out.
    """
    others = {field for _, *others in oneofs(message) for field in others}
    values = {
        field.json_name: example_of_field(
            field, in_request=in_request, without=paths_below(field, without)
        )
        for field in (settable_fields(message) if in_request else message.fields)
        if field.name not in without and field not in others
    }
    unset = {} if in_request else _unset(message)
    filled = {name: unset.get(name) if value is None else value for name, value in values.items()}
    return {name: value for name, value in filled.items() if value is not None}


def example_of_field(
    field: FieldDescriptor, *, in_request: bool = False, without: Collection[str] = ()
) -> Any:
    """The example of a field; None if there is none."""
    text = field.GetOptions().Extensions[options_pb2.example]
    if text:
        is_text = field.type == FieldDescriptor.TYPE_STRING and not field.is_repeated
        return text if is_text else json.loads(text)
    kind = type_of(field)
    value: Any
    if value_of_map(field):
        return None
    if not isinstance(kind, JsonType):
        value = example_of(kind, in_request=in_request, without=without)
    elif field.type == FieldDescriptor.TYPE_STRING and field.name.endswith("_id"):
        value = IDENTIFIER
    else:
        value = kind.example
    return [value] if field.is_repeated and value is not None else value


def _unset(message: Descriptor) -> dict[str, Any]:
    """An answer with only the fields that are always present."""
    return json_format.MessageToDict(
        GetMessageClass(message)(), always_print_fields_with_no_presence=True
    )

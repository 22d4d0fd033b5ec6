"""The table of JSON types is complete, and its entries do not contradict each other."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from google.protobuf import (
    any_pb2,
    duration_pb2,
    field_mask_pb2,
    struct_pb2,
    timestamp_pb2,
    wrappers_pb2,
)
from google.protobuf.descriptor import FieldDescriptor
from google.rpc import error_details_pb2
from openapi_schema_validator import OAS31Validator

from bridge.json.types import SCALARS, WELL_KNOWN, JsonType, unsupported
from bridge.openapi.examples import example_of, example_of_field

# Types that are written as messages.
_MESSAGES = {FieldDescriptor.TYPE_MESSAGE, FieldDescriptor.TYPE_GROUP}

_TYPES: Mapping[str, JsonType] = {
    **{f"type {number}": json_type for number, json_type in SCALARS.items()},
    **{
        name: json_type
        for name, json_type in WELL_KNOWN.items()
        if json_type.check is not unsupported
    },
}
# JSON values of every kind that some type accepts.
_VALUES: Sequence[Any] = (
    *(True, False, 0, -1, 1.5, 2**31, "", "0", "-1", "QQ==", "é", "1.5s", "name,displayName"),
    *("2026-11-21T10:30:00Z", {}, {"name": 1}, [], [1]),
)


def test_every_scalar_type_is_there() -> None:
    every = set(range(1, FieldDescriptor.MAX_TYPE + 1))

    assert SCALARS.keys() == every - _MESSAGES - {FieldDescriptor.TYPE_ENUM}


def test_every_well_known_type_with_json_of_its_own_is_there() -> None:
    files = (any_pb2, duration_pb2, field_mask_pb2, struct_pb2, timestamp_pb2, wrappers_pb2)
    messages = [each for file in files for each in file.DESCRIPTOR.message_types_by_name.values()]

    assert WELL_KNOWN.keys() == {message.full_name for message in messages}


@pytest.mark.parametrize("json_type", _TYPES.values(), ids=_TYPES.keys())
def test_an_example_passes_the_check_and_fits_the_schema(json_type: JsonType) -> None:
    if json_type.example is not None:
        assert not list(json_type.check(json_type.example, "", 1))
        assert OAS31Validator(json_type.schema).is_valid(json_type.example)


@pytest.mark.parametrize("json_type", _TYPES.values(), ids=_TYPES.keys())
def test_a_value_that_fits_the_schema_passes_the_check(
    json_type: JsonType,
) -> None:
    fitting = [value for value in _VALUES if OAS31Validator(json_type.schema).is_valid(value)]

    assert fitting
    for value in fitting:
        # The schema of a string may be wider than the check.
        if not isinstance(value, str):
            assert not list(json_type.check(value, "", 1)), value


@pytest.mark.parametrize("json_type", _TYPES.values(), ids=_TYPES.keys())
def test_a_url_gives_texts_and_never_lists_or_objects(json_type: JsonType) -> None:
    is_object = json_type.schema.get("type") in ("object", "array", None)

    assert (json_type.from_url is None) == is_object


def test_a_map_without_an_example_is_left_out_of_requests_and_empty_in_answers() -> None:
    message = error_details_pb2.ErrorInfo.DESCRIPTOR

    assert example_of_field(message.fields_by_name["metadata"]) is None
    assert example_of(message, in_request=True) == {}
    assert example_of(message) == {"reason": "", "domain": "", "metadata": {}}

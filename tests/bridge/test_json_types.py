"""The table of JSON types is complete, and its entries do not contradict each other."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.rpc import error_details_pb2
from openapi_schema_validator import OAS31Validator

from bridge.json.types import SCALARS, WELL_KNOWN, JsonType
from tests.support import given
from tests.support.openapi.examples import example_of, example_of_field

pytestmark = pytest.mark.python_differs("json reads deeper since 3.12, and words errors anew")

_TYPES: Mapping[str, JsonType] = {
    **{f"type {number}": json_type for number, json_type in SCALARS.items()},
    **WELL_KNOWN,
}
# JSON values of every kind that some type accepts.
_VALUES: Sequence[Any] = (
    *(True, False, 0, -1, 1.5, 2**31, "", "0", "-1", "QQ==", "é", "1.5s", "name,displayName"),
    *("2026-11-21T10:30:00Z", {}, {"name": 1}, [], [1]),
)


def _used_in(message: Descriptor) -> set[int | str]:
    """The scalars and the well-known types in a message, at any depth."""
    used = set[int | str]()
    for field in message.fields:
        inner = field.message_type
        if inner is None:
            used.add(field.type)
        elif inner.file.package == "google.protobuf":
            used.add(inner.full_name)
        else:
            used |= _used_in(inner)
    return used


def test_the_table_has_the_types_of_the_schema() -> None:
    messages = [
        each for method in given.METHODS for each in (method.input_type, method.output_type)
    ]
    used = set().union(*map(_used_in, messages))

    assert used == {*SCALARS, *WELL_KNOWN, FieldDescriptor.TYPE_ENUM}


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

"""Any message survives JSON, and any JSON is read, or refused with the names of its fields."""

import json
from typing import Any

import pytest
from google.protobuf import duration_pb2, field_mask_pb2, struct_pb2, timestamp_pb2
from google.protobuf.descriptor import Descriptor, FieldDescriptor, MethodDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from hypothesis import HealthCheck, settings
from hypothesis import given as for_all
from hypothesis import strategies as st

from bridge.json import codec
from bridge.json.binding import Binding
from bridge.json.routing import Route
from server.rpc.requests import OF_CALLERS
from server.values.errors import Failure
from tests.support import given

_TEXTS = st.text(st.characters(codec="utf-8"), max_size=8)
_JSON: st.SearchStrategy[Any] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers(-(10**400), 10**400)
    | st.floats()
    | _TEXTS
    | st.sampled_from(
        ["2026-11-21T10:30:00Z", "1s", "name", "ROLE_ORG_OWNER", "YQ==", "1", "true"]
    ),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_TEXTS, inner, max_size=3),
    max_leaves=10,
)

_SCALARS: dict[int, st.SearchStrategy[Any]] = {
    FieldDescriptor.TYPE_STRING: _TEXTS,
    FieldDescriptor.TYPE_BYTES: st.binary(max_size=100),
    FieldDescriptor.TYPE_BOOL: st.booleans(),
    FieldDescriptor.TYPE_INT32: st.integers(-(2**31), 2**31 - 1),
    FieldDescriptor.TYPE_UINT64: st.integers(0, 2**64 - 1),
    FieldDescriptor.TYPE_ENUM: st.integers(0, 4),
}
_STRUCTS = st.dictionaries(
    _TEXTS,
    st.recursive(
        st.none() | st.booleans() | st.floats(allow_nan=False, allow_infinity=False) | _TEXTS,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_TEXTS, inner, max_size=3),
        max_leaves=8,
    ),
    max_size=3,
)


def _struct(members: dict[str, Any]) -> struct_pb2.Struct:
    struct = struct_pb2.Struct()
    struct.update(members)
    return struct


_WELL_KNOWN: dict[str, st.SearchStrategy[Message]] = {
    "google.protobuf.Struct": _STRUCTS.map(_struct),
    "google.protobuf.Timestamp": st.builds(
        timestamp_pb2.Timestamp,
        seconds=st.integers(-62135596800, 253402300799),
        nanos=st.integers(0, 999_999_999),
    ),
    "google.protobuf.Duration": st.builds(
        duration_pb2.Duration,
        seconds=st.integers(0, 315_576_000_000),
        nanos=st.integers(0, 999_999_999),
    ),
    "google.protobuf.FieldMask": st.builds(
        field_mask_pb2.FieldMask, paths=st.lists(st.from_regex("[a-z]+(_[a-z]+)*", fullmatch=True))
    ),
}


def _messages(message: Descriptor) -> st.SearchStrategy[Message]:
    """Any message of a type."""
    if message.full_name in _WELL_KNOWN:
        return _WELL_KNOWN[message.full_name]
    oneof = {field.name for each in message.oneofs for field in each.fields[1:]}
    fields = {field.name: _values(field) for field in message.fields if field.name not in oneof}
    return st.fixed_dictionaries({}, optional=fields).map(
        lambda values: GetMessageClass(message)(**values)
    )


def _values(field: FieldDescriptor) -> st.SearchStrategy[Any]:
    if field.message_type and field.message_type.GetOptions().map_entry:
        entry = field.message_type.fields_by_name
        return st.dictionaries(_values(entry["key"]), _values(entry["value"]), max_size=3)
    one = _messages(field.message_type) if field.message_type else _SCALARS[field.type]
    return st.lists(one, max_size=3) if field.is_repeated else one


def _unrouted(method: MethodDescriptor) -> Binding:
    """A binding that takes all fields from the body."""
    return Binding(Route("POST", "/", method, True, ()))


@pytest.mark.parametrize("method", given.METHODS, ids=lambda method: method.name)
@settings(derandomize=True, deadline=None, max_examples=2, suppress_health_check=list(HealthCheck))
@for_all(data=st.data())
def test_every_request_is_the_same_after_its_way_through_json(
    method: MethodDescriptor, data: st.DataObject
) -> None:
    message = data.draw(_messages(method.input_type))

    assert _unrouted(method).request((), b"", codec.of_message(message), OF_CALLERS) == message


def _bodies(message: Descriptor) -> st.SearchStrategy[Any]:
    """Objects with some fields of a message, valid or not, and with unknown ones."""
    members = {field.json_name: _JSON for field in message.fields}
    for field in message.fields:
        members[field.name] = _JSON
        if field.message_type and field.message_type.full_name not in _WELL_KNOWN:
            members[field.json_name] = _bodies(field.message_type) | _JSON
    return st.fixed_dictionaries({}, optional=members | {"x": _JSON})


def _text(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=True).encode()


@pytest.mark.parametrize("method", given.METHODS, ids=lambda method: method.name)
@settings(derandomize=True, deadline=None, max_examples=4, suppress_health_check=list(HealthCheck))
@for_all(data=st.data())
def test_every_body_is_read_or_refused_by_the_checks(
    method: MethodDescriptor, data: st.DataObject
) -> None:
    body = _text(data.draw(_bodies(method.input_type)))

    message = refused = None
    try:
        message = _unrouted(method).request((), b"", body, OF_CALLERS)
    except Failure as failure:
        refused = failure

    if message is not None:
        assert type(message).FromString(message.SerializeToString()) == message
    if refused is not None:  # and not by json_format, whose errors name no fields
        assert refused.violations or b"NaN" in body or b"Infinity" in body

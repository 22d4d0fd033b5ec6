"""Conversions of results to protobuf messages, for every `service.py`."""

import functools
import json
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from math import isfinite
from typing import Any, Final, TypeAlias, TypeVar

from google.protobuf import struct_pb2
from google.protobuf.descriptor import Descriptor
from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp

from keystead.common.v1 import details_pb2, user_result_pb2
from server.access.batches import UserResult
from server.store.rows import Details
from server.values.errors import Violation, invalid

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_SECONDS_PER_DAY = 86_400
# A credential has about 20 values. A message can hold a million; their conversion to Python objects
# would block the event loop for more than a second.
_MAX_VALUES = 1_000
_encode: Final = json.JSONEncoder(ensure_ascii=False).encode  # `dumps` makes an encoder each time

_DONE: Final = user_result_pb2.USER_RESULT_STATE_DONE

AnyMessage = TypeVar("AnyMessage", bound=Message)

# A message within another one, as a mapping of its fields. The constructor of the outer message
# fills it in place; it would copy a message by serializing and parsing it, at twice the cost.
Nested: TypeAlias = Any


def message_of(kind: type[AnyMessage], source: object, /, **further: object) -> AnyMessage:
    """The message whose fields are the attributes of these names; `further` gives the others.

    Times become timestamps, and `Details` the details object.
    """
    return kind(**nested(kind, source, **further))


def nested(kind: type[Message], source: object, /, **further: object) -> Nested:
    """The same as `message_of`, for a field of another message."""
    for name, convert in _fields_of(kind.DESCRIPTOR):
        if name not in further:
            value = getattr(source, name)
            further[name] = convert(value) if convert else value
    return further


def details_message(details: Details) -> Nested:
    """The details object with all four members."""
    return {
        "sequence": details.sequence,
        "creation_date": timestamp(details.creation_date),
        "change_date": timestamp(details.change_date),
        "resource_owner": details.owner,
    }


def details_without_creation_date(details: Details) -> Nested:
    """The details object of VerifyPasskeyRegistration, which never has a creation date."""
    return {**details_message(details), "creation_date": None}


def result_message(result: UserResult) -> Nested:
    """The result of one user of a call on many."""
    state = user_result_pb2.USER_RESULT_STATE_REFUSED if result.reason else _DONE
    return nested(user_result_pb2.UserResult, result, state=state)


def timestamp(value: datetime | None) -> Nested:
    """A timestamp; absent for None."""
    if value is None:
        return None
    # The same as `FromDatetime` in a fifth of its time, since most answers have timestamps.
    since = value - _EPOCH
    return {
        "seconds": since.days * _SECONDS_PER_DAY + since.seconds,
        "nanos": since.microseconds * 1000,
    }


_CONVERSIONS: Final[Mapping[str, Callable[[Any], Nested]]] = {
    Timestamp.DESCRIPTOR.full_name: timestamp,
    details_pb2.Details.DESCRIPTOR.full_name: details_message,
}


@functools.cache
def _fields_of(message: Descriptor) -> tuple[tuple[str, Callable[[Any], Nested] | None], ...]:
    """The names of the fields, with the conversions of their types; None: there is none."""
    return tuple(
        (each.name, _CONVERSIONS.get(each.message_type.full_name) if each.message_type else None)
        for each in message.fields
    )


def duration(seconds: float) -> Duration:
    """A duration, rounded to microseconds."""
    message = Duration()
    message.FromMicroseconds(round(seconds * 1_000_000))
    return message


def instant(message: Timestamp) -> object:
    """The instant of a timestamp; a text that validation refuses if it is out of range."""
    try:
        return message.ToDatetime(tzinfo=UTC)
    except (ValueError, OverflowError):
        return "not an instant"


def json_text(struct: struct_pb2.Struct, *, field: str, most_values: int = _MAX_VALUES) -> str:
    """The compact JSON of a Struct. `Failure` INVALID_ARGUMENT if it is not JSON, or too large."""
    try:
        return _object(struct, iter(range(most_values)))
    except ValueError:
        problem = f"must be a JSON object of at most {most_values} values, its numbers finite"
        raise invalid(Violation(field, problem)) from None


def json_object(struct: struct_pb2.Struct, *, left: Iterator[int]) -> object:
    """The JSON object of a Struct; a text, which validation refuses, if `left` ends before it."""
    try:
        return json.loads(_object(struct, left))
    except ValueError:
        return "not a JSON object"


def _object(struct: struct_pb2.Struct, left: Iterator[int]) -> str:
    members = (f"{_encode(name)}:{_value(value, left)}" for name, value in struct.fields.items())
    return f"{{{','.join(members)}}}"


def _value(value: struct_pb2.Value, left: Iterator[int]) -> str:
    """The JSON of a value. ValueError if it is not JSON, or when no values are left."""
    if next(left, None) is None:
        raise ValueError("too many values")
    match value.WhichOneof("kind"):
        case "string_value":
            return _encode(value.string_value)
        case "struct_value":
            return _object(value.struct_value, left)
        case "list_value":
            return f"[{','.join(_value(item, left) for item in value.list_value.values)}]"
        case "bool_value":
            return _encode(value.bool_value)
        case "null_value" | None:
            return "null"
        case "number_value" if isfinite(value.number_value):
            return repr(value.number_value).removesuffix(".0")  # -7 and not -7.0, like browsers
        case _:
            raise ValueError("not JSON")

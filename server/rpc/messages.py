"""Conversions between protobuf messages and what commands take and give, for every `service.py`."""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from itertools import islice

from google.protobuf import json_format, struct_pb2
from google.protobuf.timestamp_pb2 import Timestamp

from keystead.common.v1 import details_pb2
from server.store.eventlog import Details

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_SECOND = timedelta(seconds=1)
# A credential has some twenty. A message can hold a million, and to turn those into Python would
# hold up everybody else for more than a second.
_MAX_VALUES = 1_000


def details_message(details: Details) -> details_pb2.Details:
    """The details object with all four members."""
    return details_pb2.Details(
        sequence=details.sequence,
        creation_date=timestamp(details.creation_date),
        change_date=timestamp(details.change_date),
        resource_owner=details.owner,
    )


def details_without_creation_date(details: Details) -> details_pb2.Details:
    """The details object of VerifyPasskeyRegistration, which never has a creation date."""
    return details_pb2.Details(
        sequence=details.sequence,
        change_date=timestamp(details.change_date),
        resource_owner=details.owner,
    )


def timestamp(value: datetime | None) -> Timestamp | None:
    """A timestamp; absent for None."""
    if value is None:
        return None
    # What `FromDatetime` does, in a fifth of its time: every answer has one or two.
    return Timestamp(seconds=(value - _EPOCH) // _SECOND, nanos=value.microsecond * 1000)


def json_object(struct: struct_pb2.Struct) -> object:
    """The JSON of a Struct; for one that JSON has no words for, what validation refuses."""
    if next(islice(_values(struct), _MAX_VALUES, None), None) is not None:
        return "too many values"
    try:
        return json_format.MessageToDict(struct)
    except (json_format.SerializeToJsonError, ValueError):
        return "not JSON"


def _values(struct: struct_pb2.Struct) -> Iterator[struct_pb2.Value]:
    """The values inside a Struct, however deep."""
    pending: list[Iterable[struct_pb2.Value]] = [struct.fields.values()]
    while pending:
        for value in pending.pop():
            yield value
            if value.HasField("struct_value"):
                pending.append(value.struct_value.fields.values())
            elif value.HasField("list_value"):
                pending.append(value.list_value.values)

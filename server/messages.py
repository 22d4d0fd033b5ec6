"""Conversions between protobuf messages and what commands take and give, for every `service.py`."""

from datetime import datetime

from google.protobuf.timestamp_pb2 import Timestamp

from keystead.common.v1 import details_pb2
from server.eventstore import Details


def details_message(details: Details) -> details_pb2.Details:
    """The details object with all four members."""
    message = details_without_creation_date(details)
    message.creation_date.FromDatetime(details.creation_date)
    return message


def details_without_creation_date(details: Details) -> details_pb2.Details:
    """The details object of VerifyPasskeyRegistration, which never has a creation date."""
    message = details_pb2.Details(sequence=details.sequence, resource_owner=details.owner)
    message.change_date.FromDatetime(details.change_date)
    return message


def timestamp(value: datetime | None) -> Timestamp | None:
    """A timestamp; absent for None."""
    if value is None:
        return None
    message = Timestamp()
    message.FromDatetime(value)
    return message

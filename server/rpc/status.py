"""Maps a failure to `google.rpc.Status` with its details. The only such mapping."""

import math
from collections.abc import Iterator
from datetime import timedelta
from typing import NamedTuple

import grpc
from google.protobuf.message import Message
from google.rpc import code_pb2, error_details_pb2, status_pb2
from grpc_status import rpc_status

from server.values.errors import Failure, Kind

ERROR_DOMAIN = "keystead"

# When clients with a retry policy of gRPC repeat the call (gRFC A6). Negative: not at all.
_PUSHBACK = "grpc-retry-pushback-ms"
_MILLISECOND = timedelta(milliseconds=1)

# Clients refuse trailers of more than 8 KiB by default.
_MAX_SHOWN = 300

Metadata = tuple[tuple[str, str | bytes], ...]


class EndOfCall(
    NamedTuple(
        "EndOfCall",
        [
            ("code", grpc.StatusCode),
            ("details", str),
            ("trailing_metadata", Metadata),
            ("status", status_pb2.Status),
            ("failure", Failure),
        ],
    ),
    grpc.Status,
):
    """The end of a call in the form of grpc.aio, the `status` in its trailers, and its failure."""


def status_of(failure: Failure, request_id: str) -> status_pb2.Status:
    """The status of a failure with all its details."""
    status = status_pb2.Status(code=code_pb2.Code.Value(failure.kind.name), message=failure.message)
    for detail in _details(failure, request_id):
        status.details.add().Pack(detail)
    return status


def end_of_call(failure: Failure, request_id: str, trailing_metadata: Metadata) -> EndOfCall:
    """The end of a call with this failure, and with `trailing_metadata` beside its details."""
    status = status_of(failure, request_id)
    ended = rpc_status.to_status(status)
    metadata = (*ended.trailing_metadata, *_pushback(failure), *trailing_metadata)
    return EndOfCall(ended.code, ended.details, metadata, status, failure)


def _pushback(failure: Failure) -> Metadata:
    """The time of `RetryInfo` for gRPC. A call that ends as ABORTED without one is not repeated."""
    if failure.retry_after:
        return ((_PUSHBACK, str(math.ceil(failure.retry_after / _MILLISECOND))),)
    return ((_PUSHBACK, "-1"),) if failure.kind is Kind.ABORTED else ()


def _details(failure: Failure, request_id: str) -> Iterator[Message]:
    yield error_details_pb2.ErrorInfo(
        reason=failure.reason, domain=ERROR_DOMAIN, metadata=failure.metadata
    )
    yield error_details_pb2.RequestInfo(request_id=request_id)
    if failure.violations:
        violations = [
            error_details_pb2.BadRequest.FieldViolation(
                field=violation.field,
                description=_shown(violation.description),
                reason=violation.reason,
            )
            for violation in failure.violations
        ]
        yield error_details_pb2.BadRequest(field_violations=violations)
    if failure.resource:
        yield error_details_pb2.ResourceInfo(
            resource_type=failure.resource.type,
            resource_name=_shown(failure.resource.name),
            description=failure.message,
        )
    if failure.retry_after:
        retry_info = error_details_pb2.RetryInfo()
        retry_info.retry_delay.FromTimedelta(failure.retry_after)
        yield retry_info


def _shown(text: str) -> str:
    """A text that may repeat input of the client, cut to fit into the trailers."""
    return text if len(text) <= _MAX_SHOWN else f"{text[:_MAX_SHOWN]}..."

"""The one error of calls, with the details that the server sends (docs/api.md, Errors)."""

from collections.abc import Mapping
from datetime import timedelta
from typing import TypeVar

import grpc
from google.protobuf.message import Message
from google.rpc import error_details_pb2, status_pb2
from grpc_status import rpc_status

Detail = TypeVar("Detail", bound=Message)


class KeysteadError(grpc.aio.AioRpcError):
    """A call that failed.

    It is also the error of grpc.aio, with `code()`, `details()` and the metadata.

    - `reason` is stable and for programs; empty if the server did not answer.
    - `message` is for people.
    - `metadata` has details of the reason, such as `sequence` for `ETAG_MISMATCH`.
    - `violations` describe each invalid field by its JSON name.
    - `resource` is the type and the name of an object that was not found.
    - `request_id` finds the call in the log of the server.
    - `retry_after` is the time after which the call can be repeated.
    """

    def __init__(self, error: grpc.aio.AioRpcError) -> None:
        super().__init__(
            error.code(),
            error.initial_metadata(),
            error.trailing_metadata(),
            error.details(),
            error.debug_error_string(),
        )
        status = _status_of(error)
        info = _detail(status, error_details_pb2.ErrorInfo())
        retry = _detail(status, error_details_pb2.RetryInfo())
        resource = _detail(status, error_details_pb2.ResourceInfo())
        bad_request = _detail(status, error_details_pb2.BadRequest())
        request = _detail(status, error_details_pb2.RequestInfo())
        self.message: str = error.details() or ""
        self.reason: str = info.reason if info else ""
        self.metadata: Mapping[str, str] = dict(info.metadata) if info else {}
        self.request_id: str = request.request_id if request else ""
        self.violations: Mapping[str, str] = {
            each.field: each.description
            for each in (bad_request.field_violations if bad_request else ())
        }
        self.resource: tuple[str, str] | None = (
            (resource.resource_type, resource.resource_name) if resource else None
        )
        self.retry_after: timedelta | None = retry.retry_delay.ToTimedelta() if retry else None

    def __str__(self) -> str:
        fields = "".join(f" {name}: {why}." for name, why in self.violations.items())
        return f"{self.reason or self.code().name}: {self.message}{fields}"

    __repr__ = __str__


def _status_of(error: grpc.aio.AioRpcError) -> status_pb2.Status:
    try:
        return rpc_status.from_call(error) or status_pb2.Status()
    except ValueError:  # a proxy changed the code or the message, but not the details
        return status_pb2.Status()


def _detail(status: status_pb2.Status, detail: Detail) -> Detail | None:
    return next((detail for each in status.details if each.Unpack(detail)), None)

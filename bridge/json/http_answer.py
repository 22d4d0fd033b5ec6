"""The end of a call over HTTP: the status, the headers and the JSON body.

The status codes are those of `google/rpc/code.proto`, or of RFC 9110 where it is more precise.
"""

import math
from typing import NamedTuple

import grpc
from google.protobuf import json_format
from google.rpc import error_details_pb2
from starlette.types import Send

from bridge.json import codec
from bridge.media_types import JSON
from bridge.metadata import Headers, to_headers
from server.access.authorizer import RECENT_SIGN_IN
from server.rpc.preconditions.run import ETAG_MISMATCH
from server.rpc.status import EndOfCall, Metadata

MESSAGE_TOO_LARGE = "MESSAGE_TOO_LARGE"
METHOD_NOT_ALLOWED = "METHOD_NOT_ALLOWED"
UNSUPPORTED_MEDIA_TYPE = "UNSUPPORTED_MEDIA_TYPE"

STATUS_OF_REASON = {
    METHOD_NOT_ALLOWED: 405,
    ETAG_MISMATCH: 412,
    "IDEMPOTENCY_KEY_REUSED": 422,
    MESSAGE_TOO_LARGE: 413,
    UNSUPPORTED_MEDIA_TYPE: 415,
}
STATUS_OF_CODE = {
    grpc.StatusCode.CANCELLED: 499,
    grpc.StatusCode.UNKNOWN: 500,
    grpc.StatusCode.INVALID_ARGUMENT: 400,
    grpc.StatusCode.DEADLINE_EXCEEDED: 504,
    grpc.StatusCode.NOT_FOUND: 404,
    grpc.StatusCode.ALREADY_EXISTS: 409,
    grpc.StatusCode.PERMISSION_DENIED: 403,
    grpc.StatusCode.RESOURCE_EXHAUSTED: 429,
    grpc.StatusCode.FAILED_PRECONDITION: 400,
    grpc.StatusCode.ABORTED: 409,
    grpc.StatusCode.OUT_OF_RANGE: 400,
    grpc.StatusCode.UNIMPLEMENTED: 501,
    grpc.StatusCode.INTERNAL: 500,
    grpc.StatusCode.UNAVAILABLE: 503,
    grpc.StatusCode.DATA_LOSS: 500,
    grpc.StatusCode.UNAUTHENTICATED: 401,
}
# RFC 9470: the token is valid, but its sign-in is too old.
_CHALLENGE_OF_REASON = {
    "REAUTHENTICATION_REQUIRED": b'Bearer error="insufficient_user_authentication", max_age="%d"'
    % RECENT_SIGN_IN.total_seconds()
}


class HttpAnswer(NamedTuple):
    """A whole answer."""

    status: int
    headers: Headers
    body: bytes

    async def send(self, send: Send) -> None:
        """Sends the answer. uvicorn leaves out the body for HEAD."""
        headers = self.headers
        if self.status != 204:
            headers = [*headers, (b"content-length", b"%d" % len(self.body))]
        await send({"type": "http.response.start", "status": self.status, "headers": headers})
        await send({"type": "http.response.body", "body": self.body})


def failure(ended: EndOfCall, metadata: Metadata) -> HttpAnswer:
    """The answer of a call that ended with another status than OK."""
    reason, retry = reason_and_retry(ended)
    headers = [*to_headers(metadata), *retry, (b"content-type", JSON)]
    if ended.code is grpc.StatusCode.UNAUTHENTICATED:
        challenge = _CHALLENGE_OF_REASON.get(reason, b"Bearer")
        headers.append((b"www-authenticate", challenge))
    return HttpAnswer(
        STATUS_OF_REASON.get(reason) or STATUS_OF_CODE[ended.code],
        headers,
        codec.dumps(json_format.MessageToDict(ended.status)),
    )


def reason_and_retry(ended: EndOfCall) -> tuple[str, Headers]:
    """The reason of the failure, and the header `retry-after` if it has a delay."""
    info, retry = error_details_pb2.ErrorInfo(), error_details_pb2.RetryInfo()
    for detail in ended.status.details:
        detail.Unpack(info)
        detail.Unpack(retry)
    if not retry.HasField("retry_delay"):
        return info.reason, []
    seconds = math.ceil(retry.retry_delay.ToTimedelta().total_seconds())
    return info.reason, [(b"retry-after", b"%d" % seconds)]

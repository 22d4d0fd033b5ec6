"""The end of a call over HTTP: the status, the headers and the JSON body.

The status codes are those of `google/rpc/code.proto`, or of RFC 9110 where it is more precise.
"""

import math
from typing import NamedTuple

from google.protobuf import json_format
from starlette.types import Send

from bridge.json import codec
from bridge.media_types import JSON
from bridge.metadata import Headers, to_headers
from server.access.authorizer import RECENT_SIGN_IN
from server.rpc.preconditions.run import ETAG_MISMATCH
from server.rpc.status import EndOfCall, Metadata
from server.values.errors import Failure, Kind

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
STATUS_OF_KIND = {
    Kind.INVALID_ARGUMENT: 400,
    Kind.DEADLINE_EXCEEDED: 504,
    Kind.NOT_FOUND: 404,
    Kind.ALREADY_EXISTS: 409,
    Kind.PERMISSION_DENIED: 403,
    Kind.RESOURCE_EXHAUSTED: 429,
    Kind.FAILED_PRECONDITION: 400,
    Kind.ABORTED: 409,
    Kind.UNIMPLEMENTED: 501,
    Kind.INTERNAL: 500,
    Kind.UNAVAILABLE: 503,
    Kind.UNAUTHENTICATED: 401,
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
    failed = ended.failure
    headers = [*to_headers(metadata), *retry_after(failed), (b"content-type", JSON)]
    if failed.kind is Kind.UNAUTHENTICATED:
        challenge = _CHALLENGE_OF_REASON.get(failed.reason, b"Bearer")
        headers.append((b"www-authenticate", challenge))
    status = STATUS_OF_REASON.get(failed.reason) or STATUS_OF_KIND[failed.kind]
    return HttpAnswer(status, headers, codec.dumps(json_format.MessageToDict(ended.status)))


def retry_after(failed: Failure) -> Headers:
    """The header `retry-after`, if the failure has a delay."""
    if not failed.retry_after:
        return []
    return [(b"retry-after", b"%d" % math.ceil(failed.retry_after.total_seconds()))]

"""The refusals of requests that reach no application, and the response to them."""

from collections.abc import Sequence
from http import HTTPStatus

from google.protobuf import json_format

from bridge.json import codec
from bridge.media_types import JSON
from server.rpc.call import REQUEST_ID_HEADER
from server.rpc.status import status_of
from server.values.errors import Failure, Kind


class HttpError(Exception):
    """A request that is refused before an application sees it. The connection ends with it."""

    def __init__(self, status: HTTPStatus, failure: Failure) -> None:
        super().__init__(failure.reason)
        self.status = status
        self.failure = failure

    def response(self, request_id: str, default_fields: Sequence[tuple[bytes, bytes]]) -> bytes:
        """The whole response: the status as JSON, like any other error on this port."""
        status = status_of(self.failure, request_id)
        content = codec.dumps(json_format.MessageToDict(status))
        fields = [
            *default_fields,
            (b"content-type", JSON),
            (b"content-length", b"%d" % len(content)),
            (REQUEST_ID_HEADER.encode(), request_id.encode()),
            (b"connection", b"close"),
        ]
        field_lines = b"".join(b"%b: %b\r\n" % field for field in fields)
        status_line = f"HTTP/1.1 {self.status.value} {self.status.phrase}\r\n".encode()
        return status_line + field_lines + b"\r\n" + content


def malformed(log_detail: str) -> HttpError:
    """The request is not HTTP/1.1, is ambiguous, or has an unknown method.

    RFC 9110, section 9.1, recommends 501 for the last, but the parser does not distinguish it from
    other malformed bytes.
    """
    failure = Failure(
        Kind.INVALID_ARGUMENT,
        "MALFORMED_REQUEST",
        "This is not a valid HTTP/1.1 request (RFC 9112), or its method is unknown."
        " Correct the program that sent it, or the proxy that changed it.",
        log_detail=log_detail,
    )
    return HttpError(HTTPStatus.BAD_REQUEST, failure)


def too_large(most_bytes: int, most_lines: int) -> HttpError:
    """The head or the trailer section exceeds these limits."""
    failure = Failure(
        Kind.RESOURCE_EXHAUSTED,
        "HEADERS_TOO_LARGE",
        f"The URL and the headers have more than {most_bytes} bytes or {most_lines} lines."
        " Send fewer or shorter headers.",
    )
    return HttpError(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, failure)


def too_many_chunks(most: int) -> HttpError:
    """More chunks than this number arrived at once."""
    failure = Failure(
        Kind.RESOURCE_EXHAUSTED,
        "TOO_MANY_CHUNKS",
        f"More than {most} chunks of a body arrived at once. Send fewer and larger ones.",
    )
    return HttpError(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, failure)


def too_slow(most_seconds: float) -> HttpError:
    """The request is not complete after this time."""
    failure = Failure(
        Kind.DEADLINE_EXCEEDED,
        "REQUEST_TOO_SLOW",
        f"The request took more than {most_seconds:g} seconds to arrive. Send less, or faster.",
    )
    return HttpError(HTTPStatus.REQUEST_TIMEOUT, failure)


def too_many_pipelined() -> HttpError:
    """Too many requests, or too large ones, wait for the response to an earlier one."""
    failure = Failure(
        Kind.RESOURCE_EXHAUSTED,
        "TOO_MANY_PIPELINED_REQUESTS",
        "Too many requests wait on this connection, or too large ones. Send the next one after a"
        " response.",
    )
    return HttpError(HTTPStatus.TOO_MANY_REQUESTS, failure)

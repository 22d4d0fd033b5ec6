"""Why bytes reach no application, and the response to them."""

from collections.abc import Sequence
from http import HTTPStatus

from google.protobuf import json_format
from uvicorn.protocols.http.httptools_impl import STATUS_LINE

from bridge import json_text
from server.errors import Failure, Kind
from server.outcome import REQUEST_ID_HEADER
from server.status import status_of


class HttpError(Exception):
    """What was received is no request, or none that is let in. The connection ends with it."""

    def __init__(self, status: HTTPStatus, failure: Failure) -> None:
        super().__init__(failure.reason)
        self.status = status
        self.failure = failure

    def response(
        self, request_id: str, default_fields: Sequence[tuple[bytes, bytes]], *, to_head: bool
    ) -> bytes:
        """The whole response: the status as JSON, like any other error on this port.

        To HEAD, without this content (RFC 9110, section 9.3.2).
        """
        status = status_of(self.failure, request_id)
        content = json_text.dumps(json_format.MessageToDict(status))
        fields = [
            *default_fields,
            (b"content-type", b"application/json"),
            (b"content-length", b"%d" % len(content)),
            (REQUEST_ID_HEADER.encode(), request_id.encode()),
            (b"connection", b"close"),
        ]
        field_lines = b"".join(b"%b: %b\r\n" % field for field in fields)
        return STATUS_LINE[self.status] + field_lines + b"\r\n" + (b"" if to_head else content)


def malformed(log_detail: str) -> HttpError:
    """It is not HTTP/1.1, could be read in more than one way, or has a method that nobody knows.

    For the last RFC 9110, section 9.1, recommends 501, but the parser does not tell it from bytes
    that are no HTTP at all.
    """
    failure = Failure(
        Kind.INVALID_ARGUMENT,
        "MALFORMED_REQUEST",
        "This is not a request as HTTP/1.1 (RFC 9112) defines it, or its method is unknown here."
        " Correct the program that sent it, or the proxy that changed it.",
        log_detail=log_detail,
    )
    return HttpError(HTTPStatus.BAD_REQUEST, failure)


def unsupported_version() -> HttpError:
    """It is neither HTTP/1.0 nor HTTP/1.1."""
    failure = Failure(
        Kind.UNIMPLEMENTED,
        "UNSUPPORTED_HTTP_VERSION",
        "This version of HTTP is not available here. Use HTTP/1.1.",
    )
    return HttpError(HTTPStatus.HTTP_VERSION_NOT_SUPPORTED, failure)


def unsupported_asterisk() -> HttpError:
    """`OPTIONS *` (RFC 9110, section 9.3.7)."""
    failure = Failure(
        Kind.UNIMPLEMENTED,
        "UNSUPPORTED_TARGET",
        "The options of the server as a whole (*) are not available here. Ask for those of a path.",
    )
    return HttpError(HTTPStatus.NOT_IMPLEMENTED, failure)


def unsupported_transfer_coding() -> HttpError:
    """It has another transfer coding than chunked (RFC 9112, section 6.1)."""
    failure = Failure(
        Kind.UNIMPLEMENTED,
        "UNSUPPORTED_TRANSFER_ENCODING",
        "This transfer coding is not available here. Send Content-Length, or Transfer-Encoding:"
        " chunked with HTTP/1.1.",
    )
    return HttpError(HTTPStatus.NOT_IMPLEMENTED, failure)


def uri_too_long(most_bytes: int) -> HttpError:
    """The request target is larger than this."""
    failure = Failure(
        Kind.RESOURCE_EXHAUSTED,
        "URL_TOO_LONG",
        f"The URL is longer than {most_bytes} bytes. Send less in it.",
    )
    return HttpError(HTTPStatus.REQUEST_URI_TOO_LONG, failure)


def fields_too_large(most_bytes: int, most_lines: int) -> HttpError:
    """The head or the trailer section is larger than this."""
    failure = Failure(
        Kind.RESOURCE_EXHAUSTED,
        "HEADERS_TOO_LARGE",
        f"The headers have more than {most_bytes} bytes or {most_lines} lines. Send less in them.",
    )
    return HttpError(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, failure)


def head_too_slow(most_seconds: float) -> HttpError:
    """The head is not complete after this time."""
    failure = Failure(
        Kind.DEADLINE_EXCEEDED,
        "HEADERS_TOO_SLOW",
        f"The headers took more than {most_seconds} seconds. Send them at once.",
    )
    return HttpError(HTTPStatus.REQUEST_TIMEOUT, failure)


def body_too_slow(most_seconds: float) -> HttpError:
    """The body is not complete after this time."""
    failure = Failure(
        Kind.DEADLINE_EXCEEDED,
        "BODY_TOO_SLOW",
        f"The body took more than {most_seconds} seconds. Send less at once, or faster.",
    )
    return HttpError(HTTPStatus.REQUEST_TIMEOUT, failure)


def too_much_is_pipelined() -> HttpError:
    """Too many requests, or too large ones, wait for the response to an earlier one."""
    failure = Failure(
        Kind.RESOURCE_EXHAUSTED,
        "TOO_MANY_PIPELINED_REQUESTS",
        "Too much waits on this connection for earlier answers. Send the next request after one.",
    )
    return HttpError(HTTPStatus.TOO_MANY_REQUESTS, failure)

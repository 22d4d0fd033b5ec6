"""HTTP headers and gRPC metadata, for grpc-web and JSON.

The rules are those of PROTOCOL-HTTP2.md ("Requests", "Responses") in the gRPC repository.
"""

import base64
import re
from collections.abc import Iterable
from urllib.parse import quote

from server.values.errors import Failure, Kind, deadline_exceeded

Headers = list[tuple[bytes, bytes]]

_TIMEOUT = re.compile(rb"([0-9]{1,8})([HMSmun])")
_SECONDS = {b"H": 3600.0, b"M": 60.0, b"S": 1.0, b"m": 1e-3, b"u": 1e-6, b"n": 1e-9}
# The event loop's clock does not take longer timeouts.
_MAX_TIMEOUT_SECONDS = 365 * 24 * 3600.0
# The elements of a list in a header that are read. Clients send a few.
_MOST_ELEMENTS = 10
# Every printable ASCII character but the percent sign.
_PLAIN = "".join(chr(code) for code in range(0x20, 0x7F) if chr(code) != "%")


def values(headers: Headers, name: bytes) -> list[bytes]:
    """The values of this header, one per line."""
    return [value for key, value in headers if key == name]


def elements(headers: Headers, name: bytes) -> list[bytes]:
    """The first elements of the list in this header (RFC 9110, section 5.6.1)."""
    return b",".join(values(headers, name)).split(b",", _MOST_ELEMENTS)[:_MOST_ELEMENTS]


def to_headers(metadata: Iterable[tuple[str, str | bytes]]) -> Headers:
    """Headers, or lines of a grpc-web trailer."""
    return [
        (
            key.encode("ascii"),
            base64.b64encode(value).rstrip(b"=")
            if isinstance(value, bytes)
            else value.encode("ascii"),
        )
        for key, value in metadata
    ]


def timeout(value: bytes) -> float:
    """The seconds of `grpc-timeout`. Failure INVALID_ARGUMENT if malformed.

    DEADLINE_EXCEEDED without time: a method that never waits ends before its deadline is checked.
    """
    match = _TIMEOUT.fullmatch(value)
    if match is None:
        raise malformed("grpc-timeout", "1 to 8 digits and one of H, M, S, m, u, n")
    seconds = int(match[1]) * _SECONDS[match[2]]
    if not seconds:
        raise deadline_exceeded()
    return min(seconds, _MAX_TIMEOUT_SECONDS)


def percent_encoded(message: str) -> bytes:
    """The value of `grpc-message`."""
    return quote(message, safe=_PLAIN).encode("ascii")


def malformed(name: str, expected: str) -> Failure:
    """The failure of a malformed header."""
    return Failure(
        Kind.INVALID_ARGUMENT,
        "MALFORMED_HEADER",
        f"The header {name} cannot be read. It must be {expected}.",
        metadata={"header": name},
    )

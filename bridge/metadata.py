"""HTTP headers as gRPC metadata and back, for grpc-web and JSON.

The rules are those of PROTOCOL-HTTP2.md ("Requests", "Responses") in the gRPC repository.
"""

import base64
import binascii
import re
from collections.abc import Iterable
from urllib.parse import quote

from server.rpc.status import Metadata
from server.values.errors import Failure, Kind

Headers = list[tuple[bytes, bytes]]

# Headers of one connection or one body (RFC 9110, sections 7.6.1 and 8), and those that the bridge
# handles itself. Others that no method reads, such as `host`, do no harm.
_TRANSPORT_HEADERS = {
    b"connection", b"content-encoding", b"content-length", b"content-type", b"keep-alive",
    b"te", b"trailer", b"transfer-encoding", b"upgrade",
}  # fmt: skip
_TIMEOUT = re.compile(rb"([0-9]{1,8})([HMSmun])")
_SECONDS = {b"H": 3600.0, b"M": 60.0, b"S": 1.0, b"m": 1e-3, b"u": 1e-6, b"n": 1e-9}
# The event loop's clock does not take longer timeouts.
_MAX_TIMEOUT_SECONDS = 365 * 24 * 3600.0
# The values of all `-bin` headers of a request, which are decoded before the caller is known.
_MAX_BINARY = 20
# Every printable ASCII character but the percent sign.
_PLAIN = "".join(chr(code) for code in range(0x20, 0x7F) if chr(code) != "%")


def values(headers: Headers, name: bytes) -> list[bytes]:
    """The values of this header, one per line."""
    return [value for key, value in headers if key == name]


def from_headers(headers: Iterable[tuple[bytes, bytes]]) -> Metadata:
    """The metadata of a call: all headers but those of the transport and `grpc-*`.

    A value that is not ASCII is read as latin-1. Failure INVALID_ARGUMENT for a `-bin` header that
    is not base64, or has too many values.
    """
    metadata: list[tuple[str, str | bytes]] = []
    binary = 0
    for key, value in headers:
        if key in _TRANSPORT_HEADERS or key.startswith(b"grpc-"):
            continue
        name = key.decode("latin-1")
        if key.endswith(b"-bin"):
            items = value.split(b",", _MAX_BINARY)
            binary += len(items)
            if binary > _MAX_BINARY:
                raise malformed(name, f"one of at most {_MAX_BINARY} values of -bin headers")
            metadata.extend((name, _binary(name, item)) for item in items)
        else:
            metadata.append((name, value.decode("latin-1")))
    return tuple(metadata)


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
    """The seconds of `grpc-timeout`. Failure INVALID_ARGUMENT if malformed."""
    match = _TIMEOUT.fullmatch(value)
    if match is None:
        raise malformed("grpc-timeout", "1 to 8 digits and one of H, M, S, m, u, n")
    return min(int(match[1]) * _SECONDS[match[2]], _MAX_TIMEOUT_SECONDS)


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


def _binary(name: str, value: bytes) -> bytes:
    value = value.strip()
    try:
        return base64.b64decode(value + b"=" * (-len(value) % 4), validate=True)
    except binascii.Error:
        raise malformed(name, "base64") from None

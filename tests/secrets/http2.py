"""Header values that no client of gRPC would send: any bytes, straight onto a socket (RFC 9113)."""

import socket
import struct
from collections.abc import Sequence

_PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
_DATA, _HEADERS, _RST_STREAM, _SETTINGS, _GO_AWAY = 0, 1, 3, 4, 7
_END_STREAM, _END_HEADERS = 1, 4
_PATIENCE_SECONDS = 10


def call(port: int, path: bytes, headers: Sequence[tuple[bytes, bytes]]) -> bytes:
    """Calls a method with an empty message. All that comes back until the call has ended."""
    sent = [
        (b":method", b"POST"),
        (b":scheme", b"http"),
        (b":path", path),
        (b":authority", b"localhost"),
        (b"content-type", b"application/grpc"),
        (b"te", b"trailers"),
        *headers,
    ]
    block = b"".join(_literal(name, value) for name, value in sent)
    with socket.create_connection(("127.0.0.1", port), _PATIENCE_SECONDS) as connection:
        connection.sendall(
            _PREFACE
            + _frame(_SETTINGS, 0, 0, b"")
            + _frame(_HEADERS, _END_HEADERS, 1, block)
            + _frame(_DATA, _END_STREAM, 1, bytes(5))
        )
        return _until_the_end(connection)


def _until_the_end(connection: socket.socket) -> bytes:
    received = b""
    with connection.makefile("rb") as stream:
        while head := stream.read(9):
            size, kind, flags = int.from_bytes(head[:3], "big"), head[3], head[4]
            received += head + stream.read(size)
            if kind in (_RST_STREAM, _GO_AWAY):
                break
            if kind in (_HEADERS, _DATA) and flags & _END_STREAM:
                break
    return received


def _frame(kind: int, flags: int, stream: int, payload: bytes) -> bytes:
    return struct.pack(">I", len(payload))[1:] + struct.pack(">BBI", kind, flags, stream) + payload


def _literal(name: bytes, value: bytes) -> bytes:
    """A header in clear, neither indexed nor compressed (RFC 7541, section 6.2.2)."""
    return b"\x00" + _string(name) + _string(value)


def _string(text: bytes) -> bytes:
    """RFC 7541, sections 5.1 and 5.2, for fewer than 255 bytes."""
    length = bytes([len(text)]) if len(text) < 127 else bytes([127, len(text) - 127])
    return length + text

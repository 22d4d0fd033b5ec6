"""Hand-written HTTP/2, for clients that stay idle or never read."""

import contextlib
import socket
import struct
from collections.abc import Iterator, Sequence

from google.protobuf.message import Message

_PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
_DATA, _HEADERS, _SETTINGS = 0, 1, 4
_WINDOW_UPDATE = 8
_ACK = _END_STREAM = 1
_END_HEADERS = 4
_INITIAL_WINDOW_SIZE = 4
_PATIENCE_SECONDS = 10


def frame(kind: int, flags: int, stream: int, payload: bytes) -> bytes:
    """A frame (RFC 9113, section 4.1)."""
    return struct.pack(">I", len(payload))[1:] + struct.pack(">BBI", kind, flags, stream) + payload


@contextlib.contextmanager
def connected(port: int, *, window: int | None = None) -> Iterator[socket.socket]:
    """A connection after the exchange of settings.

    `window` is how many bytes of an answer the client takes before it has said more (section
    6.9.2); 0 for one that takes no message at all.
    """
    settings = b"" if window is None else struct.pack(">HI", _INITIAL_WINDOW_SIZE, window)
    with socket.create_connection(("127.0.0.1", port), _PATIENCE_SECONDS) as connection:
        connection.sendall(_PREFACE + frame(_SETTINGS, 0, 0, settings))
        # The server's come first, and its word that it has read ours.
        while not _is_acknowledgement(read_frame(connection)):
            pass
        connection.sendall(frame(_SETTINGS, _ACK, 0, b""))
        yield connection


def call(path: str, message: Message, headers: Sequence[tuple[str, str]], *, stream: int) -> bytes:
    """A gRPC call, all of it."""
    sent = [
        (":method", "POST"),
        (":scheme", "http"),
        (":path", path),
        (":authority", "localhost"),
        ("content-type", "application/grpc"),
        ("te", "trailers"),
        *headers,
    ]
    block = b"".join(_literal(name.encode(), value.encode()) for name, value in sent)
    body = message.SerializeToString()
    return frame(_HEADERS, _END_HEADERS, stream, block) + frame(
        _DATA, _END_STREAM, stream, struct.pack(">BI", 0, len(body)) + body
    )


def _is_acknowledgement(head: bytes) -> bool:
    return head[3] == _SETTINGS and bool(head[4] & _ACK)


def take_all(connection: socket.socket) -> None:
    """Takes answers of a gigabyte together, in place of 64 KiB (section 6.9)."""
    connection.sendall(frame(_WINDOW_UPDATE, 0, 0, struct.pack(">I", 1 << 30)))


def wait_for_an_answer(connection: socket.socket) -> None:
    """Returns at the end of the next answer. ConnectionResetError without one."""
    while True:
        head = read_frame(connection)
        if head[3] == _HEADERS and head[4] & _END_STREAM:
            return


def read_frame(connection: socket.socket) -> bytes:
    """The head of the next frame; its payload is skipped."""
    head = connection.recv(9, socket.MSG_WAITALL)
    length = int.from_bytes(head[:3], "big")
    if len(head) < 9 or (length and not connection.recv(length, socket.MSG_WAITALL)):
        raise ConnectionResetError("the server has closed the connection")
    return head


def _literal(name: bytes, value: bytes) -> bytes:
    """A header in clear, neither indexed nor compressed (RFC 7541, section 6.2.2)."""
    return b"\x00" + _string(name) + _string(value)


def _string(text: bytes) -> bytes:
    """RFC 7541, sections 5.1 and 5.2, for fewer than 255 bytes."""
    length = bytes([len(text)]) if len(text) < 127 else bytes([127, len(text) - 127])
    return length + text

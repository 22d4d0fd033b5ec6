"""The frames of grpc-web: one flag byte, four bytes of length, and a message or the trailers.

The rules are those of PROTOCOL-WEB.md in the gRPC repository, and of PROTOCOL-HTTP2.md
("Length-Prefixed-Message"). The text encoding is base64, which may also be padded in the middle, at
a flush of its sender.
"""

import binascii
import re
import struct
from collections.abc import Iterator
from typing import Final

from sonora import protocol

from bridge.metadata import Headers
from server.rpc.requests import message_too_large
from server.values.errors import Failure, FixedFailure, Kind, unimplemented

_HEAD = struct.Struct(">BI")
_COMPRESSED = 0x01  # the flag
_QUANTUM = 4  # characters of base64 that make whole bytes
# After its padding, base64 may begin anew (RFC 4648, section 4).
_BASE64 = re.compile(rb"(?:[A-Za-z0-9+/]{4}|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{2}==)*+")
_PADDED = re.compile(rb"[^=]+=*")


class Deframer:
    """Finds the messages in the body of a request, which comes in arbitrary pieces.

    A frame is refused by its head, before it is buffered. A message has at most `most_bytes`.
    """

    def __init__(self, most_bytes: int, *, text: bool) -> None:
        self._most_bytes = most_bytes
        self._text = text
        self._undecoded = b""
        self._buffer = bytearray()

    def feed(self, piece: bytes) -> Iterator[bytes]:
        """The messages that this piece completes.

        Failure INVALID_ARGUMENT for a malformed frame, INTERNAL for a compressed message,
        RESOURCE_EXHAUSTED for one that is too large.
        """
        decoded, rest = self._decoded(piece) if self._text else (piece, b"")
        self._buffer += decoded
        while len(self._buffer) >= _HEAD.size:
            flags, length = _HEAD.unpack_from(self._buffer)
            if flags:
                raise _not_a_message(flags)
            if length > self._most_bytes:
                raise message_too_large(self._most_bytes)
            end = _HEAD.size + length
            if len(self._buffer) < end:
                break
            with memoryview(self._buffer) as view:
                message = bytes(view[_HEAD.size : end])
            del self._buffer[:end]
            yield message
        # Checked last, so that the reason of a refusal does not depend on the pieces.
        if rest:
            raise _malformed("it is not base64")

    def close(self) -> None:
        """Call at the end of the body. Failure INVALID_ARGUMENT if it ends within a frame."""
        if self._buffer or self._undecoded:
            raise _malformed("it ends within a frame")

    def _decoded(self, piece: bytes) -> tuple[bytes, bytes]:
        """The bytes that can be decoded by now, and the malformed characters after them."""
        characters = self._undecoded + piece
        whole = len(characters) - len(characters) % _QUANTUM
        self._undecoded = characters[whole:]
        quanta = characters[:whole]
        rest = _BASE64.sub(b"", quanta, count=1)
        encoded = quanta.removesuffix(rest)
        return b"".join(map(binascii.a2b_base64, _PADDED.findall(encoded))), rest


def message(data: bytes) -> bytes:
    """The frame of a serialized message."""
    frame: bytes = protocol.wrap_message(False, False, data)
    return frame


def trailers(headers: Headers) -> bytes:
    """The last frame of an answer."""
    lines = b"".join(b"%b: %b\r\n" % header for header in headers)
    frame: bytes = protocol.wrap_message(True, False, lines)
    return frame


def compressed() -> Failure:
    """The failure of a request whose grpc-encoding this server cannot decompress."""
    return unimplemented(
        "Compressed messages are not available over grpc-web. Send them uncompressed."
    )


def _not_a_message(flags: int) -> Failure:
    if flags != _COMPRESSED:
        return _malformed("a request may have only frames with messages")
    return _unannounced_compression()


# The status is that of compression.md in the gRPC repository; see `compressed` for others.
_unannounced_compression: Final = FixedFailure(
    "UNANNOUNCED_COMPRESSION",
    "The message is marked as compressed, but the request has no grpc-encoding. Send messages"
    " uncompressed.",
    kind=Kind.INTERNAL,
)


def _malformed(problem: str) -> Failure:
    return Failure(
        Kind.INVALID_ARGUMENT,
        "MALFORMED_MESSAGE",
        f"The body cannot be read: {problem}. Send the frames that PROTOCOL-WEB.md defines.",
    )

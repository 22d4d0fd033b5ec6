"""The frames of grpc-web: one flag byte, four bytes of length, and a message or the trailers.

The rules are those of PROTOCOL-WEB.md in the gRPC repository, and of PROTOCOL-HTTP2.md
("Length-Prefixed-Message"). The text encoding is base64, which may also be padded in the middle, at
a flush of its sender.
"""

import binascii
import re
import struct
from collections.abc import Awaitable, Callable
from io import BytesIO
from typing import Final, TypeAlias

from sonora import protocol

from bridge.metadata import Headers
from server.rpc.requests import message_too_large, not_one_message
from server.values.errors import Failure, FixedFailure, Kind, unimplemented

_HEAD = struct.Struct(">BI")
_COMPRESSED = 0x01  # the flag
_QUANTUM = 4  # characters of base64 that make whole bytes
# After its padding, base64 may begin anew (RFC 4648, section 4).
_BASE64 = re.compile(rb"(?:[A-Za-z0-9+/]{4}|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{2}==)*+")
_PADDED = re.compile(rb"[^=]+=*")

# The next piece of a body; None at its end.
NextPiece: TypeAlias = Callable[[], Awaitable[bytes | None]]


async def one_message(next_piece: NextPiece, most_bytes: int, *, is_text: bool) -> bytes:
    """The only message in the body of a request, which comes in arbitrary pieces.

    A frame is refused by its head, before it is buffered. `Failure` INVALID_ARGUMENT for a
    malformed body, INTERNAL for a compressed message, RESOURCE_EXHAUSTED for one of more than
    `most_bytes`, UNIMPLEMENTED for no or several messages.
    """
    undecoded, buffer = b"", bytearray()
    found: bytes | None = None
    while (piece := await next_piece()) is not None:
        malformed = b""
        if is_text:
            piece, undecoded, malformed = _decoded(undecoded + piece)
        buffer += piece
        while len(buffer) >= _HEAD.size:
            flags, length = _HEAD.unpack_from(buffer)
            if flags == _COMPRESSED:
                raise _unannounced_compression()
            if flags:
                raise _malformed("a request may have only frames with messages")
            if length > most_bytes:
                raise message_too_large(most_bytes)
            end = _HEAD.size + length
            if len(buffer) < end:
                break
            if found is not None:
                raise not_one_message()
            with memoryview(buffer) as view:
                found = bytes(view[_HEAD.size : end])
            del buffer[:end]
        # Checked last, so that the reason of a refusal does not depend on the pieces.
        if malformed:
            raise _malformed("it is not base64")
    if buffer or undecoded:
        raise _malformed("it ends within a frame")
    if found is None:
        raise not_one_message()
    return found


def _decoded(characters: bytes) -> tuple[bytes, bytes, bytes]:
    """The bytes that can be decoded by now, the characters of the next, and malformed ones."""
    whole = len(characters) - len(characters) % _QUANTUM
    quanta = characters[:whole]
    malformed = _BASE64.sub(b"", quanta, count=1)
    encoded = quanta.removesuffix(malformed)
    decoded = b"".join(map(binascii.a2b_base64, _PADDED.findall(encoded)))
    return decoded, characters[whole:], malformed


def message(data: bytes) -> bytes:
    """The frame of a serialized message."""
    frame: bytes = protocol.wrap_message(False, False, data)
    return frame


def trailers(headers: Headers) -> bytes:
    """The last frame of an answer."""
    lines = b"".join(b"%b: %b\r\n" % header for header in headers)
    frame: bytes = protocol.wrap_message(True, False, lines)
    return frame


def of_answer(body: bytes) -> tuple[list[bytes], dict[str, str]]:
    """The messages and the trailers of an answer, for a client."""
    messages, trailers = list[bytes](), dict[str, str]()
    for is_last, _, frame in protocol.unwrap_message_stream(BytesIO(body)):
        if is_last:
            trailers.update(protocol.unpack_trailers(frame))
        else:
            messages.append(frame)
    return messages, trailers


def compressed() -> Failure:
    """The failure of a request whose grpc-encoding this server cannot decompress."""
    return unimplemented(
        "Compressed messages are not available over grpc-web. Send them uncompressed."
    )


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

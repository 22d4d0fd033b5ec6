"""Hand-written HTTP/2 (RFC 9113), for clients that violate the protocol."""

import asyncio
import contextlib
import ssl
import struct
from collections.abc import AsyncIterator, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from google.protobuf.message import Message

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
DATA, HEADERS, RST_STREAM, SETTINGS = 0, 1, 3, 4
PING, GOAWAY, WINDOW_UPDATE, CONTINUATION = 6, 7, 8, 9
ACK = END_STREAM = 1
END_HEADERS = 4
EMPTY_MESSAGE = bytes(5)

_INITIAL_WINDOW_SIZE = 4
_MAX_FRAME_SIZE = 16_384


class Frame(NamedTuple):
    """A received frame."""

    kind: int
    flags: int
    stream: int
    payload: bytes

    @property
    def ends_stream(self) -> bool:
        """Whether it is the last frame of its stream."""
        return self.kind == RST_STREAM or (
            self.kind in (DATA, HEADERS) and bool(self.flags & END_STREAM)
        )


def frame(kind: int, flags: int, stream: int, payload: bytes) -> bytes:
    """A frame to send (section 4.1)."""
    return struct.pack(">I", len(payload))[1:] + struct.pack(">BBI", kind, flags, stream) + payload


def literal(name: bytes, value: bytes, *, indexed: bool = False) -> bytes:
    """An uncompressed header; `indexed` adds it to the table (RFC 7541, section 6.2)."""
    return (b"\x40" if indexed else b"\x00") + _string(name) + _string(value)


def call(path: bytes) -> bytes:
    """The header block of a gRPC call."""
    headers = {
        b":method": b"POST",
        b":scheme": b"http",
        b":path": path,
        b":authority": b"localhost",
        b"te": b"trailers",
        b"content-type": b"application/grpc",
    }
    return b"".join(map(literal, headers, headers.values()))


def header_frames(block: bytes, *, stream: int) -> bytes:
    """A HEADERS frame, with the CONTINUATION frames that the block needs."""
    parts = [
        block[start : start + _MAX_FRAME_SIZE] for start in range(0, len(block), _MAX_FRAME_SIZE)
    ]
    last = len(parts) - 1
    return b"".join(
        frame(CONTINUATION if place else HEADERS, END_HEADERS * (place == last), stream, part)
        for place, part in enumerate(parts)
    )


def whole_call(
    path: str, message: Message, headers: Sequence[tuple[str, str]], *, stream: int
) -> bytes:
    """The frames of a gRPC call with one message."""
    block = call(path.encode()) + b"".join(
        literal(name.encode(), value.encode()) for name, value in headers
    )
    body = message.SerializeToString()
    return header_frames(block, stream=stream) + frame(
        DATA, END_STREAM, stream, struct.pack(">BI", 0, len(body)) + body
    )


@dataclass(frozen=True)
class Connection:
    """A connection on which only the preface was sent."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    async def next_frame(self) -> Frame:
        """IncompleteReadError or ConnectionError when the server has closed the connection."""
        head = await self.reader.readexactly(9)
        payload = await self.reader.readexactly(int.from_bytes(head[:3], "big"))
        return Frame(head[3], head[4], int.from_bytes(head[5:], "big"), payload)

    async def next_of(self, kind: int) -> Frame:
        """The next frame of this kind."""
        while (received := await self.next_frame()).kind != kind:
            pass
        return received

    async def acknowledge(self) -> Frame:
        """Acknowledges the settings of the server, and returns them."""
        settings = await self.next_of(SETTINGS)
        self.writer.write(frame(SETTINGS, ACK, 0, b""))
        return settings

    async def ping(self) -> None:
        """Waits until the server has read all bytes sent so far."""
        self.writer.write(frame(PING, 0, 0, bytes(8)))
        while not (await self.next_of(PING)).flags & ACK:
            pass

    def widen_window(self) -> None:
        """Lets the server send a gigabyte on all streams together (section 6.9)."""
        self.writer.write(frame(WINDOW_UPDATE, 0, 0, struct.pack(">I", 1 << 30)))

    async def end_of_any(self) -> None:
        """Waits until a stream ends."""
        while not (await self.next_frame()).ends_stream:
            pass

    async def end_of(self, streams: Iterable[int]) -> dict[int, list[Frame]]:
        """The frames of these streams, until all have ended."""
        received: dict[int, list[Frame]] = {stream: [] for stream in streams}
        open_streams = set(received)
        while open_streams:
            arrived = await self.next_frame()
            if arrived.stream in received:
                received[arrived.stream].append(arrived)
            if arrived.ends_stream:
                open_streams.discard(arrived.stream)
        return received

    async def closed(self) -> None:
        """Waits until the server closes the connection."""
        with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):
            while True:
                await self.next_frame()


@contextlib.asynccontextmanager
async def connected(
    port: int, *, tls: ssl.SSLContext | None = None, window: int | None = None
) -> AsyncIterator[Connection]:
    """A connection to 127.0.0.1 that has sent its settings and has not read those of the server.

    `window` is the number of bytes of an answer that the server may send (section 6.9.2).
    """
    settings = b"" if window is None else struct.pack(">HI", _INITIAL_WINDOW_SIZE, window)
    reader, writer = await asyncio.open_connection("127.0.0.1", port, ssl=tls)
    try:
        writer.write(PREFACE + frame(SETTINGS, 0, 0, settings))
        yield Connection(reader, writer)
    finally:
        writer.close()
        with contextlib.suppress(ConnectionError, ssl.SSLError):
            await writer.wait_closed()


@contextlib.asynccontextmanager
async def established(port: int, *, window: int | None = None) -> AsyncIterator[Connection]:
    """A connection after the exchange of settings."""
    async with connected(port, window=window) as connection:
        await connection.acknowledge()
        await connection.ping()
        yield connection


def _string(text: bytes) -> bytes:
    """RFC 7541, sections 5.1 and 5.2."""
    if len(text) < 127:
        return bytes([len(text)]) + text
    length, rest = b"\x7f", len(text) - 127
    while rest >= 128:
        length, rest = length + bytes([rest % 128 + 128]), rest // 128
    return length + bytes([rest]) + text

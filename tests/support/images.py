"""Images that are whole, of any size."""

import struct
import zlib
from collections.abc import Iterable


def png(
    width: int = 8,
    height: int = 8,
    *,
    also: Iterable[bytes] = (),
    chunks: Iterable[tuple[bytes, bytes]] = (),
) -> bytes:
    """A black PNG image, with further chunks; those of `also` are empty.

    Its pixels are only there if it is small.
    """
    row = b"\0" * (1 + (width + 7) // 8)
    pixels = zlib.compress(row * height if width * height < 10**6 else b"")
    header = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    further = (*((kind, b"") for kind in also), *chunks)
    chunks = [(b"IHDR", header), *further, (b"IDAT", pixels), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(content))
        + kind
        + content
        + struct.pack(">I", zlib.crc32(kind + content))
        for kind, content in chunks
    )


def jpeg(
    width: int = 8, height: int = 8, *, frame: int = 0xC2, also: Iterable[tuple[int, bytes]] = ()
) -> bytes:
    """The segments of a progressive JPEG image with two scans, and further ones by markers."""
    start = struct.pack(">BHHBBBB", 8, height, width, 1, 1, 0x11, 0)
    scan = _segment(0xDA, b"\x01\x01\x00\x00\x3f\x00") + b"\x12\xff\x00\xff\xd0\x34"
    return b"".join(
        (
            b"\xff\xd8",
            _segment(0xE0, b"JFIF\0\x01\x01\x00\x00\x01\x00\x01\x00\x00"),
            *(_segment(*each) for each in also),
            _segment(0xC4, bytes(17)),
            _segment(frame, start),
            scan * 2,
            b"\xff\xd9",
        )
    )


def webp(
    width: int = 8,
    height: int = 8,
    *,
    kind: bytes = b"VP8L",
    flags: int = 0,
    also: Iterable[tuple[bytes, bytes]] = (),
) -> bytes:
    """The chunks of a WebP image of this kind: `VP8 `, `VP8L` or `VP8X`, which has flags.

    `also` are further chunks at its end.
    """
    lossless = struct.pack("<BI", 0x2F, (width - 1 & 0x3FFF) | (height - 1 & 0x3FFF) << 14)
    canvas = b"".join((size - 1 & 0xFFFFFF).to_bytes(3, "little") for size in (width, height))
    contents = {
        b"VP8 ": b"\x30\x01\x00\x9d\x01\x2a" + struct.pack("<HH", width & 0x3FFF, height & 0x3FFF),
        b"VP8L": lossless,
        b"VP8X": bytes([flags, 0, 0, 0]) + canvas,
    }
    chunks = _riff_chunk(kind, contents[kind])
    if kind == b"VP8X":
        chunks += _riff_chunk(b"VP8L", lossless)
    chunks += b"".join(_riff_chunk(*each) for each in also)
    return b"RIFF" + struct.pack("<I", len(chunks) + 4) + b"WEBP" + chunks


def _segment(marker: int, content: bytes) -> bytes:
    return bytes([0xFF, marker]) + struct.pack(">H", len(content) + 2) + content


def _riff_chunk(kind: bytes, content: bytes) -> bytes:
    return kind + struct.pack("<I", len(content)) + content + b"\0" * (len(content) % 2)

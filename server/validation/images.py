"""The frame of PNG, JPEG and WebP images: their size in pixels, and that nothing follows them.

No pixel is decoded (decision 20). The formats: PNG (third edition), sections 5 and 11; ITU-T T.81,
annex B; RFC 9649.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Final, NamedTuple


class Image(NamedTuple):
    """The width and the height of an image, and whether it is animated."""

    width: int
    height: int
    is_animated: bool = False


# Raises ValueError or IndexError for an image that is cut off, or that data follow.
_Read = Callable[[bytes], Image]

# Start of frame, except DHT, JPG and DAC, which have numbers among them.
_FRAMES: Final = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_START_OF_SCAN, _END_OF_IMAGE = 0xDA, 0xD9
# The first marker after the data of a scan, which have stuffed bytes and restart markers.
_AFTER_SCAN: Final = re.compile(rb"\xff+[^\x00\xff\xd0-\xd7]")


def _png(data: bytes) -> Image:
    header, kinds = b"", set()
    for kind, content in _png_chunks(data):
        header = header or content
        kinds.add(kind)
    if not {b"IHDR", b"IDAT", b"IEND"} <= kinds or len(header) != 13:
        raise ValueError
    width, height = int.from_bytes(header[:4], "big"), int.from_bytes(header[4:8], "big")
    return Image(width, height, b"acTL" in kinds)


def _png_chunks(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    place, kind = 8, b""
    while kind != b"IEND":
        length, kind = int.from_bytes(data[place : place + 4], "big"), data[place + 4 : place + 8]
        if len(kind) != 4:
            raise ValueError
        yield kind, data[place + 8 : place + 8 + length]
        place += length + 12
    if place != len(data):
        raise ValueError


def _jpeg(data: bytes) -> Image:
    image, has_scan, place = None, False, 2
    while (marker := data[place + 1]) != _END_OF_IMAGE:
        if data[place] != 0xFF:
            raise ValueError
        end = place + 2 + int.from_bytes(data[place + 2 : place + 4], "big")
        if marker in _FRAMES:
            height, width = (
                int.from_bytes(data[place + at : place + at + 2], "big") for at in (5, 7)
            )
            image = Image(width, height)
        if marker == _START_OF_SCAN:
            has_scan = True
            end = next(found.end() - 2 for found in [_AFTER_SCAN.search(data, end)] if found)
        place = end
    if image is None or not has_scan or place + 2 != len(data):
        raise ValueError
    return image


def _webp(data: bytes) -> Image:
    chunks = dict(_riff_chunks(data))
    if (extended := chunks.get(b"VP8X")) is not None:
        width, height = (int.from_bytes(extended[at : at + 3], "little") + 1 for at in (4, 7))
        return Image(width, height, is_animated=bool(extended[0] & 2) or b"ANIM" in chunks)
    if (lossless := chunks.get(b"VP8L")) is not None:
        bits = int.from_bytes(lossless[1:5], "little")
        return Image((bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1)
    lossy = chunks.get(b"VP8 ", b"")
    if lossy[3:6] != b"\x9d\x01\x2a":
        raise ValueError
    width, height = (int.from_bytes(lossy[at : at + 2], "little") & 0x3FFF for at in (6, 8))
    return Image(width, height)


def _riff_chunks(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    if int.from_bytes(data[4:8], "little") + 8 != len(data):
        raise ValueError
    place = 12
    while place < len(data):
        length = int.from_bytes(data[place + 4 : place + 8], "little")
        yield data[place : place + 4], data[place + 8 : place + 8 + length]
        place += 8 + length + length % 2
    if place != len(data):
        raise ValueError


_FORMATS: Final[Mapping[bytes, _Read]] = {
    b"\x89PNG\r\n\x1a\n": _png,
    b"\xff\xd8\xff": _jpeg,
    b"RIFF": _webp,
}


def read_image(data: bytes) -> Image:
    """The frame of an image. ValueError with the correction."""
    read = next((_FORMATS[magic] for magic in _FORMATS if data.startswith(magic)), None)
    if read is None or (read is _webp and data[8:12] != b"WEBP"):
        raise ValueError("must be a PNG, JPEG or WebP image")
    try:
        return read(data)
    except (ValueError, IndexError, StopIteration):
        raise ValueError("must be a whole image, and nothing after it") from None

"""The frame of PNG, JPEG and WebP images: their size in pixels, and that nothing follows them.

No pixel is decoded (decision 20). The formats: PNG (third edition), sections 5 and 11; ITU-T T.81,
annex B, and T.871; RFC 9649; Exif 2.32, section 4.6.
"""

import re
import struct
import zlib
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

_WEBP_FRAMES: Final = frozenset((b"VP8X", b"VP8 ", b"VP8L"))


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
    image, has_scan = None, False
    for marker, segment in _jpeg_segments(data):
        if marker in _FRAMES:
            if image is not None:
                raise ValueError
            height, width = (int.from_bytes(segment[at : at + 2], "big") for at in (5, 7))
            image = Image(width, height)
        has_scan = has_scan or marker == _START_OF_SCAN
    if image is None or not has_scan:
        raise ValueError
    return image


def _jpeg_segments(data: bytes) -> Iterator[tuple[int, bytes]]:
    """The segments between the first and the last marker, a scan with its data."""
    place = 2
    while (marker := data[place + 1]) != _END_OF_IMAGE:
        if data[place] != 0xFF:
            raise ValueError
        end = place + 2 + int.from_bytes(data[place + 2 : place + 4], "big")
        if marker == _START_OF_SCAN:
            found = _AFTER_SCAN.search(data, end)
            end = found.end() - 2 if found else len(data)
        yield marker, data[place:end]
        place = end
    if place + 2 != len(data):
        raise ValueError


def _webp(data: bytes) -> Image:
    chunks = dict[bytes, bytes]()
    for kind, content in _riff_chunks(data):
        if kind in chunks and kind in _WEBP_FRAMES:
            raise ValueError
        chunks[kind] = content
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
    except (ValueError, IndexError):
        raise ValueError("must be a whole image, and nothing after it") from None


# What decoders need; all else is metadata, such as the place of a photo, its text, or a thumbnail.
_PNG_KEPT: Final = frozenset(
    {
        *(b"IHDR", b"PLTE", b"IDAT", b"IEND", b"tRNS", b"cHRM", b"gAMA", b"iCCP", b"sBIT"),
        *(b"sRGB", b"cICP", b"bKGD", b"pHYS"),
    }
)
_WEBP_KEPT: Final = _WEBP_FRAMES | {b"ALPH", b"ICCP"}
_APPLICATION, _COMMENT = range(0xE0, 0xF0), 0xFE
# Beginnings of segments of applications: a frame, a colour profile, the colours of Adobe.
_JFIF, _EXIF = b"\xff\xe0\x00\x10JFIF\0", b"Exif\0\0"
_JPEG_KEPT: Final = ((0xE2, b"ICC_PROFILE\0"), (0xEE, b"Adobe"))
# Without a thumbnail.
_JFIF_BYTES: Final = 14
_ORIENTATION: Final = 0x0112
# The flags of metadata in the extended header of WebP: EXIF and XMP.
_WEBP_EXIF: Final = 0x08
_WEBP_FLAGS: Final = 0x04 | _WEBP_EXIF


def without_metadata(data: bytes) -> bytes:
    """An image that `read_image` accepts, without metadata, but in the orientation that it has."""
    if data.startswith(b"\x89"):
        return data[:8] + b"".join(_png_without_metadata(data))
    if data.startswith(b"\xff"):
        return data[:2] + b"".join(_jpeg_without_metadata(data)) + data[-2:]
    chunks = b"".join(_webp_without_metadata(data))
    return b"RIFF" + struct.pack("<I", len(chunks) + 4) + b"WEBP" + chunks


def _png_without_metadata(data: bytes) -> Iterator[bytes]:
    place, is_oriented = 8, False
    for kind, content in _png_chunks(data):
        end = place + len(content) + 12
        if kind in _PNG_KEPT:
            yield data[place:end]
        elif kind == b"eXIf" and not is_oriented and (tiff := _oriented(content)):
            is_oriented = True
            crc = zlib.crc32(kind + tiff)
            yield struct.pack(">I", len(tiff)) + kind + tiff + struct.pack(">I", crc)
        place = end


def _jpeg_without_metadata(data: bytes) -> Iterator[bytes]:
    is_oriented = False
    for marker, segment in _jpeg_segments(data):
        content = segment[4:]
        if marker == 0xE0 and content.startswith(b"JFIF\0") and len(content) >= _JFIF_BYTES:
            yield _JFIF + content[5:12] + b"\0\0"  # no thumbnail
        elif marker == 0xE1 and content.startswith(_EXIF):
            if not is_oriented and (tiff := _oriented(content[6:])):
                is_oriented = True
                yield b"\xff\xe1" + struct.pack(">H", len(_EXIF + tiff) + 2) + _EXIF + tiff
        elif marker not in (*_APPLICATION, _COMMENT) or any(
            marker == kept and content.startswith(begin) for kept, begin in _JPEG_KEPT
        ):
            yield segment


def _orientation(tiff: bytes) -> int:
    """The orientation in the first directory of a TIFF header; 0 without one."""
    order = {b"II*\0": "<", b"MM\0*": ">"}.get(tiff[:4])
    try:
        if order is None:
            return 0
        [place] = struct.unpack_from(f"{order}I", tiff, 4)
        [count] = struct.unpack_from(f"{order}H", tiff, place)
        for at in range(place + 2, place + 2 + 12 * count, 12):
            tag, kind, number, value = struct.unpack_from(f"{order}HHIH", tiff, at)
            if (tag, kind, number) == (_ORIENTATION, 3, 1):
                return int(value)
    except struct.error:  # it is cut off
        pass
    return 0


def _oriented(tiff: bytes) -> bytes:
    """A TIFF header with the orientation of this one alone; empty if the image is upright."""
    orientation = _orientation(tiff)
    if not 1 < orientation <= 8:
        return b""
    directory = struct.pack(">HHHIHHI", 1, _ORIENTATION, 3, 1, orientation, 0, 0)
    return b"MM\0*" + struct.pack(">I", 8) + directory


def _webp_without_metadata(data: bytes) -> Iterator[bytes]:
    chunks = list(_riff_chunks(data))
    photo = next((content for kind, content in chunks if kind == b"EXIF"), b"")
    # Some programs write the header that JPEG has.
    tiff = _oriented(photo.removeprefix(_EXIF)) if chunks[0][0] == b"VP8X" else b""
    for kind, content in chunks:
        if kind == b"VP8X":
            flags = content[0] & ~_WEBP_FLAGS | (_WEBP_EXIF if tiff else 0)
            yield _riff_chunk(kind, bytes([flags]) + content[1:])
        elif kind in _WEBP_KEPT:
            yield _riff_chunk(kind, content)
    if tiff:
        yield _riff_chunk(b"EXIF", tiff)


def _riff_chunk(kind: bytes, content: bytes) -> bytes:
    return kind + struct.pack("<I", len(content)) + content + b"\0" * (len(content) % 2)

"""The look of a sign-in button: a logo and two colours, checked when they are set.

No image is fetched or decoded here. The size in pixels is read from the header of the image,
because browsers allocate memory according to the header.
"""

import re
import struct
from collections.abc import Callable, Mapping
from typing import Annotated

from pydantic import AfterValidator, StringConstraints, ValidationInfo

from server.validation.fields import Command, described

MAX_LOGO_BYTES = 32 * 1024
_PIXELS = range(16, 1025)
# WCAG 2.2, success criterion 1.4.3 (level AA).
_LEAST_CONTRAST = 4.5
_COLOR = re.compile(r"#[0-9a-fA-F]{6}")
# Frame markers of JPEG (ITU T.81, table B.1): SOF0 to SOF15 without DHT, JPG and DAC.
_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}


def media_type(logo: bytes) -> str:
    """The media type by magic bytes; empty unless PNG, JPEG or WebP."""
    if logo.startswith(b"\x89PNG\r\n\x1a\n"):
        return "image/png"
    if logo.startswith(b"\xff\xd8\xff"):
        return "image/jpeg"
    return "image/webp" if logo[:4] == b"RIFF" and logo[8:12] == b"WEBP" else ""


def _png_size(logo: bytes) -> tuple[int, int]:
    """PNG, section 11.2.2: IHDR is the first chunk."""
    kind, width, height = struct.unpack_from(">4sII", logo, 12)
    return (width, height) if kind == b"IHDR" else (0, 0)


def _jpeg_size(logo: bytes) -> tuple[int, int]:
    """ITU T.81, B.2.2: skips segments up to the frame header."""
    position = 2
    while True:
        mark, marker, length = struct.unpack_from(">BBH", logo, position)
        if mark != 0xFF or length < 2:
            return 0, 0
        if marker in _FRAMES:
            height, width = struct.unpack_from(">HH", logo, position + 5)
            return width, height
        position += 2 + length


def _webp_size(logo: bytes) -> tuple[int, int]:
    """RFC 9649, sections 2.5 to 2.7."""
    match logo[12:16]:
        case b"VP8X":
            width, height = logo[24:27], logo[27:30]
            return int.from_bytes(width, "little") + 1, int.from_bytes(height, "little") + 1
        case b"VP8L":
            (bits,) = struct.unpack_from("<I", logo, 21)
            return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
        case b"VP8 ":
            width, height = struct.unpack_from("<HH", logo, 26)
            return width & 0x3FFF, height & 0x3FFF
        case _:
            return 0, 0


_SIZES: Mapping[str, Callable[[bytes], tuple[int, int]]] = {
    "image/png": _png_size,
    "image/jpeg": _jpeg_size,
    "image/webp": _webp_size,
}


def _logo(logo: bytes) -> bytes:
    if not logo:
        return logo
    if len(logo) > MAX_LOGO_BYTES:
        raise ValueError(f"must be at most {MAX_LOGO_BYTES} bytes")
    size = _SIZES.get(media_type(logo))
    if size is None:
        raise ValueError("must be a PNG, JPEG or WebP image")
    try:
        width, height = size(logo)
    except struct.error:  # truncated
        width, height = 0, 0
    if width not in _PIXELS or height not in _PIXELS:
        raise ValueError(
            f"must be {_PIXELS.start} to {_PIXELS.stop - 1} pixels wide and high,"
            f" not {width} x {height}"
        )
    return logo


def contrast(one: str, other: str) -> float:
    """The contrast ratio of two colours, 1 to 21 (WCAG 2.2)."""
    darker, lighter = sorted((_luminance(one), _luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(color: str) -> float:
    """The relative luminance, 0 to 1 (WCAG 2.2)."""
    channels = (int(color[at : at + 2], 16) / 255 for at in (1, 3, 5))
    red, green, blue = (
        channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4
        for channel in channels
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _color(color: str) -> str:
    if color and not _COLOR.fullmatch(color):
        raise ValueError("must be a colour like #1a3c6e")
    return color.lower()


def _readable(color: str, information: ValidationInfo) -> str:
    background = information.data.get("background_color")  # missing if invalid
    if background is None:
        return color
    if bool(color) != bool(background):
        raise ValueError("must be given together with backgroundColor")
    if color and (ratio := contrast(color, background)) < _LEAST_CONTRAST:
        raise ValueError(
            f"has a contrast of {ratio:.2f} with the background; it must be at least"
            f" {_LEAST_CONTRAST}"
        )
    return color


_Color = Annotated[
    str,
    StringConstraints(max_length=7),
    AfterValidator(_color),
    described(pattern="^(#[0-9a-fA-F]{6})?$"),
]


class Button(Command):
    """The look of a button. The page uses its own style for empty fields."""

    logo: Annotated[bytes, AfterValidator(_logo)]
    background_color: _Color
    text_color: Annotated[_Color, AfterValidator(_readable)]

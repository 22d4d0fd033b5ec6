"""Logos, checked when they are set. No image is fetched or decoded here."""

import re
from typing import Annotated, Final

from pydantic import AfterValidator

MAX_LOGO_BYTES: Final = 32 * 1024
# PNG, JPEG, WebP.
_MAGIC_BYTES: Final = re.compile(rb"\x89PNG\r\n\x1a\n|\xff\xd8\xff|RIFF....WEBP", re.DOTALL)


# The media types of images by their first byte.
_MEDIA_TYPES: Final = {0x89: "image/png", 0xFF: "image/jpeg", 0x52: "image/webp"}


def media_type_of(logo: bytes) -> str | None:
    """The media type of a stored logo; None for an empty one."""
    return _MEDIA_TYPES[logo[0]] if logo else None


def _logo(logo: bytes) -> bytes:
    if len(logo) > MAX_LOGO_BYTES:
        raise ValueError(f"must be at most {MAX_LOGO_BYTES} bytes")
    if logo and not _MAGIC_BYTES.match(logo):
        raise ValueError("must be a PNG, JPEG or WebP image")
    return logo


# Empty: no logo.
Logo = Annotated[bytes, AfterValidator(_logo)]

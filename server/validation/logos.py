"""Logos and pictures, checked when they are set. No image is fetched or decoded here."""

from typing import Annotated, Final

from pydantic import AfterValidator

from server.validation.images import read_image, without_metadata

MAX_LOGO_BYTES: Final = 32 * 1024
# A few bytes can be an image that takes gigabytes in a browser.
_MAX_PIXELS: Final = 2_000


# The media types of images by their first byte.
_MEDIA_TYPES: Final = {0x89: "image/png", 0xFF: "image/jpeg", 0x52: "image/webp"}


def media_type_of(logo: bytes) -> str | None:
    """The media type of a stored logo; None for an empty one."""
    return _MEDIA_TYPES[logo[0]] if logo else None


def _logo(logo: bytes) -> bytes:
    if len(logo) > MAX_LOGO_BYTES:
        raise ValueError(f"must be at most {MAX_LOGO_BYTES} bytes")
    if logo:
        image = read_image(logo)
        if not (0 < image.width <= _MAX_PIXELS and 0 < image.height <= _MAX_PIXELS):
            raise ValueError(f"must be at most {_MAX_PIXELS} pixels wide and high")
        if image.is_animated:
            raise ValueError("must not be animated")
    return logo


def _picture(picture: bytes) -> bytes:
    # An orientation alone can take more bytes than in the metadata.
    return _logo(without_metadata(picture)) if picture else picture


# Empty: no logo.
Logo = Annotated[bytes, AfterValidator(_logo)]
# Of a person: photos say where they were taken. A logo stays as it is in a file of configuration.
Picture = Annotated[Logo, AfterValidator(_picture)]

"""Logos: whole images of a moderate size, which nothing follows."""

from collections.abc import Callable, Mapping

import pytest
from pydantic import TypeAdapter, ValidationError

from server.validation.logos import Logo
from tests.support.images import jpeg, png, webp

_LOGO = TypeAdapter[bytes](Logo)
_WHOLE = "must be a whole image, and nothing after it"
_IMAGES = {
    "png": png(),
    "jpeg": jpeg(),
    "webp": webp(),
    "lossy webp": webp(kind=b"VP8 "),
    "extended webp": webp(kind=b"VP8X"),
}
_MAKERS: Mapping[str, Callable[[int, int], bytes]] = {
    "png": png,
    "jpeg": jpeg,
    "webp": webp,
    "lossy webp": lambda width, height: webp(width, height, kind=b"VP8 "),
    "extended webp": lambda width, height: webp(width, height, kind=b"VP8X"),
}


def _refusal(logo: bytes) -> str:
    with pytest.raises(ValidationError) as refused:
        _LOGO.validate_python(logo)
    return str(refused.value.errors()[0]["msg"]).removeprefix("Value error, ")


@pytest.mark.parametrize("image", _IMAGES.values(), ids=_IMAGES)
def test_a_whole_image_is_a_logo(image: bytes) -> None:
    assert _LOGO.validate_python(image) == image
    assert _LOGO.validate_python(b"") == b""


@pytest.mark.parametrize("name", _MAKERS)
def test_a_logo_has_at_most_2000_pixels_in_a_row_and_in_a_column(name: str) -> None:
    make = _MAKERS[name]

    assert _LOGO.validate_python(make(2_000, 2_000))
    for size in ((2_001, 1), (1, 2_001)):
        assert _refusal(make(*size)) == "must be at most 2000 pixels wide and high"


@pytest.mark.parametrize(
    "image", [png(60_000, 60_000), png(0, 8), jpeg(8, 0), webp(0, 8, kind=b"VP8 ")]
)
def test_an_image_without_pixels_and_one_that_takes_gigabytes_are_none(image: bytes) -> None:
    assert _refusal(image) == "must be at most 2000 pixels wide and high"


@pytest.mark.parametrize("image", _IMAGES.values(), ids=_IMAGES)
def test_an_image_that_is_cut_off_anywhere_is_refused(image: bytes) -> None:
    for length in range(12, len(image)):
        assert _refusal(image[:length]) == _WHOLE, length


@pytest.mark.parametrize("image", _IMAGES.values(), ids=_IMAGES)
@pytest.mark.parametrize("more", [b"\0", b"<script>alert(1)</script>"])
def test_nothing_follows_an_image(image: bytes, more: bytes) -> None:
    assert _refusal(image + more) == _WHOLE


@pytest.mark.parametrize(
    "image",
    [png(also=[b"acTL"]), webp(kind=b"VP8X", flags=2)],
)
def test_an_animation_is_no_logo(image: bytes) -> None:
    assert _refusal(image) == "must not be animated"


@pytest.mark.parametrize(
    "text", [b"<svg/>", b"GIF89a", b"RIFF....WEBM", b"RIFF", b"\x89PNG\n", b"\xff\xd8", b"x"]
)
def test_other_formats_are_refused(text: bytes) -> None:
    assert _refusal(text) == "must be a PNG, JPEG or WebP image"


@pytest.mark.parametrize(
    "image",
    [
        png().replace(b"IHDR", b"IHDX"),
        png().replace(b"IDAT", b"IDAX"),
        jpeg(frame=0xC4),  # a table, not a frame
        jpeg().replace(b"\xff\xda", b"\xff\xe1"),
        jpeg().replace(b"\xff\xc4", b"\xfe\xc4"),
        webp(kind=b"VP8 ").replace(b"\x9d\x01", b"\x9d\x02"),
    ],
)
def test_an_image_has_the_parts_of_its_format(image: bytes) -> None:
    assert _refusal(image) == _WHOLE

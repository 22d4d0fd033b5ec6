"""Logos: whole images of a moderate size, which nothing follows. Pictures: without metadata."""

import struct
from collections.abc import Callable, Mapping

import pytest
from pydantic import TypeAdapter, ValidationError

from server.validation.logos import Logo, Picture
from tests.support.images import jpeg, png, webp

_LOGO = TypeAdapter[bytes](Logo)
_PICTURE = TypeAdapter[bytes](Picture)
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
        webp().replace(b"VP8L\x05", b"VP8L\x09"),
        # Decoders take the first of two frames, or refuse both.
        jpeg(2_001, also=[(0xC2, b"\x08\0\x08\0\x08\1\1\x11\0")]),
        webp(2_001, also=[(b"VP8L", webp()[20:25])]),
        webp(kind=b"VP8X", also=[(b"VP8X", b"")]),
    ],
)
def test_an_image_has_the_parts_of_its_format(image: bytes) -> None:
    assert _refusal(image) == _WHOLE


def _exif(*entries: tuple[int, int, int, int], order: str = "<") -> bytes:
    """A segment with a directory of tag, type, count and value (Exif 2.32, section 4.6.2)."""
    begin = {"<": b"II*\0", ">": b"MM\0*"}[order]
    directory = struct.pack(f"{order}H", len(entries))
    for tag, kind, count, value in entries:
        form = "HHIHxx" if kind == 3 else "HHII"
        directory += struct.pack(f"{order}{form}", tag, kind, count, value)
    return b"Exif\0\0" + begin + struct.pack(f"{order}I", 8) + directory + bytes(4)


# The place of a photo (GPS, tag 0x8825), and its orientation (0x0112).
_GPS = (0x8825, 4, 1, 26)
_TURNED = (0x0112, 3, 1, 6)
_XMP = (0xE1, b"http://ns.adobe.com/xap/1.0/\0<x:xmpmeta/>")
_ONLY_TURNED = (0xE1, _exif(_TURNED, order=">"))
_PROFILE, _ADOBE = (0xE2, b"ICC_PROFILE\0\1\1profile"), (0xEE, b"Adobe\0\x64\0\0\0\0\1")
_OTHERS = [(0xE0, b"JFXX\0\x13thumbnail"), (0xE2, b"MPF\0II*\0"), (0xED, b"Photoshop 3.0\0")]


@pytest.mark.parametrize(
    ("also", "kept"),
    [
        ([(0xE1, _exif(_GPS))], []),
        ([(0xE1, _exif(_GPS, _TURNED))], [_ONLY_TURNED]),
        ([(0xE1, _exif(_TURNED, _GPS, order=">"))], [_ONLY_TURNED]),
        ([(0xE1, _exif((0x0112, 3, 1, 1)))], []),
        ([(0xE1, _exif((0x0112, 3, 1, 9)))], []),
        ([(0xE1, _exif(_TURNED)[:20])], []),
        ([(0xE1, b"Exif\0\0no TIFF")], []),
        ([_XMP, (0xFE, b"taken at home")], []),
        ([_PROFILE, _ADOBE], [_PROFILE, _ADOBE]),
        (_OTHERS, []),
    ],
)
def test_of_a_photo_only_its_orientation_and_its_colours_stay(
    also: list[tuple[int, bytes]], kept: list[tuple[int, bytes]]
) -> None:
    assert _PICTURE.validate_python(jpeg(also=also)) == jpeg(also=kept)
    assert _LOGO.validate_python(jpeg(also=also)) == jpeg(also=also)


@pytest.mark.parametrize(
    ("also", "kept"),
    [
        ([(0xE0, b"JFIF\0")], []),
        ([(0xE0, b"JFIF\0\1\1\0\0\1\0\1")], []),
        ([(0xE1, _exif(_TURNED)), (0xE1, _exif((0x0112, 3, 1, 3)))], [_ONLY_TURNED]),
    ],
)
def test_segments_that_no_decoder_reads_go(
    also: list[tuple[int, bytes]], kept: list[tuple[int, bytes]]
) -> None:
    assert _PICTURE.validate_python(jpeg(also=also)) == jpeg(also=kept)


def test_a_picture_is_not_larger_than_the_limit_without_its_metadata() -> None:
    short = _exif(_TURNED)[:-4]  # without the place of the next directory, which is written
    begun = jpeg(also=[(0xE1, short)])
    whole = jpeg(also=[(0xE1, short), (0xDB, bytes(32 * 1024 - len(begun) - 4))])
    assert len(whole) == 32 * 1024

    with pytest.raises(ValidationError, match="must be at most 32768 bytes"):
        _PICTURE.validate_python(whole)


@pytest.mark.parametrize(("order", "more"), [("<", b""), (">", b"Exif\0\0")])
def test_an_orientation_stays_in_every_format(order: str, more: bytes) -> None:
    """PNG (third edition), section 11.3.4.5; RFC 9649, section 2.7.1.5."""
    photo, turned = _exif(_GPS, _TURNED, order=order)[6:], _exif(_TURNED, order=">")[6:]

    with_chunk = png(chunks=[(b"eXIf", photo), (b"eXIf", photo)])
    assert _PICTURE.validate_python(with_chunk) == png(chunks=[(b"eXIf", turned)])
    extended = webp(kind=b"VP8X", flags=0x1C, also=[(b"XMP ", b"<x/>"), (b"EXIF", more + photo)])
    kept = webp(kind=b"VP8X", flags=0x18, also=[(b"EXIF", turned)])
    assert _PICTURE.validate_python(extended) == kept


def test_the_thumbnail_of_a_photo_goes() -> None:
    begin = b"JFIF\0\1\1\0\0\1\0\1"
    with_thumbnail = jpeg().replace(
        b"\xff\xe0\x00\x10" + begin + b"\0\0", b"\xff\xe0\x00\x13" + begin + b"\1\1rgb"
    )

    assert with_thumbnail != jpeg() == _PICTURE.validate_python(with_thumbnail)


@pytest.mark.parametrize(
    ("image", "kept"),
    [
        (png(also=[b"tEXt", b"iTXt", b"zTXt", b"eXIf", b"tIME", b"prVt"]), png()),
        (png(also=[b"gAMA", b"iCCP"]), png(also=[b"gAMA", b"iCCP"])),
        (
            webp(kind=b"VP8X", flags=0x1C, also=[(b"EXIF", _exif(_GPS)), (b"XMP ", b"<x/>")]),
            webp(kind=b"VP8X", flags=0x10),
        ),
        (webp(also=[(b"tool", b"odd")]), webp()),
        (b"", b""),
        *((image, image) for image in _IMAGES.values()),
    ],
)
def test_a_picture_has_no_metadata(image: bytes, kept: bytes) -> None:
    assert _PICTURE.validate_python(image) == kept

"""Colours, checked when they are set. The rule: text in them is readable (WCAG 2.2, level AA)."""

import re
from typing import Annotated, Final

from pydantic import AfterValidator, StringConstraints

from server.validation.fields import described

# WCAG 2.2, success criterion 1.4.3 (level AA).
LEAST_CONTRAST: Final = 4.5
_COLOR = re.compile(r"#[0-9a-fA-F]{6}")
# The lightest and the darkest background of text in the colour of a brand (`web/shared/style.css`).
_WHITE, _DARK = "#ffffff", "#1a1d24"
# Success criterion 1.4.6 (level AAA): on a dark background nobody chooses the colour.
_DARK_CONTRAST = 7.0


def contrast(one: str, other: str) -> float:
    """The contrast ratio of two colours, 1 to 21 (WCAG 2.2)."""
    darker, lighter = sorted((_luminance(one), _luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def on_dark(color: str) -> str:
    """The colour for a dark background: with as little white as it needs. "" for ""."""
    if not color:
        return color
    mixed = (_mixed_with_white(color, hundredths) for hundredths in range(101))
    return next(each for each in mixed if contrast(each, _DARK) >= _DARK_CONTRAST)


def _mixed_with_white(color: str, hundredths: int) -> str:
    channels = (int(color[at : at + 2], 16) for at in (1, 3, 5))
    return "#" + "".join(f"{each + (255 - each) * hundredths // 100:02x}" for each in channels)


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


def _readable_on_white(color: str) -> str:
    if color and (ratio := contrast(color, _WHITE)) < LEAST_CONTRAST:
        raise ValueError(
            f"has a contrast of {ratio:.2f} with white; it must be at least {LEAST_CONTRAST}, so"
            " choose a darker colour"
        )
    return color


# Empty: none.
Color = Annotated[
    str,
    StringConstraints(max_length=7),
    AfterValidator(_color),
    described(pattern="^(#[0-9a-fA-F]{6})?$"),
]
BrandColor = Annotated[Color, AfterValidator(_readable_on_white)]

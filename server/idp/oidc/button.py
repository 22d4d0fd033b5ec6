"""The look of a sign-in button: a logo and two colours, checked when they are set."""

import re
from typing import Annotated

from pydantic import AfterValidator, StringConstraints, ValidationInfo

from server.validation.fields import Command, described
from server.validation.logos import Logo

# WCAG 2.2, success criterion 1.4.3 (level AA).
_LEAST_CONTRAST = 4.5
_COLOR = re.compile(r"#[0-9a-fA-F]{6}")


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

    logo: Logo
    background_color: _Color
    text_color: Annotated[_Color, AfterValidator(_readable)]

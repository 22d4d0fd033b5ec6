"""The look of a sign-in button: a logo and two colours, checked when they are set."""

from typing import Annotated

from pydantic import AfterValidator, ValidationInfo

from server.validation.colors import LEAST_CONTRAST, Color, contrast
from server.validation.fields import Command
from server.validation.logos import Logo


def _readable(color: str, information: ValidationInfo) -> str:
    background = information.data.get("background_color")  # missing if invalid
    if background is None:
        return color
    if bool(color) != bool(background):
        raise ValueError("must be given together with backgroundColor")
    if color and (ratio := contrast(color, background)) < LEAST_CONTRAST:
        raise ValueError(
            f"has a contrast of {ratio:.2f} with the background; it must be at least"
            f" {LEAST_CONTRAST}"
        )
    return color


class Button(Command):
    """The look of a button. The page uses its own style for empty fields."""

    logo: Logo
    background_color: Color
    text_color: Annotated[Color, AfterValidator(_readable)]

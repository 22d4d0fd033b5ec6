"""Colours, and the colours of a brand on light and dark backgrounds."""

from itertools import product

import pytest

from server.validation.colors import contrast, on_dark


@pytest.mark.parametrize(
    ("color", "dark"),
    [("", ""), ("#000000", "#a8a8a8"), ("#1a3c6e", "#9aa9bf"), ("#ffffff", "#ffffff")],
)
def test_a_colour_gets_as_much_white_as_a_dark_background_needs(color: str, dark: str) -> None:
    assert on_dark(color) == dark


def test_every_colour_is_readable_on_a_dark_background() -> None:
    for channels in product(range(0, 256, 17), repeat=3):
        found = on_dark("#" + "".join(f"{each:02x}" for each in channels))
        assert contrast(found, "#1a1d24") >= 7

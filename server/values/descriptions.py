"""Texts of OAuth's parameter `error_description`."""

from typing import Final

_REPLACED: Final = str.maketrans({'"': "'", "\\": "/"})


def described(text: str) -> str:
    """The text in the characters that a description can have (RFC 6749, sections 4.1.2.1, 5.2)."""
    return "".join(each if " " <= each <= "~" else "?" for each in text.translate(_REPLACED))

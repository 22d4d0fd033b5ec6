"""Sealed values open only with their text, which PostgreSQL can store."""

import os

import pytest

from server.crypto.keyring import Keyring
from server.crypto.sealed import Sealed


@pytest.fixture
def sealed() -> Sealed[dict[str, str]]:
    return Sealed(Keyring([os.urandom(32)]), dict[str, str], purpose="a test")


@pytest.mark.parametrize("text", ["", "é\n", r"\u0000", r"\\u0000", "\\"])
def test_a_value_opens(sealed: Sealed[dict[str, str]], text: str) -> None:
    assert sealed.opened(sealed.sealed({"text": text, text: ""})) == {"text": text, text: ""}


@pytest.mark.parametrize("text", ["\0", "a\0b", "\\\0", "\\\\\0"])
def test_a_value_with_nul_does_not_open(sealed: Sealed[dict[str, str]], text: str) -> None:
    assert sealed.opened(sealed.sealed({"text": text})) is None
    assert sealed.opened(sealed.sealed({text: ""})) is None

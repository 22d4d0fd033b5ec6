"""User codes: 8 letters that people read on a device and type elsewhere (RFC 8628, section 6.1)."""

import re
import secrets
from typing import Final

from server.access.tokens import token_hash

# No vowels, so that codes are no words; no Y, and no letter that looks like another or a digit.
_ALPHABET: Final = "BCDFGHJKLMNPQRSTVWXZ"
_LENGTH: Final = 8
_HALF: Final = _LENGTH // 2
_BETWEEN_LETTERS: Final = re.compile(r"[\W_]+")


def new_user_code() -> str:
    """A new code, of 34.5 random bits."""
    return shown("".join(secrets.choice(_ALPHABET) for _ in range(_LENGTH)))


def shown(text: str) -> str:
    """A code as devices show it: upper case, and a dash in the middle."""
    letters = _BETWEEN_LETTERS.sub("", text).upper()
    return f"{letters[:_HALF]}-{letters[_HALF:]}"


def user_code_hash(text: str) -> bytes:
    """The stored hash of a code, which is the same for all its spellings."""
    return token_hash(shown(text))

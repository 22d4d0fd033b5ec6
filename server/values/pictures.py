"""The URLs of the pictures of users: a key that nobody can guess is all that they need."""

import re
import secrets
from typing import Final

# The address on the web port, before the key.
PICTURES: Final = "/pictures/"
_KEY_BYTES: Final = 16
_KEY: Final = re.compile(rf"[0-9a-f]{{{2 * _KEY_BYTES}}}")


def new_key() -> str:
    """A key for a picture that is new, so that a URL never gets another picture."""
    return secrets.token_hex(_KEY_BYTES)


def is_key(text: str) -> bool:
    """Whether the text has the form of a key."""
    return _KEY.fullmatch(text) is not None


def picture_uri(issuer: str, key: str) -> str:
    """The URL of the picture with this key; empty without one."""
    return f"{issuer.rstrip('/')}{PICTURES}{key}" if key else ""

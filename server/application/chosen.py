"""Client IDs and secrets that are chosen, so that a program keeps those of another provider."""

import math
import re
from string import ascii_letters, ascii_lowercase, ascii_uppercase, digits, punctuation
from typing import Final

MAX_CLIENT_ID: Final = 128
MAX_SECRET: Final = 200
_MIN_BITS: Final = 128
_MIN_DISTINCT: Final = 8

# Unreserved characters (RFC 3986, section 2.3), which stay the same in every URL and header.
_CLIENT_ID: Final = re.compile(rf"[A-Za-z0-9._~-]{{1,{MAX_CLIENT_ID}}}")
# A path segment that URLs do without (RFC 3986, section 5.2.4).
_DOTS: Final = frozenset({".", ".."})
# An ID of the server: also that of a user or of another object, now or once.
ASSIGNED_ID: Final = "[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"
# Without the space and the percent sign: those of Basic authentication may be form-urlencoded
# (RFC 6749, section 2.3.1) or not, as many programs send them, and are the same both ways.
_SECRET: Final = re.compile(rf"[!-$&-~]{{1,{MAX_SECRET}}}")
# By their size: a secret is as strong as the smallest one that it fits into.
_ALPHABETS: Final = tuple(
    frozenset(characters)
    for characters in (
        digits,
        f"{digits}abcdef",
        f"{digits}ABCDEF",
        ascii_lowercase,
        ascii_uppercase,
        digits + ascii_lowercase,
        digits + ascii_uppercase,
        ascii_letters,
        digits + ascii_letters,
        f"{digits}{ascii_letters}-_",
        f"{digits}{ascii_letters}+/=",
        digits + ascii_letters + punctuation,
    )
)


def is_client_id(text: str) -> bool:
    """Whether the text has the form of the ID of an added application."""
    return _CLIENT_ID.fullmatch(text) is not None


def check_client_id(client_id: str) -> str:
    """A chosen client ID; empty: none. ValueError with the correction."""
    if not client_id:
        return client_id
    if len(client_id) > MAX_CLIENT_ID:
        raise ValueError(f"must be at most {MAX_CLIENT_ID} characters")
    if not is_client_id(client_id) or client_id in _DOTS:
        raise ValueError("must be of A-Z, a-z, 0-9 and ._~- and not a dot or two alone")
    if re.fullmatch(ASSIGNED_ID, client_id):
        raise ValueError("must not be a UUID of version 7, which the server assigns")
    return client_id


def check_secret(secret: str) -> str:
    """A chosen secret; empty: none. ValueError with the correction."""
    if not secret:
        return secret
    if len(secret) > MAX_SECRET:
        raise ValueError(f"must be at most {MAX_SECRET} characters")
    if not _SECRET.fullmatch(secret):
        raise ValueError("must be printable characters of ASCII, without spaces and %")
    alphabet = next(each for each in _ALPHABETS if each.issuperset(secret))
    bits = len(secret) * math.log2(len(alphabet))
    if bits < _MIN_BITS or len(set(secret)) < _MIN_DISTINCT:
        raise ValueError(
            f"must be random and have {_MIN_BITS} bits: at least 32 hexadecimal digits or 22"
            " characters of base64url. Make a new one, for example with openssl rand -hex 32"
        )
    return secret

"""Tokens: 256 random bits behind a prefix that people and secret scanners recognise.

The rule: a token is in plaintext only in the response that creates it and in requests that use it.
Only its SHA-256 is stored or cached; 256 random bits need no slower hash.

A client certificate takes the place of a user's token (`certificates.py`).
"""

import enum
import hashlib
import re
import secrets
import zlib
from typing import Final, NamedTuple


class TokenKind(enum.StrEnum):
    """The prefixes of tokens, so that people and secret scanners recognise them.

    `CERTIFICATE` is no prefix: a client certificate has no text that anybody sends. The secret of
    an application authenticates no caller of the API, so `recognized` does not know it.
    """

    USER = "kst_"
    REGISTRATION = "ksr_"
    LINK = "ksl_"
    SESSION = "kss_"
    APPLICATION_SECRET = "kas_"  # noqa: S105 -- a prefix
    CERTIFICATE = "x5t#S256"


# The pattern for secret scanners, also with `kas_`: prefix, 64 hex digits, the CRC-32 of both as
# 8 hex digits.
_TOKEN = re.compile(r"(ks[trls]_)[0-9a-f]{72}")
_CHECKSUM_DIGITS = 8
_KINDS: Final = {kind.value: kind for kind in TokenKind}  # cheaper than `TokenKind(...)`
# No text has the hash of a thumbprint, because UTF-8 never contains this byte.
_THUMBPRINT: Final = b"\xffx5t#S256:"


def new_token(kind: TokenKind) -> str:
    """A new opaque token of 256 random bits."""
    body = kind + secrets.token_hex(32)
    return f"{body}{zlib.crc32(body.encode()):08x}"


def token_hash(token: str) -> bytes:
    """The stored hash of a token."""
    return hashlib.sha256(token.encode()).digest()


def thumbprint_hash(thumbprint: bytes) -> bytes:
    """The stored hash of a client certificate."""
    return hashlib.sha256(_THUMBPRINT + thumbprint).digest()


class Token(NamedTuple):
    """A well-formed token or a client certificate, as it is looked up."""

    kind: TokenKind
    hash: bytes


def recognized(token: str) -> Token | None:
    """The kind and the hash of a well-formed token; None for any other text."""
    match = _TOKEN.fullmatch(token)
    if match is None:
        return None
    text = token.encode()
    if zlib.crc32(text[:-_CHECKSUM_DIGITS]) != int(text[-_CHECKSUM_DIGITS:], 16):
        return None
    return Token(_KINDS[match[1]], hashlib.sha256(text).digest())


def of_certificate(thumbprint: bytes) -> Token:
    """The token of the client certificate with this thumbprint."""
    return Token(TokenKind.CERTIFICATE, thumbprint_hash(thumbprint))

"""Tokens: 256 random bits behind a prefix that people and secret scanners recognise.

The rule: a token is in clear only in the answer that creates it and in the request that uses it.
Only its SHA-256 is stored or cached; 256 random bits need no slower hash.
"""

import enum
import hashlib
import re
import secrets
import zlib


class TokenKind(enum.StrEnum):
    """The prefixes of tokens, so that people and secret scanners recognise them."""

    USER = "kst_"
    REGISTRATION = "ksr_"
    LINK = "ksl_"
    SESSION = "kss_"


# The pattern for secret scanners: prefix, 64 hex digits, and the CRC-32 of both as 8 hex digits.
_TOKEN = re.compile(r"(?P<kind>ks[trls]_)(?P<random>[0-9a-f]{64})(?P<checksum>[0-9a-f]{8})")


def new_token(kind: TokenKind) -> str:
    """A new opaque token of 256 random bits."""
    body = kind + secrets.token_hex(32)
    return body + _checksum(body)


def token_hash(token: str) -> bytes:
    """What is stored of a token."""
    return hashlib.sha256(token.encode()).digest()


def _checksum(body: str) -> str:
    return f"{zlib.crc32(body.encode()):08x}"


def kind_of(token: str) -> TokenKind | None:
    """The kind of a well-formed token; None for any other text."""
    match = _TOKEN.fullmatch(token)
    if match is None or _checksum(match["kind"] + match["random"]) != match["checksum"]:
        return None
    return TokenKind(match["kind"])

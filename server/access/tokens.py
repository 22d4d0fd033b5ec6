"""Tokens: 256 random bits behind a prefix that people and secret scanners recognise.

The rule: a token is in plaintext only in the response that creates it and in requests that use it.
Only its SHA-256 is stored or cached; 256 random bits need no slower hash.

Three digits after the prefix have room for the number of a database (decision 1). They are zero,
and a token with others is as malformed as one with a wrong checksum. Tokens that were made before
lack these digits and stay valid.

A client certificate takes the place of a user's token (`certificates.py`), and so does the JWT that
a platform signs for a workload.
"""

import enum
import hashlib
import re
import secrets
import zlib
from typing import Final, NamedTuple

from pydantic import SecretStr


class TokenKind(enum.StrEnum):
    """The prefixes of tokens, so that people and secret scanners recognise them.

    `CERTIFICATE` is no prefix: a client certificate has no text that anybody sends. Neither is
    `WORKLOAD`: other servers issue the JWTs of workloads. The secrets, codes, device codes and
    refresh tokens of applications authenticate no caller of the API, so `recognized` does not know
    them.
    """

    USER = "kst_"
    REGISTRATION = "ksr_"
    LINK = "ksl_"
    SESSION = "kss_"
    APPLICATION_SECRET = "kas_"  # noqa: S105 -- a prefix
    APPLICATION_CODE = "kac_"
    APPLICATION_DEVICE = "kad_"
    APPLICATION_REFRESH = "kar_"
    CERTIFICATE = "x5t#S256"
    WORKLOAD = "jwt"


_DATABASE: Final = "000"
# The pattern for secret scanners: prefix, database, 64 random hex digits, the CRC-32 of all of them
# as 8 hex digits.
_ANY = re.compile(rf"k[as][a-z]_(?:{_DATABASE})?[0-9a-f]{{72}}")
# The prefixes of callers.
_TOKEN = re.compile(rf"(ks[trls]_)(?:{_DATABASE})?[0-9a-f]{{72}}")
CHECKSUM_DIGITS: Final = 8
_KINDS: Final = {kind.value: kind for kind in TokenKind}  # cheaper than `TokenKind(...)`
# No text has the hash of a thumbprint or a workload, because UTF-8 never contains this byte.
_THUMBPRINT: Final = b"\xffx5t#S256:"
_WORKLOAD: Final = b"\xffworkload:"
# A header that begins with `{"`; the length is that of `subject_token` of ExchangeToken.
_JWT: Final = re.compile(r"(?=.{1,8000}\Z)eyJ[\w-]+\.[\w-]+\.[\w-]+", re.ASCII)


def new_token(kind: TokenKind) -> str:
    """A new opaque token of 256 random bits."""
    return with_checksum(f"{kind}{_DATABASE}{secrets.token_hex(32)}")


def with_checksum(body: str) -> str:
    """The token of a prefix and its digits."""
    return f"{body}{zlib.crc32(body.encode()):08x}"


def is_intact(token: str) -> bool:
    """Whether the text is a token of any kind, with the right checksum."""
    return bool(_ANY.fullmatch(token)) and with_checksum(token[:-CHECKSUM_DIGITS]) == token


def token_hash(token: str) -> bytes:
    """The stored hash of a token."""
    return hashlib.sha256(token.encode()).digest()


def thumbprint_hash(thumbprint: bytes) -> bytes:
    """The stored hash of a client certificate."""
    return hashlib.sha256(_THUMBPRINT + thumbprint).digest()


def workload_hash(token_id: str) -> bytes:
    """The stored hash of a workload, whose JWTs change. No token has this hash."""
    return hashlib.sha256(_WORKLOAD + token_id.encode()).digest()


class Token(NamedTuple):
    """A well-formed token or a client certificate, as it is looked up.

    The hash of a JWT names it in the cache of callers only. `jwt` is its text.
    """

    kind: TokenKind
    hash: bytes
    jwt: SecretStr | None = None


def recognized(token: str) -> Token | None:
    """The kind and the hash of a well-formed token or JWT; None for any other text."""
    match = _TOKEN.fullmatch(token)
    if match is None:
        is_jwt = _JWT.fullmatch(token) is not None
        return Token(TokenKind.WORKLOAD, token_hash(token), SecretStr(token)) if is_jwt else None
    text = token.encode()
    if zlib.crc32(text[:-CHECKSUM_DIGITS]) != int(text[-CHECKSUM_DIGITS:], 16):
        return None
    return Token(_KINDS[match[1]], hashlib.sha256(text).digest())


def of_certificate(thumbprint: bytes) -> Token:
    """The token of the client certificate with this thumbprint."""
    return Token(TokenKind.CERTIFICATE, thumbprint_hash(thumbprint))

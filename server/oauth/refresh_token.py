"""Refresh tokens: the half that names their family, and the half that each rotation replaces.

Both have 128 random bits. A token of any earlier generation is recognised by its family, so its
reuse ends the family (RFC 9700, section 4.14.2), although only hashes of two generations are
stored. A token and a random salt give its successor, so that all requests with the token get the
same one. The salt alone, which is stored, gives no token.
"""

import hashlib
from dataclasses import dataclass, field, replace
from typing import Self

from server.access.tokens import (
    CHECKSUM_DIGITS,
    TokenKind,
    is_intact,
    new_token,
    token_hash,
    with_checksum,
)

# In hex digits.
_HALF = 32


@dataclass(frozen=True, slots=True)
class RefreshToken:
    """A refresh token and the hashes under which it is stored."""

    text: str = field(repr=False)

    @classmethod
    def new(cls) -> Self:
        """The first token of a family."""
        return cls(new_token(TokenKind.APPLICATION_REFRESH))

    @classmethod
    def read(cls, text: str) -> Self | None:
        """A well-formed token; None for any other text."""
        return (
            cls(text)
            if text.startswith(TokenKind.APPLICATION_REFRESH) and is_intact(text)
            else None
        )

    def successor(self, salt: bytes) -> Self:
        """The next token of the family."""
        half = hashlib.sha256(self.text.encode() + salt).hexdigest()[:_HALF]
        return replace(self, text=with_checksum(self._of_family + half))

    @property
    def family(self) -> bytes:
        """The stored hash of the family."""
        return token_hash(self._of_family)

    @property
    def generation(self) -> bytes:
        """The stored hash of the token."""
        return token_hash(self.text)

    @property
    def _of_family(self) -> str:
        return self.text[: -_HALF - CHECKSUM_DIGITS]

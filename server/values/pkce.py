"""Proof Key for Code Exchange (RFC 7636)."""

import hashlib

from server.values.base64url import base64url


def challenge_of(verifier: str) -> str:
    """The challenge S256 of a code verifier (RFC 7636, section 4.2)."""
    return base64url(hashlib.sha256(verifier.encode()).digest())

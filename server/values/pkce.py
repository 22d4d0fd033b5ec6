"""Proof Key for Code Exchange (RFC 7636)."""

import base64
import hashlib


def challenge_of(verifier: str) -> str:
    """The challenge S256 of a code verifier (RFC 7636, section 4.2)."""
    digest = hashlib.sha256(verifier.encode()).digest()
    return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()

"""Base64url without padding (RFC 7515, section 2)."""

import base64


def base64url(data: bytes) -> str:
    """The text of these bytes."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()

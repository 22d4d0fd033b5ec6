"""Media types of requests and answers (RFC 9110, section 8.3.1)."""

from collections.abc import Mapping
from typing import Final

JSON: Final = b"application/json"
# The content types of grpc-web, and whether their bodies are base64.
GRPC_WEB: Final[Mapping[bytes, bool]] = {
    b"application/grpc-web": False,
    b"application/grpc-web+proto": False,
    b"application/grpc-web-text": True,
    b"application/grpc-web-text+proto": True,
}


def essence(media_type: bytes) -> bytes:
    """The media type without its parameters, in lower case."""
    return media_type.partition(b";")[0].strip().lower()

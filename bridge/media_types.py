"""Media types of requests and answers, and their negotiation (RFC 9110, sections 8.3.1 and 12)."""

import re
from collections.abc import Mapping
from typing import Final

from starlette.types import Scope

from bridge.metadata import values

HTML: Final = b"text/html"
JSON: Final = b"application/json"
FORM: Final = b"application/x-www-form-urlencoded"
# The content types of grpc-web, and whether their bodies are base64.
GRPC_WEB: Final[Mapping[bytes, bool]] = {
    b"application/grpc-web": False,
    b"application/grpc-web+proto": False,
    b"application/grpc-web-text": True,
    b"application/grpc-web-text+proto": True,
}

# Its first naming counts. A pattern finds it in a long header, whose elements would be a cost.
_HTML_ELEMENT = re.compile(
    rb"(?:^|,)[ \t]*%s[ \t]*(?P<parameters>(?:;[^,]*)?)(?:,|$)" % HTML, re.IGNORECASE
)
_WEIGHT_ZERO = re.compile(rb";[ \t]*q=0(\.0{0,3})?[ \t]*(;|$)", re.IGNORECASE)


def is_refused(element: bytes) -> bool:
    """Whether an element of `accept` or its like has the weight 0 (RFC 9110, section 12.4.2)."""
    return _WEIGHT_ZERO.search(element) is not None


def essence(element: bytes) -> bytes:
    """The media type or content coding without its parameters, in lower case."""
    return element.partition(b";")[0].strip().lower()


def accepts_html(scope: Scope) -> bool:
    """Whether the client names HTML, as browsers do for pages; `*/*` does not count."""
    named = _HTML_ELEMENT.search(b",".join(values(scope["headers"], b"accept")))
    return named is not None and not is_refused(named["parameters"])

"""Whether a page of this server or of a listed origin made a request, and no other site (CSRF).

The rule: a request that another site can cause uses no credential that browsers attach by
themselves (decision 13).
"""

import re
from collections.abc import Collection

from bridge.media_types import GRPC_WEB, JSON, essence
from bridge.metadata import Headers, values

# Forms never send these content types, and scripts of other origins only after a preflight (Fetch,
# "CORS-safelisted request-header").
_CONTENT_TYPES = {JSON, *GRPC_WEB}
_METHODS_WITHOUT_CONTENT = {"GET", "HEAD", "DELETE"}
# The hosts from which browsers accept a `Secure` cookie without TLS.
_LOOPBACK = re.compile(rb"(localhost|127\.0\.0\.1|\[::1\])(:[0-9]+)?")


class TrustedPages:
    """The pages of this server and of the listed origins."""

    def __init__(self, origins: Collection[str]) -> None:
        """`origins` are other origins than that of the server."""
        self._origins = {origin.encode() for origin in origins}

    def made(self, method: str, headers: Headers) -> bool:
        """Whether one of the pages made the request, and no form or other site."""
        return cannot_be_a_form(method, headers) and self._are_the_origin(headers)

    def _are_the_origin(self, headers: Headers) -> bool:
        origins = values(headers, b"origin")
        if not origins:
            # A GET to the page's own server has no Origin; see Fetch Metadata.
            return values(headers, b"sec-fetch-site") == [b"same-origin"]
        return len(origins) == 1 and (origins[0] in self._origins or _is_own(origins[0], headers))


def cannot_be_a_form(method: str, headers: Headers) -> bool:
    """Whether no form, and no script without a preflight, can make the request."""
    content_types = values(headers, b"content-type")
    if not content_types:
        # The POST of a form always has a content type, a script's POST without content has none.
        return method in _METHODS_WITHOUT_CONTENT
    return len(content_types) == 1 and essence(content_types[0]) in _CONTENT_TYPES


def _is_own(origin: bytes, headers: Headers) -> bool:
    """Whether the origin is that of the requested host.

    Only https, regardless of the proxy's headers, except for the browser's own machine: browsers
    send the cookie to no other host over plain HTTP.
    """
    hosts = values(headers, b"host")
    if len(hosts) != 1:
        return False
    host = hosts[0].lower()
    if origin == b"https://" + host:
        return True
    return _LOOPBACK.fullmatch(host) is not None and origin == b"http://" + host

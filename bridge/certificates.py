"""Client certificates on the web port.

A browser attaches a certificate to the requests of every page, as it attaches cookies. So the
certificate of a request that a browser made counts only if one of our pages made the request.

The rule: a request that another site can cause does not use the certificate (decision 15).
"""

from collections.abc import Collection

from starlette.types import ASGIApp, Receive, Scope, Send

from bridge.http.protocol import THUMBPRINT
from bridge.metadata import Headers
from bridge.origin import TrustedPages, cannot_be_a_form

# Browsers send one of them with every request. Some before 2023 send neither with a GET, whose
# answer no other site can read.
_OF_BROWSERS = {b"origin", b"sec-fetch-site"}


class ClientCertificates:
    """Wraps an application that sees only certificates that count."""

    def __init__(self, application: ASGIApp, origins: Collection[str]) -> None:
        """`origins` are other origins whose pages may use the certificate."""
        self._application = application
        self._pages = TrustedPages(origins)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if THUMBPRINT in scope and not self._counts(scope["method"], scope["headers"]):
            scope = {name: value for name, value in scope.items() if name != THUMBPRINT}
        await self._application(scope, receive, send)

    def _counts(self, method: str, headers: Headers) -> bool:
        if any(name in _OF_BROWSERS for name, _ in headers):
            return self._pages.made(method, headers)
        return cannot_be_a_form(method, headers)

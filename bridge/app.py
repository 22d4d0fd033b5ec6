"""The ASGI application of the web port: grpc-web, JSON and the pages, behind one CORS policy.

The endpoints of OAuth have a policy of their own.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from bridge.certificates import ClientCertificates
from bridge.cookies import SessionCookies
from bridge.gate import PATH as GATE_CHECK
from bridge.gate import GateCheck
from bridge.grpcweb.application import GrpcWeb
from bridge.json.transcoding import Transcoder
from bridge.media_types import GRPC_WEB, accepts_html, essence
from bridge.metadata import values
from bridge.oauth.application import OAuth
from server.rpc.call import REQUEST_ID_HEADER
from server.rpc.methods import Methods
from server.rpc.preconditions.changes import ETAG

_PREFLIGHT_SECONDS = 7200  # the maximum in Chromium
# The headers of an answer that a page of another origin may read.
_EXPOSED_HEADERS = (
    "grpc-status",
    "grpc-message",
    "grpc-status-details-bin",
    REQUEST_ID_HEADER,
    "deprecation",
    "link",
    "sunset",
    ETAG,
    "retry-after",
    "www-authenticate",
)

# Set on every answer that does not set them itself.
_DEFAULT_HEADERS = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cache-control", b"no-store"),
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
)
# RFC 6797. Only over HTTPS: browsers ignore it over HTTP.
_HTTPS_ONLY = b"max-age=31536000"
# The end of the path of a page that is served for every ID; only its script reads the ID.
ANY_ID = "/{id}"
_ID = re.compile(r"[0-9A-Za-z-]+")


def application(
    methods: Methods,
    *,
    pages: Sequence[Route],
    cors_origins: Sequence[str],
    asks_clients: bool = False,
    discovery: Sequence[Route] = (),
    missing: ASGIApp | None = None,
    hsts_subdomains: bool = False,
) -> ASGIApp:
    """The whole application of the web port.

    A request that is neither grpc-web nor for a page goes to the JSON routes, which refuse unknown
    paths; `missing` answers browsers there, if it is given. `asks_clients`: connections may have
    client certificates. `hsts_subdomains`: browsers use HTTPS for the subdomains of the host, too.
    `discovery` are the discovery documents of the endpoints of OAuth; without them, there are no
    endpoints, and no gate.
    """
    site = _Site([*pages, *_redirects(pages)], methods, missing)
    calls: ASGIApp = SessionCookies(site, cors_origins)
    if asks_clients:
        calls = ClientCertificates(calls, cors_origins)
    everything: ASGIApp = CORSMiddleware(
        calls,
        allow_origins=cors_origins,
        allow_methods=("GET", "POST", "PUT", "PATCH", "DELETE"),
        allow_headers=("*",),
        allow_credentials=True,
        expose_headers=_EXPOSED_HEADERS,
        max_age=_PREFLIGHT_SECONDS,
    )
    # In front of the session cookie, and with a policy of their own for other origins.
    apart: dict[bytes, ASGIApp] = {}
    if discovery:
        apart = {GATE_CHECK: GateCheck(methods), **OAuth(methods, discovery).by_path}
    return _Front(apart, everything, hsts_subdomains=hsts_subdomains)


def _redirects(pages: Sequence[Route]) -> Iterator[Route]:
    """A redirect to each page from its path with a slash added or removed at the end."""
    for page in pages:
        name = page.path.strip("/").rpartition("/")[2]
        if name and not page.path.endswith(ANY_ID):
            is_folder = page.path.endswith("/")
            other = page.path.removesuffix("/") if is_folder else f"{page.path}/"
            # Relative, for a proxy that serves this below a path.
            yield _redirect(other, f"{name}/" if is_folder else f"../{name}")


def _redirect(path: str, location: str) -> Route:
    """A redirect; browsers keep the fragment of a link (RFC 9110, section 10.2.2)."""

    async def answer(_request: Request) -> Response:
        return Response(status_code=308, headers={"location": location})

    return Route(path, answer)


class _Site:
    """grpc-web, the pages by the paths that clients send, not decoded, and the JSON routes.

    Starlette's router answers verbs other than GET with plain text, and matches the decoded path,
    so `/%6detrics` would pass a proxy that blocks `/metrics`.
    """

    def __init__(
        self, pages: Sequence[Route], methods: Methods, missing: ASGIApp | None = None
    ) -> None:
        self._grpc_web = GrpcWeb(methods)
        self._pages = {page.path: page for page in pages}
        self._routes = Transcoder(methods, is_page=lambda path: self._find(path) is not None)
        self._missing = missing

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        answer: ASGIApp = self._routes
        match [essence(each) for each in values(scope["headers"], b"content-type")]:
            # OPTIONS asks about the path, not about a call (RFC 9110, section 9.3.7).
            case [given] if given in GRPC_WEB and scope["method"] != "OPTIONS":
                answer = partial(self._grpc_web.answer, given)
            case _ if scope["method"] in ("GET", "HEAD"):
                page = self._find(scope["raw_path"])
                if page is not None:
                    answer = page.app
                elif self._missing and accepts_html(scope) and self._routes.is_unknown(scope):
                    answer = self._missing
        await answer(scope, receive, send)

    def _find(self, raw_path: bytes) -> Route | None:
        """The page at a path; None without one."""
        path = raw_path.decode("latin-1")
        if (page := self._pages.get(path)) is not None:
            return page
        folder, _, name = path.rpartition("/")
        return self._pages.get(folder + ANY_ID) if _ID.fullmatch(name) else None


class _Front:
    """Finds the application of a path; adds default security headers to all answers."""

    def __init__(
        self, apart: Mapping[bytes, ASGIApp], others: ASGIApp, *, hsts_subdomains: bool
    ) -> None:
        """`apart` are applications by their path, not decoded; `others` has all other paths."""
        self._apart = apart
        self._others = others
        value = _HTTPS_ONLY + (b"; includeSubDomains" if hsts_subdomains else b"")
        self._https_only = (b"strict-transport-security", value)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_defaults(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = message["headers"]
                present = {name for name, _ in headers}
                missing = [each for each in _DEFAULT_HEADERS if each[0] not in present]
                if scope["scheme"] == "https":
                    missing.append(self._https_only)
                message = {**message, "headers": [*headers, *missing]}
            await send(message)

        application = self._apart.get(scope["raw_path"], self._others)
        await application(scope, receive, send_with_defaults)

"""The ASGI application of the web port: grpc-web, JSON and the pages, behind one CORS policy."""

from collections.abc import Iterator, Sequence

from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from bridge.cookies import SessionCookies
from bridge.grpcweb.application import GrpcWeb
from bridge.json.transcoding import Transcoder
from server.rpc.call import REQUEST_ID_HEADER
from server.rpc.methods import Methods

_PREFLIGHT_SECONDS = 7200  # the most that Chromium remembers
# The headers of an answer that a page of another origin may read.
_EXPOSED_HEADERS = (
    "grpc-status",
    "grpc-message",
    "grpc-status-details-bin",
    REQUEST_ID_HEADER,
    "deprecation",
    "link",
    "sunset",
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
# RFC 6797; browsers ignore it over HTTP.
_HTTPS_ONLY = (b"strict-transport-security", b"max-age=31536000")


def application(
    methods: Methods, *, pages: Sequence[Route], cors_origins: Sequence[str]
) -> ASGIApp:
    """The whole application of the web port.

    The JSON routes get each request that is neither grpc-web nor for a page, and refuse unknown
    paths.
    """
    pages = [*pages, *_redirects(pages)]
    site = _Site(pages, Transcoder(methods, [page.path for page in pages]))
    return CORSMiddleware(
        _DefaultHeaders(SessionCookies(GrpcWeb(methods, site), cors_origins)),
        allow_origins=cors_origins,
        allow_methods=("GET", "POST", "PUT", "PATCH", "DELETE"),
        allow_headers=("*",),
        allow_credentials=True,
        expose_headers=_EXPOSED_HEADERS,
        max_age=_PREFLIGHT_SECONDS,
    )


def _redirects(pages: Sequence[Route]) -> Iterator[Route]:
    """A redirect to each page from its path with a slash added or removed at the end."""
    for page in pages:
        if name := page.path.strip("/").rpartition("/")[2]:
            is_folder = page.path.endswith("/")
            other = page.path.removesuffix("/") if is_folder else f"{page.path}/"
            # Relative, for a proxy that serves this below a path.
            yield _redirect(other, f"{name}/" if is_folder else f"../{name}")


def _redirect(path: str, location: str) -> Route:
    """A browser keeps the fragment of a link (RFC 9110, section 10.2.2)."""

    async def answer(_request: Request) -> Response:
        return Response(status_code=308, headers={"location": location})

    return Route(path, answer)


class _Site:
    """The pages, and behind them the application for all other requests.

    Not Starlette's router: it answers verbs other than GET with plain text, and matches the decoded
    path, so `/%6detrics` would pass a proxy that keeps `/metrics` from the public.
    """

    def __init__(self, pages: Sequence[Route], default: ASGIApp) -> None:
        self._pages = {page.path.encode(): page for page in pages}
        self._default = default

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        page = self._pages.get(scope["raw_path"]) if scope["method"] in ("GET", "HEAD") else None
        await (page.app if page else self._default)(scope, receive, send)


class _DefaultHeaders:
    """Adds the default security headers to every answer."""

    def __init__(self, application: ASGIApp) -> None:
        self._application = application

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_defaults(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = message["headers"]
                present = {name for name, _ in headers}
                missing = [each for each in _DEFAULT_HEADERS if each[0] not in present]
                if scope["scheme"] == "https":
                    missing.append(_HTTPS_ONLY)
                message = {**message, "headers": [*headers, *missing]}
            await send(message)

        await self._application(scope, receive, send_with_defaults)

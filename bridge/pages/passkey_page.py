"""`/passkeys/`, where a person adds a passkey by a link, and keeps its own with a token.

Its source is web/passkeys; `make page` builds it into the folder that is served here. The page
loads nothing from elsewhere and calls nothing but this server.
"""

from collections.abc import Iterator
from pathlib import Path

from starlette.routing import Route

from bridge.pages.static_files import IMMUTABLE, REVALIDATED, static

_PATH = "/passkeys/"
_BUILD = Path(__file__).parent / "assets" / "passkeys"
_INDEX = "index.html"
# The names of the files in this folder contain a hash of the content.
_HASHED = "assets"
_MEDIA_TYPES = {
    ".css": "text/css",
    ".html": "text/html",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
    ".txt": "text/plain",
}
_PAGE_HEADERS = {
    **REVALIDATED,
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self';"
    " connect-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none';"
    " frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "publickey-credentials-create=(self), publickey-credentials-get=()",
}


def routes() -> list[Route]:
    """Routes to `/passkeys/` and to its files."""
    return list(_files())


def _files() -> Iterator[Route]:
    for file in sorted(_BUILD.rglob("*")):
        if file.is_file():
            name = file.relative_to(_BUILD).as_posix()
            yield static(
                _PATH if name == _INDEX else _PATH + name,
                file.read_bytes(),
                _MEDIA_TYPES[file.suffix],
                headers=_headers(name),
            )


def _headers(name: str) -> dict[str, str]:
    if name == _INDEX:
        return _PAGE_HEADERS
    return IMMUTABLE if name.startswith(f"{_HASHED}/") else REVALIDATED

"""The pages that people use: `/signin/`, `/account/` and `/passkeys/`, with what they load.

Their source is web/; `make page` builds it into the folder that is served here. The pages load
nothing from elsewhere and call nothing but this server.
"""

from collections.abc import Iterator
from pathlib import Path

from starlette.routing import Route

from bridge.pages.static_files import IMMUTABLE, REVALIDATED, static

_BUILD = Path(__file__).parent / "assets"
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
    "permissions-policy": "publickey-credentials-create=(self), publickey-credentials-get=(self)",
}


def routes() -> list[Route]:
    """Routes to the pages and to their files."""
    return list(_files())


def _files() -> Iterator[Route]:
    for file in sorted(_BUILD.rglob("*")):
        if file.is_file():
            name = file.relative_to(_BUILD).as_posix()
            yield static(
                f"/{name.removesuffix(_INDEX)}",
                file.read_bytes(),
                _MEDIA_TYPES[file.suffix],
                headers=_headers(name),
            )


def _headers(name: str) -> dict[str, str]:
    if name.endswith(_INDEX):
        return _PAGE_HEADERS
    return IMMUTABLE if name.startswith(f"{_HASHED}/") else REVALIDATED

"""The pages for people: `/signin/`, `/account/`, `/device/`, `/passkeys/`, and their files.

Identity providers redirect people to `/signin/callback/` and the ID of the identity provider.

The source of the pages is web/; `make page` builds it into the folder that is served here. The
pages load files only from this server and call only this server.
"""

from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path

from starlette.routing import Route

from bridge.app import ANY_ID
from bridge.pages.static_files import IMMUTABLE, REVALIDATED, static

_BUILD = Path(__file__).parent / "assets"
_INDEX = "index.html"
# A page in each of its languages. The first one, English, is for all other preferences.
LANGUAGES = {"en": _INDEX, "de": "index.de.html"}
# The path of the page that is served for every identity provider's ID.
_CALLBACK = "signin/callback/"
# The names of the files in this folder contain a hash of the content.
_HASHED = "assets"
_MEDIA_TYPES = {
    ".css": "text/css",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
    ".txt": "text/plain",
}
# Where `web/shared/address.ts` reads the origins of the pages.
_ORIGINS = b'<meta name="keystead-origins" content="%s" />'
_PAGE_HEADERS = {
    # Browsers must not show the page again, with the text of a user, after a sign-out.
    "cache-control": "no-store",
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self';"
    " connect-src 'self'; img-src 'self' blob:; base-uri 'none'; form-action 'none';"
    " frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "publickey-credentials-create=(self), publickey-credentials-get=(self)",
}


def routes(origins: Sequence[str]) -> list[Route]:
    """Routes to the pages, which work at these origins, and to their files."""
    return list(_files(_ORIGINS % escape(" ".join(origins)).encode()))


def _files(origins: bytes) -> Iterator[Route]:
    for file in sorted(_BUILD.rglob("*")):
        if file.name == _INDEX:
            pages = {
                tag: file.with_name(name).read_bytes().replace(_ORIGINS % b"", origins)
                for tag, name in LANGUAGES.items()
            }
            yield static(_address(file), pages, "text/html", headers=_PAGE_HEADERS)
        elif file.is_file() and file.name not in LANGUAGES.values():
            name = file.relative_to(_BUILD).as_posix()
            is_hashed = name.startswith(f"{_HASHED}/")
            yield static(
                f"/{name}",
                file.read_bytes(),
                _MEDIA_TYPES[file.suffix],
                headers=IMMUTABLE if is_hashed else REVALIDATED,
            )


def _address(index: Path) -> str:
    folder = f"{index.parent.relative_to(_BUILD).as_posix()}/"
    return f"/{folder.removesuffix('/') + ANY_ID if folder == _CALLBACK else folder}"

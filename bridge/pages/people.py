"""The pages for people: `/`, `/signin/`, `/account/`, `/device/`, `/passkeys/`, `/console/`.

Identity providers redirect people to `/signin/callback/` and the ID of the identity provider. A
browser gets a page at an address with nothing, too.

They show the brand of the instance, which the server writes into them, so that nothing moves or
changes its colour when a script has run.

The source of the pages is web/; `make page` builds it into the folder that is served here. The
pages load files only from this server and call only this server.
"""

import re
from collections.abc import Awaitable, Callable, Hashable, Iterator, Mapping, Sequence
from functools import lru_cache
from hashlib import sha256
from html import escape
from pathlib import Path
from typing import Protocol, TypeAlias
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from bridge.app import ANY_ID
from bridge.pages.static_files import (
    IMMUTABLE,
    REVALIDATED,
    Answer,
    entity_tag,
    preferred_language,
    revalidated,
    static,
    static_answer,
)
from bridge.percent import pairs
from server.rpc.requests import OF_ANONYMOUS
from server.validation.logos import media_type_of
from server.values.errors import Failure
from server.values.languages import ENGLISH, LANGUAGES
from server.values.pictures import PICTURES, is_key

_BUILD = Path(__file__).parent / "assets"
_INDEX = "index.html"
# A page in each of its languages.
_INDEXES = {tag: _INDEX if tag == ENGLISH else f"index.{tag}.html" for tag in LANGUAGES}
# The path of the page that is served for every identity provider's ID.
_CALLBACK = "signin/callback/"
# The page of addresses with nothing, at which no route leads to it.
_MISSING = "missing/"
_CONSOLE = "/console/"
# The names of the files in this folder contain a hash of the content.
_HASHED = "assets"
# The deepest address at which the page finds its files; a limit of its size.
_MAX_DEPTH = 64
_MEDIA_TYPES = {
    ".css": "text/css",
    ".ico": "image/vnd.microsoft.icon",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
    ".txt": "text/plain",
}
# Where `web/shared/address.ts` reads the origins of the pages.
_ORIGINS = b'<meta name="keystead-origins" content="%s" />'
# Where a page has the brand: its name, the link to the support, and the icon, with the path from
# the page to the root before its name.
_NAME = b'<span id="site">%s</span>'
_SUPPORT = b'<a id="support"'
_ICON = re.compile(rb'(<img src=")([./]*)assets/icon-[\w-]+\.svg')
_LOGO = re.compile(rb'(<img src=")([./]*)brand/logo')
# The script shows the brand of the organization that the address names (`web/shared/brand.ts`).
_LATER = b'<body data-brand="later"'
_PAGE_HEADERS = {
    # Browsers must not show the page again, with the text of a user, after a sign-out.
    "cache-control": "no-store",
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self';"
    " connect-src 'self'; img-src 'self' blob:; base-uri 'none'; form-action 'none';"
    " frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "publickey-credentials-create=(self), publickey-credentials-get=(self)",
}
# Lit makes the templates of its modules by a policy of this name (decision 29).
_CONSOLE_HEADERS = {
    **_PAGE_HEADERS,
    "content-security-policy": _PAGE_HEADERS["content-security-policy"].replace(
        "trusted-types 'none'", "trusted-types lit-html"
    ),
}


_RETRY_SECONDS = "1"
# Pages of applications show it. A shared cache would keep a removed picture.
_PICTURE_HEADERS = {
    "cache-control": "private, max-age=31536000, immutable",
    "cross-origin-resource-policy": "cross-origin",
}


class PageBrand(Hashable, Protocol):
    """The brand of the instance. Without an own value, a field except for the name is empty."""

    @property
    def name(self) -> str: ...
    @property
    def logo(self) -> bytes: ...
    @property
    def color(self) -> str: ...
    @property
    def dark_color(self) -> str: ...
    @property
    def support_address(self) -> str: ...


FindBrand: TypeAlias = Callable[[], Awaitable[PageBrand]]
# Gives the picture of a user by the key of its URL; empty: there is none.
FindPicture: TypeAlias = Callable[[str], Awaitable[bytes]]


def routes(origins: Sequence[str], find_brand: FindBrand) -> list[Route]:
    """Routes to the pages, which work at these origins, and to their files."""
    return [
        *_files(_ORIGINS % escape(" ".join(origins)).encode(), find_brand),
        *_brand_files(find_brand),
    ]


def pictures(find_picture: FindPicture) -> Route:
    """The route to the pictures of users, for applications and browsers that know their keys."""

    async def picture(request: Request) -> Response:
        key = request.scope["raw_path"].decode("latin-1").removeprefix(PICTURES)
        try:
            found = await find_picture(key) if is_key(key) else b""
        except Failure:
            return Response(status_code=503, headers={"retry-after": _RETRY_SECONDS})
        media_type = media_type_of(found)
        if media_type is None:
            return Response(status_code=404)
        # Images do not get smaller by compression.
        tag = entity_tag(found)
        return revalidated(request, tag, _PICTURE_HEADERS) or Response(
            found, headers={**_PICTURE_HEADERS, "etag": tag}, media_type=media_type
        )

    return Route(PICTURES.removesuffix("/") + ANY_ID, picture)


def missing(find_brand: FindBrand) -> ASGIApp:
    """The page of addresses with nothing, with the status 404."""
    read = _read(_BUILD / _MISSING)

    @lru_cache(maxsize=1)
    def in_brand(brand: PageBrand) -> Mapping[str, str]:
        return {language: branded(page, brand).decode() for language, page in read.items()}

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope)
        pages = in_brand(await find_brand())
        language = preferred_language(request)
        # Relative, for a proxy that serves this below a path: from any depth to the root.
        root = "../" * min(scope["raw_path"].count(b"/") - 1, _MAX_DEPTH) or "./"
        headers = {**_PAGE_HEADERS, "content-language": language, "vary": "accept, accept-language"}
        page = pages[language].replace('="../', f'="{root}')
        await HTMLResponse(page, status_code=404, headers=headers)(scope, receive, send)

    return answer


def branded(page: bytes, brand: PageBrand) -> bytes:
    """A page in a brand: name and logo in its header, colours, and a link to the support."""
    page = page.replace(_NAME % b"", _NAME % escape(brand.name).encode())
    if brand.support_address:
        link = f'{_SUPPORT.decode()} href="mailto:{escape(quote(brand.support_address, "@"))}"'
        page = page.replace(_SUPPORT + b" hidden", link.encode())
    if brand.logo:
        page = _ICON.sub(rb"\1\2brand/logo?v=" + _digest(brand.logo).encode(), page)
    if brand.color and (icon := _ICON.search(page) or _LOGO.search(page)):
        address = f"brand/colors.css?v={_digest(_colors(brand))}"
        link = f'    <link rel="stylesheet" href="{icon[2].decode()}{address}" />\n  </head>'
        page = page.replace(b"  </head>", link.encode())
    return page


def _brand_files(find_brand: FindBrand) -> Iterator[Route]:
    """The logo and the colours of the brand. Browsers cache each version for good."""

    async def logo(request: Request) -> Response:
        brand = await find_brand()
        media_type = media_type_of(brand.logo)
        if media_type is None:
            return Response(status_code=404)
        return await _answer_of(brand.logo, media_type, request)

    async def colors(request: Request) -> Response:
        return await _answer_of(_colors(await find_brand()), "text/css", request)

    yield Route("/brand/logo", logo)
    yield Route("/brand/colors.css", colors)


async def _answer_of(content: bytes, media_type: str, request: Request) -> Response:
    is_versioned = _parameter(request, "v") == _digest(content)
    headers = IMMUTABLE if is_versioned else REVALIDATED
    return await static_answer(content, media_type, headers=headers)(request)


def _parameter(request: Request, name: str) -> str | None:
    """A parameter of the query. Starlette would take milliseconds for a long one."""
    return dict(pairs(request.scope["query_string"], OF_ANONYMOUS.parameters) or ()).get(name)


def _colors(brand: PageBrand) -> bytes:
    """The style sheet with the colours of a brand (`web/shared/style.css`)."""
    if not brand.color:
        return b""
    return f":root{{--brand:{brand.color};--brand-dark:{brand.dark_color}}}\n".encode()


def _digest(content: bytes) -> str:
    return sha256(content).hexdigest()[:16]


def _files(origins: bytes, find_brand: FindBrand) -> Iterator[Route]:
    for file in sorted(_BUILD.rglob("*")):
        if file.name == _INDEX and file.parent != _BUILD / _MISSING:
            pages = {
                language: page.replace(_ORIGINS % b"", origins)
                for language, page in _read(file.parent).items()
            }
            address = _address(file)
            headers = _CONSOLE_HEADERS if address == _CONSOLE else _PAGE_HEADERS
            yield Route(address, _page(pages, find_brand, headers))
        elif file.is_file() and file.suffix != ".html":
            name = file.relative_to(_BUILD).as_posix()
            is_hashed = name.startswith(f"{_HASHED}/")
            yield static(
                f"/{name}",
                file.read_bytes(),
                _MEDIA_TYPES[file.suffix],
                headers=IMMUTABLE if is_hashed else REVALIDATED,
            )


def _page(pages: Mapping[str, bytes], find_brand: FindBrand, headers: Mapping[str, str]) -> Answer:
    """The answers with a page, by language, in the brand of the instance."""

    @lru_cache(maxsize=2)
    def in_brand(brand: PageBrand, body: bytes) -> Answer:
        written = {
            language: branded(page, brand).replace(b"<body", body)
            for language, page in pages.items()
        }
        return static_answer(written, "text/html", headers=headers)

    async def answer(request: Request) -> Response:
        body = _LATER if _parameter(request, "org_id") else b"<body"
        return await in_brand(await find_brand(), body)(request)

    return answer


def _address(index: Path) -> str:
    if index.parent == _BUILD:
        return "/"
    folder = f"{index.parent.relative_to(_BUILD).as_posix()}/"
    return f"/{folder.removesuffix('/') + ANY_ID if folder == _CALLBACK else folder}"


def _read(folder: Path) -> dict[str, bytes]:
    """The page of this folder, by language."""
    return {language: (folder / name).read_bytes() for language, name in _INDEXES.items()}

"""`/openapi.json`, and `/docs`, which shows the description with Swagger UI from a package.

The page loads nothing from other origins. It sends input, including a token, to this server only,
and forgets it when it is closed.
"""

from collections.abc import Mapping
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

from starlette.routing import Route

from bridge.json import codec
from bridge.pages.static_files import REVALIDATED, static

# The package patches FastAPI applications. Only its files are read (decision 11).
_SWAGGER_UI = "fastapi_swagger"
_FILES = {
    "swagger-ui-bundle.js": "text/javascript",
    "swagger-ui.css": "text/css",
    "favicon-32x32.png": "image/png",
}
_PAGE_HEADERS = {
    **REVALIDATED,
    "content-security-policy": "default-src 'none'; script-src 'self'; img-src 'self' data:;"
    " style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none';"
    " frame-ancestors 'none'",
}
_FOLDER = Path(__file__).parent / "documentation"


def routes(document: Mapping[str, Any]) -> list[Route]:
    """Routes to `/openapi.json` with this document, to `/docs` and to its files."""
    package = distribution(_SWAGGER_UI)
    return [
        static("/openapi.json", codec.dumps(document), "application/json"),
        static("/docs", _content("index.html"), "text/html", headers=_PAGE_HEADERS),
        static("/docs/page.css", _content("page.css"), "text/css"),
        static("/docs/start.js", _content("start.js"), "text/javascript"),
        *(
            static(
                f"/docs/{name}",
                Path(str(package.locate_file(f"{_SWAGGER_UI}/resources/{name}"))).read_bytes(),
                media_type,
            )
            for name, media_type in _FILES.items()
        ),
    ]


def _content(name: str) -> bytes:
    return (_FOLDER / name).read_bytes()

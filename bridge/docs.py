"""`/openapi.json`, and `/docs`, where people read it and try it: Swagger UI from a package.

The page loads nothing from elsewhere, and what a person enters there, a token too, leaves it only
towards this server and is gone with the page.
"""

from collections.abc import Mapping
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

from starlette.routing import Route

from bridge import json_text
from bridge.static_files import REVALIDATED, static

# That package patches applications of FastAPI; of it, only the files of Swagger UI are used, and
# nothing is imported.
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
# Addresses are relative, for a proxy that serves this below a path.
_PAGE = """\
<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Keystead API</title>
<link rel="stylesheet" href="docs/swagger-ui.css">
<link rel="icon" type="image/png" href="docs/favicon-32x32.png">
<noscript>This page needs JavaScript. The description it shows is <a href="openapi.json">here</a>.
</noscript>
<div id="swagger-ui"></div>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/start.js"></script>
</html>
"""
_START = """\
SwaggerUIBundle({
  url: "openapi.json",
  dom_id: "#swagger-ui",
  deepLinking: true,
  persistAuthorization: false,
  tryItOutEnabled: true,
  validatorUrl: null,
});
"""


def routes(document: Mapping[str, Any]) -> list[Route]:
    """`/openapi.json` with this document, `/docs` and what belongs to it."""
    package = distribution(_SWAGGER_UI)
    return [
        static("/openapi.json", json_text.dumps(document), "application/json"),
        static("/docs", _PAGE.encode(), "text/html", headers=_PAGE_HEADERS),
        static("/docs/start.js", _START.encode(), "text/javascript"),
        *(
            static(
                f"/docs/{name}",
                Path(str(package.locate_file(f"{_SWAGGER_UI}/resources/{name}"))).read_bytes(),
                media_type,
            )
            for name, media_type in _FILES.items()
        ),
    ]

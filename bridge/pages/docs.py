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

# The package patches FastAPI applications. It is not imported; only its Swagger UI files are used.
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
# Addresses are relative: a proxy may serve the page below a path.
_PAGE = """\
<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Keystead API</title>
<meta name="color-scheme" content="light dark">
<link rel="preload" as="fetch" crossorigin href="openapi.json">
<link rel="stylesheet" href="docs/swagger-ui.css">
<link rel="stylesheet" href="docs/page.css">
<link rel="icon" type="image/png" href="docs/favicon-32x32.png">
<noscript>This page needs JavaScript. It shows <a href="openapi.json">openapi.json</a>.</noscript>
<main id="swagger-ui"></main>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/start.js"></script>
</html>
"""
# Swagger UI does not break long words, which makes it wider than the screen of a telephone.
_STYLE = """\
body { margin: 0; }
html.dark-mode { background: #1c2022; }
.swagger-ui .info, .swagger-ui .opblock-tag, .swagger-ui .opblock-summary,
.swagger-ui .opblock-body, .swagger-ui .renderedMarkdown {
  overflow-wrap: anywhere;
}
.swagger-ui pre { overflow-x: auto; }
@media (max-width: 640px) {
  .swagger-ui .wrapper { padding: 0 8px; }
  .swagger-ui .opblock-tag { flex-wrap: wrap; }
  .swagger-ui .opblock-tag small { flex-basis: 100%; padding: 0; }
  .swagger-ui .opblock .opblock-summary-path-description-wrapper { min-width: 0; }
  .swagger-ui .opblock .opblock-summary-path { max-width: 100%; }
}
"""
# Only the names of the services are rendered at first: a slow machine takes seconds for all
# operations. Each operation shows its schemas itself.
_START = """\
const dark = matchMedia("(prefers-color-scheme: dark)");
const follow = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", follow);
follow();

SwaggerUIBundle({
  url: "openapi.json",
  dom_id: "#swagger-ui",
  deepLinking: true,
  docExpansion: "none",
  defaultModelsExpandDepth: -1,
  syntaxHighlight: false,
  persistAuthorization: false,
  tryItOutEnabled: true,
  validatorUrl: null,
});
"""


def routes(document: Mapping[str, Any]) -> list[Route]:
    """Routes to `/openapi.json` with this document, to `/docs` and to its files."""
    package = distribution(_SWAGGER_UI)
    return [
        static("/openapi.json", codec.dumps(document), "application/json"),
        static("/docs", _PAGE.encode(), "text/html", headers=_PAGE_HEADERS),
        static("/docs/page.css", _STYLE.encode(), "text/css"),
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

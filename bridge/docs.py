"""`/openapi.json`, and `/docs`, where people read it and try it: Swagger UI from a package.

The page loads nothing from elsewhere, and what a person enters there, a token too, leaves it only
towards this server and is gone with the page.
"""

import hashlib
from collections.abc import Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route
from starlette.staticfiles import NotModifiedResponse, StaticFiles

from bridge import json_text

# That package patches applications of FastAPI; of it, only the files of Swagger UI are used, and
# nothing is imported.
_SWAGGER_UI = ("fastapi_swagger", "resources")
_FILES = ("swagger-ui-bundle.js", "swagger-ui.css", "favicon-32x32.png")
# Kept by the browser, which asks each time whether it still is the same.
_REVALIDATED = {"cache-control": "no-cache"}
_PAGE_HEADERS = {
    **_REVALIDATED,
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
    files = StaticFiles(packages=[_SWAGGER_UI])

    def unless_known(request: Request, response: Response) -> Response:
        if files.is_not_modified(response.headers, request.headers):
            return NotModifiedResponse(response.headers)
        return response

    description = json_text.dumps(document)
    tag = f'"{hashlib.sha256(description).hexdigest()}"'

    async def openapi(request: Request) -> Response:
        headers = {**_REVALIDATED, "etag": tag}
        return unless_known(
            request, Response(description, headers=headers, media_type="application/json")
        )

    async def page(_request: Request) -> Response:
        return HTMLResponse(_PAGE, headers=_PAGE_HEADERS)

    async def start(_request: Request) -> Response:
        return Response(_START, headers=_REVALIDATED, media_type="text/javascript")

    async def file(request: Request) -> Response:
        name = request.url.path.rpartition("/")[2]
        response = await files.get_response(name, request.scope)
        response.headers.update(_REVALIDATED)
        return response

    return [
        Route("/openapi.json", openapi),
        Route("/docs", page),
        Route("/docs/start.js", start),
        *(Route(f"/docs/{name}", file) for name in _FILES),
    ]

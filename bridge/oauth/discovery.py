"""The discovery documents (OpenID Connect Discovery 1.0; RFC 8414), which have one content."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Final
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from bridge.json import codec
from bridge.oauth.endpoints import DISCOVERED
from bridge.pages.static_files import static_answer
from bridge.pages.well_known import CACHE_CONTROL, KEYS
from server.values.languages import LANGUAGES

PATHS: Final = ("/.well-known/openid-configuration", "/.well-known/oauth-authorization-server")

# draft-ietf-oauth-client-id-metadata-document, section 6
_DOCUMENTS: Final = "client_id_metadata_document_supported"


def document(capabilities: Mapping[str, Any]) -> Mapping[str, Any]:
    """The document with the provider's capabilities, its issuer among them, and the endpoints."""
    issuer = capabilities["issuer"]
    return {
        **capabilities,
        **{name: f"{issuer}{endpoint.path}" for name, endpoint in DISCOVERED.items()},
        "jwks_uri": f"{issuer}{KEYS}",
        "ui_locales_supported": [*LANGUAGES],
    }


def routes(
    capabilities: Mapping[str, Any], *, admits_documents: Callable[[], Awaitable[bool]]
) -> Sequence[Route]:
    """Routes to the document, which every origin may read.

    `admits_documents`: an organization admits client ID metadata documents. An issuer with a path
    has its document also after that path (RFC 8414, section 3.1), where MCP clients look first.
    """
    complete = document(capabilities)
    contents = {
        is_admitted: codec.dumps({**complete, **({_DOCUMENTS: True} if is_admitted else {})})
        for is_admitted in (False, True)
    }
    below = urlsplit(capabilities["issuer"]).path.rstrip("/")
    paths = dict.fromkeys([*PATHS, *(f"{path}{below}" for path in PATHS)])
    return [_route(path, contents, admits_documents) for path in paths]


def _route(
    path: str, contents: Mapping[bool, bytes], admits_documents: Callable[[], Awaitable[bool]]
) -> Route:
    headers = {"cache-control": CACHE_CONTROL}
    answers = {
        is_admitted: static_answer(content, "application/json", headers=headers)
        for is_admitted, content in contents.items()
    }

    async def answer(request: Request) -> Response:
        return await answers[await admits_documents()](request)

    return Route(path, answer)

"""The discovery documents (OpenID Connect Discovery 1.0; RFC 8414), which have one content."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from starlette.routing import Route

from bridge.json import codec
from bridge.oauth.endpoints import DISCOVERED
from bridge.pages.people import LANGUAGES
from bridge.pages.static_files import static
from bridge.pages.well_known import CACHE_CONTROL, KEYS

PATHS: Final = ("/.well-known/openid-configuration", "/.well-known/oauth-authorization-server")


def document(capabilities: Mapping[str, Any]) -> Mapping[str, Any]:
    """The document with the provider's capabilities, its issuer among them, and the endpoints."""
    issuer = capabilities["issuer"]
    return {
        **capabilities,
        **{name: f"{issuer}{endpoint.path}" for name, endpoint in DISCOVERED.items()},
        "jwks_uri": f"{issuer}{KEYS}",
        "ui_locales_supported": [*LANGUAGES],
    }


def routes(capabilities: Mapping[str, Any]) -> Sequence[Route]:
    """Routes to the document, which every origin may read."""
    content = codec.dumps(document(capabilities))
    headers = {"cache-control": CACHE_CONTROL}
    return [static(path, content, "application/json", headers=headers) for path in PATHS]

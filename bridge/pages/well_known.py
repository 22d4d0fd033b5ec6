"""`/.well-known/webauthn`: which other origins may use the passkeys of this relying party.

A browser asks for it, without credentials, before it lets a page of another site use them; see
WebAuthn L3 §5.11.1, https://www.w3.org/TR/webauthn-3/#sctn-validating-relation-origin. It is public
and says only what the operator has set.
"""

from collections.abc import Sequence

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from bridge.json.codec import JsonResponse

# Long enough to serve a crowd of visitors once, short enough for an operator who changes it.
_CACHE_CONTROL = "public, max-age=300"


def routes(related_origins: Sequence[str]) -> list[Route]:
    """A route to the document; none without related origins, so that browsers get 404."""

    async def webauthn(_request: Request) -> Response:
        return JsonResponse(
            {"origins": list(related_origins)}, headers={"cache-control": _CACHE_CONTROL}
        )

    return [Route("/.well-known/webauthn", webauthn)] if related_origins else []

"""Public documents for programs at well-known addresses (RFC 8615).

`/.well-known/webauthn` lists the other origins that may use the passkeys of this relying party. A
browser asks for it, without credentials, before it lets a page of another site use them; see
WebAuthn L3 §5.11.1, https://www.w3.org/TR/webauthn-3/#sctn-validating-relation-origin.

`/.well-known/jwks.json` has the public keys of session JWTs. Services and pages of every origin may
fetch it.

`/.well-known/security.txt` says to whom vulnerabilities are reported (RFC 9116).
"""

from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime, timedelta

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from bridge.json.codec import JsonResponse
from bridge.pages.static_files import entity_tag, revalidated
from server.values.errors import Failure

# Long enough to save requests, short enough for an operator who changes the document.
CACHE_CONTROL = "public, max-age=300"
KEYS = "/.well-known/jwks.json"
_RETRY_SECONDS = "1"
_SECURITY = "/.well-known/security.txt"
# At most a year (RFC 9116, section 2.5.5). The file is made for each request, so it never expires.
_SECURITY_EXPIRY = timedelta(days=30)


def routes(
    related_origins: Sequence[str], key_set: Callable[[], Awaitable[bytes]], *, max_age: int
) -> list[Route]:
    """Routes to both documents. Without related origins browsers get 404 for the first one.

    `key_set` gives a JWK Set (RFC 7517), which may be cached for `max_age` seconds.
    """

    async def webauthn(_request: Request) -> Response:
        return JsonResponse(
            {"origins": list(related_origins)}, headers={"cache-control": CACHE_CONTROL}
        )

    async def jwks(request: Request) -> Response:
        try:
            body = await key_set()
        except Failure as failure:
            return JsonResponse(
                {"message": failure.message},
                status_code=503,
                headers={"retry-after": _RETRY_SECONDS},
            )
        tag = entity_tag(body)
        headers = {
            "access-control-allow-origin": "*",
            "cache-control": f"public, max-age={max_age}",
        }
        return revalidated(request, tag, headers) or Response(
            body, headers={**headers, "etag": tag}, media_type="application/jwk-set+json"
        )

    keys = Route(KEYS, jwks)
    return [Route("/.well-known/webauthn", webauthn), keys] if related_origins else [keys]


def security_routes(contact: str | None, site: str) -> list[Route]:
    """The route to `security.txt` of the site, which is a URL; none without a contact."""

    async def security(_request: Request) -> Response:
        expires = (datetime.now(UTC) + _SECURITY_EXPIRY).strftime("%Y-%m-%dT%H:%M:%SZ")
        return PlainTextResponse(
            f"Contact: {contact}\nExpires: {expires}\nCanonical: {site}{_SECURITY}\n",
            headers={"cache-control": CACHE_CONTROL},
        )

    return [Route(_SECURITY, security)] if contact else []

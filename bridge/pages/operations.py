"""The index for people, and health and metrics for monitoring. No token is needed."""

from base64 import b64encode
from hashlib import sha256

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from bridge.json.codec import JsonResponse
from server.rpc.health import Health
from server.telemetry.metrics import Exposition

_RETRY_SECONDS = "1"
_STYLE = """\
body { font: 100%/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 42rem; padding: 2rem 1rem; }
dt { font-weight: 600; margin-top: 1rem; }
dd { margin: 0; }
code { overflow-wrap: anywhere; }
"""
# Addresses are relative: a proxy may serve the page below a path.
_INDEX = f"""\
<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>Keystead</title>
<link rel="icon" type="image/png" href="docs/favicon-32x32.png">
<style>{_STYLE}</style>
<main>
<h1>Keystead</h1>
<p>An identity management service with an API over gRPC, grpc-web and JSON.</p>
<h2>For people</h2>
<dl>
<dt><a href="signin/">Sign in</a><dd>With a passkey or an identity provider
<dt><a href="account/">Account</a><dd>Your passkeys and your sessions
<dt><a href="passkeys/">Passkeys</a><dd>Register a passkey with a registration link
</dl>
<h2>For developers</h2>
<dl>
<dt><a href="docs">API documentation</a><dd>Every JSON route, with a form to call it
<dt><a href="openapi.json">openapi.json</a><dd>The JSON routes for programs (OpenAPI 3.1)
<dt><code>grpcurl -plaintext HOST:PORT list</code>
<dd>The gRPC services, at the address of <code>KEYSTEAD_GRPC_ADDRESS</code>
</dl>
<h2>For operators</h2>
<dl>
<dt><a href="livez">livez</a><dd>Whether the process runs
<dt><a href="readyz">readyz</a><dd>Whether it can serve calls
<dt><a href="metrics">metrics</a><dd>Metrics for Prometheus
</dl>
</main>
</html>
"""
_INDEX_HEADERS = {
    "content-security-policy": "default-src 'none'; img-src 'self';"
    f" style-src 'sha256-{b64encode(sha256(_STYLE.encode()).digest()).decode()}';"
    " base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
}


def routes(health: Health, exposition: Exposition) -> list[Route]:
    """The index, `/livez`, `/readyz` and `/metrics`."""

    async def index(_request: Request) -> Response:
        return HTMLResponse(_INDEX, headers=_INDEX_HEADERS)

    async def livez(_request: Request) -> Response:
        """Always OK: an answer shows that the event loop runs."""
        return JsonResponse({"status": "ok"})

    async def readyz(_request: Request) -> Response:
        """Whether this process can take calls; if not, which part is unavailable."""
        parts = health.parts()
        if all(state == "ok" for state in parts.values()):
            return JsonResponse({"status": "ok", "parts": parts})
        return JsonResponse(
            {"status": "unavailable", "parts": parts},
            status_code=503,
            headers={"retry-after": _RETRY_SECONDS},
        )

    async def metrics(request: Request) -> Response:
        """The metrics in the format that the scraper accepts: https://prometheus.io/docs/instrumenting/content_negotiation/."""
        body, content_type = await exposition.render(",".join(request.headers.getlist("accept")))
        # Not `media_type`, to which Starlette would add a charset.
        return Response(body, headers={"content-type": content_type, "vary": "accept"})

    return [
        Route("/", index),
        Route("/livez", livez),
        Route("/readyz", readyz),
        Route("/metrics", metrics),
    ]

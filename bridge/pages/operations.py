"""The index for people, and health and metrics for monitoring. No token is needed."""

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from bridge.json.codec import JsonResponse
from server.rpc.health import Health
from server.telemetry.metrics import Exposition

_RETRY_SECONDS = "1"
_INDEX = """\
<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Keystead</title>
<h1>Keystead</h1>
<p>An identity management service. Its operations are offered as gRPC, grpc-web and JSON.</p>
<ul>
<li><a href="docs">docs</a>: the operations, to read and to try
<li><a href="signin/">signin</a>: where people sign in, to keep their passkeys and sessions in their
<a href="account/">account</a>
<li><a href="passkeys/">passkeys</a>: where people add a passkey by a link
<li><a href="openapi.json">openapi.json</a>: their description, for programs
<li><code>grpcurl -plaintext HOST:PORT list</code>: the same over gRPC, on the port of
<code>KEYSTEAD_GRPC_ADDRESS</code>
<li><a href="livez">livez</a>, <a href="readyz">readyz</a>: whether it runs, whether it can serve
<li><a href="metrics">metrics</a>: for Prometheus
</ul>
</html>
"""


def routes(health: Health, exposition: Exposition) -> list[Route]:
    """The index, `/livez`, `/readyz` and `/metrics`."""

    async def index(_request: Request) -> Response:
        return HTMLResponse(_INDEX)

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

"""Health and metrics for monitoring. No token is needed."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from bridge.json.codec import JsonResponse
from server.rpc.health import Health
from server.telemetry.metrics import Exposition

_RETRY_SECONDS = "1"


def routes(health: Health, exposition: Exposition) -> list[Route]:
    """`/livez`, `/readyz` and `/metrics`."""

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
        Route("/livez", livez),
        Route("/readyz", readyz),
        Route("/metrics", metrics),
    ]

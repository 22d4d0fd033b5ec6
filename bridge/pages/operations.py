"""Health and metrics for monitoring. No token is needed."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from bridge.json.codec import JsonResponse
from server.rpc.health import Health
from server.telemetry.metrics import CONTENT_TYPE, Exposition

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

    async def metrics(_request: Request) -> Response:
        # Not `media_type`, to which Starlette would add a charset.
        return Response(await exposition.render(), headers={"content-type": CONTENT_TYPE})

    return [
        Route("/livez", livez),
        Route("/readyz", readyz),
        Route("/metrics", metrics),
    ]

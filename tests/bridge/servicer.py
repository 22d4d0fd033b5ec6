"""A health service with methods that a test chooses, behind the seam."""

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, cast

import grpc
from grpc_health.v1 import health_pb2_grpc
from grpc_health.v1.health_pb2 import HealthCheckResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from bridge.grpcweb.application import GrpcWeb
from server.rpc.methods import Methods
from tests.support.given import seam

Answering = Callable[[], Awaitable[HealthCheckResponse]]
Streaming = Callable[[], AsyncIterator[HealthCheckResponse]]


class _Service(health_pb2_grpc.HealthServicer):  # type: ignore[misc]
    def __init__(self, check: Answering | None, watch: Streaming | None) -> None:
        self._check = check
        self._watch = watch

    async def Check(self, _request: object, _context: object) -> HealthCheckResponse:  # noqa: N802
        if self._check is None:
            return HealthCheckResponse(status=HealthCheckResponse.SERVING)
        return await self._check()

    async def Watch(  # noqa: N802
        self, _request: object, _context: object
    ) -> AsyncIterator[HealthCheckResponse]:
        assert self._watch is not None
        async for status in self._watch():
            yield status


def methods(
    *, check: Answering | None = None, watch: Streaming | None = None, **options: Any
) -> Methods:
    """The seam with only this service. Without `check`, it is always SERVING."""
    methods = seam(**options)
    health_pb2_grpc.add_HealthServicer_to_server(
        _Service(check, watch), cast(grpc.aio.Server, methods)
    )
    return methods


def grpc_web(methods: Methods) -> ASGIApp:
    """An application for requests of grpc-web only."""
    application = GrpcWeb(methods)

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        content_type = dict(scope["headers"])[b"content-type"]
        await application.answer(content_type, scope, receive, send)

    return answer

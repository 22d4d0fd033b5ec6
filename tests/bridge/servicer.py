"""A health service with methods that a test chooses, behind the seam."""

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import cast

import grpc
from grpc_health.v1 import health_pb2_grpc
from grpc_health.v1.health_pb2 import HealthCheckResponse

from server.access.authenticator import Authenticator
from server.access.authorizer import Authorizer
from server.access.caller import Caller
from server.rpc.call_log import CallLog
from server.rpc.methods import Methods
from server.telemetry.metrics import Metrics
from tests.support.given import NO_PRECONDITIONS

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


async def _nothing(_key: object) -> None:
    return None


async def _no(_organization_id: str) -> bool:
    return False


def methods(
    *,
    check: Answering | None = None,
    watch: Streaming | None = None,
    unread_seconds: float = 30,
    find_user: Callable[[bytes], Awaitable[Caller | None]] = _nothing,
) -> Methods:
    """The seam with only this service. Without `check`, it is always SERVING."""
    methods = Methods(
        authenticator=Authenticator(
            find_user=find_user,
            find_session=_nothing,
            peek_session=_nothing,
            find_registration=_nothing,
            find_link=_nothing,
        ),
        authorizer=Authorizer(find_user=_nothing, organization_exists=_no),
        call_log=CallLog(Metrics()),
        default_timeout=10,
        preconditions=NO_PRECONDITIONS,
        unread_seconds=unread_seconds,
    )
    health_pb2_grpc.add_HealthServicer_to_server(
        _Service(check, watch), cast(grpc.aio.Server, methods)
    )
    return methods

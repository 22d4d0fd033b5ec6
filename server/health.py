"""Health (grpc.health.v1): the server and each service are SERVING while the database answers."""

import asyncio
import contextlib
from collections.abc import Iterable

import structlog
from grpc_health.v1 import health
from grpc_health.v1.health_pb2 import HealthCheckResponse

from server.database import Database, deadline
from server.errors import Failure

_PROBE_SECONDS = 1.0

_log = structlog.get_logger("health")


class Health:
    """Keeps the health service true to the database."""

    def __init__(self, database: Database, services: Iterable[str]) -> None:
        self.servicer = health.aio.HealthServicer()
        self._database = database
        self._names = ("", *services)  # the empty name is the whole server

    async def keep_true(self) -> None:
        """Asks the database every second and says what it found, for ever."""
        healthy = None
        while True:
            before, healthy = healthy, await self._probe()
            if healthy != before:
                _log.info("health", serving=healthy)
                await self._set(healthy)
            await asyncio.sleep(_PROBE_SECONDS)

    async def shut_down(self) -> None:
        """Says NOT_SERVING from now on, whatever the database does."""
        # A watcher that does not read could hold this up; the end of the process must not wait for it.
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self.servicer.enter_graceful_shutdown(), _PROBE_SECONDS)

    async def _probe(self) -> bool:
        deadline.set(asyncio.get_running_loop().time() + _PROBE_SECONDS)
        try:
            await self._database.fetch("select 1")
        except Failure:
            return False
        return True

    async def _set(self, healthy: bool) -> None:
        status = HealthCheckResponse.SERVING if healthy else HealthCheckResponse.NOT_SERVING
        for name in self._names:
            await self.servicer.set(name, status)

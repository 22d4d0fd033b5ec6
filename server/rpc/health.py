"""Health (grpc.health.v1): the server and each service are SERVING while the database is usable.

Usable means that it answers and takes writes. A probe writes only after a write was refused.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable
from typing import Any

import structlog
from grpc_health.v1 import health_pb2_grpc
from grpc_health.v1.health_pb2 import HealthCheckRequest, HealthCheckResponse
from prometheus_client import Counter

from server.store.database import Database
from server.store.statement import Statement, statement
from server.telemetry.background import tried
from server.values.errors import Failure, not_found

_PROBE_SECONDS = 1.0

# Whether the database answers.
_READ = statement("select 1")

# Whether it takes writes. The rows need new pages, because on a full disk small rows may still fit
# into existing ones, and more pages than a call: near a full disk the answer must not alternate.
_WRITE = statement("""
with before as (delete from write_probe)
insert into write_probe select repeat('x', 8000) from generate_series(1, 16)""")

_log = structlog.get_logger("health")


class Health(health_pb2_grpc.HealthServicer):  # type: ignore[misc]
    """The health service, and the probe of the database that keeps it current.

    Not the servicer of grpcio-health-checking: it holds a lock while it writes to a watcher, so a
    watcher that does not read would block all others, and its errors have no details.
    """

    def __init__(self, database: Database, probed: Database, services: Iterable[str]) -> None:
        """`probed` gets the probes; `database` is that of the calls and counts refused writes."""
        self._database = database
        self._probed = probed
        self._names = {"", *services}  # the empty name is the whole server
        # The result of the last probe.
        self.database_answers = True
        self._takes_writes = True
        self._writes_refused = 0
        self._shutting_down = False
        self._serving = True
        self._changed = asyncio.Event()

    async def Check(  # noqa: N802 -- named as in its .proto
        self, request: HealthCheckRequest, _context: Any
    ) -> HealthCheckResponse:
        """The status now. `Failure` NOT_FOUND for an unknown service."""
        if request.service not in self._names:
            raise not_found(
                "service",
                request.service,
                "This server has no such service. Reflection lists those it has.",
            )
        return HealthCheckResponse(status=self._status(request.service))

    async def Watch(  # noqa: N802
        self, request: HealthCheckRequest, _context: Any
    ) -> AsyncIterator[HealthCheckResponse]:
        """The status now and at every change; SERVICE_UNKNOWN for an unknown service."""
        told = None
        while True:
            changed = self._changed
            status = self._status(request.service)
            if status != told:
                yield HealthCheckResponse(status=status)
                told = status
            await changed.wait()

    async def keep_true(self, revive: Callable[[], None] | None, failures: Counter) -> None:
        """Probes the database every second, for ever, and updates the status.

        Calls `revive` in a thread each time that the database does not answer.
        """
        while True:
            answers = takes_writes = False
            with tried("to ask the database", failures):
                answers = await self._succeeds(_READ)
                takes_writes = answers and await self._may_write()
            self.database_answers, self._takes_writes = answers, takes_writes
            self._update()
            if revive is not None and not answers:
                with tried("to start the database again", failures):
                    await asyncio.to_thread(revive)
            await asyncio.sleep(_PROBE_SECONDS)

    def shut_down(self) -> None:
        """Reports NOT_SERVING from now on, regardless of the database."""
        self._shutting_down = True
        self._update()

    def parts(self) -> dict[str, str]:
        """The state of each part that readiness depends on; `ok` if it is ready."""
        return {
            "database": self._database_state(),
            "shutdown": "in progress" if self._shutting_down else "ok",
        }

    def _status(self, service: str) -> HealthCheckResponse.ServingStatus.ValueType:
        if service not in self._names:
            return HealthCheckResponse.SERVICE_UNKNOWN
        if self._serving:
            return HealthCheckResponse.SERVING
        return HealthCheckResponse.NOT_SERVING

    def _database_state(self) -> str:
        if not self.database_answers:
            return "unavailable"
        return "ok" if self._takes_writes else "refuses writes"

    async def _may_write(self) -> bool:
        """Whether a write succeeds. Tries none while those of calls succeed."""
        refused = self._database.writes_refused
        if self._takes_writes and refused == self._writes_refused:
            return True
        self._writes_refused = refused
        return await self._succeeds(_WRITE)

    async def _succeeds(self, probe: Statement) -> bool:
        try:
            async with asyncio.timeout(_PROBE_SECONDS):
                await self._probed.fetch(probe)
        except (Failure, TimeoutError):
            return False
        return True

    def _update(self) -> None:
        serving = self.database_answers and self._takes_writes and not self._shutting_down
        if serving != self._serving:
            self._serving = serving
            _log.info("health", serving=serving)
            self._changed.set()
            self._changed = asyncio.Event()

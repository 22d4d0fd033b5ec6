"""Health (grpc.health.v1): the server and each service are SERVING while the database is usable.

A usable database answers, takes writes, and has a schema on which servers of this release run. A
newer release may change the schema while this one serves (decision 5).

A probe writes only after a write was refused, when the database reports that it is read-only, and
while commits wait for a synchronous standby.

The probe also ends connections to a database server that no longer answers, or that another one has
replaced (decision 6).
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable
from datetime import datetime
from typing import Any, Final

import structlog
from grpc_health.v1 import health_pb2_grpc
from grpc_health.v1.health_pb2 import HealthCheckRequest, HealthCheckResponse
from prometheus_client import Counter

from server.store.database import Database, Row
from server.store.refusals import is_refusal
from server.store.schema import COMPATIBLE_SINCE, newest_version
from server.store.statement import Statement, statement
from server.telemetry.background import tried
from server.values.errors import Failure, NotFound

_PROBE_SECONDS = 1.0
_PAUSE_SECONDS = 0.5

# When the server was started, which identifies it; the oldest schema version whose servers may run;
# and whether writes may fail: it is a standby or read-only, or commits of this role wait for a
# synchronous standby.
_READ = statement(f"""
select pg_postmaster_start_time() as server, {COMPATIBLE_SINCE} as compatible_since,
    current_setting('transaction_read_only') = 'on' or exists (
        select from pg_stat_activity
        where usename = current_user and wait_event = 'SyncRep'
            and query_start < clock_timestamp() - interval '1 second'
    ) as may_refuse_writes""")  # noqa: S608 -- a constant of this code

# Fails if the database takes no writes. The rows need new pages, because on a full disk small rows
# may fit into existing pages, and more pages than a call, to keep the result stable near its end.
_WRITE = statement("""
with before as (delete from write_probe)
insert into write_probe select repeat('x', 8000) from generate_series(1, 16)""")

_log = structlog.get_logger("health")

_service_not_found: Final = NotFound(
    "service", "This server has no such service. Reflection lists those it has."
)


class Health(health_pb2_grpc.HealthServicer):  # type: ignore[misc]
    """The health service, and the probe of the database that keeps it current.

    The servicer of grpcio-health-checking holds a lock while it writes to a watcher, so a watcher
    that does not read would block all others, and its errors have no details.
    """

    def __init__(self, database: Database, probed: Database, services: Iterable[str]) -> None:
        """`probed` runs the probes; `database` runs the calls and counts refused writes."""
        self._database = database
        self._probed = probed
        self._names = {"", *services}  # the empty name is the whole server
        # The result of the last probe.
        self.database_answers = True
        self._is_silent = False  # whether the last probe that failed got no answer at all
        self._failed_because = ""  # the reason of that probe
        self._takes_writes = True
        self._knows_schema = True
        self._writes_refused = 0
        self._server: datetime | None = None  # the start time of the last server that answered
        self._shutting_down = False
        self._serving = True
        self._changed = asyncio.Event()

    async def Check(  # noqa: N802 -- named as in its .proto
        self, request: HealthCheckRequest, _context: Any
    ) -> HealthCheckResponse:
        """The status now. `Failure` NOT_FOUND for an unknown service."""
        if request.service not in self._names:
            raise _service_not_found(request.service)
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
        """Probes the database twice a second, for ever, and updates the status.

        Calls `revive` in a thread each time that the database does not answer.
        """
        while True:
            answers = takes_writes = False
            with tried("to ask the database", failures):
                rows = await self._answer(_READ)
                answers = rows is not None
                self._drop_dead_connections(rows[0]["server"] if rows else None)
                if rows:
                    self._knows_schema = rows[0]["compatible_since"] <= newest_version()
                    takes_writes = await self._may_write(rows[0]["may_refuse_writes"])
            self.database_answers, self._takes_writes = answers, takes_writes
            self._update()
            if revive is not None and not answers:
                with tried("to start the database again", failures):
                    await asyncio.to_thread(revive)
            await asyncio.sleep(_PAUSE_SECONDS)

    def shut_down(self) -> None:
        """Reports NOT_SERVING from now on, regardless of the database."""
        self._shutting_down = True
        self._update()

    def parts(self) -> dict[str, str]:
        """The state of each part that readiness depends on; `ok` if it is ready."""
        return {
            "database": self._database_state(),
            "schema": "ok" if self._knows_schema else "needs a newer release",
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

    def _drop_dead_connections(self, server: datetime | None) -> None:
        """Ends connections to other servers than the one that answered; None: none answered.

        The probe after an unanswered one has a new connection. Only if that gets no answer either
        are the connections of calls ended. A server that answers with an error is alive.
        """
        if server is None:
            self._probed.drop_connections()
            is_dead = not self.database_answers and self._is_silent
        else:
            is_dead = self._server not in (None, server)
            self._server = server
        if is_dead:
            self._database.drop_connections()

    async def _may_write(self, may_be_refused: bool) -> bool:
        """Whether a write succeeds. Tries none while the writes of calls succeed.

        A connection that reports read-only may be older than the setting of the database, or lead
        to a server that was replaced: the refused write closes it.
        """
        refused = self._database.writes_refused
        if self._takes_writes and refused == self._writes_refused and not may_be_refused:
            return True
        self._writes_refused = refused
        return await self._answer(_WRITE) is not None

    async def _answer(self, probe: Statement) -> list[Row] | None:
        """The rows of a probe. None: the database did not answer in time, or refused it."""
        try:
            async with asyncio.timeout(_PROBE_SECONDS):
                return await self._probed.fetch(probe)
        except TimeoutError:
            self._is_silent = True
            self._failed_because = f"no answer within {_PROBE_SECONDS:g} s"
        except Failure as failure:
            self._is_silent = not is_refusal(failure)
            self._failed_because = failure.log_detail
        return None

    def _update(self) -> None:
        is_usable = self.database_answers and self._takes_writes and self._knows_schema
        serving = is_usable and not self._shutting_down
        if serving != self._serving:
            self._serving = serving
            if serving or self._shutting_down:
                _log.info("health", serving=serving)
            else:
                _log.warning(
                    "health",
                    serving=False,
                    database=self._database_state(),
                    detail=self._failed_because,
                )
            self._changed.set()
            self._changed = asyncio.Event()

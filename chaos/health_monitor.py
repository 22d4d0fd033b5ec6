"""Polls the health of a server from every source."""

import asyncio
import contextlib
from collections.abc import AsyncIterator

import grpc
import httpx2
from grpc_health.v1 import health_pb2_grpc
from grpc_health.v1.health_pb2 import HealthCheckRequest, HealthCheckResponse

from chaos.load import Ports

_POLL_SECONDS = 0.02
_SERVICE = "keystead.idp.v1.IdentityProviderService"


class HealthMonitor:
    """The changes of Check, Watch and /readyz, and of /livez, which must not change.

    `reported` has the changes by source: True for ready.
    """

    def __init__(self, channel: grpc.aio.Channel, http: httpx2.AsyncClient) -> None:
        self._health = health_pb2_grpc.HealthStub(channel)
        self._http = http
        self.reported: dict[str, list[bool]] = {"Check": [], "Watch": [], "/readyz": []}
        self.livez: set[int] = set()

    @classmethod
    @contextlib.asynccontextmanager
    async def of(cls, ports: Ports) -> AsyncIterator["HealthMonitor"]:
        """Polls during the block."""
        async with (
            grpc.aio.insecure_channel(f"127.0.0.1:{ports.grpc}") as channel,
            httpx2.AsyncClient(base_url=f"http://127.0.0.1:{ports.web}", timeout=30) as http,
        ):
            monitor = cls(channel, http)
            async with asyncio.TaskGroup() as tasks:
                asking = [
                    tasks.create_task(work)
                    for work in (monitor._check(), monitor._watch(), monitor._pages())
                ]
                try:
                    yield monitor
                finally:
                    for task in asking:
                        task.cancel()

    async def reports(self, *, ready: bool) -> None:
        """Waits until every source has this answer."""
        while any(changes[-1:] != [ready] for changes in self.reported.values()):  # noqa: ASYNC110 -- no event
            await asyncio.sleep(_POLL_SECONDS)

    def contradictions(self, *, times: int) -> list[str]:
        """Sources that did not change from ready to not ready and back exactly `times` times."""
        expected = [True] + [False, True] * times
        wrong = [f"{name}: {each}" for name, each in self.reported.items() if each != expected]
        return wrong + [f"/livez: {status}" for status in self.livez - {200}]

    def _add(self, source: str, *, ready: bool) -> None:
        if self.reported[source][-1:] != [ready]:
            self.reported[source].append(ready)

    async def _check(self) -> None:
        while True:
            answer = await self._health.Check(HealthCheckRequest())
            self._add("Check", ready=answer.status == HealthCheckResponse.SERVING)
            await asyncio.sleep(_POLL_SECONDS)

    async def _watch(self) -> None:
        async for answer in self._health.Watch(HealthCheckRequest(service=_SERVICE)):
            self._add("Watch", ready=answer.status == HealthCheckResponse.SERVING)

    async def _pages(self) -> None:
        while True:
            self.livez.add((await self._http.get("/livez")).status_code)
            readyz = await self._http.get("/readyz")
            self._add("/readyz", ready=readyz.status_code == 200)
            await asyncio.sleep(_POLL_SECONDS)

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


class Witness:
    """The changes of Check, Watch and /readyz, and of /livez, which must not change.

    `told` has the answers by source: True for ready.
    """

    def __init__(self, channel: grpc.aio.Channel, http: httpx2.AsyncClient) -> None:
        self._health = health_pb2_grpc.HealthStub(channel)
        self._http = http
        self.told: dict[str, list[bool]] = {"Check": [], "Watch": [], "/readyz": []}
        self.livez: set[int] = set()

    @classmethod
    @contextlib.asynccontextmanager
    async def of(cls, ports: Ports) -> AsyncIterator["Witness"]:
        """Polls during the block."""
        async with (
            grpc.aio.insecure_channel(f"127.0.0.1:{ports.grpc}") as channel,
            httpx2.AsyncClient(base_url=f"http://127.0.0.1:{ports.web}", timeout=30) as http,
        ):
            witness = cls(channel, http)
            async with asyncio.TaskGroup() as tasks:
                asking = [
                    tasks.create_task(work)
                    for work in (witness._check(), witness._watch(), witness._pages())
                ]
                try:
                    yield witness
                finally:
                    for task in asking:
                        task.cancel()

    async def says(self, *, ready: bool) -> None:
        """Waits until every source has this answer."""
        while any(told[-1:] != [ready] for told in self.told.values()):  # noqa: ASYNC110 -- no event
            await asyncio.sleep(_POLL_SECONDS)

    def contradictions(self, *, times: int) -> list[str]:
        """Sources that did not change from ready to not ready and back exactly `times` times."""
        expected = [True] + [False, True] * times
        wrong = [f"{name} said {told}" for name, told in self.told.items() if told != expected]
        return wrong + [f"/livez said {status}" for status in self.livez - {200}]

    def _heard(self, source: str, *, ready: bool) -> None:
        if self.told[source][-1:] != [ready]:
            self.told[source].append(ready)

    async def _check(self) -> None:
        while True:
            answer = await self._health.Check(HealthCheckRequest())
            self._heard("Check", ready=answer.status == HealthCheckResponse.SERVING)
            await asyncio.sleep(_POLL_SECONDS)

    async def _watch(self) -> None:
        async for answer in self._health.Watch(HealthCheckRequest(service=_SERVICE)):
            self._heard("Watch", ready=answer.status == HealthCheckResponse.SERVING)

    async def _pages(self) -> None:
        while True:
            self.livez.add((await self._http.get("/livez")).status_code)
            readyz = await self._http.get("/readyz")
            self._heard("/readyz", ready=readyz.status_code == 200)
            await asyncio.sleep(_POLL_SECONDS)

"""Callers of one server that repeat each write with its idempotency key until it is answered."""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator
from itertools import count, pairwise
from typing import Any
from uuid import uuid4

import httpx2

from chaos.load import PROTOCOLS, REPEATABLE, Caller, LostError, Ports, Written, callers, written
from keystead.idp.v1 import identity_provider_service_pb2 as idp_pb

_POLL_SECONDS = 0.02
_PAUSE_SECONDS = 0.05
_CHANGES = 9
_NUMBERS = count()


class Writers:
    """One writer for each transport, and a poll of the server's readiness."""

    def __init__(self, server: str, ports: Ports, token: str) -> None:
        self.server = server
        self.ports = ports
        self._token = token
        self._stopped = False
        self.acknowledged: list[Written] = []
        self.failures: list[str] = []
        # When writes were acknowledged, and when /readyz changed its answer.
        self._times: list[float] = []
        self._ready: list[tuple[float, bool]] = []

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Writes during the block, and finishes every started write."""
        async with (
            callers(self.ports, self._token, len(PROTOCOLS)) as all_callers,
            asyncio.TaskGroup() as tasks,
        ):
            for caller in all_callers:
                tasks.create_task(self._write(caller))
            watching = tasks.create_task(self._watch_readiness())
            try:
                yield
            finally:
                self._stopped = True
                watching.cancel()

    async def more(self, number: int) -> None:
        """Waits until this many more writes are acknowledged, on all transports."""
        start = len(self.acknowledged)
        while True:
            new = self.acknowledged[start:]
            if len(new) >= number and {each.protocol for each in new} == set(PROTOCOLS):
                return
            await asyncio.sleep(_POLL_SECONDS)

    def longest_silence(self, since: float) -> tuple[float, float]:
        """The longest time between two acknowledged writes after `since`: its start and its end."""
        times = [since, *(at for at in self._times if at > since)]
        return max(pairwise(times), key=lambda pair: pair[1] - pair[0])

    def time_until_not_ready(self, since: float) -> float | None:
        """The seconds until /readyz reported an outage; None if it did not."""
        told = [at for at, ready in self._ready if not ready and at > since]
        return told[0] - since if told else None

    async def _write(self, caller: Caller) -> None:
        while not self._stopped:
            added = await self._make(caller, "CreateIDP", idp_pb.CreateIDPRequest(name=_name()))
            for _ in range(_CHANGES):
                if self._stopped:
                    return
                change = idp_pb.UpdateIDPRequest(idp_id=added.aggregate_id, name=_name())
                await self._make(caller, "UpdateIDP", change)

    async def _make(self, caller: Caller, method: str, request: Any) -> Written:
        key = ("x-idempotency-key", uuid4().hex)
        while True:
            await asyncio.sleep(_PAUSE_SECONDS)
            try:
                answer = await caller.call(method, request, key)
            except LostError as error:
                self.failures.append(f"{caller.protocol}: {error}")
                continue
            if answer.response is not None:
                made = written(caller.protocol, method, request.name, request, answer.response)
                self.acknowledged.append(made)
                self._times.append(time.monotonic())
                return made
            if answer.code not in REPEATABLE:
                raise AssertionError(f"{self.server}, {caller.protocol}: {answer.refusal}")
            self.failures.append(f"{caller.protocol}: {answer.refusal.reason}")

    async def _watch_readiness(self) -> None:
        url = f"http://127.0.0.1:{self.ports.web}/readyz"
        async with httpx2.AsyncClient(timeout=30, trust_env=False) as http:
            while True:
                ready = (await http.get(url)).is_success
                if not self._ready or self._ready[-1][1] != ready:
                    self._ready.append((time.monotonic(), ready))
                await asyncio.sleep(_POLL_SECONDS)


def _name() -> str:
    return f"repeated-{next(_NUMBERS)}"

"""Callers whose changes cause deliveries, and the steps that scenarios of deliveries share."""

import asyncio
import contextlib
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Callable
from itertools import count
from typing import Self

import grpc
import psutil

from chaos.stage import Served, Stage
from tests.support import given
from tests.support.given import Client

WORKERS = 2
# After these failures the destination may still have accepted the delivery. None: the process was
# killed.
UNANSWERED = (None, "CONNECTION_LOST", "NO_ANSWER", "TIMEOUT", "NOT_HTTP", "UNREACHABLE")
_POLL_SECONDS = 0.02
# More often, the locks of `hurry` would keep processes from deliveries.
_HURRY_SECONDS = 0.5


class Senders(ABC):
    """Callers who repeat a change; they note the ids of those that were acknowledged."""

    def __init__(self, channel: grpc.aio.Channel, token: str) -> None:
        self.admin = Client(channel, token)
        self.acknowledged: list[str] = []
        self.refusals = 0
        self._numbers = count()

    @classmethod
    @contextlib.asynccontextmanager
    async def of(cls, served: Served) -> AsyncIterator[Self]:
        """Until the end of the block."""
        async with grpc.aio.insecure_channel(f"127.0.0.1:{served.ports.grpc}") as channel:
            yield cls(channel, served.token)

    @abstractmethod
    async def send(self) -> None:
        """Makes changes, and notes the acknowledged ones."""

    @contextlib.asynccontextmanager
    async def running(self, number: int) -> AsyncIterator[None]:
        """Runs this number of callers during the block."""
        tasks = [asyncio.create_task(self._send_always()) for _ in range(number)]
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def more(self, number: int) -> None:
        """Waits until this number more are acknowledged."""
        wanted = len(self.acknowledged) + number
        while len(self.acknowledged) < wanted:  # noqa: ASYNC110 -- there is no event
            await asyncio.sleep(_POLL_SECONDS)

    async def more_refusals(self, number: int) -> None:
        """Waits until this number more are refused, or get no answer."""
        wanted = self.refusals + number
        while self.refusals < wanted:  # noqa: ASYNC110 -- there is no event
            await asyncio.sleep(_POLL_SECONDS)

    async def without_database(self, stage: Stage, callers: int) -> None:
        """Kills PostgreSQL until this number of calls are refused."""
        stage.kill()
        await self.more_refusals(callers)
        await stage.start()

    async def _send_always(self) -> None:
        while True:
            try:
                await self.send()
            except grpc.aio.AioRpcError:
                self.refusals += 1
                await asyncio.sleep(_POLL_SECONDS)


async def kill(served: Served) -> None:
    """Kills the server and its workers, which are in process groups of their own."""
    processes = [served.process, *served.process.children(recursive=True)]
    for each in processes:
        each.kill()
    await served.server.status()
    while any(_is_running(each) for each in processes):  # noqa: ASYNC110 -- not child processes
        await asyncio.sleep(_POLL_SECONDS)


def _is_running(process: psutil.Process) -> bool:
    with contextlib.suppress(psutil.NoSuchProcess):
        return bool(process.status() != psutil.STATUS_ZOMBIE)
    return False


async def until(dsn: str, statement: str, fits: Callable[[int], bool], *, hurry: str = "") -> None:
    """Waits until the statement gives the expected number, and runs `hurry` meanwhile."""
    async with given.sql(dsn) as connection:
        while not fits(await connection.fetchval(statement)):
            if hurry:
                await connection.execute(hurry)
            await asyncio.sleep(_HURRY_SECONDS if hurry else _POLL_SECONDS)


async def execute(dsn: str, statement: str) -> int:
    """Runs a statement; gives the number that it returns."""
    async with given.sql(dsn) as connection:
        number: int = await connection.fetchval(statement)
    return number

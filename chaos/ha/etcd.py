"""One process of etcd."""

import asyncio
import contextlib
from asyncio.subprocess import DEVNULL, Process
from collections.abc import AsyncIterator
from pathlib import Path

import httpx2

from tests.support.gateway import Streams
from tests.support.process import free_port

_POLL_SECONDS = 0.05


class Etcd:
    """One process of etcd that keeps its data when it is killed and started again."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.port = free_port()
        self._peers = free_port()
        self._process: Process | None = None

    @classmethod
    @contextlib.asynccontextmanager
    async def running(cls, folder: Path) -> AsyncIterator["Etcd"]:
        """Until the end of the block."""
        etcd = cls(folder)
        try:
            await etcd.start()
            yield etcd
        finally:
            await etcd.kill()

    async def start(self) -> None:
        """Starts it, and waits until it answers."""
        clients, peers = (f"http://127.0.0.1:{port}" for port in (self.port, self._peers))
        with (self._folder / "etcd.log").open("ab") as log:
            self._process = await asyncio.create_subprocess_exec(
                *("etcd", "--name", "one", "--data-dir", str(self._folder / "etcd")),
                *("--listen-client-urls", clients, "--advertise-client-urls", clients),
                *("--listen-peer-urls", peers, "--initial-advertise-peer-urls", peers),
                *("--initial-cluster", f"one={peers}"),
                stdin=DEVNULL,
                stdout=log,
                stderr=log,
            )
        async with httpx2.AsyncClient(base_url=clients, trust_env=False) as http:
            while not await self._is_healthy(http):  # noqa: ASYNC110 -- there is no event
                await asyncio.sleep(_POLL_SECONDS)

    async def connected(self) -> Streams:
        """A connection to etcd, for a gateway."""
        return await asyncio.open_connection("127.0.0.1", self.port)

    async def kill(self) -> None:
        """SIGKILL."""
        if self._process is not None and self._process.returncode is None:
            self._process.kill()
            await self._process.wait()

    async def _is_healthy(self, http: httpx2.AsyncClient) -> bool:
        try:
            return (await http.get("/health")).is_success
        except httpx2.TransportError:
            return False

"""The environment of scenarios: a PostgreSQL of their own, and servers on it."""

import asyncio
import contextlib
import os
import signal
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit
from uuid import uuid4

import asyncpg
import psutil

from chaos.health_monitor import HealthMonitor
from chaos.load import Load, Ports
from server.process.embedded_postgres import Cluster, postmaster_pid, running
from tests.support import process


@dataclass(frozen=True, slots=True)
class Scale:
    """The sizes of a scenario."""

    callers: int
    writes: int  # acknowledged before and after a fault, over all transports
    rounds: int  # repetitions of a fault
    piled_up: int  # calls that wait at the same time
    connections: int
    judged: int  # calls of a history
    ends: int  # of access
    patience_seconds: int  # for one scenario


FULL = Scale(
    callers=12,
    writes=600,
    rounds=3,
    piled_up=3000,
    connections=10_000,
    judged=100_000,
    ends=500,
    patience_seconds=300,
)
SMALL = Scale(
    callers=3,
    writes=12,
    rounds=1,
    piled_up=60,
    connections=1000,
    judged=600,
    ends=60,
    patience_seconds=200,
)


@dataclass(frozen=True, slots=True)
class Served:
    """A server process that serves."""

    server: process.Server
    ports: Ports

    @property
    def token(self) -> str:
        """The administrator's token."""
        return (self.server.data_dir / "admin.token").read_text().strip()

    @property
    def process(self) -> psutil.Process:
        """The process, for observation."""
        return psutil.Process(self.server.process.pid)

    def mebibytes(self) -> float:
        """Its resident memory."""
        rss: int = self.process.memory_info().rss
        return rss / 2**20

    def load(self, scale: Scale, **what: Any) -> Load:
        """Callers of the server, not started; `what` they do, as `Load` has it."""
        return Load(self.ports, self.token, number=scale.callers, **what)

    def monitored(self) -> contextlib.AbstractAsyncContextManager[HealthMonitor]:
        """Polls its health during the block."""
        return HealthMonitor.of(self.ports)

    def unexpected_errors(self) -> list[str]:
        """Log lines of unexpected errors and tracebacks."""
        unexpected = [str(line) for line in self.server.events("unexpected error")]
        raw = [line for line in self.server.errors.splitlines() if not line.startswith("{")]
        return unexpected + raw


class Stage:
    """One PostgreSQL for all scenarios, each with a database of its own."""

    def __init__(self, folder: Path, cluster: Cluster) -> None:
        self.folder = folder
        self._cluster = cluster

    @classmethod
    @contextlib.contextmanager
    def built(cls, folder: Path) -> Iterator["Stage"]:
        """A stage until the end of the block. PostgreSQL is durable, to survive kills."""
        with running(folder / "cluster") as cluster:
            yield cls(folder, cluster)

    @property
    def admin_dsn(self) -> str:
        """The DSN of PostgreSQL's own administrator."""
        return self._cluster.admin_dsn

    @contextlib.asynccontextmanager
    async def database(self) -> AsyncIterator[str]:
        """The DSN of an empty database."""
        await self.start()  # in case an earlier scenario failed half-way
        name = f"chaos_{uuid4().hex}"
        await self.administer(f"create database {name} owner keystead")
        yield urlunsplit(urlsplit(self._cluster.dsn)._replace(path=f"/{name}"))
        await self.administer(f"drop database {name} with (force)")

    @contextlib.asynccontextmanager
    async def server(
        self,
        dsn: str | None,
        program: Path | None = None,
        /,
        *,
        ports: Ports | None = None,
        **settings: object,
    ) -> AsyncIterator[Served]:
        """A running server; without `dsn`, on an embedded PostgreSQL.

        Its data directory is that of the scenario, named by the database. `program` is the
        `keystead` command of another release.
        """
        if dsn is not None:
            name = urlsplit(dsn).path.removeprefix("/")
            settings = {"database_url": dsn, "data_dir": self.folder / name, **settings}
        if ports is not None:
            settings |= {
                "grpc_address": f"127.0.0.1:{ports.grpc}",
                "http_address": f"127.0.0.1:{ports.web}",
            }
        data_dir = Path(str(settings.pop("data_dir")))
        async with process.serve(data_dir, None, program, **settings) as server:
            yield Served(server, Ports(await server.port(), await server.web_port()))

    async def administer(self, *statements: str) -> None:
        """Runs statements as PostgreSQL's own administrator, each on its own."""
        connection = await asyncpg.connect(self.admin_dsn)
        try:
            for statement in statements:
                await connection.execute(statement)
        finally:
            await connection.close()

    def kill(self) -> None:
        """SIGKILL for PostgreSQL's first process; the others then end by themselves."""
        os.kill(postmaster_pid(self.folder / "cluster"), signal.SIGKILL)

    async def start(self) -> None:
        """Starts PostgreSQL again. It runs on after the block, because `built` uses it."""

        def start() -> None:
            with running(self.folder / "cluster"):
                pass

        await asyncio.to_thread(start)

    def frozen(self) -> contextlib.AbstractContextManager[None]:
        """PostgreSQL hangs during the block."""
        return frozen(self.folder / "cluster")


@contextlib.contextmanager
def frozen(data_dir: Path) -> Iterator[None]:
    """Every process of PostgreSQL is stopped during the block, as on a machine that hangs."""
    postmaster = psutil.Process(postmaster_pid(data_dir))
    postmaster.suspend()  # first, so that it starts no more
    stopped = [postmaster]
    try:
        for child in postmaster.children():
            child.suspend()
            stopped.append(child)
        yield
    finally:
        for process in stopped:
            with contextlib.suppress(psutil.NoSuchProcess):
                process.resume()


def free_ports() -> Ports:
    """Two free ports, for a server that restarts on the same ports."""
    return Ports(process.free_port(), process.free_port())

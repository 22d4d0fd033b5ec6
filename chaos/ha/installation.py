"""Two servers of Keystead on a cluster: one by a URL of several hosts, one through haproxy."""

import asyncio
import base64
import contextlib
import os
import secrets
from asyncio.subprocess import DEVNULL
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from chaos.ha.patroni import Cluster, Programs
from chaos.ha.writers import Writers
from chaos.load import Ports
from chaos.stage import Served
from tests.support import process
from tests.support.process import free_port

_HAPROXY = Path(__file__).parents[2] / "docs" / "haproxy-patroni.cfg"


@dataclass(frozen=True, slots=True)
class Installation:
    """The cluster and the servers."""

    cluster: Cluster
    direct: Served  # by a URL of several hosts
    proxied: Served  # through haproxy
    token: str

    @property
    def servers(self) -> Sequence[tuple[str, Served]]:
        """Both servers, with their names."""
        return (("several hosts", self.direct), ("haproxy", self.proxied))

    @classmethod
    @contextlib.asynccontextmanager
    async def built(cls, folder: Path, programs: Programs) -> AsyncIterator["Installation"]:
        """Until the end of the block. NotPossibleHereError if a program is missing."""
        keys = base64.b64encode(secrets.token_bytes(32)).decode()
        async with (
            Cluster.running(folder, programs) as cluster,
            _haproxy(cluster, folder) as proxy_port,
            _server(folder / "direct", cluster.dsn, keys) as direct,
            _server(folder / "proxied", cluster.dsn_by(f"127.0.0.1:{proxy_port}"), keys) as proxied,
        ):
            yield cls(cluster, direct, proxied, direct.token)

    def writers(self) -> Sequence[Writers]:
        """The writers of both servers, not started."""
        return [Writers(name, served.ports, self.token) for name, served in self.servers]


@contextlib.asynccontextmanager
async def _server(data_dir: Path, dsn: str, keys: str) -> AsyncIterator[Served]:
    async with process.serve(data_dir, database_url=dsn, encryption_keys=keys) as server:
        yield Served(server, Ports(await server.port(), await server.web_port()))


@contextlib.asynccontextmanager
async def _haproxy(cluster: Cluster, folder: Path) -> AsyncIterator[int]:
    """The port of haproxy, which connects to the leader."""
    port = free_port()
    environment = {"LISTEN_ADDRESS": f"127.0.0.1:{port}"}
    for number, node in enumerate(cluster.nodes, start=1):
        environment[f"POSTGRES_{number}"] = f"127.0.0.1:{node.port}"
        environment[f"REST_PORT_{number}"] = str(node.rest_port)
    with (folder / "haproxy.log").open("wb") as log:
        haproxy = await asyncio.create_subprocess_exec(
            *("haproxy", "-db", "-f", str(_HAPROXY)),
            env={"PATH": os.environ["PATH"], **environment},
            stdin=DEVNULL,
            stdout=log,
            stderr=log,
        )
    try:
        await _takes_connections(cluster, port)
        yield port
    finally:
        haproxy.kill()
        await haproxy.wait()


async def _takes_connections(cluster: Cluster, port: int) -> None:
    """Waits for haproxy's first checks, which find the leader."""
    while True:
        with contextlib.suppress(OSError):
            async with cluster.connected(port):
                return
        await asyncio.sleep(0.1)

"""Three PostgreSQL nodes under Patroni, each with a Patroni process of its own."""

import asyncio
import contextlib
import json
import secrets
import shutil
import signal
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import asyncpg
import httpx2
import psutil

from chaos import administrator
from chaos.account import as_account, made_folder
from chaos.ha.etcd import Etcd
from chaos.report import NotPossibleHereError
from server.process.embedded_postgres import bin_dir
from tests.support.gateway import Gateway
from tests.support.process import free_port

_NODES = ("one", "two", "three")
_POLL_SECONDS = 0.1
# The minimum of Patroni: loop_wait + 2 * retry_timeout <= ttl, and ttl >= 20.
TIMES: Mapping[str, int] = {"ttl": 20, "loop_wait": 2, "retry_timeout": 5}
# Small, because three of them run on one machine.
_PARAMETERS = {
    "shared_buffers": "16MB",
    "max_connections": "60",
    "max_wal_size": "256MB",
    "wal_keep_size": "64MB",
}


@dataclass(frozen=True, slots=True)
class Programs:
    """The Patroni and the PostgreSQL of a cluster; by default those of this virtual environment."""

    patroni: Path | None = None
    postgresql: Path | None = None  # directory of initdb, postgres and pg_rewind

    @property
    def patroni_command(self) -> Sequence[str]:
        """The beginning of the command line of Patroni."""
        return (sys.executable, "-m", "patroni") if self.patroni is None else (str(self.patroni),)

    @property
    def missing(self) -> Sequence[str]:
        """The programs and packages that are not installed."""
        commands = ("etcd", "haproxy", *as_account()[:1])
        packages = () if self.patroni else ("patroni", "psycopg")
        return [
            *(name for name in commands if shutil.which(name) is None),
            *(name for name in packages if find_spec(name) is None),
        ]

    async def versions(self) -> str:
        """The versions of both."""
        # `python -m patroni` prints `__main__.py` as its name.
        patroni = (await _output(*self.patroni_command, "--version")).rpartition(" ")[2]
        postgres = (self.postgresql or bin_dir()) / "postgres"
        return f"Patroni {patroni}, {await _output(str(postgres), '--version')}"


class Node:
    """One PostgreSQL and its Patroni."""

    def __init__(self, name: str, folder: Path, gateway: Gateway, programs: Programs) -> None:
        self.name = name
        self.gateway = gateway
        self._programs = programs
        self.folder = folder
        self.port = free_port()
        self.rest_port = free_port()
        self._process: Process | None = None

    async def start(self) -> None:
        """Starts Patroni, which starts PostgreSQL."""
        with (self.folder / "patroni.log").open("ab") as log:
            self._process = await asyncio.create_subprocess_exec(
                *(*as_account(), *self._programs.patroni_command),
                str(self.folder / "patroni.json"),
                cwd=self.folder,
                stdin=DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    async def kill(self) -> None:
        """SIGKILL for all of its processes, as if the machine lost power."""
        self._signal(signal.SIGKILL)
        if self._process is not None:
            await self._process.wait()

    def freeze(self) -> None:
        """SIGSTOP for all of its processes, as on a machine that hangs."""
        self._signal(signal.SIGSTOP)

    def thaw(self) -> None:
        """SIGCONT."""
        self._signal(signal.SIGCONT)

    def _signal(self, number: signal.Signals) -> None:
        for process in self._processes():
            with contextlib.suppress(psutil.NoSuchProcess):
                process.send_signal(number)

    def _processes(self) -> list[psutil.Process]:
        """Patroni first, because it would restart PostgreSQL, then PostgreSQL."""
        found = []
        if self._process is not None and self._process.returncode is None:
            found.append(psutil.Process(self._process.pid))
        with contextlib.suppress(FileNotFoundError, ValueError, psutil.NoSuchProcess):
            first_line = (self.folder / "data" / "postmaster.pid").read_text().splitlines()[0]
            postmaster = psutil.Process(int(first_line))
            if postmaster.name() == "postgres":
                found += [postmaster, *postmaster.children()]
        return found


class Cluster:
    """All nodes, and the database `keystead` on the leader."""

    def __init__(self, etcd: Etcd, nodes: Sequence[Node], password: str) -> None:
        self.etcd = etcd
        self.nodes = nodes
        self._password = password

    @classmethod
    @contextlib.asynccontextmanager
    async def running(cls, folder: Path, programs: Programs) -> AsyncIterator["Cluster"]:
        """Until the end of the block. NotPossibleHereError if a program is missing."""
        if programs.missing:
            raise NotPossibleHereError(
                f"{', '.join(programs.missing)} is missing. Install the Debian packages etcd-server"
                " and haproxy; the rest is in the group `dev` of pyproject.toml"
            )
        async with contextlib.AsyncExitStack() as stack:
            etcd = await stack.enter_async_context(Etcd.running(folder))
            nodes = []
            for name in _NODES:
                gateway = await stack.enter_async_context(Gateway.running(etcd.connected))
                nodes.append(Node(name, made_folder(folder / name), gateway, programs))
            cluster = cls(etcd, nodes, secrets.token_hex(16))
            for node in nodes:
                config = json.dumps(_configuration(node, programs, cluster._password))
                (node.folder / "patroni.json").write_text(config)
                stack.push_async_callback(node.kill)
                await node.start()
            await cluster.whole()
            await cluster._create_database()
            yield cluster

    @property
    def dsn(self) -> str:
        """The URL of all hosts."""
        hosts = ",".join(f"127.0.0.1:{node.port}" for node in self.nodes)
        return self.dsn_by(hosts)

    def dsn_by(self, hosts: str) -> str:
        """The URL through these hosts."""
        return f"postgresql://keystead:{self._password}@{hosts}/keystead"

    async def leader(self, *, but: Node | None = None) -> Node:
        """Waits for a node that takes writes, other than `but`."""
        while True:
            for node in self.nodes:
                if node is not but and await _is_primary(node):
                    return node
            await asyncio.sleep(_POLL_SECONDS)

    async def has_no_leader(self) -> None:
        """Waits until no node takes writes."""
        while any([await _is_primary(node) for node in self.nodes]):  # noqa: ASYNC110 -- no event
            await asyncio.sleep(_POLL_SECONDS)

    async def whole(self) -> None:
        """Waits until one node leads, the others stream from it, and one of them synchronously.

        Patroni's report is not enough: a node that has just been thawed reports its former role.
        """
        while True:
            leaders = [node for node in self.nodes if await _is_primary(node)]
            roles = {member["role"] for member in await self._members()}
            if len(leaders) == 1 and "sync_standby" in roles:
                # The leader may step down just now.
                with contextlib.suppress(OSError, asyncpg.PostgresError):
                    async with self.connected(leaders[0].port) as connection:
                        if await connection.fetchval(_STREAMING_STANDBYS) == len(self.nodes) - 1:
                            return
            await asyncio.sleep(_POLL_SECONDS)

    async def switch_over(self) -> None:
        """A planned switch-over to the synchronous standby."""
        leader = await self.leader()
        [standby, *_] = [
            member["name"] for member in await self._members() if member["role"] == "sync_standby"
        ]
        async with httpx2.AsyncClient(timeout=60, trust_env=False) as http:
            answer = await http.post(
                f"http://127.0.0.1:{leader.rest_port}/switchover",
                json={"leader": leader.name, "candidate": standby},
            )
            answer.raise_for_status()

    async def _members(self) -> list[dict[str, Any]]:
        """The state of all nodes, from the first node that answers."""
        async with httpx2.AsyncClient(timeout=2, trust_env=False) as http:
            for node in self.nodes:
                with contextlib.suppress(httpx2.HTTPError):
                    answer = await http.get(f"http://127.0.0.1:{node.rest_port}/cluster")
                    members: list[dict[str, Any]] = answer.json()["members"]
                    return members
        return []

    def connected(self, port: int) -> AbstractAsyncContextManager[asyncpg.Connection]:
        """A connection of PostgreSQL's own administrator through this port."""
        return administrator.connected(port, password=self._password)

    async def _create_database(self) -> None:
        async with self.connected((await self.leader()).port) as connection:
            await connection.execute(f"create role keystead login password '{self._password}'")
            await connection.execute("create database keystead owner keystead")


_STREAMING_STANDBYS = "select count(*) from pg_stat_replication where state = 'streaming'"


async def _output(*command: str) -> str:
    process = await asyncio.create_subprocess_exec(*command, stdout=PIPE)
    return (await process.communicate())[0].decode().strip()


async def _is_primary(node: Node) -> bool:
    async with httpx2.AsyncClient(timeout=1, trust_env=False) as http:
        try:
            return (await http.get(f"http://127.0.0.1:{node.rest_port}/primary")).is_success
        except httpx2.HTTPError:
            return False


def _configuration(node: Node, programs: Programs, password: str) -> Mapping[str, Any]:
    """Patroni's configuration as in docs/operating-several-machines.md, with shorter times."""
    address = f"127.0.0.1:{node.port}"
    return {
        "scope": "keystead",
        "name": node.name,
        "restapi": {
            "listen": f"127.0.0.1:{node.rest_port}",
            "connect_address": f"127.0.0.1:{node.rest_port}",
        },
        "etcd3": {"hosts": [f"127.0.0.1:{node.gateway.port}"], "use_proxies": True},
        "bootstrap": {
            "dcs": {
                **TIMES,
                "synchronous_mode": True,
                "synchronous_mode_strict": True,
                "postgresql": {"use_pg_rewind": True, "parameters": _PARAMETERS},
            },
            "initdb": ["data-checksums", {"encoding": "UTF8"}, {"locale": "C"}],
        },
        "postgresql": {
            "listen": address,
            "connect_address": address,
            "data_dir": str(node.folder / "data"),
            "bin_dir": str(programs.postgresql or bin_dir()),
            "pgpass": str(node.folder / "pgpass"),
            "authentication": {
                role: {"username": user, "password": password}
                for role, user in (
                    ("superuser", "postgres"),
                    ("replication", "replicator"),
                    ("rewind", "rewind"),
                )
            },
            "parameters": {"unix_socket_directories": str(node.folder)},
            "pg_hba": [
                "host all all 127.0.0.1/32 scram-sha-256",
                "host replication replicator 127.0.0.1/32 scram-sha-256",
            ],
        },
        "watchdog": {"mode": "off"},
    }

"""A primary of PostgreSQL and its synchronous standby, by streaming replication."""

import asyncio
import contextlib
import os
import secrets
from asyncio.subprocess import Process
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import asyncpg
import psutil

from chaos import administrator
from chaos.account import as_account, made_folder
from server.process.embedded_postgres import bin_dir
from tests.support.process import free_port

_POLL_SECONDS = 0.05
_STANDBY = "standby"
# Small servers on loopback. `fsync` is off, because only processes crash, never the machine.
_PARAMETERS = (
    "listen_addresses=127.0.0.1",
    "unix_socket_directories=",
    "shared_buffers=16MB",
    "max_connections=60",
    "fsync=off",
)


class FailedError(Exception):
    """A program of PostgreSQL failed; the message is its output."""


@dataclass(slots=True)
class _Node:
    data: Path
    port: int
    process: Process | None = None


class Pair:
    """Both servers. The standby has every commit of the primary."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._password = secrets.token_hex(16)
        self._primary = _Node(folder / "primary", free_port())
        self._standby = _Node(folder / _STANDBY, free_port())

    @classmethod
    @contextlib.asynccontextmanager
    async def running(cls, folder: Path) -> AsyncIterator["Pair"]:
        """Until the end of the block."""
        pair = cls(made_folder(folder))
        try:
            await pair._start()
            yield pair
        finally:
            for node in (pair._primary, pair._standby):
                await _kill(node)

    @property
    def dsn(self) -> str:
        """The URL of the server that takes writes."""
        return f"{self._url(self._primary, self._standby)}?target_session_attrs=read-write"

    @property
    def standby_dsn(self) -> str:
        """The URL of the standby alone, which takes writes after `fail_over`."""
        return self._url(self._standby)

    async def fail_over(self) -> None:
        """SIGKILL for all processes of the primary; the standby takes its place."""
        await _kill(self._primary)
        await self._administer(self._standby, "select pg_promote()")

    async def _start(self) -> None:
        password = self._folder / "password"
        password.write_text(self._password)
        await self._run(
            *("initdb", "-D", str(self._primary.data), "--username=postgres", "--no-sync"),
            *("--auth-local=reject", "--auth-host=scram-sha-256", f"--pwfile={password}"),
            *("--encoding=UTF8", "--locale=C"),
        )
        await self._serve(self._primary)
        await self._administer(
            self._primary,
            f"create role keystead login password '{self._password}'",
            "create database keystead owner keystead",
        )
        server = f"host=127.0.0.1 port={self._primary.port} user=postgres"
        await self._run(
            *("pg_basebackup", "--no-sync", "--checkpoint=fast", "--write-recovery-conf"),
            *("-D", str(self._standby.data), "-d", f"{server} application_name={_STANDBY}"),
        )
        await self._serve(self._standby)
        await self._administer(
            self._primary,
            f"alter system set synchronous_standby_names = '{_STANDBY}'",
            "select pg_reload_conf()",
        )
        while not await self._is_synchronous():  # noqa: ASYNC110 -- there is no event
            await asyncio.sleep(_POLL_SECONDS)

    async def _serve(self, node: _Node) -> None:
        """Starts a server, and waits until it answers."""
        options = [word for each in (*_PARAMETERS, f"port={node.port}") for word in ("-c", each)]
        with (self._folder / f"{node.data.name}.log").open("ab") as log:
            node.process = await asyncio.create_subprocess_exec(
                *_program("postgres", "-D", str(node.data), *options),
                cwd=self._folder,
                env=self._environment,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        while True:
            if node.process.returncode is not None:
                raise FailedError((self._folder / f"{node.data.name}.log").read_text())
            with contextlib.suppress(OSError, asyncpg.CannotConnectNowError):
                return await self._administer(node)
            await asyncio.sleep(_POLL_SECONDS)

    def _url(self, *nodes: _Node) -> str:
        hosts = ",".join(f"127.0.0.1:{node.port}" for node in nodes)
        return f"postgresql://keystead:{self._password}@{hosts}/keystead"

    async def _is_synchronous(self) -> bool:
        async with administrator.connected(
            self._primary.port, password=self._password
        ) as connection:
            state = await connection.fetchval("select sync_state from pg_stat_replication")
            return bool(state == "sync")

    async def _administer(self, node: _Node, *statements: str) -> None:
        async with administrator.connected(node.port, password=self._password) as connection:
            for statement in statements:
                await connection.execute(statement)

    async def _run(self, program: str, *words: str) -> None:
        process = await asyncio.create_subprocess_exec(
            *_program(program, *words),
            cwd=self._folder,
            env=self._environment,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        output, _ = await process.communicate()
        if process.returncode:
            raise FailedError(output.decode())

    @property
    def _environment(self) -> dict[str, str]:
        return {"PATH": os.defpath, "LC_ALL": "C", "PGPASSWORD": self._password}


def _program(name: str, *words: str) -> Sequence[str]:
    return (*as_account(), str(bin_dir() / name), *words)


async def _kill(node: _Node) -> None:
    """SIGKILL for all of its processes, as if the machine lost power."""
    if node.process is None or node.process.returncode is not None:
        return
    postmaster = psutil.Process(node.process.pid)
    for process in (postmaster, *postmaster.children()):
        with contextlib.suppress(psutil.NoSuchProcess):
            process.kill()
    await node.process.wait()

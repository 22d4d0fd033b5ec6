"""Shutdown by a signal: admitted calls finish, and later calls are refused as UNAVAILABLE.

`chaos/test_chaos.py` has SIGTERM under load, with running calls over every transport.
"""

import contextlib
import os
import signal
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from grpc_health.v1 import health_pb2_grpc
from grpc_health.v1.health_pb2 import HealthCheckRequest, HealthCheckResponse

from chaos import ledger
from chaos.load import PROTOCOLS, Load, Ports
from tests.support import given
from tests.support.databases import MakeDatabase
from tests.support.given import Client, Instance
from tests.support.process import Server, serve, serve_forked
from tests.support.web_client import web_client

pytestmark = pytest.mark.python_differs("signals, forks and the end of asyncio.run differ")

_WRITES = 20


@dataclass(frozen=True)
class _Served:
    """A server process, and a caller."""

    server: Server
    instance: Instance

    @property
    def admin(self) -> Client:
        return self.instance.admin


@contextlib.asynccontextmanager
async def _serving(data_dir: Path, dsn: str, **settings: object) -> AsyncIterator[_Served]:
    async with (
        serve_forked(data_dir, database_url=dsn, **settings) as server,
        Instance.connected(dsn, await server.port(), data_dir) as instance,
    ):
        yield _Served(server, instance)


async def test_ctrl_c_under_load_loses_nothing_that_was_acknowledged(
    tmp_path: Path, make_database: MakeDatabase
) -> None:
    dsn = await make_database()
    async with _serving(tmp_path, dsn, drain_delay=0.5) as served:
        ports = Ports(served.instance.port, await served.server.web_port())
        load = Load(ports, served.admin.token, number=2 * len(PROTOCOLS))
        async with load.running():
            await load.more("acknowledged", _WRITES)
            os.killpg(served.server.process.pid, signal.SIGINT)  # as a terminal does
            assert await served.server.status() == 0
    assert await ledger.lost(dsn, load.acknowledged) == []
    assert {refused.refusal.reason for refused in load.refused} <= {"SHUTTING_DOWN"}


async def test_health_and_readiness_say_that_a_server_ends_before_it_refuses_calls(
    tmp_path: Path, make_database: MakeDatabase
) -> None:
    # Longer than any test.
    async with (
        _serving(tmp_path, await make_database(), drain_delay=300) as served,
        web_client(await served.server.web_port()) as web,
    ):
        watch = health_pb2_grpc.HealthStub(served.instance.channel).Watch(HealthCheckRequest())
        assert (await watch.read()).status == HealthCheckResponse.SERVING

        served.server.process.send_signal(signal.SIGTERM)

        assert (await watch.read()).status == HealthCheckResponse.NOT_SERVING
        await given.idp(served.admin)
        ready, live = await web.get("/readyz"), await web.get("/livez")
        await served.server.end(signal.SIGKILL)
    assert ready.status_code == 503
    assert ready.json()["parts"] == {
        "database": "ok",
        "schema": "ok",
        "shutdown": "in progress",
    }
    assert live.status_code == 200


async def test_a_terminal_that_is_closed_ends_the_server_as_sigterm_does(tmp_path: Path) -> None:
    async with serve_forked(tmp_path) as server:
        await server.port()

        os.killpg(server.process.pid, signal.SIGHUP)  # as the kernel does, and then the shell again
        os.killpg(server.process.pid, signal.SIGHUP)

        assert await server.status() == 0
        assert len(server.events("shutting down")) == 1
        assert server.log[-1]["event"] == "stopped"
    assert not (tmp_path / "postgres" / "postmaster.pid").exists()


def _ignored(pid: int) -> set[int]:
    """The signals that a process ignores, the first of which is bit 0 of the mask."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    [mask] = [int(line.split()[1], 16) for line in lines if line.startswith("SigIgn:")]
    return {number for number in range(1, 65) if mask >> (number - 1) & 1}


async def test_nohup_has_the_server_outlive_its_terminal(
    tmp_path: Path, make_database: MakeDatabase
) -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)  # a process inherits this
    try:
        async with serve(tmp_path, database_url=await make_database()) as server:
            await server.port()
            assert signal.SIGHUP in _ignored(server.process.pid)
            assert await server.end() == 0
    finally:
        signal.signal(signal.SIGHUP, before)


async def test_a_signal_during_the_start_leaves_no_database_behind(tmp_path: Path) -> None:
    async with serve_forked(tmp_path) as server:
        await server.until((tmp_path / "postgres" / "postmaster.pid").exists)

        await server.end()  # with a status of its own, or 0 if it ended before the signal

    assert not (tmp_path / "postgres" / "postmaster.pid").exists()

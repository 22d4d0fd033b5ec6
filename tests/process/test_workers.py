"""KEYSTEAD_WORKERS: several processes that share the ports and answer as one."""

import asyncio
import contextlib
import os
import shutil
import signal
import socket
from collections.abc import AsyncIterator
from pathlib import Path

import grpc
import httpx
import pytest

from keystead.user.v1 import user_service_pb2 as user_pb
from tests.support import given
from tests.support.databases import MakeDatabase
from tests.support.given import Client
from tests.support.process import Server, free_port, keystead, serve
from tests.support.scrape import scrape

_COUNT = 2
_POOL_SIZE = "keystead_database_pool_size"
_METHOD = "/keystead.user.v1.UserService/GetCurrentUser"


class _Workers:
    """A server of two workers, which all serve."""

    def __init__(self, server: Server, port: int, web_port: int) -> None:
        self.server = server
        self.port = port
        self.web_port = web_port
        self._token = (server.data_dir / "admin.token").read_text().strip()

    @classmethod
    @contextlib.asynccontextmanager
    async def serving(cls, data_dir: Path, dsn: str) -> AsyncIterator["_Workers"]:
        port, web_port = free_port(), free_port()
        async with serve(
            data_dir,
            database_url=dsn,
            grpc_address=f"127.0.0.1:{port}",
            http_address=f"127.0.0.1:{web_port}",
            workers=_COUNT,
        ) as server:
            await _starts(server, _COUNT)
            yield cls(server, port, web_port)

    @property
    def processes(self) -> list[int]:
        pid = self.server.process.pid
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text()
        return [int(child) for child in children.split()]

    async def kill(self, process: int) -> None:
        """Returns when another one serves in its place."""
        starts = len(self.server.events("serving HTTP"))
        os.kill(process, signal.SIGKILL)
        await _starts(self.server, starts + 1)

    async def call(self) -> None:
        """A call over a connection of its own, which any worker may answer."""
        async with grpc.aio.insecure_channel(
            f"127.0.0.1:{self.port}", options=[("grpc.use_local_subchannel_pool", 1)]
        ) as channel:
            client = Client(channel, self._token)
            request = user_pb.GetCurrentUserRequest()
            answer = await client.call(client.users.GetCurrentUser, request, wait_for_ready=True)
            assert answer.user.user_id

    async def calls_counted(self) -> float:
        """What one of them says of the calls that all have answered."""
        metrics = await scrape(self.web_port)
        return metrics.value("keystead_calls_total", method=_METHOD, code="OK")

    async def counted(self, calls: int) -> None:
        """Waits until all of them are: each does it for the calls of a moment together."""

        async def are_counted() -> bool:
            return await self.calls_counted() == calls

        await given.eventually(are_counted)


@pytest.fixture
async def workers(tmp_path: Path, make_database: MakeDatabase) -> AsyncIterator[_Workers]:
    """A server of two workers with a database of its own."""
    async with _Workers.serving(tmp_path, await make_database()) as serving:
        yield serving


async def _starts(server: Server, count: int) -> None:
    await server.until(lambda: len(server.events("serving HTTP")) == count)


def _listeners(port: int) -> int:
    """How many sockets listen at the port; gRPC's are those of IPv6 even for an IPv4 address."""
    tables = [Path(f"/proc/net/{name}").read_text() for name in ("tcp", "tcp6")]
    sockets = [line.split()[1:4] for table in tables for line in table.splitlines()]
    listening = "0A"
    return sum(local.endswith(f":{port:04X}") and state == listening for local, _, state in sockets)


def _is_gone(pid: int) -> bool:
    return not Path(f"/proc/{pid}/cwd").exists()  # a zombie has none


def _metrics_directory(process: int) -> Path:
    environment = Path(f"/proc/{process}/environ").read_bytes().split(b"\0")
    [found] = [each for each in environment if each.startswith(b"PROMETHEUS_MULTIPROC_DIR=")]
    return Path(found.partition(b"=")[2].decode())


async def test_workers_share_both_ports(workers: _Workers) -> None:
    assert len(workers.processes) == _COUNT
    assert _listeners(workers.port) == _listeners(workers.web_port) == _COUNT


async def test_a_worker_that_dies_is_replaced_and_all_end_together(workers: _Workers) -> None:
    first, second = workers.processes

    await workers.kill(first)

    [died] = workers.server.events("a worker died and is restarted")
    assert died["pid"] == first
    processes = workers.processes
    assert second in processes
    assert len(processes) == _COUNT
    await asyncio.gather(*(workers.call() for _ in range(8)))
    async with httpx.AsyncClient(trust_env=False) as client:
        assert (await client.get(f"http://127.0.0.1:{workers.web_port}/livez")).status_code == 200
    assert await workers.server.end() == 0
    assert all(map(_is_gone, processes))


async def test_workers_end_when_the_process_that_started_them_is_killed(workers: _Workers) -> None:
    processes = workers.processes
    left_behind = _metrics_directory(processes[0])

    await workers.server.end(signal.SIGKILL)

    async def are_gone() -> bool:
        return all(map(_is_gone, processes))

    await given.eventually(are_gone)
    shutil.rmtree(left_behind)


async def test_whichever_worker_is_asked_it_counts_the_calls_of_all(workers: _Workers) -> None:
    for _ in range(20):
        await workers.call()
    await workers.counted(20)
    answers = await asyncio.gather(*(workers.calls_counted() for _ in range(20)))

    assert answers == [20] * 20


async def test_what_a_killed_worker_counted_is_not_lost(workers: _Workers) -> None:
    calls = 0
    for process in workers.processes:
        for _ in range(10):
            await workers.call()
        calls += 10
        await workers.counted(calls)

        await workers.kill(process)

        assert await workers.calls_counted() == calls


async def test_gauges_are_those_of_living_workers_added_up(workers: _Workers) -> None:
    (workers.server.data_dir / "encryption.keys").unlink()  # so that no other one can start

    both = await scrape(workers.web_port)
    os.kill(workers.processes[0], signal.SIGKILL)

    async def one_is_left() -> bool:
        with contextlib.suppress(httpx.TransportError):  # it had come to the one that was killed
            metrics = await scrape(workers.web_port)
            return metrics.value(_POOL_SIZE) == both.value(_POOL_SIZE) / _COUNT
        return False

    await given.eventually(one_is_left)
    one = await scrape(workers.web_port)
    memory = "process_resident_memory_bytes"
    assert one.value(memory) < both.value(memory)
    assert both.value("keystead_database_up") == one.value("keystead_database_up") == 1


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP], ids=lambda number: number.name)
async def test_the_files_of_metrics_do_not_outlive_the_server_nor_grow_with_restarts(
    workers: _Workers, number: signal.Signals
) -> None:
    first, second = workers.processes
    directory = _metrics_directory(second)
    files = {file.name for file in directory.iterdir()}

    await workers.kill(first)

    assert {file.name for file in directory.iterdir()} == files
    assert await workers.server.end(number) == 0
    assert not directory.exists()
    assert len(workers.server.events("stopped")) == 1


async def test_a_taken_http_address_is_named_before_any_worker_starts(
    tmp_path: Path, make_database: MakeDatabase
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        refused = await keystead(
            "serve",
            data_dir=tmp_path,
            database_url=await make_database(),
            grpc_address=f"127.0.0.1:{free_port()}",
            http_address=address,
            workers=_COUNT,
        )

    assert refused.status == 1
    assert f"Cannot listen on {address}" in refused.errors
    assert "KEYSTEAD_HTTP_ADDRESS" in refused.errors
    assert "serving" not in refused.errors
    assert "Traceback" not in refused.errors


async def test_workers_start_at_an_address_that_connections_of_another_server_still_hold(
    tmp_path: Path, make_database: MakeDatabase
) -> None:
    addresses = {name: f"127.0.0.1:{free_port()}" for name in ("grpc_address", "http_address")}
    settings = {"database_url": await make_database(), **addresses}
    async with serve(tmp_path, **settings) as alone:
        await alone.web_port()
        # Given a connection that the server closes, and so keeps for a minute
        _reader, writer = await asyncio.open_connection("127.0.0.1", await alone.web_port())
        assert await alone.end() == 0
        writer.close()

    async with serve(tmp_path, **settings, workers=2) as server:
        await server.until(lambda: len(server.events("serving HTTP")) == 2)

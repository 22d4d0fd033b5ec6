"""KEYSTEAD_WORKERS: several processes that share the ports and answer as one server."""

import asyncio
import contextlib
import os
import shutil
import signal
import socket
from collections.abc import AsyncIterator
from pathlib import Path

import grpc
import httpx2
import pytest

from keystead.user.v1 import user_service_pb2 as user_pb
from tests.support import given
from tests.support.databases import MakeDatabase
from tests.support.given import Client
from tests.support.process import Server, free_port, keystead, serve_forked
from tests.support.scrape import scrape
from tests.support.web_client import web_client

pytestmark = pytest.mark.python_differs("signals, forks and the end of asyncio.run differ")

_COUNT = 2
_POOL_SIZE = "keystead_database_pool_size"
_METHOD = "/keystead.user.v1.UserService/GetCurrentUser"


class _Workers:
    """A server of two workers that both answer calls."""

    def __init__(self, server: Server, port: int, web_port: int) -> None:
        self.server = server
        self.port = port
        self.web_port = web_port
        self._token = (server.data_dir / "admin.token").read_text().strip()

    @classmethod
    @contextlib.asynccontextmanager
    async def serving(
        cls, data_dir: Path, dsn: str, web_port: int | None = None
    ) -> AsyncIterator["_Workers"]:
        port, web_port = free_port(), web_port or free_port()
        async with serve_forked(
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
        """Kills a worker, and waits until another one serves in its place."""
        starts = len(self.server.events("serving HTTP"))
        os.kill(process, signal.SIGKILL)
        await _starts(self.server, starts + 1)

    async def call(self) -> None:
        """Makes a call over a new connection, so that any worker may answer."""
        async with grpc.aio.insecure_channel(
            f"127.0.0.1:{self.port}", options=[("grpc.use_local_subchannel_pool", 1)]
        ) as channel:
            client = Client(channel, self._token)
            request = user_pb.GetCurrentUserRequest()
            answer = await client.call(client.users.GetCurrentUser, request, wait_for_ready=True)
            assert answer.user.user_id

    async def calls_counted(self) -> float:
        """The number of calls of all workers, as one worker reports it."""
        metrics = await scrape(self.web_port)
        return metrics.value("keystead_calls_total", method=_METHOD, code="OK")

    async def counted(self, calls: float) -> None:
        """Waits until this number of calls is counted; workers count calls in batches."""

        async def are_counted() -> bool:
            return await self.calls_counted() == calls

        await given.eventually(are_counted)


@pytest.fixture(scope="module")
async def workers(
    tmp_path_factory: pytest.TempPathFactory, make_database: MakeDatabase
) -> AsyncIterator[_Workers]:
    """A server of two workers, which every test but the last leaves with two workers."""
    web_port = _port_of_a_closed_connection()
    data_dir, dsn = tmp_path_factory.mktemp("workers"), await make_database()
    async with _Workers.serving(data_dir, dsn, web_port) as serving:
        yield serving


async def _starts(server: Server, count: int) -> None:
    await server.until(lambda: len(server.events("serving HTTP")) == count)


def _listeners(port: int) -> int:
    """The number of sockets that listen on the port; those of gRPC are IPv6 sockets."""
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


async def test_workers_share_ports_and_count_the_calls_of_all(workers: _Workers) -> None:
    assert len(workers.processes) == _COUNT
    assert _listeners(workers.port) == _listeners(workers.web_port) == _COUNT

    for _ in range(20):
        await workers.call()
    await workers.counted(20)
    answers = await asyncio.gather(*(workers.calls_counted() for _ in range(20)))

    assert answers == [20] * 20


async def test_grpc_reads_in_a_thread_that_does_not_preempt_the_event_loop(
    workers: _Workers,
) -> None:
    for process in workers.processes:
        batches = _batches(process)
        assert batches  # gRPC may start threads of its own from that thread
        assert process not in batches  # the thread of the event loop


def _batches(process: int) -> set[int]:
    """The threads of a process that do not preempt others."""
    threads = [int(task.name) for task in Path(f"/proc/{process}/task").iterdir()]
    return {thread for thread in threads if os.sched_getscheduler(thread) == os.SCHED_BATCH}


def _port_of_a_closed_connection() -> int:
    """A port without a listener, which the kernel keeps for a minute after a connection."""
    address = ("127.0.0.1", free_port())
    with socket.create_server(address) as listening, socket.create_connection(address):
        accepted, _ = listening.accept()
        accepted.close()  # The side that closes first keeps its port.
    return address[1]


async def test_workers_that_die_are_replaced(workers: _Workers) -> None:
    directory = _metrics_directory(workers.processes[0])
    files = {file.name for file in directory.iterdir()}
    calls = await workers.calls_counted()

    for process in workers.processes:
        others = {*workers.processes} - {process}
        for _ in range(10):
            await workers.call()
        calls += 10
        await workers.counted(calls)

        await workers.kill(process)

        assert workers.server.events("a worker died and is restarted")[-1]["pid"] == process
        assert others < {*workers.processes}
        assert len(workers.processes) == _COUNT
        assert await workers.calls_counted() == calls
        assert {file.name for file in directory.iterdir()} == files

    await asyncio.gather(*(workers.call() for _ in range(8)))
    async with web_client(workers.web_port) as client:
        assert (await client.get("/livez")).status_code == 200


async def test_a_second_server_with_workers_does_not_share_the_ports(
    workers: _Workers, tmp_path: Path, make_database: MakeDatabase
) -> None:
    second = tmp_path / "second"
    second.mkdir()

    refused = await keystead(
        "serve",
        data_dir=second,
        database_url=await make_database(),
        grpc_address=f"127.0.0.1:{free_port()}",
        http_address=f"127.0.0.1:{workers.web_port}",
        workers=_COUNT,
    )

    assert refused.status == 1
    assert f"Cannot listen on 127.0.0.1:{workers.web_port}: it is in use" in refused.errors


async def test_gauges_are_those_of_living_workers_added_up(workers: _Workers) -> None:
    starts = len(workers.server.events("serving HTTP"))
    key_file = workers.server.data_dir / "encryption.keys"
    aside = key_file.rename(key_file.with_suffix(".aside"))  # so that no new worker can start

    both = await scrape(workers.web_port)
    os.kill(workers.processes[0], signal.SIGKILL)

    async def one_is_left() -> bool:
        with contextlib.suppress(httpx2.TransportError):  # the connection led to the killed worker
            metrics = await scrape(workers.web_port)
            return metrics.value(_POOL_SIZE) == both.value(_POOL_SIZE) / _COUNT
        return False

    await given.eventually(one_is_left)
    one = await scrape(workers.web_port)
    memory = "process_resident_memory_bytes"
    assert one.value(memory) < both.value(memory)
    assert both.value("keystead_database_up") == one.value("keystead_database_up") == 1
    aside.rename(key_file)
    await _starts(workers.server, starts + 1)


async def test_workers_end_when_the_process_that_started_them_is_killed(
    tmp_path: Path, make_database: MakeDatabase
) -> None:
    async with _Workers.serving(tmp_path, await make_database()) as workers:
        processes = workers.processes
        left_behind = _metrics_directory(processes[0])

        await workers.server.end(signal.SIGKILL)

        async def are_gone() -> bool:
            return all(map(_is_gone, processes))

        await given.eventually(are_gone)
        shutil.rmtree(left_behind)


async def test_a_signal_ends_all_workers(workers: _Workers) -> None:
    """The last test, because it ends the server of the others."""
    processes = workers.processes
    directory = _metrics_directory(processes[0])

    assert await workers.server.end(signal.SIGHUP) == 0

    assert all(map(_is_gone, processes))
    assert not directory.exists()
    assert len(workers.server.events("stopped")) == 1

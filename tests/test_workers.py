"""KEYSTEAD_WORKERS: several processes that share one port."""

import asyncio
import os
import signal
from pathlib import Path

import grpc

from keystead.user.v1 import user_service_pb2 as user_pb
from tests import given
from tests.conftest import MakeDatabase
from tests.given import Client
from tests.process import Server, free_port, serve


def _workers(server: Server) -> list[int]:
    pid = server.process.pid
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def _is_gone(pid: int) -> bool:
    return not Path(f"/proc/{pid}/cwd").exists()  # a zombie has none


async def _answers(port: int, token: str) -> bool:
    async with grpc.aio.insecure_channel(
        f"127.0.0.1:{port}", options=[("grpc.use_local_subchannel_pool", 1)]
    ) as channel:
        client = Client(channel, token)
        request = user_pb.GetCurrentUserRequest()
        answer = await client.call(client.users.GetCurrentUser, request, wait_for_ready=True)
        return bool(answer.user.user_id)


async def test_workers_share_a_port_are_replaced_and_end_together(
    tmp_path: Path, make_database: MakeDatabase
) -> None:
    port = free_port()
    dsn = await make_database()
    async with serve(
        tmp_path, database_url=dsn, grpc_address=f"127.0.0.1:{port}", workers=2
    ) as server:
        await server.until(lambda: len(server.events("serving gRPC")) == 2)
        token = (tmp_path / "admin.token").read_text().strip()
        first, second = _workers(server)
        assert await _answers(port, token)

        os.kill(first, signal.SIGKILL)

        await server.until(lambda: len(server.events("serving gRPC")) == 3)
        [died] = server.events("a worker died and is started again")
        assert died["pid"] == first
        workers = _workers(server)
        assert second in workers
        assert len(workers) == 2
        assert all(await asyncio.gather(*(_answers(port, token) for _ in range(8))))
        assert await server.end() == 0
        assert all(map(_is_gone, workers))


async def test_workers_end_when_the_process_that_started_them_is_killed(
    tmp_path: Path, make_database: MakeDatabase
) -> None:
    address = f"127.0.0.1:{free_port()}"
    dsn = await make_database()
    async with serve(tmp_path, database_url=dsn, grpc_address=address, workers=2) as server:
        await server.until(lambda: len(server.events("serving gRPC")) == 2)
        workers = _workers(server)

        await server.end(signal.SIGKILL)

        async def are_gone() -> bool:
            return all(map(_is_gone, workers))

        await given.eventually(are_gone)

"""What callers see while the database is gone, and that nothing acknowledged is lost."""

import asyncio
import contextlib
import os
import signal
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import asyncpg
import grpc
import pytest
from grpc_health.v1 import health_pb2_grpc
from grpc_health.v1.health_pb2 import HealthCheckRequest, HealthCheckResponse

from keystead.idp.v1 import identity_provider_service_pb2 as idp_pb
from server.embedded_postgres import postmaster_pid, running
from tests import given
from tests.conftest import MakeInstance
from tests.given import Client, Instance
from tests.process import serve

_WRITERS = 8


@pytest.fixture
def data_dir(tmp_path: Path) -> Iterator[Path]:
    """Of a cluster that this test may kill."""
    yield tmp_path / "postgres"
    with contextlib.suppress(Exception):
        os.kill(postmaster_pid(tmp_path / "postgres"), signal.SIGKILL)


class _Load:
    """Writers that go on until they are told to stop, whatever they are answered."""

    def __init__(self, admin: Client) -> None:
        self._admin = admin
        self._stopped = False
        self.acknowledged: list[str] = []
        self.refused: list[given.Refusal] = []

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Writes during the block."""
        async with asyncio.TaskGroup() as writers:
            for _ in range(_WRITERS):
                writers.create_task(self._write())
            yield
            self._stopped = True

    async def _write(self) -> None:
        while not self._stopped:
            try:
                self.acknowledged.append(await given.idp(self._admin))
            except grpc.aio.AioRpcError as error:
                self.refused.append(given.read_refusal(error))
                await asyncio.sleep(0.02)

    async def until(self, condition: str) -> None:
        """Waits until there are more acknowledged or refused calls than now."""
        count = len(getattr(self, condition)) + 2 * _WRITERS
        while len(getattr(self, condition)) < count:  # noqa: ASYNC110 -- nothing tells of it
            await asyncio.sleep(0.01)


async def _written(dsn: str) -> set[str]:
    connection = await asyncpg.connect(dsn)
    try:
        return {row["id"] for row in await connection.fetch("select id from idps")}
    finally:
        await connection.close()


async def test_a_killed_database_loses_nothing_and_needs_no_restart(
    make_instance: MakeInstance, data_dir: Path
) -> None:
    with running(data_dir) as cluster:
        async with make_instance(dsn=cluster.dsn) as instance:
            load = _Load(instance.admin)
            async with load.running():
                await load.until("acknowledged")
                os.kill(postmaster_pid(data_dir), signal.SIGKILL)
                await load.until("refused")
                with running(data_dir):
                    await load.until("acknowledged")

                    assert set(load.acknowledged) <= await _written(cluster.dsn)
    assert {refused.code for refused in load.refused} == {grpc.StatusCode.UNAVAILABLE}
    assert {refused.reason for refused in load.refused} == {"DATABASE_UNAVAILABLE"}
    assert all(refused.retry_seconds for refused in load.refused)


async def test_a_killed_embedded_database_is_started_again_by_the_server(data_dir: Path) -> None:
    async with serve(data_dir) as server:
        port = await server.port()
        async with Instance.connected("", port, data_dir) as instance:
            load = _Load(instance.admin)
            async with load.running():
                await load.until("acknowledged")
                os.kill(postmaster_pid(data_dir), signal.SIGKILL)
                await load.until("refused")
                await load.until("acknowledged")
        assert await server.end() == 0
    with running(data_dir) as cluster:
        assert set(load.acknowledged) <= await _written(cluster.dsn)


@contextlib.contextmanager
def _stopped(data_dir: Path) -> Iterator[None]:
    """Every process of the cluster is stopped during the block, as on a machine that hangs."""
    postmaster = postmaster_pid(data_dir)
    children = Path(f"/proc/{postmaster}/task/{postmaster}/children").read_text().split()
    processes = [postmaster, *map(int, children)]
    for process in processes:
        os.kill(process, signal.SIGSTOP)
    try:
        yield
    finally:
        for process in processes:
            os.kill(process, signal.SIGCONT)


async def test_the_time_limit_holds_while_the_database_hangs(
    make_instance: MakeInstance, data_dir: Path
) -> None:
    with running(data_dir) as cluster:
        async with make_instance(dsn=cluster.dsn, default_timeout=0.5) as instance:
            idp_id = await given.idp(instance.admin)
            # Without a deadline of the client, whose own would hide that the server's does not hold
            with _stopped(data_dir):
                refused = await asyncio.gather(
                    *(given.refusal(given.idp(instance.admin)) for _ in range(20))
                )

            assert {each.code for each in refused} == {grpc.StatusCode.DEADLINE_EXCEEDED}
            update = idp_pb.UpdateIDPRequest(idp_id=idp_id, name="Renamed")

            async def writes_again() -> bool:
                try:
                    await instance.admin.call(instance.admin.idps.UpdateIDP, update)
                except grpc.aio.AioRpcError:
                    return False
                return True

            await given.eventually(writes_again)


async def test_a_statement_ends_with_the_call_that_it_belongs_to(instance: Instance) -> None:
    idp_id = await given.idp(instance.admin)
    update = idp_pb.UpdateIDPRequest(idp_id=idp_id, name="Too late")

    async with given.locked_idp(instance.dsn, idp_id) as connection:
        call = instance.admin.call(instance.admin.idps.UpdateIDP, update)
        await given.waiting_for_a_lock(connection)
        call.cancel()

        async def nothing_waits() -> bool:
            return not await connection.fetch("select from pg_locks where not granted")

        await given.eventually(nothing_waits)


async def test_health_says_so_while_the_database_hangs(
    make_instance: MakeInstance, data_dir: Path
) -> None:
    with running(data_dir) as cluster:
        async with make_instance(dsn=cluster.dsn) as instance:
            stub = health_pb2_grpc.HealthStub(instance.channel)

            async def is_serving() -> bool:
                answer = await stub.Check(HealthCheckRequest())
                return bool(answer.status == HealthCheckResponse.SERVING)

            async def is_not_serving() -> bool:
                return not await is_serving()

            with _stopped(data_dir):
                await given.eventually(is_not_serving)
            await given.eventually(is_serving)

"""SIGTERM and Ctrl-C: what was admitted finishes, what comes later is told to go elsewhere."""

import asyncio
import contextlib
import os
import signal
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import asyncpg
import grpc
import pytest
from grpc_health.v1 import health_pb2_grpc
from grpc_health.v1.health_pb2 import HealthCheckRequest, HealthCheckResponse

from keystead.idp.v1 import identity_provider_service_pb2 as idp_pb
from tests import given
from tests.conftest import MakeDatabase
from tests.given import Client, Instance
from tests.process import Server, serve


@dataclass(frozen=True)
class _Served:
    """A server process, and a caller of it."""

    server: Server
    instance: Instance

    @property
    def admin(self) -> Client:
        return self.instance.admin


@contextlib.asynccontextmanager
async def _serving(data_dir: Path, dsn: str, **settings: object) -> AsyncIterator[_Served]:
    async with (
        serve(data_dir, database_url=dsn, **settings) as server,
        Instance.connected(dsn, await server.port(), data_dir) as instance,
    ):
        yield _Served(server, instance)


async def _closing(served: _Served) -> None:
    """Returns when new calls are refused."""

    async def is_refused() -> bool:
        try:
            await given.idp(served.admin)
        except grpc.aio.AioRpcError as error:
            return error.code() is grpc.StatusCode.UNAVAILABLE
        return False

    await given.eventually(is_refused)


async def test_calls_in_flight_finish_and_later_ones_are_told_to_go_elsewhere(
    tmp_path: Path, make_database: MakeDatabase
) -> None:
    dsn = await make_database()
    async with _serving(tmp_path, dsn, drain_delay=0) as served:
        admin = served.admin
        renamed, removed = await given.idp(admin), await given.idp(admin)
        update = idp_pb.UpdateIDPRequest(idp_id=renamed, name="Renamed")
        futile = idp_pb.UpdateIDPRequest(idp_id=removed, name="Renamed")
        async with (
            given.locked_idp(dsn, removed) as connection,
            given.locked_idp(dsn, renamed),
        ):
            finishing = asyncio.ensure_future(admin.call(admin.idps.UpdateIDP, update))
            aborting = asyncio.ensure_future(
                given.refusal(admin.call(admin.idps.UpdateIDP, futile))
            )
            await given.waiting_for_a_lock(connection, statements=2)

            served.server.process.send_signal(signal.SIGTERM)
            await _closing(served)
            refused = await given.refusal(given.idp(admin))
            await connection.execute("delete from idps where id = $1", removed)

        assert (refused.reason, refused.code) == (
            "SHUTTING_DOWN",
            grpc.StatusCode.UNAVAILABLE,
        )
        assert refused.retry_seconds
        assert (await finishing).details.sequence
        assert (await aborting).code is grpc.StatusCode.NOT_FOUND
        assert await served.server.status() == 0


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT], ids=["SIGTERM", "Ctrl-C"])
async def test_under_load_nothing_acknowledged_is_lost(
    tmp_path: Path, make_database: MakeDatabase, number: signal.Signals
) -> None:
    dsn = await make_database()
    acknowledged: list[str] = []
    errors: list[grpc.aio.AioRpcError] = []

    async def write(port: int, token: str) -> None:
        async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
            admin = Client(channel, token)
            while not errors or errors[-1].code() is not grpc.StatusCode.UNAVAILABLE:
                try:
                    acknowledged.append(await given.idp(admin))
                except grpc.aio.AioRpcError as error:
                    errors.append(error)

    async with _serving(tmp_path, dsn) as served:
        async with asyncio.TaskGroup() as writers:
            for _ in range(6):
                writers.create_task(write(served.instance.port, served.admin.token))
            while len(acknowledged) < 20:  # noqa: ASYNC110 -- nothing tells of it
                await asyncio.sleep(0.01)
            os.killpg(served.server.process.pid, number)
        assert await served.server.status() == 0

    connection = await asyncpg.connect(dsn)
    written = {row["id"] for row in await connection.fetch("select id from idps")}
    await connection.close()
    assert set(acknowledged) <= written
    assert {error.code() for error in errors} == {grpc.StatusCode.UNAVAILABLE}


async def test_health_says_so_before_calls_are_refused_and_watchers_hold_nothing_up(
    tmp_path: Path, make_database: MakeDatabase
) -> None:
    async with _serving(tmp_path, await make_database(), drain_delay=2) as served:
        stub = health_pb2_grpc.HealthStub(served.instance.channel)
        watch = stub.Watch(HealthCheckRequest())
        assert (await watch.read()).status == HealthCheckResponse.SERVING

        served.server.process.send_signal(signal.SIGTERM)

        assert (await watch.read()).status == HealthCheckResponse.NOT_SERVING
        await given.idp(served.admin)
        assert await served.server.status() == 0
        with contextlib.suppress(grpc.aio.AioRpcError, asyncio.CancelledError):
            await watch.read()


async def test_a_call_that_outlives_the_grace_is_cut_off(
    tmp_path: Path, make_database: MakeDatabase
) -> None:
    dsn = await make_database()
    async with _serving(tmp_path, dsn, drain_delay=0, shutdown_grace=0.2) as served:
        idp_id = await given.idp(served.admin)
        update = idp_pb.UpdateIDPRequest(idp_id=idp_id, name="Too late")
        async with given.locked_idp(dsn, idp_id) as connection:
            call = served.admin.call(served.admin.idps.UpdateIDP, update)
            await given.waiting_for_a_lock(connection)

            assert await served.server.end() == 0

            with pytest.raises(grpc.aio.AioRpcError):
                await call
        assert [line["calls"] for line in served.server.events("calls are cut off")] == [1]


async def test_a_signal_during_the_start_leaves_no_database_behind(tmp_path: Path) -> None:
    async with serve(tmp_path) as server:
        await server.until((tmp_path / "postgres" / "postmaster.pid").exists)

        await server.end()  # with a status of its own, or 0 if it was quicker than the signal

    assert not (tmp_path / "postgres" / "postmaster.pid").exists()

"""Calls during an outage of the database; acknowledged writes survive it.

`chaos/test_chaos.py` has the same under load, over every transport.
"""

import asyncio
import contextlib
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import grpc
import pytest

from chaos import ledger
from chaos.load import Load, Ports
from chaos.stage import frozen
from keystead.idp.v1 import identity_provider_service_pb2 as idp_pb
from server.process.embedded_postgres import postmaster_pid, running
from server.process.embedded_postgres.locks import exclusive, opened
from tests.conftest import MakeInstance
from tests.support import given
from tests.support.process import serve_forked

_WRITES = 8


@pytest.fixture
def data_dir(tmp_path: Path) -> Iterator[Path]:
    """The directory of a cluster that this test may kill."""
    yield tmp_path / "postgres"
    with contextlib.suppress(Exception):
        os.kill(postmaster_pid(tmp_path / "postgres"), signal.SIGKILL)


@contextlib.contextmanager
def _not_started(data_dir: Path) -> Iterator[None]:
    """Holds the lock under which processes start the cluster until the end of the block."""
    with opened(data_dir / "postgres.lock") as lock, exclusive(lock):
        yield


async def test_a_killed_embedded_database_is_started_again_by_the_server(data_dir: Path) -> None:
    async with serve_forked(data_dir) as server:
        ports = Ports(await server.port(), await server.web_port())
        load = Load(ports, (data_dir / "admin.token").read_text().strip(), number=1)
        async with load.running():
            await load.more("acknowledged", _WRITES)
            with _not_started(data_dir):
                os.kill(postmaster_pid(data_dir), signal.SIGKILL)
                await load.more("refused", _WRITES)
            await load.more("acknowledged", _WRITES)
        assert await server.end() == 0
    with running(data_dir) as cluster:
        assert await ledger.lost(cluster.dsn, load.acknowledged) == []


async def test_the_time_limit_holds_while_the_database_hangs(
    make_instance: MakeInstance, data_dir: Path
) -> None:
    with running(data_dir) as cluster:
        async with make_instance(dsn=cluster.dsn, default_timeout=0.5) as instance:
            admin = instance.admin
            idp_id = await given.idp(admin)
            update = idp_pb.UpdateIDPRequest(idp_id=idp_id, name="Renamed")
            # Without a deadline of the client, which would hide a missing deadline of the server
            with frozen(data_dir):
                refused = await asyncio.gather(
                    *(given.refusal(admin.call(admin.idps.UpdateIDP, update)) for _ in range(20))
                )

            assert {each.code for each in refused} == {grpc.StatusCode.DEADLINE_EXCEEDED}

            async def writes_again() -> bool:
                try:
                    await admin.call(admin.idps.UpdateIDP, update)
                except grpc.aio.AioRpcError:
                    return False
                return True

            await given.eventually(writes_again)


async def test_calls_of_a_database_that_hangs_do_not_wait_for_their_time_limit(
    make_instance: MakeInstance, data_dir: Path
) -> None:
    with running(data_dir) as cluster:
        async with make_instance(dsn=cluster.dsn, default_timeout=600) as instance:
            admin = instance.admin
            update = idp_pb.UpdateIDPRequest(idp_id=await given.idp(admin), name="Renamed")
            with frozen(data_dir):
                refused = await given.refusal(admin.call(admin.idps.UpdateIDP, update))

            assert refused.code is grpc.StatusCode.UNAVAILABLE

"""grpc.health.v1: SERVING while the database can be used, for callers without a token."""

import contextlib
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import grpc
import httpx
import pytest
from grpc_health.v1 import health_pb2_grpc
from grpc_health.v1.health_pb2 import (
    HealthCheckRequest,
    HealthCheckResponse,
)

from keystead.idp.v1 import identity_provider_service_pb2 as idp_pb
from server.process.embedded_postgres import postmaster_pid, running
from tests.conftest import MakeInstance
from tests.idp import calls as idps
from tests.support import given
from tests.support.given import Instance

SERVING = HealthCheckResponse.SERVING
NOT_SERVING = HealthCheckResponse.NOT_SERVING
SERVICES = [
    "",
    "keystead.smtp.v1.SMTPService",
    "keystead.passkey.v1.PasskeyService",
    "keystead.idp.v1.IdentityProviderService",
    "keystead.org.v1.OrganizationService",
    "keystead.user.v1.UserService",
]

# What an operator does who makes a database read-only.
_FOR_NEW_SESSIONS = """
do $$ begin
    execute format('alter database %I {}', current_database());
end $$"""
_END_SESSIONS = """
select pg_terminate_backend(pid) from pg_stat_activity
where datname = current_database() and pid <> pg_backend_pid()"""


async def _status(instance: Instance, service: str = "") -> HealthCheckResponse.ServingStatus:
    stub = health_pb2_grpc.HealthStub(instance.channel)
    return (await stub.Check(HealthCheckRequest(service=service))).status


async def _readyz(instance: Instance) -> httpx.Response:
    async with httpx.AsyncClient(trust_env=False) as web:
        return await web.get(f"http://127.0.0.1:{instance.web_port}/readyz")


@contextlib.contextmanager
def _watched(channel: grpc.aio.Channel, service: str = "") -> Iterator[Any]:
    watch = health_pb2_grpc.HealthStub(channel).Watch(HealthCheckRequest(service=service))
    try:
        yield watch
    finally:
        watch.cancel()


@pytest.mark.parametrize("service", SERVICES, ids=lambda service: service or "the server")
async def test_a_service_is_serving_for_a_caller_without_a_token(
    instance: Instance, service: str
) -> None:
    assert await _status(instance, service) == SERVING


async def test_an_unknown_service_is_not_found(instance: Instance) -> None:
    refused = await given.refusal(_status(instance, "keystead.No"))

    assert refused.code is grpc.StatusCode.NOT_FOUND
    assert refused.resource == ("service", "keystead.No")


async def test_a_watch_of_an_unknown_service_says_so_and_goes_on(instance: Instance) -> None:
    with _watched(instance.channel, "keystead.No") as watch:
        assert (await watch.read()).status == HealthCheckResponse.SERVICE_UNKNOWN
        assert not watch.done()


async def test_health_follows_the_database_without_a_restart(
    make_instance: MakeInstance, tmp_path: Path
) -> None:
    with running(tmp_path / "postgres", durable=False) as cluster:
        async with make_instance(dsn=cluster.dsn) as instance:
            with _watched(instance.channel, SERVICES[1]) as watch:
                assert (await watch.read()).status == SERVING

                os.kill(postmaster_pid(tmp_path / "postgres"), signal.SIGINT)

                assert (await watch.read()).status == NOT_SERVING
                for service in SERVICES:
                    assert await _status(instance, service) == NOT_SERVING

                with running(tmp_path / "postgres", durable=False):
                    assert (await watch.read()).status == SERVING
                    for service in SERVICES:
                        assert await _status(instance, service) == SERVING
                    await given.idp(instance.admin)


async def test_health_follows_refused_writes_without_a_restart(own_instance: Instance) -> None:
    admin = own_instance.admin
    rename = idp_pb.UpdateIDPRequest(idp_id=await given.idp(admin), name="Renamed")
    async with given.sql(own_instance.dsn) as sql:
        with _watched(own_instance.channel, SERVICES[1]) as watch:
            assert (await watch.read()).status == SERVING

            await sql.execute(_FOR_NEW_SESSIONS.format("set default_transaction_read_only = on"))
            await sql.execute(_END_SESSIONS)
            refused = await given.refusal(admin.call(admin.idps.UpdateIDP, rename))

            assert refused.code is grpc.StatusCode.UNAVAILABLE
            assert (await watch.read()).status == NOT_SERVING
            assert await _status(own_instance) == NOT_SERVING
            readyz = await _readyz(own_instance)
            assert readyz.status_code == 503
            assert readyz.json()["parts"]["database"] == "refuses writes"
            assert (await idps.get(admin, rename.idp_id)).name == "Provider"

            await sql.execute(_FOR_NEW_SESSIONS.format("reset default_transaction_read_only"))
            await sql.execute(_END_SESSIONS)

            assert (await watch.read()).status == SERVING
            assert (await _readyz(own_instance)).json()["parts"]["database"] == "ok"
            await admin.call(admin.idps.UpdateIDP, rename)


async def test_a_busy_pool_does_not_make_the_server_unhealthy(make_instance: MakeInstance) -> None:
    # A call may take half as long again as the database has to answer
    async with make_instance(database_pool_size=1, default_timeout=1.5) as instance:
        admin = instance.admin
        idp_id = await given.idp(admin)
        update = idp_pb.UpdateIDPRequest(idp_id=idp_id, name="Renamed")

        async with given.locked_idp(instance.dsn, idp_id):
            busy = given.refusal(admin.call(admin.idps.UpdateIDP, update))

            assert (await busy).code is grpc.StatusCode.DEADLINE_EXCEEDED
            assert await _status(instance) == SERVING

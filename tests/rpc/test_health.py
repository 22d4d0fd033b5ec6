"""grpc.health.v1: SERVING while the database is usable. No token is needed."""

import asyncio
import contextlib
import os
import signal
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

import asyncpg
import grpc
import httpx2
import pytest
from grpc_health.v1 import health_pb2_grpc
from grpc_health.v1.health_pb2 import (
    HealthCheckRequest,
    HealthCheckResponse,
)
from prometheus_client import Counter
from structlog.testing import CapturingLogger

from keystead.idp.v1 import identity_provider_service_pb2 as idp_pb
from server.process.embedded_postgres import postmaster_pid, running
from server.rpc import health
from server.rpc.health import Health
from server.store.database import Database
from server.store.schema import newest_version
from server.store.statement import Statement
from server.values.errors import Failure, Kind
from tests.conftest import MakeInstance
from tests.idp import calls as idps
from tests.support import given
from tests.support.given import Instance
from tests.support.web_client import web_client

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


async def _status(instance: Instance, service: str = "") -> HealthCheckResponse.ServingStatus:
    stub = health_pb2_grpc.HealthStub(instance.channel)
    return (await stub.Check(HealthCheckRequest(service=service))).status


async def _readyz(instance: Instance) -> httpx2.Response:
    async with web_client(instance.web_port) as web:
        return await web.get("/readyz")


async def _is(instance: Instance, *, database: str) -> bool:
    return bool((await _readyz(instance)).json()["parts"]["database"] == database)


@contextlib.contextmanager
def _watched(channel: grpc.aio.Channel, service: str = "") -> Iterator[Any]:
    watch = health_pb2_grpc.HealthStub(channel).Watch(HealthCheckRequest(service=service))
    try:
        yield watch
    finally:
        watch.cancel()


async def test_an_unknown_service_is_not_found(instance: Instance) -> None:
    refused = await given.refusal(_status(instance, "keystead.No"))

    assert refused.code is grpc.StatusCode.NOT_FOUND
    assert refused.resource == ("service", "keystead.No")


async def test_a_watch_of_an_unknown_service_says_so_and_goes_on(instance: Instance) -> None:
    with _watched(instance.channel, "keystead.No") as watch:
        assert (await watch.read()).status == HealthCheckResponse.SERVICE_UNKNOWN
        assert not watch.done()


async def test_health_and_readiness_follow_the_database_without_a_restart(
    make_instance: MakeInstance, tmp_path: Path
) -> None:
    with running(tmp_path / "postgres", durable=False) as cluster:
        async with (
            make_instance(dsn=cluster.dsn) as instance,
            web_client(instance.web_port) as web,
        ):
            with _watched(instance.channel, SERVICES[1]) as watch:
                assert (await watch.read()).status == SERVING

                os.kill(postmaster_pid(tmp_path / "postgres"), signal.SIGINT)

                assert (await watch.read()).status == NOT_SERVING
                for service in SERVICES:
                    assert await _status(instance, service) == NOT_SERVING
                ready = await web.get("/readyz")
                assert ready.status_code == 503
                assert ready.json() == {
                    "status": "unavailable",
                    "parts": {"database": "unavailable", "schema": "ok", "shutdown": "ok"},
                }
                assert int(ready.headers["retry-after"]) > 0
                assert (await web.get("/livez")).status_code == 200
                assert "\nkeystead_database_up 0.0\n" in (await web.get("/metrics")).text

                with running(tmp_path / "postgres", durable=False):
                    assert (await watch.read()).status == SERVING
                    for service in SERVICES:
                        assert await _status(instance, service) == SERVING
                    assert (await web.get("/readyz")).status_code == 200
                    await given.idp(instance.admin)


async def test_health_follows_refused_writes_without_a_restart(file_instance: Instance) -> None:
    admin = file_instance.admin
    rename = idp_pb.UpdateIDPRequest(idp_id=await given.idp(admin), name="Renamed")
    with _watched(file_instance.channel, SERVICES[1]) as watch:
        assert (await watch.read()).status == SERVING

        async with given.read_only(file_instance.dsn):
            refused = await given.refusal(admin.call(admin.idps.UpdateIDP, rename))

            assert refused.code is grpc.StatusCode.UNAVAILABLE
            assert (await watch.read()).status == NOT_SERVING
            assert await _status(file_instance) == NOT_SERVING
            # The end of its connection can be the first thing that a probe notices.
            await given.eventually(lambda: _is(file_instance, database="refuses writes"))
            assert (await _readyz(file_instance)).status_code == 503
            assert (await idps.get(admin, rename.idp_id)).name == "Provider"

        assert (await watch.read()).status == SERVING
        assert (await _readyz(file_instance)).json()["parts"]["database"] == "ok"
        await admin.call(admin.idps.UpdateIDP, rename)


async def test_health_says_that_a_database_is_read_only_before_any_write(
    file_instance: Instance,
) -> None:
    with _watched(file_instance.channel) as watch:
        assert (await watch.read()).status == SERVING

        async with given.read_only(file_instance.dsn):
            assert (await watch.read()).status == NOT_SERVING

        assert (await watch.read()).status == SERVING


async def test_a_server_is_not_ready_once_a_newer_release_has_ended_the_use_of_its_schema(
    own_instance: Instance,
) -> None:
    with _watched(own_instance.channel) as watch:
        assert (await watch.read()).status == SERVING

        async with given.sql(own_instance.dsn) as release:
            await release.execute(given.NEWER_SCHEMA, 9998, newest_version())
            assert (await _readyz(own_instance)).status_code == 200
            await release.execute(given.NEWER_SCHEMA, 9999, 9999)

        assert (await watch.read()).status == NOT_SERVING
        readyz = await _readyz(own_instance)
        assert readyz.status_code == 503
        assert readyz.json()["parts"]["schema"] == "needs a newer release"


class _Replaced:
    """A database whose server is replaced once."""

    writes_refused = 0

    def __init__(self) -> None:
        self.probes = 0
        self.dropped_after: list[int] = []

    async def fetch(self, _probe: Statement) -> list[dict[str, object]]:
        self.probes += 1
        started_at = datetime(2026, 1, 1 if self.probes < 3 else 2, tzinfo=UTC)
        return [{"server": started_at, "compatible_since": 0, "may_refuse_writes": False}]

    def drop_connections(self) -> None:
        self.dropped_after.append(self.probes)


async def _probed_often(
    monkeypatch: pytest.MonkeyPatch, *, calls: _Replaced, probed: _Replaced
) -> Health:
    """The health after several probes without pauses."""
    monkeypatch.setattr(health, "_PAUSE_SECONDS", 0)
    probe = Health(cast(Database, calls), cast(Database, probed), [])
    probing = asyncio.create_task(
        probe.keep_true(revive=None, failures=Counter("failures", "", registry=None))
    )
    await given.eventually(lambda: _true(probed.probes > 5))
    probing.cancel()
    return probe


async def test_connections_to_a_server_that_was_replaced_are_dropped_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    replaced = _Replaced()

    await _probed_often(monkeypatch, calls=replaced, probed=replaced)

    assert replaced.dropped_after == [3]


class _Unwritable(_Replaced):
    """A database that takes no writes: it reports that, or has refused the write of a call."""

    def __init__(self, *, reports_it: bool) -> None:
        super().__init__()
        self.writes_refused = 0 if reports_it else 1
        self._reports_it = reports_it

    async def fetch(self, probe: Statement) -> list[dict[str, object]]:
        self.probes += 1
        if "insert" in probe.sql:
            raise Failure(Kind.UNAVAILABLE, "DATABASE_READ_ONLY", "No writes.")
        return [{"server": None, "compatible_since": 0, "may_refuse_writes": self._reports_it}]


@pytest.mark.parametrize("reports_it", [True, False])
async def test_a_database_that_takes_no_writes_is_not_healthy(
    monkeypatch: pytest.MonkeyPatch, *, reports_it: bool
) -> None:
    unwritable = _Unwritable(reports_it=reports_it)

    probe = await _probed_often(monkeypatch, calls=unwritable, probed=unwritable)

    assert probe.parts()["database"] == "refuses writes"


class _Full(_Replaced):
    """A database that answers late once, and then has no slot for a new connection."""

    async def fetch(self, _probe: Statement) -> list[dict[str, object]]:
        self.probes += 1
        if self.probes == 1:
            raise TimeoutError
        refusal = Failure(Kind.UNAVAILABLE, "DATABASE_UNAVAILABLE", "No database.")
        raise refusal from asyncpg.TooManyConnectionsError


async def test_connections_to_a_server_that_refuses_new_ones_are_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(health, "_log", log := CapturingLogger())
    calls = _Replaced()

    await _probed_often(monkeypatch, calls=calls, probed=_Full())

    assert calls.dropped_after == []
    [told] = log.calls
    assert (told.method_name, told.kwargs) == (
        "warning",
        {"serving": False, "database": "unavailable", "detail": "no answer within 1 s"},
    )


async def _true(value: bool) -> bool:
    return value


async def test_a_busy_pool_does_not_make_the_server_unhealthy(make_instance: MakeInstance) -> None:
    # A call may last half as long again as the time limit of the database
    async with make_instance(database_pool_size=1, default_timeout=1.5) as instance:
        admin = instance.admin
        idp_id = await given.idp(admin)
        update = idp_pb.UpdateIDPRequest(idp_id=idp_id, name="Renamed")

        async with given.locked_idp(instance.dsn, idp_id):
            busy = given.refusal(admin.call(admin.idps.UpdateIDP, update))

            assert (await busy).code is grpc.StatusCode.DEADLINE_EXCEEDED
            assert await _status(instance) == SERVING

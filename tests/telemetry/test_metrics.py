"""Counters of calls, and gauges at the moment of a scrape."""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Iterator
from importlib.metadata import version
from typing import Any

import grpc
import pytest
from google.protobuf.message import Message
from prometheus_client import Metric

from keystead.idp.v1 import identity_provider_service_pb2 as idp_pb
from keystead.org.v1 import organization_service_pb2 as org_pb
from keystead.user.v1 import user_service_pb2 as user_pb
from server.telemetry.metrics import Exposition, Gauges, Metrics
from server.values.errors import Kind
from tests.conftest import MakeInstance
from tests.support import given
from tests.support.given import METHODS, Instance
from tests.support.scrape import Scrape, scrape
from tests.support.web_client import web_client

_GET_IDP = "/keystead.idp.v1.IdentityProviderService/GetIDP"
_LIST_IDPS = "/keystead.idp.v1.IdentityProviderService/ListIDPs"
_IN_USE = [
    "keystead_calls_in_flight",
    "keystead_database_pool_in_use",
    "keystead_database_pool_waiting",
]


@pytest.fixture(scope="module")
async def scraped(make_instance: MakeInstance) -> AsyncIterator[tuple[Instance, Scrape]]:
    """A server for tests that count calls of different methods, and its metrics at the start."""
    async with make_instance() as own:
        yield own, await scrape(own.web_port)


@pytest.fixture
def server(scraped: tuple[Instance, Scrape]) -> Instance:
    return scraped[0]


@pytest.fixture
def at_the_start(scraped: tuple[Instance, Scrape]) -> Scrape:
    return scraped[1]


async def test_a_call_counts_by_method_and_code(server: Instance) -> None:
    admin = server.admin
    request = idp_pb.GetIDPRequest(idp_id=await given.idp(admin))
    missing = idp_pb.GetIDPRequest(idp_id="018f3a3e-0000-7000-8000-000000000000")

    for _ in range(3):
        await admin.call(admin.idps.GetIDP, request)
    await given.refusal(admin.call(admin.idps.GetIDP, missing))
    await given.refusal(server.nobody.call(admin.idps.GetIDP, request))

    metrics = await scrape(server.web_port)
    counted = {
        code: metrics.value("keystead_calls_total", method=_GET_IDP, code=code)
        for code in ("OK", "NOT_FOUND", "UNAUTHENTICATED", "INTERNAL")
    }
    assert counted == {"OK": 3, "NOT_FOUND": 1, "UNAUTHENTICATED": 1, "INTERNAL": 0}


async def test_the_time_of_every_call_is_in_one_bucket(server: Instance) -> None:
    await server.admin.call(server.admin.idps.ListIDPs, idp_pb.ListIDPsRequest())

    metrics = await scrape(server.web_port)
    name = "keystead_call_duration_seconds"
    seconds = metrics.value(f"{name}_sum", method=_LIST_IDPS)
    assert seconds > 0
    assert metrics.value(f"{name}_count", method=_LIST_IDPS) == 1
    for bound in metrics.labels(f"{name}_bucket", "le"):
        within = metrics.value(f"{name}_bucket", method=_LIST_IDPS, le=bound)
        assert within == (seconds <= float(bound))


async def test_a_call_that_its_client_cancels_counts_as_cancelled(server: Instance) -> None:
    admin = server.admin
    idp_id = await given.idp(admin)
    update = idp_pb.UpdateIDPRequest(idp_id=idp_id, name="Too late")
    method = "/keystead.idp.v1.IdentityProviderService/UpdateIDP"

    async with given.locked_idp(server.dsn, idp_id) as connection:
        call = admin.call(admin.idps.UpdateIDP, update)
        await given.waiting_for_a_lock(connection)
        call.cancel()

        async def is_counted() -> bool:
            metrics = await scrape(server.web_port)
            return metrics.value("keystead_calls_total", method=method, code="CANCELLED") == 1

        await given.eventually(is_counted)


def test_every_method_and_code_is_there_before_the_first_call(at_the_start: Scrape) -> None:
    ours = {f"/{method.containing_service.full_name}/{method.name}" for method in METHODS}
    codes = {"OK", "CANCELLED", *(kind.name for kind in Kind)}
    for label, expected in (("method", ours), ("code", codes)):
        assert expected <= at_the_start.labels("keystead_calls_total", label)
    assert ours <= at_the_start.labels("keystead_call_duration_seconds_count", "method")


async def test_paths_that_are_no_method_make_no_series(
    server: Instance, at_the_start: Scrape
) -> None:
    for path in ("/keystead.No/Method", "/keystead.idp.v1.IdentityProviderService/No", "/x"):
        call: Any = server.channel.unary_unary(path)
        assert (await given.refusal(call(b""))).code is grpc.StatusCode.UNIMPLEMENTED
    async with web_client(server.web_port) as client:
        await client.get("/no/such/path")

    after = await scrape(server.web_port)
    assert after.series.keys() == at_the_start.series.keys()
    for code, count in (("UNIMPLEMENTED", 3), ("NOT_FOUND", 1)):
        assert after.value("keystead_calls_total", method="unknown", code=code) == count


async def test_gauges_tell_of_calls_and_connections_at_that_moment(
    make_instance: MakeInstance,
) -> None:
    async with make_instance(database_pool_size=1) as instance:
        admin = instance.admin
        idp_id = await given.idp(admin)
        update = idp_pb.UpdateIDPRequest(idp_id=idp_id, name="Renamed")

        async def again_and_again(method: Any, request: Message) -> None:
            """The server stops waiting for a lock before a slow scrape ends."""
            while True:
                with contextlib.suppress(grpc.aio.AioRpcError):
                    await admin.call(method, request)

        async def both_are_seen() -> bool:
            metrics = await scrape(instance.web_port)
            in_flight, in_use, waiting = map(metrics.value, _IN_USE)
            # Background work of the server waits, too.
            return (in_flight, in_use) == (2, 1) and waiting >= 1

        async with (
            given.locked_idp(instance.dsn, idp_id) as connection,
            asyncio.TaskGroup() as calls,
        ):
            first = calls.create_task(again_and_again(admin.idps.UpdateIDP, update))
            await given.waiting_for_a_lock(connection)
            second = calls.create_task(
                again_and_again(admin.users.GetCurrentUser, user_pb.GetCurrentUserRequest())
            )
            await given.eventually(both_are_seen)
            first.cancel()
            second.cancel()

        async def nothing_is_seen() -> bool:
            metrics = await scrape(instance.web_port)
            return not any(map(metrics.value, _IN_USE))

        # Not at once: background work of the server needs the database, too.
        await given.eventually(nothing_is_seen)
        metrics = await scrape(instance.web_port)
        assert metrics.value("keystead_database_pool_size") == 1
        assert metrics.value("keystead_database_up") == 1


def test_a_scrape_says_what_runs_and_how_much_it_uses(at_the_start: Scrape) -> None:
    assert at_the_start.labels("keystead_build_info", "version") == {version("keystead")}
    assert at_the_start.value("keystead_housekeeping_failures_total") == 0
    assert at_the_start.value("process_resident_memory_bytes") > 0
    assert at_the_start.value("process_open_fds") > 0


async def test_the_processor_time_is_that_of_the_process(instance: Instance) -> None:
    before = time.process_time()
    metrics = await scrape(instance.web_port)
    after = time.process_time()

    # The kernel counts in ticks of a hundredth of a second
    assert before - 0.1 < metrics.value("process_cpu_seconds_total") < after + 0.1


class _Collections:
    """A collector that counts collections."""

    def __init__(self) -> None:
        self.number = 0

    def collect(self) -> Iterator[Metric]:
        self.number += 1
        time.sleep(0.05)
        yield from ()


@pytest.fixture
def collections() -> _Collections:
    return _Collections()


@pytest.fixture
def exposition(collections: _Collections) -> Exposition:
    """The exposition of a server without calls."""
    metrics = Metrics()
    metrics.registry.register(collections)
    collections.number = 0  # registration collects once
    return Exposition(metrics, lambda: Gauges(0, True, 1, 0, 0, 0, 0, 0, 0), count=lambda: None)


async def test_scrapes_at_the_same_time_make_one_collection(
    exposition: Exposition, collections: _Collections
) -> None:
    answers = await asyncio.gather(*(exposition.render() for _ in range(20)))

    assert collections.number == 1
    assert len(set(answers)) == 1


async def test_a_collection_is_kept_for_a_second(
    exposition: Exposition, collections: _Collections
) -> None:
    await exposition.render()
    await asyncio.sleep(1.01)
    await exposition.render()

    assert collections.number == 2


async def test_two_servers_in_one_process_count_apart(instance: Instance, server: Instance) -> None:
    name = f"org-{server.port}"
    await instance.admin.call(
        instance.admin.orgs.CreateOrganization, org_pb.CreateOrganizationRequest(name=name)
    )

    metrics = await scrape(server.web_port)

    method = "/keystead.org.v1.OrganizationService/CreateOrganization"
    assert metrics.value("keystead_calls_total", method=method, code="OK") == 0

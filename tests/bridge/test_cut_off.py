"""Calls that exceed the grace period of a shutdown get UNAVAILABLE on every transport."""

import asyncio
import contextlib
from collections.abc import Sequence

import grpc
import structlog
from grpc_health.v1 import health_pb2, health_pb2_grpc
from structlog.typing import EventDict

from keystead.idp.v1 import identity_provider_service_pb2 as idp_pb
from server.rpc.running_calls import QUIET_SECONDS
from tests.conftest import MakeInstance
from tests.support import given
from tests.support.given import METHOD
from tests.support.grpcweb_client import frame
from tests.support.streams import refusal_of
from tests.support.transports import Call, Transports, authorization
from tests.support.web_client import web_client

_WATCH = "/grpc.health.v1.Health/Watch"


async def test_calls_that_outlive_the_grace_are_told_that_the_server_ends(
    make_instance: MakeInstance,
) -> None:
    async with contextlib.AsyncExitStack() as ended:
        instance = await ended.enter_async_context(
            make_instance(shutdown_grace=0.1, quiet_seconds=QUIET_SECONDS)
        )
        channel = grpc.aio.insecure_channel(f"127.0.0.1:{instance.port}")
        idp_id = await given.idp(instance.admin)
        call = Call(
            METHOD["UpdateIDP"],
            idp_pb.UpdateIDPRequest(idp_id=idp_id, name="Too late"),
            authorization(instance.admin.token),
        )
        async with (
            given.locked_idp(instance.dsn, idp_id) as connection,
            channel,
            Transports.into(channel, instance.web_port) as transports,
        ):
            calls = [
                asyncio.create_task(transport.answer(call)) for transport in transports.all.values()
            ]
            await given.waiting_for_a_lock(connection, statements=len(calls))

            with structlog.testing.capture_logs() as logs:
                await ended.aclose()

            assert _cut_off(logs) == [len(calls)]
            for answer in await asyncio.gather(*calls):
                assert answer.code is grpc.StatusCode.UNAVAILABLE
                assert answer.refusal.reason == "SHUTTING_DOWN"


def _cut_off(logs: Sequence[EventDict]) -> list[int]:
    """The number of calls in each warning."""
    return [line["calls"] for line in logs if line["event"] == "calls are cut off"]


async def test_streams_hold_nothing_up_and_are_told_that_the_server_ends(
    make_instance: MakeInstance,
) -> None:
    async with contextlib.AsyncExitStack() as ended:
        # Longer than a test may last.
        instance = await ended.enter_async_context(
            make_instance(shutdown_grace=3600, quiet_seconds=QUIET_SECONDS)
        )
        async with (
            grpc.aio.insecure_channel(f"127.0.0.1:{instance.port}") as channel,
            web_client(instance.web_port) as web,
            web.stream(
                "POST",
                _WATCH,
                headers={"content-type": "application/grpc-web+proto"},
                content=frame(b""),
            ) as over_the_web,
        ):
            natively = health_pb2_grpc.HealthStub(channel).Watch(health_pb2.HealthCheckRequest())
            await natively.read()

            with structlog.testing.capture_logs() as logs:
                await ended.aclose()

            assert _cut_off(logs) == []
            body = await over_the_web.aread()
            assert b"grpc-status: 14\r\n" in body
            refusal = await refusal_of(natively)
            assert refusal.code is grpc.StatusCode.UNAVAILABLE
            assert refusal.reason == "SHUTTING_DOWN"

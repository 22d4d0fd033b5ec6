"""SIGTERM under load, with calls in flight that finish and calls that abort."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Sequence
from typing import Any

import asyncpg

from chaos.load import PROTOCOLS, Caller, Load, callers
from chaos.promises import (
    promise_no_unexpected_errors,
    promise_nothing_is_lost,
)
from chaos.report import Report
from chaos.stage import Scale, Stage
from keystead.idp.v1 import identity_provider_service_pb2 as idp_pb
from tests.support.given import eventually
from tests.support.transports import Answer

# Longer than any call here: the grace period ends when the calls in flight have ended.
_GRACE_SECONDS = 60
_LOCK = "select from idps where id = any($1) for update"
_WAITING = "select count(distinct pid) from pg_locks where not granted and locktype <> 'extend'"


async def run(stage: Stage, scale: Scale, report: Report) -> None:
    """Each transport has a call in flight that must succeed, and one that must be NOT_FOUND."""
    async with stage.database() as dsn:
        loads = [await _terminated(stage, dsn, scale, report) for _ in range(scale.rounds)]
        everything = loads[0]
        for load in loads[1:]:
            everything.acknowledged += load.acknowledged
            everything.refused += load.refused
            everything.cut += load.cut
        async with stage.server(dsn) as served:
            await promise_nothing_is_lost(report, everything, served, dsn)


async def _terminated(stage: Stage, dsn: str, scale: Scale, report: Report) -> Load:
    async with (
        stage.server(
            dsn,
            database_pool_size=20,
            shutdown_grace=_GRACE_SECONDS,
            default_timeout=_GRACE_SECONDS,
        ) as served,
        callers(served.ports, served.token, len(PROTOCOLS)) as by_protocol,
    ):
        load = served.load(scale, aborting=True)
        async with load.running():
            await load.more("acknowledged", scale.writes)
            async with _in_flight(by_protocol, dsn) as in_flight:
                served.process.terminate()
                await load.more("refused", 4 * scale.callers)
                await load.more("aborted", 4 * scale.callers)
                report.did(
                    f"sent SIGTERM under {scale.callers} callers, whose every other call aborts;"
                    f" {len(in_flight)} calls were in flight while"
                    f" {len(load.refused)} writes were refused"
                )
                report.promise(
                    "no caller was cut off before the grace ended", unless=list(load.cut)
                )
            answers = await asyncio.gather(*in_flight, return_exceptions=True)
            status = await served.server.status()
            await load.more("cut", scale.callers)
        report.promise("running calls were answered", unless=_wrong(answers))
        report.promise(
            "new calls were refused with UNAVAILABLE, SHUTTING_DOWN and a retry delay"
            " (JSON: 503 with retry-after)",
            unless=[
                str(each)
                for each in load.refused
                if each.refusal.reason != "SHUTTING_DOWN" or not each.refusal.retry_seconds
            ],
        )
        report.promise(
            "calls of handlers that abort were answered",
            unless=[
                str(each)
                for each in load.aborted
                if each.refusal.reason not in ("IDP_NOT_FOUND", "SHUTTING_DOWN")
            ],
        )
        report.promise("the process ended with status 0", unless=[status] if status else [])
        promise_no_unexpected_errors(report, served)
    return load


@contextlib.asynccontextmanager
async def _in_flight(
    by_protocol: Sequence[Caller], dsn: str
) -> AsyncIterator[Sequence[Awaitable[Answer]]]:
    """Calls that wait for a lock until the end of the block.

    On each transport, one call will succeed, and one will find its identity provider removed.
    """
    renamed = [await _added(caller) for caller in by_protocol]
    removed = [await _added(caller) for caller in by_protocol]
    connection = await asyncpg.connect(dsn)
    try:
        async with connection.transaction():
            await connection.execute(_LOCK, renamed + removed)
            calls = [
                asyncio.ensure_future(
                    caller.call("UpdateIDP", idp_pb.UpdateIDPRequest(idp_id=idp_id, name="Renamed"))
                )
                for caller, idp_id in zip(
                    [*by_protocol, *by_protocol], renamed + removed, strict=True
                )
            ]

            async def all_wait() -> bool:
                waiting: int = await connection.fetchval(_WAITING)
                return waiting >= len(calls)

            try:
                await eventually(all_wait)
                yield calls
            except BaseException:
                for call in calls:
                    call.cancel()
                raise
            await connection.execute("delete from idps where id = any($1)", removed)
    finally:
        await connection.close()


async def _added(caller: Caller) -> str:
    answer: Any = await caller.call("CreateIDP", idp_pb.CreateIDPRequest(name="In flight"))
    idp_id: str = answer.response.idp_id
    return idp_id


def _wrong(answers: Sequence[Answer | BaseException]) -> list[str]:
    half = len(answers) // 2
    return [
        f"{place}: {answer}"
        for place, answer in enumerate(answers)
        if isinstance(answer, BaseException)
        or (answer.response is None) == (place < half)
        or (place >= half and answer.refusal.reason != "IDP_NOT_FOUND")
    ]

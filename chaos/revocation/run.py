"""Ends under load, and under faults."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterator
from itertools import cycle

import grpc
import httpx2

from chaos.load import Load, LostError
from chaos.promises import promise_no_unexpected_errors
from chaos.report import Report
from chaos.revocation.ends import Member, kind_of, offline
from chaos.revocation.installation import Installation, Servers, installed
from chaos.revocation.measured import Measured, NotAcceptedError
from chaos.stage import Stage

_WORKERS = 8
_LOADING = 3
_PAUSE_SECONDS = 0.2
# A watch that was cut resumes after a few seconds, and sends what it missed.
_CALM_SECONDS = 8.0
# Errors of the calls that prepare an end, during a fault.
_FAILED = (
    grpc.aio.AioRpcError,
    httpx2.TransportError,
    LostError,
    NotAcceptedError,
    AssertionError,
)


async def measure(
    stage: Stage, report: Report, *, ends: int, ends_under_faults: int, offline_ends: int = 0
) -> tuple[Measured, Measured]:
    """The times under load, and under load and faults."""
    calm, disturbed = Measured(), Measured(has_faults=True)
    async with installed(stage) as (at, servers, one):
        load = Load(one.ports, one.token, number=_LOADING)
        async with load.running(), asyncio.TaskGroup() as tasks:
            for _ in range(offline_ends):
                tasks.create_task(_offline(at, calm))
            await _end(at, calm, ends)
            report.did(f"{ends} ends under load")
            if ends_under_faults:
                async with _faults(servers, disturbed):
                    await _end(at, disturbed, ends_under_faults)
                report.did(
                    f"{ends_under_faults} ends while the second server and PostgreSQL were killed"
                    " and frozen in turn"
                )
        promise_no_unexpected_errors(report, one, servers.other)
    for measured in (calm, disturbed):
        if measured.ends:
            measured.judge(report)
    return calm, disturbed


async def _end(at: Installation, measured: Measured, number: int) -> None:
    numbers = iter(range(number))
    async with asyncio.TaskGroup() as tasks:
        for _ in range(min(number, _WORKERS)):
            tasks.create_task(_work(at, measured, numbers))


async def _work(at: Installation, measured: Measured, numbers: Iterator[int]) -> None:
    """Makes the next ends. After a failure during a fault, with a new member."""
    member: Member | None = None
    for number in numbers:
        is_answered = False
        while not is_answered:
            try:
                member = member or await Member.of(at)
                is_answered = await measured.measure(await kind_of(number)(member, number))
            except _FAILED:
                if not measured.has_faults:
                    raise
            if not is_answered:
                member = None
                await asyncio.sleep(_PAUSE_SECONDS)


async def _offline(at: Installation, measured: Measured) -> None:
    await measured.measure(await offline(await Member.of(at)))


@contextlib.asynccontextmanager
async def _faults(servers: Servers, measured: Measured) -> AsyncIterator[None]:
    """Faults, one after the other, during the block."""

    async def repeat() -> None:
        for fault in cycle((servers.kill_other, servers.kill_database, servers.freeze)):
            measured.is_disturbed = True
            await fault()
            await asyncio.sleep(_CALM_SECONDS)
            measured.is_disturbed = False
            await asyncio.sleep(_CALM_SECONDS / 4)

    async with asyncio.TaskGroup() as tasks:
        repeating = tasks.create_task(repeat())
        yield
        repeating.cancel()

"""Servers and PostgreSQL killed, and the clock set back, while services watch the ends of sessions.

Two servers share a database.
"""

import asyncio
import contextlib
from collections.abc import Sequence
from datetime import timedelta

from chaos import clock
from chaos.load import Ports
from chaos.promises import (
    promise_no_unexpected_errors,
)
from chaos.report import Report
from chaos.stage import Scale, Served, Stage, free_ports
from chaos.watchers import Ends, Watched, clients
from tests.support.given import Client


async def run(stage: Stage, scale: Scale, report: Report) -> None:
    """Every acknowledged end of a session arrives exactly once at every watcher."""
    ports = [free_ports(), free_ports()]
    async with stage.database() as dsn:
        await clock.install(stage, dsn)
        async with stage.server(dsn, ports=ports[0]) as steady:
            async with clients(ports, steady.token) as admins:
                await _disturbed(stage, scale, report, dsn, ports[1], admins)
            promise_no_unexpected_errors(report, steady)


async def _disturbed(
    stage: Stage,
    scale: Scale,
    report: Report,
    dsn: str,
    ports: Ports,
    admins: Sequence[Client],
) -> None:
    number = scale.writes // 4
    async with contextlib.AsyncExitStack() as ending:
        other = await ending.enter_async_context(stage.server(dsn, ports=ports))
        async with Watched.by(admins, scale) as watched:
            ends = watched.ends
            await ends.more(number)
            for _ in range(scale.rounds):
                async with watched.disturbed():
                    other = await _kill_server(stage, dsn, ports, other, ending, ends, scale)
                await ends.more(number)
                report.did("killed one of two servers, and started another")
                async with watched.disturbed():
                    await _kill_database(stage, ends, scale)
                await ends.more(number)
                report.did("killed PostgreSQL, and started it again")
                await _set_clock_back(dsn, ends, number)
                report.did("set the clock an hour back, and later right again")
    watched.judge(report)


async def _kill_server(
    stage: Stage,
    dsn: str,
    ports: Ports,
    served: Served,
    ending: contextlib.AsyncExitStack,
    ends: Ends,
    scale: Scale,
) -> Served:
    served.process.kill()
    await served.server.status()
    await ends.more(scale.callers)  # at the other server
    return await ending.enter_async_context(stage.server(dsn, ports=ports))


async def _kill_database(stage: Stage, ends: Ends, scale: Scale) -> None:
    stage.kill()
    await asyncio.sleep(1)  # an outage of some length
    await stage.start()
    await ends.more(scale.callers)


async def _set_clock_back(dsn: str, ends: Ends, number: int) -> None:
    for shift in (-timedelta(hours=1), timedelta()):
        await clock.shift(dsn, shift)
        await ends.more(number)

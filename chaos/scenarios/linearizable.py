"""Objects of all kinds used at two servers under kills, freezes and clock jumps, and judged."""

import asyncio
import contextlib
from datetime import timedelta

from chaos import clock
from chaos.load import Ports
from chaos.objects.codes import Code
from chaos.objects.work import CLIENTS, Work
from chaos.promises import promise_no_unexpected_errors
from chaos.report import Report
from chaos.stage import Scale, Served, Stage, free_ports

_FROZEN_SECONDS = 2


async def run(stage: Stage, scale: Scale, report: Report) -> None:
    """The calls on each object have one order that agrees with their times and answers."""
    ports, work = [free_ports(), free_ports()], Work()
    async with stage.database() as dsn, contextlib.AsyncExitStack() as ending:
        await clock.install(stage, dsn)
        async with stage.server(dsn, ports=ports[0]) as steady:
            other = await ending.enter_async_context(stage.server(dsn, ports=ports[1]))
            async with work.running(ports, steady.token):
                await work.begun()
                for _ in range(scale.rounds):
                    other = await _killed_server(stage, dsn, ports[1], other, ending, work, scale)
                    await _disturbed(stage, dsn, steady, work, scale)
                await work.history.more(scale.judged - work.history.answered)
            report.did(
                f"killed and froze a server and PostgreSQL, and set the clock back and right,"
                f" {scale.rounds} times under {CLIENTS} clients"
            )
            await work.promise_linearizable(report, stage.folder, dsn)
            promise_no_unexpected_errors(report, steady, other)


async def _killed_server(
    stage: Stage,
    dsn: str,
    ports: Ports,
    served: Served,
    ending: contextlib.AsyncExitStack,
    work: Work,
    scale: Scale,
) -> Served:
    await work.history.more(scale.writes)
    served.process.kill()
    await served.server.status()
    await work.history.more(scale.writes)  # at the other server
    again = await ending.enter_async_context(stage.server(dsn, ports=ports))
    await work.history.more(scale.writes)
    return again


async def _disturbed(stage: Stage, dsn: str, served: Served, work: Work, scale: Scale) -> None:
    stage.kill()
    await stage.start()
    await work.history.more(scale.writes)
    with stage.frozen():
        await asyncio.sleep(_FROZEN_SECONDS)
    await work.history.more(scale.writes)
    served.process.suspend()
    await asyncio.sleep(_FROZEN_SECONDS)
    served.process.resume()
    await work.history.more(scale.writes)
    async with work.without(Code):  # the clock ends codes
        for shift in (-timedelta(hours=1), timedelta()):
            await clock.shift(dsn, shift)
            await work.history.more(scale.writes)

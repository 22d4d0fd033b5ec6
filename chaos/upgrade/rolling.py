"""Servers are replaced one by one under load, and the older release comes back."""

import asyncio
import contextlib
from pathlib import Path

from chaos import ledger
from chaos.load import Load, Ports
from chaos.objects.users import UserName
from chaos.objects.work import Work
from chaos.promises import promise_no_unexpected_errors
from chaos.report import Report
from chaos.stage import Scale, Served, Stage, free_ports
from chaos.upgrade import steps
from chaos.upgrade.releases import Release, this

_NEWER = "the schema is of a newer release"


async def run(stage: Stage, scale: Scale, report: Report, old: Release) -> None:
    """Two servers of the older release become two of this one."""
    one, two, three = (free_ports() for _ in range(3))
    async with stage.database() as dsn, contextlib.AsyncExitStack() as stack:

        async def serve(ports: Ports, program: Path | None = None) -> Served:
            server = stage.server(dsn, program, ports=ports)
            return await stack.enter_async_context(server)

        first, second = await asyncio.gather(serve(one, old.program), serve(two, old.program))
        data_dir = first.server.data_dir
        await steps.fill(old, first)
        await steps.promise_foretold(report, dsn, data_dir, "Its servers can keep running.")
        report.did(f"filled two servers of {old}")
        work = Work(4 * (UserName,))  # the older releases know most of their calls
        working = contextlib.AsyncExitStack()
        await stack.enter_async_context(working)
        await working.enter_async_context(work.running([one, two, three], first.token))
        before = [_load(first, scale), _load(second, scale)]
        async with before[0].running(), before[1].running():
            await _more(before, scale)
            third = await serve(three)
            await _more(before, scale)
        report.did("started this release, which migrated under load")
        during = [_load(second, scale), _load(third, scale)]
        async with during[0].running(), during[1].running():
            await first.server.end()
            first_again = await serve(one, old.program)
            await _more(during, scale)
            await steps.promise_readable(report, old, first_again)
            await first_again.server.end()
            first_new = await serve(one)
            await _more(during, scale)
        report.promise(
            "a server of the older release that starts on the newer schema warns",
            unless=[] if first_again.server.events(_NEWER) else [first_again.server.errors],
        )
        report.did("restarted a server of the older release on the newer schema, and replaced it")
        after = [_load(third, scale), _load(first_new, scale)]
        async with after[0].running(), after[1].running():
            await second.server.end()
            second_new = await serve(two)
            await _more(after, scale)
        await working.aclose()
        report.did("replaced the other server")
        await work.promise_linearizable(report, stage.folder, dsn)
        loads = [*before, *during, *after]
        await _promise_nothing_failed(report, loads, second_new, dsn)
        await steps.promise_readable(report, this(), second_new)
        await steps.promise_healthy(report, dsn, data_dir)

        for served in (third, first_new, second_new):
            await served.server.end()
        back = await serve(one, old.program)
        load = _load(back, scale)
        async with load.running():
            await _more([load], scale)
        report.did("went back to the older release")
        await _promise_nothing_failed(report, [*loads, load], back, dsn, tokens=False)
        await steps.promise_readable(report, old, back)
        await back.server.end()
        await steps.promise_healthy(report, dsn, data_dir)
        promise_no_unexpected_errors(
            report, *(first, second, third, first_again, first_new, second_new, back)
        )


def _load(served: Served, scale: Scale) -> Load:
    """Calls that the older releases know by the same names; CreateIDP was AddIDP."""
    return served.load(scale, idps=False)


async def _more(loads: list[Load], scale: Scale) -> None:
    for load in loads:
        await load.more("acknowledged", scale.writes)


async def _promise_nothing_failed(
    report: Report, loads: list[Load], served: Served, dsn: str, *, tokens: bool = True
) -> None:
    """Without `tokens`, none is used: builds before the first release refuse their present form."""
    written = [each for load in loads for each in load.acknowledged]
    report.saw(f"{len(written)} writes acknowledged")
    report.promise(
        "no call failed",
        unless=[failed for load in loads for failed in (*load.refused, *load.cut)],
    )
    report.promise("every write is in the log of events", unless=await ledger.lost(dsn, written))
    report.promise(
        "everything written can be read, over every protocol",
        unless=await ledger.unreadable(
            served.ports,
            served.token,
            [each for each in written if tokens or each.method != "CreateToken"],
        ),
    )

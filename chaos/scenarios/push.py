"""PostgreSQL and Keystead killed, the clock set back, the target cut off, as webhooks are sent."""

import contextlib
import operator
from collections.abc import AsyncIterator
from datetime import timedelta
from functools import partial
from pathlib import Path

from chaos import clock
from chaos.load import Ports
from chaos.outbox import WORKERS, execute, kill, until
from chaos.promises import promise_no_unexpected_errors, promise_rebuilt_is_live
from chaos.pushed import HURRY, GroupChanges, all_sent, judge, settings
from chaos.report import Report
from chaos.stage import Scale, Served, Stage, free_ports
from tests.support.certificates import Authority
from tests.support.push_target import NO_CONTENT, PushTarget, cut, push_target

# Only while no process runs that may hold a lease.
_END_LEASES = """
with ended as (
    update push_deliveries set next_attempt_at = clock_timestamp() where is_leased)
update push_targets set next_turn_at = clock_timestamp()"""
_FAILED_TRIES = "select count(*) from push_attempts where reason <> ''"


async def run(stage: Stage, scale: Scale, report: Report) -> None:
    """Every acknowledged change arrives, in the order of its group, and copies have one ID."""
    ports, writes = free_ports(), scale.writes // 3
    folder = stage.folder / "push"
    folder.mkdir()
    authority = Authority(folder)
    async with (
        stage.database() as dsn,
        push_target(authority) as target,
        contextlib.AsyncExitStack() as stack,
    ):
        await clock.install(stage, dsn)
        async with _served(stage, dsn, ports, authority.ca_file) as served:
            senders = await stack.enter_async_context(GroupChanges.of(served))
            await senders.subscribe(target)
            async with senders.running(scale.callers):
                for _ in range(scale.rounds):
                    await senders.more(writes)
                    await senders.without_database(stage, scale.callers)
                    await senders.more(writes)
                    await _without_target(dsn, target)
                    await _set_clock_back(dsn, senders, writes)
                await senders.more(writes)
                await kill(served)
        await execute(dsn, _END_LEASES)
        report.did(
            f"killed PostgreSQL, cut off the target and set the clock back {scale.rounds} times,"
            f" then killed {WORKERS} workers, under {scale.callers} callers who changed groups"
        )
        async with _served(stage, dsn, ports, authority.ca_file) as served:
            await all_sent(dsn)
            await judge(report, dsn, senders, target)
            promise_no_unexpected_errors(report, served)
        await promise_rebuilt_is_live(report, dsn, served.server.data_dir)


@contextlib.asynccontextmanager
async def _served(stage: Stage, dsn: str, ports: Ports, ca_file: Path) -> AsyncIterator[Served]:
    async with stage.server(dsn, ports=ports, workers=WORKERS, **settings(ca_file)) as served:
        yield served


async def _without_target(dsn: str, target: PushTarget) -> None:
    """The target takes pushes, and cuts the connection before its answer."""
    failed = await execute(dsn, _FAILED_TRIES)
    target.answer = cut
    await until(dsn, _FAILED_TRIES, partial(operator.lt, failed), hurry=HURRY)
    target.answer = NO_CONTENT


async def _set_clock_back(dsn: str, senders: GroupChanges, number: int) -> None:
    for shift in (-timedelta(hours=1), timedelta()):
        await clock.shift(dsn, shift)
        await senders.more(number)

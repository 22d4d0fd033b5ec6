"""PostgreSQL killed and started again under load."""

import time

from chaos.promises import (
    promise_no_unexpected_errors,
    promise_nothing_is_lost,
    promise_rebuilt_is_live,
    promise_unavailable,
)
from chaos.report import Report
from chaos.stage import Scale, Stage


async def run(stage: Stage, scale: Scale, report: Report) -> None:
    """SIGKILL for PostgreSQL's first process, as by the kernel when memory is short."""
    async with (
        stage.database() as dsn,
        stage.server(dsn) as served,
        served.monitored() as health,
    ):
        load = served.load(scale)
        async with load.running():
            for _ in range(scale.rounds):
                await load.more("acknowledged", scale.writes)
                killed = time.monotonic()
                stage.kill()
                await health.reports(ready=False)
                reported = time.monotonic()
                await load.more("refused", scale.callers)
                await stage.start()
                started = time.monotonic()
                await load.more("acknowledged", scale.callers)
                written = time.monotonic()
                await health.reports(ready=True)
                report.did(
                    f"killed PostgreSQL under {scale.callers} callers: health, readiness and Watch"
                    f" reported it within {reported - killed:.2f} s; started it again: all"
                    f" protocols wrote after {written - started:.2f} s"
                )
            await load.more("acknowledged", scale.writes)
        report.promise(
            "Check, Watch and /readyz reported each outage and its end, /livez was always 200",
            unless=health.contradictions(times=scale.rounds),
        )
        promise_unavailable(report, load)
        await promise_nothing_is_lost(report, load, served, dsn)
        promise_no_unexpected_errors(report, served)
        await promise_rebuilt_is_live(report, dsn, served.server.data_dir)

"""PostgreSQL killed and started again under load."""

import time

import grpc

from chaos.load import Load, Refused
from chaos.report import Report
from chaos.stage import Scale, Stage, promise_nothing_is_lost, promise_rebuilt_is_live


async def run(stage: Stage, scale: Scale, report: Report) -> None:
    """SIGKILL for PostgreSQL's first process, as by the kernel when memory is short."""
    async with (
        stage.database() as dsn,
        stage.server(dsn) as served,
        served.witness() as witness,
    ):
        load = served.load(scale)
        async with load.running():
            for _ in range(scale.rounds):
                await load.more("acknowledged", scale.writes)
                killed = time.monotonic()
                stage.kill()
                await witness.says(ready=False)
                told = time.monotonic()
                await load.more("refused", scale.callers)
                await stage.start()
                started = time.monotonic()
                await load.more("acknowledged", scale.callers)
                written = time.monotonic()
                await witness.says(ready=True)
                report.did(
                    f"killed PostgreSQL under {scale.callers} callers: health, readiness and Watch"
                    f" said so within {told - killed:.2f} s; started it again: all ways wrote after"
                    f" {written - started:.2f} s"
                )
            await load.more("acknowledged", scale.writes)
        report.promise(
            "Check, Watch and /readyz told the truth throughout, /livez was always 200",
            unless=witness.contradictions(times=scale.rounds),
        )
        promise_unavailable(report, load)
        await promise_nothing_is_lost(report, load, served, dsn)
        report.promise("the server met nothing it had no word for", unless=served.complaints())
        await promise_rebuilt_is_live(report, dsn, served.server.data_dir)


def promise_unavailable(report: Report, load: Load) -> None:
    """Promises that writes are refused correctly without the database, also over HTTP (503)."""
    report.promise(
        "who was refused heard UNAVAILABLE, DATABASE_UNAVAILABLE and when to try again"
        " (JSON: 503 with retry-after)",
        unless=[refused for refused in load.refused if not _is_unavailable(refused)],
    )
    report.promise("everybody got an answer", unless=load.cut)


def _is_unavailable(refused: Refused) -> bool:
    refusal = refused.refusal
    return (
        refusal.code is grpc.StatusCode.UNAVAILABLE
        and refusal.reason == "DATABASE_UNAVAILABLE"
        and bool(refusal.retry_seconds)
    )

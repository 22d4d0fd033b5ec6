"""The server killed and started again under load."""

from chaos.load import Load
from chaos.promises import (
    promise_nothing_is_lost,
    promise_rebuilt_is_live,
)
from chaos.report import Report
from chaos.stage import Scale, Stage, free_ports


async def run(stage: Stage, scale: Scale, report: Report) -> None:
    """SIGKILL, so that the server cannot clean up."""
    ports = free_ports()
    async with stage.database() as dsn:
        async with stage.server(dsn, ports=ports) as served:
            load = served.load(scale)
        async with load.running():
            for _ in range(scale.rounds):
                await _killed(stage, dsn, load, scale)
                report.did(f"killed the server under {scale.callers} callers, and started another")
            async with stage.server(dsn, ports=ports) as served:
                await load.more("acknowledged", scale.writes)
                load.stop()
                await promise_nothing_is_lost(report, load, served, dsn)
        report.promise("nobody was refused by a server that was there", unless=load.refused)
        await promise_rebuilt_is_live(report, dsn, served.server.data_dir)


async def _killed(stage: Stage, dsn: str, load: Load, scale: Scale) -> None:
    async with stage.server(dsn, ports=load.ports) as served:
        await load.more("acknowledged", scale.writes)
        served.process.kill()
        await served.server.status()
        await load.more("cut", scale.callers)

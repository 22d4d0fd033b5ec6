"""Objects of all kinds used at servers of a primary and of its standby, which takes its place.

Two servers share the database by a URL of both hosts, and a third reads from the standby.
"""

from chaos.objects.work import Work
from chaos.promises import promise_no_unexpected_errors, promise_rebuilt_is_live
from chaos.report import Report
from chaos.stage import Scale, Stage, free_ports
from chaos.standby import Pair


async def run(stage: Stage, scale: Scale, report: Report) -> None:
    """The calls on each object have one order, but for the delay of the standby."""
    ports, number, work = [free_ports() for _ in range(3)], scale.judged // 10, Work()
    # The database has the name of that of the other scenario with a standby.
    data_dir = stage.folder / "linearizable-failover-data"
    async with (
        Pair.running(stage.folder / "linearizable-failover") as pair,
        stage.server(pair.dsn, ports=ports[0], data_dir=data_dir) as one,
        stage.server(pair.dsn, ports=ports[1], data_dir=data_dir) as other,
        stage.server(pair.standby_dsn, ports=ports[2], data_dir=data_dir) as reader,
    ):
        async with work.running(ports[:2], one.token, standbys=ports[2:]):
            await work.begun()
            await work.history.more(number)
            await pair.fail_over()
            await work.history.more(number)
        report.did("killed the primary under load, and promoted its standby")
        promise_no_unexpected_errors(report, one, other, reader)
        await promise_rebuilt_is_live(report, pair.dsn, one.server.data_dir)
        await work.promise_linearizable(report, stage.folder, pair.dsn)

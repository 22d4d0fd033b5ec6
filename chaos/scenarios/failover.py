"""The primary killed and its standby promoted, while services watch sessions and get webhooks.

Two servers share the database by a URL of both hosts. The standby is synchronous, so it has all
acknowledged writes.
"""

import time

from chaos.promises import (
    promise_no_unexpected_errors,
    promise_rebuilt_is_live,
)
from chaos.pushed import GroupChanges, all_sent, judge, settings
from chaos.report import Report
from chaos.stage import Scale, Stage, free_ports
from chaos.standby import Pair
from chaos.watchers import Watched, clients
from tests.support.certificates import Authority
from tests.support.push_target import push_target


async def run(stage: Stage, scale: Scale, report: Report) -> None:
    """Every acknowledged end of a session and every change of a group is told."""
    number = scale.writes // 2
    folder = stage.folder / "failover-target"
    folder.mkdir()
    authority = Authority(folder)
    options = settings(authority.ca_file)
    ports = [free_ports(), free_ports()]
    async with (
        Pair.running(stage.folder / "failover") as pair,
        stage.server(pair.dsn, ports=ports[0], **options) as one,
        stage.server(pair.dsn, ports=ports[1], **options) as other,
        clients(ports, one.token) as admins,
        push_target(authority) as target,
        GroupChanges.of(one) as changes,
    ):
        await changes.subscribe(target)
        async with Watched.by(admins, scale) as watched, changes.running(scale.callers):
            await watched.ends.more(number)
            async with watched.disturbed():
                killed = time.monotonic()
                await pair.fail_over()
                promoted = time.monotonic()
                await watched.ends.more(scale.callers)
                report.did(
                    f"killed the primary, and promoted its standby within {promoted - killed:.2f}"
                    f" s; sessions ended again {time.monotonic() - promoted:.2f} s later"
                )
            await watched.ends.more(number)
            await changes.more(number)
        watched.judge(report)
        await all_sent(pair.dsn)
        await judge(report, pair.dsn, changes, target)
        promise_no_unexpected_errors(report, one, other)
        await promise_rebuilt_is_live(report, pair.dsn, one.server.data_dir)

"""The database read-only, as a standby is, or one whose provider has stopped writes."""

import time

from chaos.ledger import unreadable
from chaos.promises import (
    promise_no_unexpected_errors,
    promise_nothing_is_lost,
    promise_rebuilt_is_live,
    promise_unavailable,
)
from chaos.report import Report
from chaos.stage import Scale, Stage

_READ_ONLY = "alter system set default_transaction_read_only = on"
_WRITABLE = "alter system reset default_transaction_read_only"
_RELOAD = "select pg_reload_conf()"


async def run(stage: Stage, scale: Scale, report: Report) -> None:
    """`default_transaction_read_only` for every session, in the middle of the load."""
    async with (
        stage.database() as dsn,
        stage.server(dsn) as served,
        served.monitored() as health,
    ):
        load = served.load(scale)
        async with load.running():
            await load.more("acknowledged", scale.writes)
            await stage.administer(_READ_ONLY, _RELOAD)
            try:
                report.did("made PostgreSQL read-only under load")
                await load.more("refused", 2 * scale.callers)
                problems = await unreadable(
                    served.ports, served.token, load.acknowledged[-scale.writes :]
                )
                report.promise("reading goes on", unless=problems)
                await health.reports(ready=False)
            finally:
                await stage.administer(
                    "set default_transaction_read_only = off", _WRITABLE, _RELOAD
                )
            writable = time.monotonic()
            await health.reports(ready=True)
            await load.more("acknowledged", scale.writes)
            report.saw(
                f"every protocol wrote {time.monotonic() - writable:.2f} s after the end of it"
            )
        report.promise(
            "Check, Watch and /readyz reported not ready while writes were refused",
            unless=health.contradictions(times=1),
        )
        promise_unavailable(report, load)
        await promise_nothing_is_lost(report, load, served, dsn)
        promise_no_unexpected_errors(report, served)
        await promise_rebuilt_is_live(report, dsn, served.server.data_dir)

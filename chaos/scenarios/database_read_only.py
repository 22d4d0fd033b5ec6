"""The database read-only, as a standby is, or one whose provider has stopped writes."""

import time

from chaos.ledger import unreadable
from chaos.report import Report
from chaos.scenarios.database_killed import promise_unavailable
from chaos.stage import Scale, Stage, promise_nothing_is_lost, promise_rebuilt_is_live

_READ_ONLY = "alter system set default_transaction_read_only = on"
_WRITABLE = "alter system reset default_transaction_read_only"
_RELOAD = "select pg_reload_conf()"


async def run(stage: Stage, scale: Scale, report: Report) -> None:
    """`default_transaction_read_only` for every session, in the middle of the load."""
    async with (
        stage.database() as dsn,
        stage.server(dsn) as served,
        served.witness() as witness,
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
                await witness.says(ready=False)
            finally:
                await stage.administer(
                    "set default_transaction_read_only = off", _WRITABLE, _RELOAD
                )
            writable = time.monotonic()
            await witness.says(ready=True)
            await load.more("acknowledged", scale.writes)
            report.saw(f"every way wrote {time.monotonic() - writable:.2f} s after the end of it")
        report.promise(
            "Check, Watch and /readyz said not ready while writes were refused",
            unless=witness.contradictions(times=1),
        )
        promise_unavailable(report, load)
        await promise_nothing_is_lost(report, load, served, dsn)
        report.promise("the server met nothing it had no word for", unless=served.complaints())
        await promise_rebuilt_is_live(report, dsn, served.server.data_dir)

"""Servers that do not run on the newer schema become not ready, and refuse to start."""

import urllib.error
import urllib.request
from pathlib import Path

from chaos.promises import promise_no_unexpected_errors
from chaos.report import Report
from chaos.stage import Scale, Stage, free_ports
from chaos.upgrade import steps
from chaos.upgrade.releases import Release, this
from server.store.schema import newest_version
from tests.support import given, process


async def run(stage: Stage, _scale: Scale, report: Report, old: Release) -> None:
    """A server of the older release runs, although it should have been stopped."""
    ports = free_ports()
    async with (
        stage.database() as dsn,
        stage.server(dsn, old.program, ports=ports) as forgotten,
    ):
        data_dir = forgotten.server.data_dir
        await steps.fill(old, forgotten)
        await steps.promise_foretold(report, dsn, data_dir, "Stop all servers first")
        report.did(f"filled a server of {old}")
        async with stage.server(dsn, ports=free_ports()) as served:
            report.did("started this release, which migrated")
            await given.eventually(lambda: _needs_newer(ports.web))
            report.promise("the older server becomes not ready and says why", unless=[])
            await forgotten.server.end()
            await _promise_refusal(report, old, dsn, data_dir)
            await steps.promise_readable(report, this(), served)
            await steps.promise_healthy(report, dsn, data_dir)
            promise_no_unexpected_errors(report, forgotten, served)


async def _needs_newer(web_port: int) -> bool:
    try:
        urllib.request.urlopen(f"http://127.0.0.1:{web_port}/readyz").close()  # noqa: ASYNC210
    except urllib.error.HTTPError as error:
        return b"needs a newer release" in error.read()
    return False


async def _promise_refusal(report: Report, old: Release, dsn: str, data_dir: Path) -> None:
    async with process.serve(data_dir, None, old.program, database_url=dsn) as refused:
        status = await refused.status()
        errors = refused.errors
    named = (str(old.version), str(newest_version()), "Use the release that migrated")
    report.promise(
        "the older server refuses to start, and names both versions and the remedy",
        unless=[] if status == 1 and all(each in errors for each in named) else [errors],
    )

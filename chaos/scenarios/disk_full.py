"""The disk full: first for tables, then for the log that PostgreSQL cannot do without."""

import contextlib
import os
import subprocess
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import asyncpg

from chaos.ledger import unreadable
from chaos.promises import (
    promise_no_unexpected_errors,
    promise_nothing_is_lost,
    promise_rebuilt_is_live,
    promise_unavailable,
)
from chaos.report import NotPossibleHereError, Report
from chaos.stage import Scale, Stage
from server.process.embedded_postgres import running

_DISK_MEBIBYTES = 192


async def run(stage: Stage, scale: Scale, report: Report) -> None:
    """Fills a small disk, on which a server has its embedded PostgreSQL, with a large file."""
    with _small_disk(stage.folder / "disk") as disk:
        data_dir = disk / "data"
        async with (
            stage.server(None, data_dir=data_dir) as served,
            served.monitored() as health,
            _operator(data_dir) as operator,
        ):
            load = served.load(scale)
            async with load.running():
                await load.more("acknowledged", scale.writes)
                with _full(disk):
                    report.did("filled the disk under load")
                    await load.more("refused", scale.callers)
                    problems = await unreadable(
                        served.ports, served.token, load.acknowledged[-scale.writes :]
                    )
                    report.promise("reading goes on while there is no room", unless=problems)
                    await health.reports(ready=False)
                await health.reports(ready=True)
                await load.more("acknowledged", scale.writes)
                report.promise(
                    "Check, Watch and /readyz reported not ready while writes were refused",
                    unless=health.contradictions(times=1),
                )
                with _full(disk):
                    await _end_segment(operator)
                    report.did(
                        "filled it again and ended the segment of the write-ahead log: PostgreSQL"
                        " gave up"
                    )
                    await health.reports(ready=False)
                    await load.more("refused", scale.callers)
                freed = time.monotonic()
                await health.reports(ready=True)
                await load.more("acknowledged", scale.writes)
                report.saw(
                    f"{time.monotonic() - freed:.2f} s after there was room again, the server had"
                    " started PostgreSQL, and every protocol wrote"
                )
            report.promise(
                "Check, Watch and /readyz reported each outage and its end, /livez was always 200",
                unless=health.contradictions(times=2),
            )
            promise_unavailable(report, load)
            with running(data_dir) as cluster:
                await promise_nothing_is_lost(report, load, served, cluster.dsn)
            promise_no_unexpected_errors(report, served)
            await promise_rebuilt_is_live(report, None, data_dir)


@contextlib.asynccontextmanager
async def _operator(data_dir: Path) -> AsyncIterator[asyncpg.Connection]:
    """A connection opened before the fault, because a new one may need space on the disk."""
    with running(data_dir) as cluster:
        connection = await asyncpg.connect(cluster.admin_dsn)
    try:
        yield connection
    finally:
        connection.terminate()


@contextlib.contextmanager
def _small_disk(folder: Path) -> Iterator[Path]:
    """A file system in memory. NotPossibleHereError without the right to mount one."""
    folder.mkdir()
    options = f"size={_DISK_MEBIBYTES}m,mode=755"
    mount = ["/bin/mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)]
    try:
        subprocess.run(mount, check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise NotPossibleHereError("mounting a small disk takes root on Linux") from error
    try:
        yield folder
    finally:
        subprocess.run(["/bin/umount", folder], check=True)


@contextlib.contextmanager
def _full(disk: Path) -> Iterator[None]:
    """Fills the disk during the block."""
    filler = disk / "filler"
    with filler.open("wb") as file, contextlib.suppress(OSError):
        while True:
            os.write(file.fileno(), bytes(4096))
    try:
        yield
    finally:
        filler.unlink()


async def _end_segment(operator: asyncpg.Connection) -> None:
    """Ends the WAL segment; the next write needs a new one, for which there is no space."""
    with contextlib.suppress(asyncpg.PostgresError, ConnectionError):  # PostgreSQL may crash
        await operator.execute("select pg_switch_wal()")

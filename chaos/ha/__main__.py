"""`python -m chaos.ha`: the command line."""

import asyncio
import contextlib
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import click

from chaos import ledger
from chaos.ha.faults import FAULTS
from chaos.ha.installation import Installation
from chaos.ha.patroni import Programs
from chaos.ha.writers import Writers
from chaos.promises import (
    promise_no_unexpected_errors,
    promise_rebuilt_is_live,
)
from chaos.report import NotPossibleHereError, Report, conclude

# The number of writes that each server acknowledges before a fault, and after it.
_WRITES = 30
_START_SECONDS = 90
_PATIENCE_SECONDS = 150
_NOT_RUN = 3


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--fault",
    "names",
    type=click.Choice(list(FAULTS)),
    multiple=True,
    default=list(FAULTS),
    help="Only this one; may be given several times.",
)
@click.option(
    "--patroni",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Another Patroni than that of this virtual environment, such as /usr/bin/patroni.",
)
@click.option(
    "--postgresql",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Directory of another PostgreSQL, such as /usr/lib/postgresql/15/bin.",
)
def main(*, names: Sequence[str], patroni: Path | None, postgresql: Path | None) -> None:
    """Take the leader of a PostgreSQL cluster away under load, and print the kept promises.

    Ends with status 1 if a promise is broken, with 3 if a program is missing. Needs etcd, haproxy,
    and about a minute for each fault. Does not touch running servers.
    """
    with tempfile.TemporaryDirectory(prefix="keystead-chaos-") as folder:
        Path(folder).chmod(0o755)  # for the account that runs PostgreSQL for root
        try:
            reports = asyncio.run(_perform(names, Path(folder), Programs(patroni, postgresql)))
        except NotPossibleHereError as error:
            click.echo(f"not run: {error}.", err=True)
            sys.exit(_NOT_RUN)
    conclude(reports)


async def _perform(names: Sequence[str], folder: Path, programs: Programs) -> list[Report]:
    reports = []
    async with contextlib.AsyncExitStack() as stack:
        async with asyncio.timeout(_START_SECONDS):
            installation = await stack.enter_async_context(Installation.built(folder, programs))
        click.echo(f"{await programs.versions()}\n")
        for name in names:
            reports.append(await _try(name, installation))
            click.echo(f"{reports[-1]}\n")
    return reports


async def _try(name: str, installation: Installation) -> Report:
    """Injects one fault, and judges its effects."""
    report = Report(name, (FAULTS[name].__doc__ or "").partition("\n")[0])
    all_writers = installation.writers()
    failures: list[str] = []
    try:
        async with asyncio.timeout(_PATIENCE_SECONDS):
            await _under_load(name, installation, all_writers, report)
    except Exception as error:  # noqa: BLE001 -- the other faults go on
        failures.append(repr(error))
    report.promise("both servers wrote again, without a restart", unless=failures)
    await _judge(report, installation, all_writers)
    return report


async def _under_load(
    name: str, installation: Installation, all_writers: Sequence[Writers], report: Report
) -> None:
    async with contextlib.AsyncExitStack() as running:
        for writers in all_writers:
            await running.enter_async_context(writers.running())
        await _all_write(all_writers)
        began = time.monotonic()
        async with FAULTS[name](installation.cluster) as step:
            report.did(step)
            await _all_write(all_writers)
        await installation.cluster.whole()
        await _all_write(all_writers)
    for writers in all_writers:
        begin, end = writers.longest_silence(began)
        told = writers.time_until_not_ready(begin)
        report.saw(
            f"{writers.server}: {end - begin:.1f} s without a write; /readyz told"
            + (f" {told:.1f} s after the last one" if told is not None else " nothing of it")
            + f"; {len(writers.acknowledged)} writes, {len(writers.failures)} tries failed"
        )


async def _all_write(all_writers: Sequence[Writers]) -> None:
    for writers in all_writers:
        await writers.more(_WRITES)


async def _judge(
    report: Report, installation: Installation, all_writers: Sequence[Writers]
) -> None:
    acknowledged = [each for writers in all_writers for each in writers.acknowledged]
    leader = installation.cluster.dsn + "?target_session_attrs=read-write"
    report.promise(
        f"all {len(acknowledged)} acknowledged writes are in the log, with sequence and name",
        unless=await ledger.lost(leader, acknowledged),
    )
    report.promise(
        "no write was made twice, however often it was repeated",
        unless=await ledger.repeated(leader, [each.name for each in acknowledged]),
    )
    promise_no_unexpected_errors(report, *(served for _, served in installation.servers))
    await promise_rebuilt_is_live(report, leader, installation.direct.server.data_dir)


if __name__ == "__main__":
    main()

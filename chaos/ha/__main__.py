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
from chaos.ha.patroni import Programs
from chaos.ha.stage import Stage
from chaos.ha.writers import Writers
from chaos.report import NotPossibleHereError, Report
from chaos.stage import promise_rebuilt_is_live

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
    broken = sum(len(report.broken) for report in reports)
    kept = sum(len(report.promises) for report in reports) - broken
    click.echo(f"{kept} promises kept, {broken} broken.")
    sys.exit(1 if broken else 0)


async def _perform(names: Sequence[str], folder: Path, programs: Programs) -> list[Report]:
    reports = []
    async with contextlib.AsyncExitStack() as stack:
        async with asyncio.timeout(_START_SECONDS):
            stage = await stack.enter_async_context(Stage.built(folder, programs))
        click.echo(f"{await programs.versions()}\n")
        for name in names:
            reports.append(await _try(name, stage))
            click.echo(f"{reports[-1]}\n")
    return reports


async def _try(name: str, stage: Stage) -> Report:
    """Injects one fault, and judges its effects."""
    report = Report(name, (FAULTS[name].__doc__ or "").partition("\n")[0])
    all_writers = stage.writers()
    try:
        async with asyncio.timeout(_PATIENCE_SECONDS):
            await _under_load(name, stage, all_writers, report)
    except Exception as error:  # noqa: BLE001 -- the other faults go on
        report.promise("both servers wrote again, without a restart", unless=[repr(error)])
    else:
        report.promise("both servers wrote again, without a restart", unless=[])
    await _judge(report, stage, all_writers)
    return report


async def _under_load(
    name: str, stage: Stage, all_writers: Sequence[Writers], report: Report
) -> None:
    async with contextlib.AsyncExitStack() as running:
        for writers in all_writers:
            await running.enter_async_context(writers.running())
        await _all_write(all_writers)
        began = time.monotonic()
        async with FAULTS[name](stage.cluster) as step:
            report.did(step)
            await _all_write(all_writers)
        await stage.cluster.whole()
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


async def _judge(report: Report, stage: Stage, all_writers: Sequence[Writers]) -> None:
    acknowledged = [each for writers in all_writers for each in writers.acknowledged]
    leader = stage.cluster.dsn + "?target_session_attrs=read-write"
    report.promise(
        f"all {len(acknowledged)} acknowledged writes are in the log, with sequence and name",
        unless=await ledger.lost(leader, acknowledged),
    )
    report.promise(
        "no write was made twice, however often it was repeated",
        unless=await ledger.repeated(leader, [each.name for each in acknowledged]),
    )
    report.promise(
        "the servers met nothing they had no word for",
        unless=[line for _, served in stage.servers for line in served.complaints()],
    )
    await promise_rebuilt_is_live(report, leader, stage.direct.server.data_dir)


if __name__ == "__main__":
    main()

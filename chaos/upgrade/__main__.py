"""`python -m chaos.upgrade`: the command line."""

import asyncio
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import click

from chaos.report import Report, conclude
from chaos.stage import FULL, SMALL, Scale, Stage
from chaos.upgrade import rolling, stopping
from chaos.upgrade.releases import NotInHistoryError, default_refs, installed

_PATIENCE_SECONDS = 300


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--from",
    "refs",
    multiple=True,
    help="A commit or tag to upgrade from; may be given several times. Default: the latest tag, or"
    " the oldest commit whose servers run on the schema of this release; and one whose do not.",
)
@click.option("--small", is_flag=True, help="With few callers and writes.")
def main(*, refs: Sequence[str], small: bool) -> None:
    """Upgrade installed older releases under load, go back, and print the kept promises.

    Ends with status 1 if a promise is broken, or if the history lacks a commit. Downloads the
    packages of the older locks. Does not touch running servers.
    """
    with tempfile.TemporaryDirectory(prefix="keystead-upgrade-") as folder:
        Path(folder).chmod(0o755)  # for the account that runs PostgreSQL for root
        try:
            reports = asyncio.run(_perform(refs, Path(folder), SMALL if small else FULL))
        except NotInHistoryError as error:
            raise click.ClickException(str(error)) from error
    conclude(reports)


async def _perform(refs: Sequence[str], folder: Path, scale: Scale) -> list[Report]:
    reports = []
    with Stage.built(folder) as stage:
        for ref in refs or await default_refs():
            began = time.monotonic()
            reports.append(await _try(ref, stage, scale))
            click.echo(f"{reports[-1]} ({time.monotonic() - began:.0f} s)\n")
    return reports


async def _try(ref: str, stage: Stage, scale: Scale) -> Report:
    old = await installed(ref, stage.folder / ref.replace("/", "-"))
    scenario = rolling if old.is_compatible else stopping
    report = Report(f"from {old}", str(scenario.__doc__).partition("\n")[0])
    await report.filled_by(scenario.run(stage, scale, report, old), seconds=_PATIENCE_SECONDS)
    return report


if __name__ == "__main__":
    main()

"""`python -m chaos`: the command line."""

import asyncio
import shutil
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import click

from chaos.report import Report, conclude
from chaos.scenarios import SCENARIOS, perform
from chaos.stage import FULL, SMALL, Scale, Stage


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--scenario",
    "names",
    type=click.Choice(list(SCENARIOS)),
    multiple=True,
    default=list(SCENARIOS),
    help="Only this one; may be given several times.",
)
@click.option("--small", is_flag=True, help="With the small numbers of `make chaos-short`.")
@click.option(
    "--histories",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Keeps the calls and events that were judged, as JSON lines, in this directory.",
)
def main(*, names: Sequence[str], small: bool, histories: Path | None) -> None:
    """Inject faults under load and print which promises the service keeps.

    Ends with status 1 if a promise is broken. Needs six minutes, two processors and a gigabyte.
    Does not touch running servers.
    """
    scale = SMALL if small else FULL
    with tempfile.TemporaryDirectory(prefix="keystead-chaos-") as folder:
        # The account that runs PostgreSQL for root needs access.
        Path(folder).chmod(0o755)
        with Stage.built(Path(folder)) as stage:
            reports = [_reported(name, stage, scale) for name in names]
        if histories is not None:
            for kept in Path(folder).glob("*.jsonl"):
                shutil.copy(kept, histories)
    conclude(reports)


def _reported(name: str, stage: Stage, scale: Scale) -> Report:
    began = time.monotonic()
    report = asyncio.run(perform(name, stage, scale))
    click.echo(f"{report} ({time.monotonic() - began:.0f} s)\n")
    return report


if __name__ == "__main__":
    main()

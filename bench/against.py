"""Compares the server of this checkout with that of another one, in turn.

`python -m bench.against FOLDER` measures both in every round, in alternating order, each with a
PostgreSQL of its own that its own bench has filled. FOLDER is a checkout of another commit in which
`make tools` was run. Compare the benches of both commits first: if the rows that they fill in or
the settings of PostgreSQL differ, so does the work.
"""

import contextlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO, cast

import click

from bench import report
from bench.load import Measurement
from bench.parts import MANY, OPERATIONS
from bench.processes import ROOT, BenchError

_MEASURED_CHECKOUT = Path(__file__).with_name("measured_checkout.py")
_BEFORE, _NOW = "before", "now"


class _Checkout:
    """A running `measured_checkout.py`."""

    def __init__(self, process: "subprocess.Popen[str]", folder: Path) -> None:
        self._input, self._output = cast(IO[str], process.stdin), cast(IO[str], process.stdout)
        self._folder = folder

    def measure(self, *load: str) -> Measurement:
        """One run of an operation, a transport and a number of callers."""
        print(*load, file=self._input, flush=True)
        return Measurement(**json.loads(self.line()))

    def line(self) -> str:
        """The next line of its output. BenchError if it has ended."""
        line = self._output.readline()
        if not line:
            raise BenchError(f"The bench of {self._folder} has failed.")
        return line


@click.command(context_settings={"help_option_names": ["-h", "--help"], "show_default": True})
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option(
    "--operation",
    "operations",
    type=click.Choice(tuple(OPERATIONS)),
    multiple=True,
    default=("UpdateIDP", "GetIDP", "SMTPConfig", "Passkey"),
)
@click.option(
    "--transport",
    "transports",
    type=click.Choice(("grpc", "grpc-web", "json")),
    multiple=True,
    default=("grpc",),
)
@click.option("--callers", type=click.IntRange(min=1), multiple=True, default=(1, MANY))
@click.option("--rounds", type=click.IntRange(min=1), default=10)
@click.option("--seconds", type=click.FloatRange(min=0.1), default=1.0)
def main(
    *,
    folder: Path,
    operations: Sequence[str],
    transports: Sequence[str],
    callers: Sequence[int],
    rounds: int,
    seconds: float,
) -> None:
    """Print the costs of calls in the checkout FOLDER and in this one, and their ratios."""
    with _checkout(folder.absolute(), seconds) as before, _checkout(ROOT, seconds) as now:
        checkouts = {_BEFORE: before, _NOW: now}
        for load in [
            (operation, transport, str(number))
            for operation in operations
            for transport in transports
            for number in callers
        ]:
            for checkout in checkouts.values():  # fills caches and prepares statements
                checkout.measure(*load)
            results: dict[str, list[Measurement]] = {_BEFORE: [], _NOW: []}
            for number in range(rounds):
                for name in (_BEFORE, _NOW) if number % 2 else (_NOW, _BEFORE):
                    results[name].append(checkouts[name].measure(*load))
            click.echo(report.compared("{}, {}, {} callers".format(*load), results, _BEFORE))


@contextlib.contextmanager
def _checkout(folder: Path, seconds: float) -> Iterator[_Checkout]:
    """The server of the checkout, ready to be measured."""
    python = folder / ".venv/bin/python"
    if not python.exists():
        raise BenchError(f"{python} does not exist. Run `make tools` in {folder}.")
    # Without the variables of gRPC: `server` has set them here, but each checkout sets its own.
    environment = {name: value for name, value in os.environ.items() if name[:5] != "GRPC_"}
    with subprocess.Popen(
        [python, _MEASURED_CHECKOUT, str(seconds)],
        cwd=folder,
        env={**environment, "PYTHONPATH": str(folder)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        checkout = _Checkout(process, folder)
        while checkout.line().strip() != "ready":
            pass  # a bench of another commit may print more
        yield checkout


if __name__ == "__main__":
    try:
        main()
    except BenchError as error:
        sys.exit(str(error))

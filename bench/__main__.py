"""`python -m bench`: the command line."""

import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import click

from bench import parts as measure
from bench import report
from bench.applying import applying
from bench.database import postgresql
from bench.distance import distance
from bench.flood import flood
from bench.importing import importing
from bench.load import Generator
from bench.positions import positions
from bench.processes import BenchError
from bench.push import push
from bench.realm import realm
from bench.regions import regions
from bench.report import TARGETS
from bench.tracing import tracing
from bench.watch import watch

_README = Path(__file__).with_name("README.md")
_PARTS = ("calls", "workers", "start")
_LARGE_PARTS = (
    "seam",
    "log",
    "soak",
    "flood",
    "watch",
    "push",
    "tracing",
    "distance",
    "regions",
    "positions",
    "apply",
    "import",
    "realm",
)
_OPERATIONS = tuple(measure.OPERATIONS)


@click.command(context_settings={"help_option_names": ["-h", "--help"], "show_default": True})
@click.option("--quick", is_flag=True, help="One short round: a minute, and no spread.")
@click.option("--large", is_flag=True, help="Also the parts of long runs: half an hour.")
@click.option(
    "--part",
    "parts",
    type=click.Choice(_PARTS + _LARGE_PARTS),
    multiple=True,
    default=_PARTS,
    help="calls: all operations. workers: two against one. start: time to the first answer."
    " seam: the cost of each part of a call. log: long logs. soak: memory over many calls."
    " flood: sign-ins beside a flood of started ones, and calls beside reset ones."
    " watch: many watchers of ended sessions."
    " push: webhooks, also beside dead targets."
    " tracing: the cost of traces. distance: round trips to PostgreSQL."
    " regions: a server beside a standby. positions: the order of all events."
    " apply: a configuration file of many objects. import: many users, killed twice."
    " realm: people of Keycloak who move and sign in.",
)
@click.option(
    "--operation", "operations", type=click.Choice(_OPERATIONS), multiple=True, default=_OPERATIONS
)
@click.option("--target", "targets", type=click.Choice(TARGETS), multiple=True, default=TARGETS)
@click.option("--callers", type=click.IntRange(min=1), multiple=True, default=(1, measure.MANY))
@click.option(
    "--rounds", type=click.IntRange(min=1), default=5, help="The number of turns of each target."
)
@click.option(
    "--seconds", type=click.FloatRange(min=0.1), default=1.5, help="The length of each turn."
)
@click.option(
    "--events",
    type=click.IntRange(min=10_000),
    multiple=True,
    default=(10_000, 1_000_000, 5_000_000),
    help="The lengths of the logs of the part log; the first is that of positions.",
)
@click.option(
    "--requests",
    type=click.IntRange(min=1000),
    default=1_000_000,
    help="The number of calls of the part soak.",
)
@click.option(
    "--starts",
    type=click.IntRange(min=300),
    default=100_000,
    help="The number of started sign-ins of the part flood.",
)
@click.option(
    "--watchers",
    type=click.IntRange(min=2),
    default=1_000,
    help="The number of watchers of the part watch.",
)
@click.option(
    "--deliveries",
    type=click.IntRange(min=100),
    default=5_000,
    help="The number of webhooks of each turn of the part push.",
)
@click.option(
    "--dead",
    type=click.IntRange(min=1),
    default=10_000,
    help="The number of targets of the part push that never answer.",
)
@click.option(
    "--objects",
    type=click.IntRange(min=2),
    default=10_000,
    help="The number of objects of the part apply.",
)
@click.option(
    "--users",
    type=click.IntRange(min=3_000),
    default=200_000,
    help="The number of users of the part import.",
)
@click.option(
    "--people",
    type=click.IntRange(min=100),
    default=10_000,
    help="The number of people of the part realm.",
)
@click.option(
    "--pin/--no-pin",
    default=True,
    help="Keep k6 on the last processor and everything else off it.",
)
@click.option("--write", is_flag=True, help="Also put the results into bench/README.md.")
def main(
    *,
    quick: bool,
    large: bool,
    parts: Sequence[str],
    operations: Sequence[str],
    targets: Sequence[str],
    callers: Sequence[int],
    rounds: int,
    seconds: float,
    events: Sequence[int],
    requests: int,
    starts: int,
    watchers: int,
    deliveries: int,
    dead: int,
    objects: int,
    users: int,
    people: int,
    pin: bool,
    write: bool,
) -> None:
    """Measure the server beside the floor, and print the results as Markdown.

    Creates databases in the embedded PostgreSQL, or in that of KEYSTEAD_DATABASE_URL. Options with
    several values can be repeated.
    """
    if quick:
        rounds, seconds = 1, 1.0
    if large:
        parts = (*parts, *_LARGE_PARTS)
    everywhere = list(range(os.cpu_count() or 1))
    apart = pin and len(everywhere) > 1
    serving, calling = (everywhere[:-1], everywhere[-1:]) if apart else (everywhere, everywhere)
    with tempfile.TemporaryDirectory(prefix="keystead-bench-") as name:
        folder = Path(name)
        with postgresql(folder / "postgresql") as server:
            generator = Generator(server.postmaster, calling, seconds)
            bench = measure.Bench(folder, server, generator, serving, rounds)
            measured = {
                "calls": lambda: measure.calls(bench, operations, targets, callers),
                "workers": lambda: measure.workers(bench),
                "start": lambda: measure.start(bench),
                "seam": lambda: measure.seam(bench),
                "log": lambda: measure.log_sizes(bench, events),
                "soak": lambda: measure.soak(bench, requests),
                "flood": lambda: flood(bench, starts),
                "watch": lambda: watch(bench, watchers),
                "push": lambda: push(bench, deliveries, dead),
                "tracing": lambda: tracing(bench),
                "distance": lambda: distance(bench, operations),
                "regions": lambda: regions(bench),
                "positions": lambda: positions(bench, events[0]),
                "apply": lambda: applying(bench, objects),
                "import": lambda: importing(bench, users),
                "realm": lambda: realm(bench, people),
            }
            tables = [measured[part]() for part in dict.fromkeys(parts)]
            described = report.machine(server.version, rounds=rounds, seconds=seconds, pinned=apart)
    results = "\n".join([described, *tables])
    click.echo(results)
    if write:
        report.write(_README, results)


if __name__ == "__main__":
    try:
        main()
    except BenchError as error:
        sys.exit(str(error))

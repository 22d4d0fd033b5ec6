"""`python -m tests.hostile`: mutations of every kind of input, which extend the corpus."""

import asyncio
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from random import Random
from urllib.parse import urlsplit, urlunsplit

import asyncpg
import click

from server.process.embedded_postgres import running
from tests.hostile.fuzzing import LIMIT_SECONDS, Fuzzed, Kind, fuzz, replay
from tests.hostile.kinds import KINDS, Site, kind
from tests.hostile.target import AS_IN_EXAMPLES, Target


@click.command(context_settings={"help_option_names": ["-h", "--help"], "show_default": True})
@click.option("--mutations", type=click.IntRange(min=0), default=10_000, help="Of each kind.")
@click.option("--kind", "names", multiple=True, type=click.Choice(KINDS), default=KINDS)
@click.option("--seed", type=int, default=None, help="Of the mutations; another one by default.")
def main(*, mutations: int, names: Sequence[str], seed: int | None) -> None:
    """Send mutations to a server, and add those with a new outcome to the corpus.

    The status is 1 if an input was answered as a fault or slowly, a line of the corpus has another
    outcome, or the log has an error or a secret.
    """
    seed = time.time_ns() if seed is None else seed
    click.echo(f"seed {seed}")
    with tempfile.TemporaryDirectory(prefix="keystead-hostile-") as folder:
        violations = asyncio.run(_run(Path(folder), mutations, names, seed))
    click.echo("\n".join([f"{len(violations)} violations", *violations]))
    sys.exit(1 if violations else 0)


async def _run(folder: Path, mutations: int, names: Sequence[str], seed: int) -> Sequence[str]:
    """The violations."""
    with running(folder / "postgresql", durable=False) as cluster:
        dsn = await _database(cluster.admin_dsn)
        async with Target.running(folder / "data", dsn, **AS_IN_EXAMPLES) as target:
            sites, before = {name: await Site.of(target) for name in names}, target.memory()
            kinds = [kind(site, name) for name, site in sites.items()]
            wrong = [line for each in kinds for line in await replay(each)]
            found = await asyncio.gather(*(_fuzz(each, mutations, seed) for each in kinds))
            slow = [
                line
                for each in zip(kinds, found, strict=True)
                for line in await _slow(target, *each)
            ]
            leaked = [f"the log contains {name}" for s in sites.values() for name in s.leaked()]
            errors = [*leaked, *await target.errors()]
            click.echo(f"memory: {before >> 20} MiB before, {target.memory() >> 20} MiB after")
            click.echo("\n".join(["beside the log lines:", *target.prose]))
    faults = [fault for each in found for fault in each.faults]
    return [*wrong, *faults, *slow, *errors[:10]]


async def _fuzz(kind: Kind, mutations: int, seed: int) -> Fuzzed:
    """Prints the numbers of a kind."""
    before = len(kind.corpus())
    result = await fuzz(kind, mutations, Random(seed), kind.keep)  # noqa: S311 -- a repeatable choice
    new = len(kind.corpus()) - before
    outcomes = ", ".join(f"{name} {count}" for name, count in result.outcomes.most_common())
    click.echo(f"{kind.name}: {result.outcomes.total()} inputs, {new} new lines\n  {outcomes}")
    return result


async def _slow(target: Target, kind: Kind, result: Fuzzed) -> Sequence[str]:
    """The slow inputs that take as much of the processor when nothing else is sent."""
    found = []
    for each in result.slow:
        before = target.processor_seconds()
        await kind.outcome(each)
        if (seconds := target.processor_seconds() - before) > LIMIT_SECONDS:
            found.append(f"{kind.name}: {seconds:.2f} s: {each}"[:1000])
    return found


async def _database(admin_dsn: str) -> str:
    """An empty database of the server's own."""
    connection = await asyncpg.connect(admin_dsn)
    await connection.execute("create database hostile")
    await connection.close()
    return urlunsplit(urlsplit(admin_dsn)._replace(path="/hostile"))


if __name__ == "__main__":
    main()

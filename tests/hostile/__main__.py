"""`python -m tests.hostile`: mutations of every kind of input, which extend the corpus."""

import asyncio
import sys
import tempfile
import time
from collections.abc import Collection, Sequence
from pathlib import Path
from random import Random
from urllib.parse import urlsplit, urlunsplit

import asyncpg
import click

from server.process.embedded_postgres import running
from tests.hostile.fuzzing import Kind, fuzz
from tests.hostile.kinds import KINDS, Site, kind
from tests.hostile.target import AS_IN_EXAMPLES, Target


@click.command(context_settings={"help_option_names": ["-h", "--help"], "show_default": True})
@click.option("--mutations", type=click.IntRange(min=0), default=10_000, help="Of each kind.")
@click.option("--kind", "names", multiple=True, type=click.Choice(KINDS), default=KINDS)
@click.option("--seed", type=int, default=None, help="Of the mutations; another one by default.")
def main(*, mutations: int, names: Sequence[str], seed: int | None) -> None:
    """Send mutations to a server, and add those with a new outcome to the corpus.

    The status is 1 if an input was answered as a fault, or the log has an error or a secret.
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
            site, before = await Site.of(target), target.memory()
            found = await asyncio.gather(
                *(_fuzz(kind(site, name), mutations, seed) for name in names)
            )
            leaked = [f"the log contains {name}" for name in site.leaked()]
            errors = [*leaked, *await target.errors()]
            click.echo(f"memory: {before >> 20} MiB before, {target.memory() >> 20} MiB after")
            click.echo("\n".join(["beside the log lines:", *target.prose]))
    return [*(fault for faults in found for fault in faults), *errors[:10]]


async def _fuzz(kind: Kind, mutations: int, seed: int) -> Collection[str]:
    """Prints the numbers of a kind. Returns its faults."""
    before = len(kind.corpus())
    result = await fuzz(kind, mutations, Random(seed), kind.keep)  # noqa: S311 -- a repeatable choice
    outcomes = ", ".join(f"{name} {count}" for name, count in result.outcomes.most_common())
    click.echo(
        f"{kind.name}: {result.outcomes.total()} inputs, {len(kind.corpus()) - before} of them new in the corpus\n"
        f"  {outcomes}"
    )
    return result.faults


async def _database(admin_dsn: str) -> str:
    """An empty database of the server's own."""
    connection = await asyncpg.connect(admin_dsn)
    await connection.execute("create database hostile")
    await connection.close()
    return urlunsplit(urlsplit(admin_dsn)._replace(path="/hostile"))


if __name__ == "__main__":
    main()

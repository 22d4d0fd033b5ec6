"""`python -m tests.hostile`: mutations of every kind of input, and credentials for a server.

Mutations are read in this process, and those that reach further lines are added to the corpus
(`fuzzing.py`). Credentials are also sent to a running server, for the cost of whole calls: the
field `milliseconds` of the log line, from the reading of the message to the end of the call,
without the client and the network. The command prints and limits it; the test suite asserts codes
and not times.
"""

import asyncio
import sys
import tempfile
import time
from collections.abc import Collection, Sequence
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import asyncpg
import click

from server.process.embedded_postgres import running
from tests.hostile.credentials import (
    BOMBS,
    LIMIT_MILLISECONDS,
    OBJECTS,
    Results,
    send_attacks,
    send_mutated,
)
from tests.hostile.fuzzing import Kind, encoded, fuzz
from tests.hostile.kinds import KINDS
from tests.hostile.target import Target
from tests.passkey.attacks import CBOR_ATTACKS

_SHARES = (0.5, 0.9, 0.99, 0.999, 1.0)


@click.command(context_settings={"help_option_names": ["-h", "--help"], "show_default": True})
@click.option("--mutations", type=click.IntRange(min=0), default=20_000, help="Of each kind.")
@click.option("--kind", "kinds", multiple=True, type=click.Choice([each.name for each in KINDS]))
@click.option("--credentials", type=click.IntRange(min=0), default=200_000)
@click.option("--callers", type=click.IntRange(min=1), default=2, help="How many call at once.")
@click.option("--seed", type=int, default=None, help="Of the mutations; another one by default.")
def main(
    *, mutations: int, kinds: Sequence[str], credentials: int, callers: int, seed: int | None
) -> None:
    """Read mutations of every kind of input, and extend the corpus; then attack a server.

    The server gets mutated credentials and every attack by CBOR. No input may end as a fault, or
    take more than 50 ms. Without --credentials there is no server.
    """
    seed = time.time_ns() if seed is None else seed
    click.echo(f"seed {seed}")
    faults = [
        fault
        for kind in KINDS
        if not kinds or kind.name in kinds
        for fault in _extend(kind, mutations, seed)
    ]
    if faults:
        sys.exit("\n".join([f"{len(faults)} faults", *faults]))
    if not credentials:
        return
    with tempfile.TemporaryDirectory(prefix="keystead-hostile-") as name:
        violations = asyncio.run(_run(Path(name), credentials, callers, seed))
    sys.exit(1 if violations else 0)


def _extend(kind: Kind, mutations: int, seed: int) -> Collection[str]:
    """Writes the corpus of the kind again, and prints the numbers. The faults."""
    before = kind.corpus() if kind.file.exists() else []
    result = fuzz(kind, before, mutations=mutations, seed=seed)
    kind.file.write_text("".join(f"{encoded(data)}\n" for data in result.corpus))
    outcomes = ", ".join(f"{name} {count}" for name, count in result.outcomes.most_common())
    click.echo(
        f"{kind.name}: {result.outcomes.total()} inputs, memory {result.growth >> 20:+} MiB\n"
        f"  corpus: {len(before)} inputs before, {len(result.corpus)} after,"
        f" for {result.lines} lines and outcomes\n"
        f"  outcomes: {outcomes}"
    )
    return result.faults.values()


async def _run(folder: Path, credentials: int, callers: int, seed: int) -> int:
    """The number of violations."""
    with running(folder / "postgresql", durable=False) as cluster:
        dsn = await _database(cluster.admin_dsn)
        async with Target.running(folder / "data", dsn) as target:
            attacks = await send_attacks(target, CBOR_ATTACKS | BOMBS, OBJECTS)
            _report("attacks by CBOR and size", attacks)
            before = target.memory()
            mutated = await send_mutated(target, credentials, callers=callers, seed=seed)
            _report("mutated credentials", mutated)
            click.echo(f"memory: {before >> 20} MiB before, {target.memory() >> 20} MiB after")
            errors = await target.errors()
            click.echo("\n".join(["beside the log lines:", *target.prose]))
    violations = [*attacks.violations, *mutated.violations, *errors]
    click.echo("\n".join([f"{len(violations)} violations", *violations]))
    return len(violations)


async def _database(admin_dsn: str) -> str:
    """An empty database of the server's own."""
    connection = await asyncpg.connect(admin_dsn)
    await connection.execute("create database hostile")
    await connection.close()
    return urlunsplit(urlsplit(admin_dsn)._replace(path="/hostile"))


def _report(title: str, results: Results) -> None:
    quantiles = ", ".join(f"{share:.1%} {results.quantile(share):.2f}" for share in _SHARES)
    outcomes = ", ".join(f"{name} {count}" for name, count in results.outcomes.most_common())
    click.echo(
        f"{title}: {results.outcomes.total()} calls\n"
        f"  outcomes: {outcomes}\n"
        f"  milliseconds: {quantiles}\n"
        f"  over {LIMIT_MILLISECONDS:g} ms once: {results.slow_once or 'none'}\n"
        f"  over it again: {results.slow or 'none'}"
    )


if __name__ == "__main__":
    main()

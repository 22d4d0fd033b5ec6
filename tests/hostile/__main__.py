"""`python -m tests.hostile`: mutated credentials by the hundred thousand, and what they cost.

The cost of a call is what the server says in its log: the field `milliseconds`. It covers all that
the bytes can cause, from the reading of the message to the end of the call, and neither the client
nor its machine's network, which share the processor with the server here. It is printed, and is a
limit of this command alone: the test suite asks for codes and not for times.
"""

import asyncio
import sys
import tempfile
import time
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import asyncpg
import click

from server.process.embedded_postgres import running
from tests.hostile.credentials import LIMIT_MILLISECONDS, Results, send_attacks, send_mutated
from tests.hostile.target import Target

_SHARES = (0.5, 0.9, 0.99, 0.999, 1.0)


@click.command(context_settings={"help_option_names": ["-h", "--help"], "show_default": True})
@click.option("--credentials", type=click.IntRange(min=1), default=200_000)
@click.option("--callers", type=click.IntRange(min=1), default=2, help="How many call at once.")
@click.option("--seed", type=int, default=None, help="Of the mutations; another one by default.")
def main(*, credentials: int, callers: int, seed: int | None) -> None:
    """Send mutated credentials and every attack by CBOR to a server; fail if it does.

    It must not end a call as if the fault were its own, nor take longer than 50 ms for any.
    """
    seed = time.time_ns() if seed is None else seed
    click.echo(f"seed {seed}")
    with tempfile.TemporaryDirectory(prefix="keystead-hostile-") as name:
        violations = asyncio.run(_run(Path(name), credentials, callers, seed))
    sys.exit(1 if violations else 0)


async def _run(folder: Path, credentials: int, callers: int, seed: int) -> int:
    """The number of violations."""
    with running(folder / "postgresql", durable=False) as cluster:
        dsn = await _database(cluster.admin_dsn)
        async with Target.running(folder / "data", dsn) as target:
            attacks = await send_attacks(target)
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

"""`python -m chaos.revocation`: the command line."""

import asyncio
import sys
import tempfile
from pathlib import Path

import click

from chaos.report import Report
from chaos.revocation.measured import conditions
from chaos.revocation.run import measure
from chaos.stage import Stage

_OFFLINE_ENDS = 5
_MANY = 1000


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--ends", default=10_000, show_default=True, help="Ends under load.")
@click.option("--faults", default=1000, show_default=True, help="Further ends, under faults.")
def main(*, ends: int, faults: int) -> None:
    """End sessions, tokens, roles and others, and print in Markdown how soon each place refuses.

    Ends with status 1 if one does not within its bound. 1000 ends and more also wait five minutes
    for JWTs that are verified without a watch of ended sessions. Needs nginx and caddy for these
    proxies. Does not touch running servers.
    """
    report = Report("revocation", "The time until ends of access are seen.")
    with tempfile.TemporaryDirectory(prefix="keystead-chaos-") as folder:
        Path(folder).chmod(0o755)  # for the account that runs PostgreSQL for root
        with Stage.built(Path(folder)) as stage:
            calm, disturbed = asyncio.run(
                measure(
                    stage,
                    report,
                    ends=ends,
                    ends_under_faults=faults,
                    offline_ends=_OFFLINE_ENDS if ends >= _MANY else 0,
                )
            )
    click.echo(f"{report}\n\nUnder load ({conditions()}):\n\n{calm.table()}")
    if faults:
        click.echo(f"\nUnder faults:\n\n{disturbed.table()}")
    sys.exit(1 if report.broken else 0)


if __name__ == "__main__":
    main()

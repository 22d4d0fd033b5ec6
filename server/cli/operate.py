"""The commands about an installation as a whole: its schema, log and keys."""

import sys
from datetime import UTC, datetime
from typing import Any

import click
import uvloop

from server import outbox
from server.audit import Wanted, read_events
from server.cli.installation import dsn_of, load_settings, run
from server.cli.lists import MOST_INTEGER, json_option, limit_option, print_list
from server.database import Database, connected
from server.encryption import load_keyring
from server.migrate import migrate
from server.rebuild import Report, rebuild
from server.settings import Settings
from server.smtp import commands as smtp_commands


class _Time(click.ParamType[datetime]):
    """A date, or a time as ISO 8601 has it; UTC unless it says otherwise."""

    name = "time"

    def convert(
        self, value: str, param: click.Parameter | None, ctx: click.Context | None
    ) -> datetime:
        try:
            moment = datetime.fromisoformat(value)
        except ValueError:
            self.fail(f"'{value}' is no time, such as 2026-01-31 or 2026-01-31T08:00Z", param, ctx)
        try:
            return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)
        except OverflowError:
            self.fail(f"'{value}' is not in the years 1 to 9999 of UTC", param, ctx)


@click.command("migrate")
def migrate_command() -> None:
    """Bring the schema of the database up to date.

    `keystead serve` does so at its start; this is for whoever wants it done before.
    """

    async def work_on(dsn: str) -> int:
        async with connected(dsn, pool_size=1) as database:
            return await migrate(database)

    with dsn_of(load_settings()) as dsn:
        click.echo(f"{uvloop.run(work_on(dsn))} migration(s) applied.")


@click.command("rebuild")
@click.option(
    "--check",
    is_flag=True,
    help="Only compare: change nothing, block nobody, exit with 1 on a difference.",
)
def rebuild_command(*, check: bool) -> None:
    """Replay the log of events, compare the read tables with it and put right what differs.

    Without --check every call that writes waits until it is done.
    """
    report = run(lambda _settings, database: rebuild(database, repair=not check))
    for difference in report.differences:
        surplus, missing = difference.surplus, difference.missing
        click.echo(f"{difference.table}: {surplus} row(s) too many, {missing} missing")
    click.echo(f"{report.events} event(s) replayed; {_state(report, repaired=not check)}.")
    if check and report.differences:
        sys.exit(1)


def _state(report: Report, *, repaired: bool) -> str:
    if not report.differences:
        return "every table equals the log"
    outcome = "differed and are put right" if repaired else "differ"
    return f"{len(report.differences)} table(s) {outcome}"


@click.command("rotate-keys")
def rotate_keys() -> None:
    """Encrypt every stored secret under the first key. The other keys are not needed afterwards.

    Restart every server with the first key before, or it cannot read them.
    """

    async def rotate(settings: Settings, database: Database) -> int:
        keyring = load_keyring(settings.encryption_keys, settings.key_file)
        passwords = int(await smtp_commands.rotate_password(database, keyring))
        return passwords + await outbox.rotate_secrets(database, keyring)

    click.echo(f"{run(rotate)} secret(s) encrypted anew.")


_sequence = click.IntRange(min=0, max=MOST_INTEGER)


@click.command()
@click.option(
    "--aggregate",
    "aggregate_id",
    help="Only of this organization, user, identity provider, ... by id.",
)
@click.option("--creator", help="Only what this user did, by id; 'operator' for the command line.")
@click.option(
    "--type",
    "types",
    multiple=True,
    help="Only of this event type or aggregate type, as they are printed; may be repeated.",
)
@click.option("--since", type=_Time(), help="Only since then: a date or time, in UTC.")
@click.option("--until", type=_Time(), help="Only before then.")
@click.option("--before", type=_sequence, help="Only before this sequence: the page before.")
@click.option(
    "--after",
    type=_sequence,
    help="Only after this sequence, and the first so many: the next page.",
)
@limit_option(1000)
@json_option
def audit(limit: int, *, as_json: bool, **conditions: Any) -> None:
    """Print the log of events, oldest first.

    The columns: when, sequence, event type, aggregate type, aggregate id, owner (an organization),
    creator (a user, or 'operator') and payload.

    With --before the first sequence that was printed, or --after the last one, goes on where that
    ended. Events of one sequence are never parted, so that there may be a few more than --limit.
    """
    wanted = Wanted(**conditions)
    print_list(
        run(lambda _settings, database: read_events(database, wanted, limit=limit)),
        as_json=as_json,
    )

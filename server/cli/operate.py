"""`keystead migrate`, `keystead rebuild` and `keystead rotate-keys`."""

import sys

import click
import uvloop

from server.cli.installation import dsn_of, load_settings, run
from server.crypto.keyring import load_keyring
from server.mail import outbox
from server.operate.rebuild import Report, rebuild
from server.settings.settings import Settings
from server.smtp import commands as smtp_commands
from server.store.database import Database, connected
from server.store.migrate import migrate


@click.command("migrate")
def migrate_command() -> None:
    """Migrate the database to the schema of this release.

    `keystead serve` does this at its start. Use this command to migrate earlier.
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
    help="Only compare: change and block nothing, exit with status 1 on a difference.",
)
def rebuild_command(*, check: bool) -> None:
    """Rebuild the read tables by replaying the event log.

    Without --check, calls that write wait until the rebuild is done; after three seconds they end
    with an error that asks to retry.
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
    outcome = "differed and are repaired" if repaired else "differ"
    return f"{len(report.differences)} table(s) {outcome}"


@click.command("rotate-keys")
def rotate_keys() -> None:
    """Encrypt all stored secrets with the first key. The other keys are not needed afterwards.

    Restart all servers with the first key before; otherwise they cannot decrypt the secrets.
    """

    async def rotate(settings: Settings, database: Database) -> int:
        keyring = load_keyring(settings.encryption_keys, settings.key_file)
        passwords = int(await smtp_commands.rotate_password(database, keyring))
        return passwords + await outbox.rotate_secrets(database, keyring)

    click.echo(f"{run(rotate)} secret(s) re-encrypted.")

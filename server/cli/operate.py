"""`keystead migrate`, `keystead rebuild` and the rotation of keys."""

import click
import uvloop

from server.cli.installation import Installation, dsn_of, in_installation, load_settings
from server.cli.progress import shown_progress
from server.crypto import encryption_keys
from server.log import lives
from server.log.partitions import add_partitions
from server.operate import key_rotation
from server.operate.rebuild.run import Report, rebuild
from server.signing import commands as signing
from server.signing.private_key import Algorithm
from server.signing.schedule import MAX_AGE
from server.store.database import connected
from server.store.migrate import migrate
from server.values.counted import counted


def migrate_schema() -> None:
    """Migrates the database to the schema of this release."""

    async def work_on(dsn: str) -> int:
        async with connected(dsn, pool_size=1) as database:
            applied = await migrate(database)
            await add_partitions(database)
            return applied

    with dsn_of(load_settings()) as dsn:
        click.echo(f"{counted(uvloop.run(work_on(dsn)), 'migration')} applied.")


@click.command("rebuild")
@click.option(
    "--check",
    is_flag=True,
    help="Only compare: change and block nothing, exit with status 1 on a difference.",
)
@in_installation
async def rebuild_command(at: Installation, *, check: bool) -> bool:
    """Rebuild the read tables by replaying the event log.

    Servers can run meanwhile. If rows differ, calls that write wait while these rows are replaced;
    after three seconds they end with an error that asks to retry. A rebuild that was interrupted
    changes nothing.
    """
    with shown_progress() as line:
        report = await rebuild(at.database, repair=not check, tell=line.tell)
    for difference in report.differences:
        surplus, missing = difference.surplus, difference.missing
        click.echo(f"{difference.table}: {counted(surplus, 'row')} too many, {missing} missing")
    click.echo(f"{counted(report.events, 'event')} replayed; {_state(report, repaired=not check)}.")
    return not (check and report.differences)


def _state(report: Report, *, repaired: bool) -> str:
    if not report.differences:
        return "every table equals the log"
    tables = len(report.differences)
    if not repaired:
        return counted(tables, "table differs", "tables differ")
    repairs = counted(tables, "table differed and is", "tables differed and are")
    return f"{repairs} repaired; writers waited {report.blocked_seconds:.1f} s"


@click.command("restored")
@in_installation
async def restored(at: Installation) -> None:
    """Tell the event log that the database was restored from a backup.

    Run it before the first server starts. Consumers of events that resume from an event which the
    backup lacks then get the error LOG_RESTORED, and never miss events without notice. Positions go
    on beyond all that were given out. It is harmless if nothing was lost.
    """
    await lives.begin(at.database, is_set_back=True)
    click.echo("The positions of events go on beyond all that were given out before the restore.")


@click.command("rotate-keys")
@in_installation
async def rotate_keys(at: Installation) -> None:
    """Encrypt all stored secrets with the first key. The other keys are not needed afterwards.

    Restart all servers with the new key in the first place before. The command refuses, and names
    the servers, while one of them encrypts with another key.
    """
    keyring = at.keyring()
    number = counted(await key_rotation.rotate(at.database, keyring), "secret")
    click.echo(f"{number} re-encrypted. All of them have the key {keyring.writing_key_id}.")


@click.command("rotate-signing-key")
@click.option(
    "--now",
    "at_once",
    is_flag=True,
    help="Withdraw all keys and sign with a new one at once, after a key was copied or lost.",
)
@click.option(
    "--algorithm",
    type=click.Choice([each.value for each in Algorithm]),
    help="Only the keys of this algorithm. Default: those of all.",
)
@in_installation
async def rotate_signing_key(at: Installation, *, at_once: bool, algorithm: str | None) -> None:
    """Publish another key of each algorithm for JWTs, which signs a day later.

    Servers do this every 30 days by themselves. With --now, valid JWTs end before their time.
    """
    keyring = at.keyring()
    await encryption_keys.admit(at.database, keyring)
    withdrawn = 0
    for each in [Algorithm(algorithm)] if algorithm else Algorithm:
        rotate = signing.withdraw_all if at_once else signing.rotate
        rotation = await rotate(at.database, keyring, each)
        click.echo(_signs(each, rotation))
        withdrawn += rotation.withdrawn if rotation else 0
    if at_once:
        minutes = round(MAX_AGE.total_seconds() / 60)
        click.echo(
            f"{counted(withdrawn, 'key')} withdrawn. Services that keep a copy of the keys"
            f" accept them for up to {minutes} minutes; restart those that must not."
        )


def _signs(algorithm: Algorithm, rotation: signing.Rotation | None) -> str:
    if rotation is None:
        return (
            f"There is no {algorithm} key yet: a running server of an earlier release would not"
            " publish it. Servers add it when all of them are upgraded."
        )
    key = rotation.key
    published = "is published and" if rotation.is_new else "was published before and"
    signs_at = f"{key.signs_at:%Y-%m-%d %H:%M:%S} UTC"
    return f"The {algorithm} key {key.kid} {published} signs from {signs_at}."

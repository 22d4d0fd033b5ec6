"""`keystead audit`."""

import asyncio
import re
import sys
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any, NoReturn

import click

from server.cli.installation import run
from server.cli.lists import BigInteger, ListRow, json_option, limit_option, print_list
from server.crypto.keyring import load_keyring
from server.event import checkpoints
from server.event.disclosure import disclosed
from server.settings.settings import Settings
from server.store.audit import LoggedEvent, Wanted, read_events
from server.store.database import Database
from server.store.event_archives import absent, list_archives
from server.store.event_checkpoints import Checkpoint, last_checkpoint
from server.store.event_partitions import sequence_at
from server.store.follow import Follower
from server.store.positions import assign, last_position
from server.values.errors import Failure


class Time(click.ParamType[datetime]):
    """A date or time in ISO 8601, in UTC unless it names an offset."""

    name = "time"

    def convert(
        self, value: str, param: click.Parameter | None, ctx: click.Context | None
    ) -> datetime:
        try:
            moment = datetime.fromisoformat(value)
        except ValueError:
            self.fail(
                f"'{value}' is not a time such as 2026-01-31 or 2026-01-31T08:00Z", param, ctx
            )
        try:
            return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)
        except OverflowError:
            self.fail(f"'{value}' is not in the years 1 to 9999 of UTC", param, ctx)


# The interval at which --follow polls for new events.
_PACE_SECONDS = 1

_sequence = BigInteger(min=0)


@click.group(invoke_without_command=True)
@click.option(
    "--aggregate",
    "aggregate_id",
    metavar="ID",
    help="Only events of this organization, user, identity provider, ... by ID.",
)
@click.option(
    "--creator",
    metavar="ID",
    help="Only events created by this user ID, or 'operator' for the command line.",
)
@click.option(
    "--type",
    "types",
    multiple=True,
    help="Only events of this event type or aggregate type; may be repeated.",
)
@click.option("--since", type=Time(), help="Only events since this date or time, in UTC.")
@click.option("--until", type=Time(), help="Only events before this date or time.")
@click.option(
    "--before",
    type=_sequence,
    metavar="SEQUENCE",
    help="Only events before this sequence: the previous page.",
)
@click.option(
    "--after",
    type=_sequence,
    metavar="SEQUENCE",
    help="Only events after this sequence: the next page.",
)
@limit_option(1000)
@click.option(
    "--follow",
    is_flag=True,
    help="Continue with new events until Ctrl-C.",
)
@click.option(
    "--with-personal-data",
    is_flag=True,
    help="Also print names, mail addresses and other fields about people.",
)
@json_option
@click.pass_context
def audit(
    context: click.Context,
    /,
    limit: int,
    *,
    follow: bool,
    with_personal_data: bool,
    as_json: bool,
    **conditions: Any,
) -> None:
    """Print the event log, oldest event first.

    Columns: time, sequence, event type, aggregate type, aggregate ID, owner (an organization),
    creator (a user, or 'operator'), payload, and the names of the fields that are withheld from it.

    To page, pass the first printed sequence to --before, or the last one to --after. Events with
    the same sequence are printed together, so there can be a few more than --limit.

    With --follow, every new event is printed once, within two seconds of its commit, in commit
    order. While the database is unreachable, the command waits. After a restart it begins with the
    latest --limit events; an event is identified by aggregate ID and sequence.
    """
    if context.invoked_subcommand:
        return
    wanted = Wanted(**conditions)

    def show(events: Sequence[LoggedEvent]) -> None:
        print_list([_row(each, whole=with_personal_data) for each in events], as_json=as_json)

    if not follow:
        show(run(lambda _settings, database: _read(database, wanted, limit=limit)))
    elif wanted.until or wanted.before is not None or wanted.after is not None:
        raise click.UsageError("--follow cannot be combined with --until, --before or --after.")
    else:
        run(lambda _settings, database: _follow(database, wanted, show, limit=limit))


async def _read(database: Database, wanted: Wanted, *, limit: int) -> list[LoggedEvent]:
    """The wanted events. Names the archives that may have more of them on standard error."""
    events = await read_events(database, wanted, limit=limit)
    if wanted.after is not None or len(events) < limit:
        since = max(sequence_at(wanted.since) if wanted.since else 0, wanted.after or 0)
        archives = absent(await list_archives(database))
        if files := [each.file_name for each in archives if each.partition.until_sequence > since]:
            click.echo(f"Older events are in archives: {' '.join(files)}", err=True)
    return events


def _row(event: LoggedEvent, *, whole: bool) -> ListRow:
    payload, withheld = event["payload"], list[str]()
    if not whole:
        payload, withheld = disclosed(event["event_type"], payload, to_operator=True)
    return {**event, "payload": payload, "withheld_fields": tuple(withheld)}


@audit.command("checkpoint")
def checkpoint() -> None:
    """Take a checkpoint of the event log, and print it.

    Columns: number, MAC, time and last position. Keep the first two where nobody who can write to
    the database can change them, and give them to `keystead audit verify --expect`.
    """

    async def take(settings: Settings, database: Database) -> Checkpoint | None:
        keyring = load_keyring(settings.encryption_keys, settings.key_file)
        await assign(database)
        await checkpoints.take(database, keyring)
        return await last_checkpoint(database)

    last = run(take)
    if last:
        columns = (last.number, last.mac.hex(), last.taken_at.isoformat(), last.last_position)
        click.echo("\t".join(map(str, columns)))


class _Expected(click.ParamType[tuple[int, str]]):
    """The number and the MAC of a checkpoint, as NUMBER:MAC."""

    name = "checkpoint"

    def convert(
        self, value: str, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, str]:
        number, _, mac = value.partition(":")
        if not re.fullmatch(r"[1-9][0-9]{0,17}", number) or not re.fullmatch("[0-9a-f]{64}", mac):
            self.fail(
                f"'{value}' is not a checkpoint. Join the first two columns of `keystead audit"
                " checkpoint` by a colon.",
                param,
                ctx,
            )
        return int(number), mac


@audit.command("verify")
@click.option(
    "--expect",
    "expected",
    type=_Expected(),
    metavar="NUMBER:MAC",
    help="Also require this checkpoint, which was kept elsewhere.",
)
def verify(expected: tuple[int, str] | None) -> None:
    """Verify that the event log is as its checkpoints say. Exits with status 1 if it is not.

    Finds events that were changed, removed or inserted, by position in the log. Events after the
    last checkpoint are not protected yet; a server takes one every ten minutes. Archived events are
    not read; `keystead archive verify` reads their files.
    """

    async def work(settings: Settings, database: Database) -> bool:
        keyring = load_keyring(settings.encryption_keys, settings.key_file)
        last = await last_checkpoint(database)
        if last is None:
            click.echo("There is no checkpoint yet. Run: keystead audit checkpoint")
            return False
        is_intact = True
        async for problem in checkpoints.verify(database, keyring, expected=expected):
            click.echo(problem)
            is_intact = False
        if is_intact:
            newer = max(0, await last_position(database) - last.last_position)
            archived = absent(await list_archives(database))
            events = last.last_position - sum(each.event_count for each in archived)
            click.echo(
                f"{events} event(s) are as {last.number} checkpoint(s) say, the last of"
                f" {last.taken_at:%Y-%m-%d %H:%M}Z; {newer} newer."
            )
            for each in archived:
                click.echo(
                    f"{each.event_count} archived event(s) were not read. Run: keystead archive"
                    f" verify {each.file_name}"
                )
        return is_intact

    if not run(work):
        sys.exit(1)


async def _follow(
    database: Database, wanted: Wanted, show: Callable[[Sequence[LoggedEvent]], None], *, limit: int
) -> NoReturn:
    follower = Follower(database, wanted)
    show(await follower.existing(limit=limit))
    is_cut_off = False
    while True:
        await asyncio.sleep(_PACE_SECONDS)
        try:
            events = await follower.added()
        except (Failure, TimeoutError) as error:
            if not is_cut_off:
                click.echo(f"The event log cannot be read: {_why(error)}", err=True)
            is_cut_off = True
        else:
            if is_cut_off:
                click.echo("The event log can be read again.", err=True)
            is_cut_off = False
            show(events)


def _why(error: Failure | TimeoutError) -> str:
    if isinstance(error, TimeoutError):
        return "The database does not answer."
    return error.log_detail or error.message

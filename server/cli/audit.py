"""`keystead audit`."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any, Final, NoReturn, TypeAlias

import click

from server.cli.groups import CommandGroup
from server.cli.installation import Installation, in_installation
from server.cli.lists import ListRow, line_of, print_csv
from server.cli.parameters import BigInteger, Time, csv_option, json_option, limit_option
from server.cli.progress import shown_progress
from server.cli.sentences import Sentences
from server.cli.terminal import is_terminal
from server.event.disclosure import AGGREGATE_TYPES, EVENT_TYPES, disclosed
from server.event.filters import selection_of
from server.log import checkpoints, witness
from server.log.archive_store import without_archiving
from server.log.audit import Follower, Wanted, read_page
from server.log.checkpoints import last_checkpoint
from server.log.event import StoredEvent
from server.log.positions import assign, last_position
from server.log.verification import Part, Verification
from server.log.witness import Kept, Witness
from server.values.counted import counted
from server.values.errors import Failure

# The interval at which --follow polls for new events.
_PACE_SECONDS = 1

# Prints events.
Show: TypeAlias = Callable[[Sequence[StoredEvent]], Awaitable[None]]
# Makes the function that prints the events of an installation.
Printing: TypeAlias = Callable[[Installation], Show]

_COLUMNS: Final = (
    *("created_at", "sequence", "event_type", "aggregate_type", "aggregate_id", "owner"),
    *("creator", "payload", "withheld_fields"),
)
_MINUTE: Final = "%Y-%m-%d %H:%MZ"

_sequence = BigInteger(min=0)
_archives_option = click.option(
    "--archives",
    "directories",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    multiple=True,
    metavar="DIRECTORY",
    help="Also read the files of archives in this directory; may be repeated.",
)


@click.group(cls=CommandGroup, invoke_without_command=True)
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
    type=click.Choice([*AGGREGATE_TYPES, *EVENT_TYPES]),
    multiple=True,
    metavar="TYPE",
    help="Only events of this event type or aggregate type; may be repeated.",
)
@click.option(
    "--filter",
    "filter_text",
    metavar="FILTER",
    default="",
    help="Only events that meet comparisons, in place of the options above and --since and --until:"
    " event_type = user.* AND created_at >= 2036-01-01T00:00:00Z AND creator = ID.",
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
@click.option(
    "--raw",
    is_flag=True,
    help="Print the columns at a terminal, too, in place of sentences.",
)
@_archives_option
@json_option
@csv_option
@click.pass_context
def audit(
    context: click.Context,
    /,
    limit: int,
    *,
    follow: bool,
    with_personal_data: bool,
    raw: bool,
    as_json: bool,
    as_csv: bool,
    directories: Sequence[Path],
    filter_text: str,
    **conditions: Any,
) -> None:
    """Print the event log, oldest event first.

    A terminal gets a sentence for each event, with the present names of people and objects, and
    times of UTC. Files, pipes, --raw and --with-personal-data get tab-separated columns, and --json
    gets objects with the same fields. --csv gets the columns with a header.

    Columns: time, sequence, event type, aggregate type, aggregate ID, owner (an organization),
    creator (a user, or 'operator'), payload, and the names of the fields that are withheld from it.

    To page, pass the first printed sequence to --before, or the last one to --after. Events with
    the same sequence are printed together, so there can be a few more than --limit. Archives that
    may have further events of the page, and are not in a directory of --archives, are named on
    standard error.

    With --follow, every new event is printed once, within two seconds of its commit, in commit
    order. While the database is unreachable, the command waits. After a restart it begins with the
    latest --limit events; an event is identified by aggregate ID and sequence.
    """
    if context.invoked_subcommand:
        return
    wanted = Wanted(**conditions | _selected(filter_text, conditions))
    if as_csv and as_json:
        raise click.UsageError("--csv cannot be combined with --json.")
    in_sentences = is_terminal() and not (raw or as_json or as_csv or with_personal_data)
    in_rows = _csv if as_csv else partial(_rows, as_json=as_json)
    printing = _sentences if in_sentences else in_rows(whole=with_personal_data)
    if not follow:
        _print_page(wanted=wanted, printing=printing, limit=limit, directories=directories)
    elif wanted.until or wanted.before is not None or wanted.after is not None or directories:
        raise click.UsageError(
            "--follow cannot be combined with --until, --before, --after or --archives."
        )
    else:
        _follow(wanted=wanted, printing=printing, limit=limit)


def _selected(filter_text: str, conditions: Mapping[str, Any]) -> dict[str, Any]:
    """The conditions that a filter stands for, in place of these."""
    if not filter_text:
        return {}
    try:
        selection = selection_of(filter_text)
    except ValueError as error:
        raise click.BadParameter(f"It {error}.", param_hint="--filter") from None
    selected = {name: value or None for name, value in selection.items() if name != "event_types"}
    selected["types"] = selection["event_types"]
    if any(map(conditions.get, selected)):
        raise click.UsageError(
            "--filter cannot be combined with --aggregate, --creator, --type, --since or --until."
        )
    return selected


def _rows(*, whole: bool, as_json: bool) -> Printing:
    """Prints the columns of events, or JSON."""

    async def show(events: Sequence[StoredEvent]) -> None:
        for each in events:
            row = _row(each, whole=whole)
            click.echo(line_of(row, as_json=as_json))

    return lambda _installation: show


def _csv(*, whole: bool) -> Printing:
    """Prints the columns of events as CSV, with one header."""

    def printing(_installation: Installation) -> Show:
        header = list(_COLUMNS)

        async def show(events: Sequence[StoredEvent]) -> None:
            async def rows() -> AsyncIterator[ListRow]:
                for each in events:
                    yield _row(each, whole=whole)

            await print_csv(rows(), header)
            header.clear()

        return show

    return printing


def _sentences(at: Installation) -> Show:
    """Prints events as sentences."""
    idle_timeout = timedelta(seconds=at.settings.session_idle_timeout)
    sentences = Sentences(at.database, idle_timeout=idle_timeout)

    async def show(events: Sequence[StoredEvent]) -> None:
        for line in await sentences.lines(events):
            click.echo(line)

    return show


@in_installation
async def _print_page(
    at: Installation,
    *,
    wanted: Wanted,
    printing: Printing,
    limit: int,
    directories: Sequence[Path],
) -> None:
    page = await read_page(at.database, wanted, limit=limit, directories=directories)
    await printing(at)(page.events)
    if page.unread:
        names = " ".join(archive.file_name for archive in page.unread)
        click.echo(
            f"More such events may be in archives: {names}. Give their directories to --archives.",
            err=True,
        )


def _row(event: StoredEvent, *, whole: bool) -> ListRow:
    payload, withheld = event.payload, list[str]()
    if not whole:
        payload, withheld = disclosed(event.event_type, payload, to_operator=True)
    return {
        "created_at": event.created_at.isoformat(),  # to the microsecond, as `--since` takes it
        "sequence": event.sequence,
        "event_type": event.event_type,
        "aggregate_type": event.aggregate_type,
        "aggregate_id": event.aggregate_id,
        "owner": event.owner,
        "creator": event.creator,
        "payload": payload,
        "withheld_fields": tuple(withheld),
    }


@audit.command("checkpoint")
@in_installation
@json_option
async def checkpoint(at: Installation, *, as_json: bool) -> None:
    """Take a checkpoint of the event log, and print it.

    Columns: number, MAC, time and last position. Keep the first two where nobody who can write to
    the database can change them, and give them to `keystead audit verify --expect`.
    """
    await assign(at.database)
    if last := await Witness(at.database, at.keyring(), at.settings.checkpoint_file).take():
        kept = Kept.of(last)
        row: ListRow = {
            "number": kept.number,
            "mac": kept.mac,
            "taken_at": last.taken_at.isoformat(),
            "last_position": last.last_position,
        }
        click.echo(line_of(row, as_json=True) if as_json else witness.line_of(last))


class _Expected(click.ParamType[Kept]):
    """The number and the MAC of a checkpoint, as NUMBER:MAC."""

    name = "checkpoint"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> Kept:
        kept = Kept.read(value)
        if kept is None:
            self.fail(
                f"'{value}' is not a checkpoint. Join the first two columns of `keystead audit"
                " checkpoint` by a colon.",
                param,
                ctx,
            )
        return kept


@audit.command("verify")
@click.option(
    "--expect",
    "expected",
    type=_Expected(),
    metavar="NUMBER:MAC",
    help="Also require this checkpoint, which was kept elsewhere.",
)
@click.option(
    "--expect-file",
    "files",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    multiple=True,
    metavar="FILE",
    help="Also require the checkpoints of this file, which has the output of `keystead audit"
    " checkpoint`; may be repeated. KEYSTEAD_CHECKPOINT_FILE is always read.",
)
@click.option(
    "--accept-times-until",
    type=BigInteger(min=0),
    default=0,
    metavar="POSITION",
    help="Do not report events up to this position as older than a checkpoint before them, once"
    " you know that the clock of the database was set back.",
)
@_archives_option
@in_installation
async def verify(
    at: Installation,
    expected: Kept | None,
    files: Sequence[Path],
    accept_times_until: int,
    directories: Sequence[Path],
) -> bool:
    """Verify that the event log is as its checkpoints say. Exits with status 1 if it is not.

    Finds events that were changed, removed or inserted, by position in the log, and then lists the
    positions that were verified, and where. Events after the last checkpoint are not protected yet;
    a server takes one every ten minutes. Archived events are verified in the files that are found
    in a directory of --archives; with this option, a missing file is a problem.
    """
    keyring, database, own_file = at.keyring(), at.database, at.settings.checkpoint_file
    kept = [expected] if expected else []
    for path in (*files, *([own_file] if own_file else [])):
        kept += witness.read(path)
    if not (kept or await last_checkpoint(database) or await checkpoints.has_key(database)):
        click.echo("There is no checkpoint yet. Run: keystead audit checkpoint")
        return False
    problems = 0
    async with without_archiving(database) as transaction:
        with shown_progress() as line:
            log = Verification(
                transaction,
                keyring,
                kept,
                directories,
                times_accepted_until=accept_times_until,
                tell=line.tell,
            )
            async for problem in log.problems():
                line.end()
                click.echo(problem)
                problems += 1
        newer = max(0, await last_position(transaction) - log.last.last_position)
    for part in sorted(log.parts, key=lambda part: part.ranges):
        click.echo(_described(part))
    uncovered = counted(newer, "newer event is", "newer events are")
    click.echo(f"{_verdict(log, problems)} {uncovered} in no checkpoint yet.")
    click.echo(_witnessed(log, kept))
    is_whole = not directories or not any(part.is_unread for part in log.parts)
    return is_whole and not problems


def _described(part: Part) -> str:
    spans = [f"{first} to {until - 1}" for first, until in part.ranges]
    where = f"positions {', '.join(spans)}"
    if part.archive and part.is_unread:
        events = counted(part.events, "archived event was", "archived events were")
        return (
            f"{events} not read, {where}. Give the directory of {part.archive.file_name} to"
            " --archives."
        )
    place = part.path or "the database"
    events = counted(part.events, "event was", "events were")
    return f"{part.verified} of {events} verified in {place}, {where}."


def _verdict(log: Verification, problems: int) -> str:
    """The result for all events that checkpoints cover."""
    if problems:
        subject = f"{counted(problems, 'problem')}: not all events agree"
    elif any(part.is_unread for part in log.parts):
        subject = "All events that were read agree"
    else:
        subject = "All events agree"
    last = log.last
    checkpoints = counted(last.number, "checkpoint")
    return f"{subject} with {checkpoints}, the last of {last.taken_at:{_MINUTE}}."


def _witnessed(log: Verification, kept: Sequence[Kept]) -> str:
    """The last checkpoint that the database cannot have lost without a problem above."""
    if not kept:
        return (
            "No checkpoint was given that was kept outside of the database, so it may have lost its"
            " last ones: set KEYSTEAD_CHECKPOINT_FILE."
        )
    newer = max(0, log.last.number - max(kept).number)
    return (
        f"{counted(len(set(kept)), 'checkpoint')} kept outside of the database:"
        f" {newer} of the database {'is' if newer == 1 else 'are'} newer."
    )


@in_installation
async def _follow(at: Installation, *, wanted: Wanted, printing: Printing, limit: int) -> NoReturn:
    follower, show = Follower(at.database, wanted), printing(at)
    await show(await follower.existing(limit=limit))
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
            await show(events)


def _why(error: Failure | TimeoutError) -> str:
    if isinstance(error, TimeoutError):
        return "The database does not answer."
    return error.log_detail or error.message

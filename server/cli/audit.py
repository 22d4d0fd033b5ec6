"""`keystead audit`."""

import asyncio
from datetime import UTC, datetime
from typing import Any, NoReturn

import click

from server.cli.installation import run
from server.cli.lists import BigInteger, json_option, limit_option, print_list
from server.store.audit import Wanted, read_events
from server.store.database import Database
from server.store.follow import Follower
from server.values.errors import Failure


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


# How often a follower looks for new events.
_PACE_SECONDS = 1

_sequence = BigInteger(min=0)


@click.command()
@click.option(
    "--aggregate",
    "aggregate_id",
    metavar="ID",
    help="Only of this organization, user, identity provider, ... by id.",
)
@click.option(
    "--creator",
    metavar="ID",
    help="Only what this user did, by id; 'operator' for the command line.",
)
@click.option(
    "--type",
    "types",
    multiple=True,
    help="Only of this event type or aggregate type, as they are printed; may be repeated.",
)
@click.option("--since", type=_Time(), help="Only since then: a date or time, in UTC.")
@click.option("--until", type=_Time(), help="Only before then.")
@click.option(
    "--before",
    type=_sequence,
    metavar="SEQUENCE",
    help="Only before this sequence: the page before.",
)
@click.option(
    "--after",
    type=_sequence,
    metavar="SEQUENCE",
    help="Only after this sequence, and the first so many: the next page.",
)
@limit_option(1000)
@click.option(
    "--follow",
    is_flag=True,
    help="Then print new events as they are written, until Ctrl-C.",
)
@json_option
def audit(limit: int, *, follow: bool, as_json: bool, **conditions: Any) -> None:
    """Print the log of events, oldest first.

    The columns: when, sequence, event type, aggregate type, aggregate id, owner (an organization),
    creator (a user, or 'operator') and payload.

    With --before the first sequence that was printed, or --after the last one, goes on where that
    ended. Events of one sequence are never parted, so that there may be a few more than --limit.

    With --follow, every event that is committed from then on is printed once, a second or two
    later; one that took longer than others comes after them. While the database is away it waits.
    Started again it begins with the latest --limit events: a program knows which of them it has by
    aggregate id and sequence.
    """
    wanted = Wanted(**conditions)
    if not follow:
        print_list(
            run(lambda _settings, database: read_events(database, wanted, limit=limit)),
            as_json=as_json,
        )
    elif wanted.until or wanted.before is not None or wanted.after is not None:
        raise click.UsageError(
            "--follow has no end and no pages: not with --until, --before or --after."
        )
    else:
        run(lambda _settings, database: _follow(database, wanted, limit=limit, as_json=as_json))


async def _follow(database: Database, wanted: Wanted, *, limit: int, as_json: bool) -> NoReturn:
    follower = Follower(database, wanted)
    print_list(await follower.existing(limit=limit), as_json=as_json)
    is_cut_off = False
    while True:
        await asyncio.sleep(_PACE_SECONDS)
        try:
            events = await follower.added()
        except (Failure, TimeoutError) as error:
            if not is_cut_off:
                click.echo(f"The log cannot be read now: {_why(error)}", err=True)
            is_cut_off = True
        else:
            if is_cut_off:
                click.echo("The log can be read again.", err=True)
            is_cut_off = False
            print_list(events, as_json=as_json)


def _why(error: Failure | TimeoutError) -> str:
    if isinstance(error, TimeoutError):
        return "The database does not answer."
    return error.log_detail or error.message

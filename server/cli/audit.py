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


# How often --follow polls for new events.
_PACE_SECONDS = 1

_sequence = BigInteger(min=0)


@click.command()
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
@click.option("--since", type=_Time(), help="Only events since this date or time, in UTC.")
@click.option("--until", type=_Time(), help="Only events before this date or time.")
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
@json_option
def audit(limit: int, *, follow: bool, as_json: bool, **conditions: Any) -> None:
    """Print the event log, oldest event first.

    Columns: time, sequence, event type, aggregate type, aggregate ID, owner (an organization),
    creator (a user, or 'operator') and payload.

    To page, pass the first printed sequence to --before, or the last one to --after. Events with
    the same sequence are printed together, so there can be a few more than --limit.

    With --follow, every new event is printed once, within two seconds of its commit, in commit
    order. While the database is unreachable, the command waits. After a restart it begins with the
    latest --limit events; an event is identified by aggregate ID and sequence.
    """
    wanted = Wanted(**conditions)
    if not follow:
        print_list(
            run(lambda _settings, database: read_events(database, wanted, limit=limit)),
            as_json=as_json,
        )
    elif wanted.until or wanted.before is not None or wanted.after is not None:
        raise click.UsageError("--follow cannot be combined with --until, --before or --after.")
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
                click.echo(f"The event log cannot be read: {_why(error)}", err=True)
            is_cut_off = True
        else:
            if is_cut_off:
                click.echo("The event log can be read again.", err=True)
            is_cut_off = False
            print_list(events, as_json=as_json)


def _why(error: Failure | TimeoutError) -> str:
    if isinstance(error, TimeoutError):
        return "The database does not answer."
    return error.log_detail or error.message

"""`keystead session`."""

from collections.abc import AsyncIterable
from datetime import timedelta
from functools import partial

import click

from server.access.caller import OPERATOR
from server.cli.groups import CommandGroup
from server.cli.installation import run
from server.cli.lists import ListRow, all_rows
from server.cli.names import list_for_user, run_for_user
from server.cli.parameters import organization_option
from server.command_wiring import OTHER_FEATURES
from server.session import commands as session_commands
from server.session import store as session_store
from server.session.store import Session
from server.settings.settings import Settings
from server.store.database import Database
from server.validation.fields import read
from server.values.counted import counted


@click.group("session", cls=CommandGroup)
def group() -> None:
    """List and end sessions of users."""


@group.command("list")
@list_for_user
def list_(settings: Settings, database: Database, user_id: str) -> AsyncIterable[ListRow]:
    """List the sessions of a user.

    Columns: ID, device, IP address, time of the last use, expiry time, ID of the passkey, user
    agent.
    """
    list_after = partial(
        session_store.list_after,
        database,
        user_id=user_id,
        idle_timeout=timedelta(seconds=settings.session_idle_timeout),
    )
    return all_rows(list_after, _row)


def _row(session: Session) -> ListRow:
    return {
        "session_id": session.session_id,
        "device_name": session.device_name,
        "ip_address": session.ip_address,
        "last_seen_at": session.last_seen_at,
        "expires_at": session.idle_expires_at,
        "passkey_id": session.passkey_id,
        "user_agent": session.user_agent,
    }


@group.command("end")
@click.argument(
    "session_id", required=False, help="ID of the session, see `keystead session list`."
)
@click.option(
    "--all",
    "user",
    metavar="USER",
    help="End all sessions of this user, by ID, or by name in the organization of --org.",
)
@organization_option
def end(session_id: str | None, user: str | None, organization: str) -> None:
    """End a session, or all sessions of a user.

    Running servers refuse their tokens within 5 seconds.
    """
    if (session_id is None) == (user is None):
        raise click.UsageError("Give either SESSION_ID or --all USER.")
    if session_id is not None:
        _end_one(session_id)
        click.echo(f"The session ended: {session_id}")
    if user is not None:
        number = _end_all(user, organization)
        click.echo(f"{counted(number, 'session')} of '{user}' ended.")


def _end_all(user: str, organization: str) -> int:
    _, number = run_for_user(
        user,
        organization,
        lambda _settings, database, user_id: session_commands.end_all(
            database,
            read(session_commands.EndSessions, {"user_id": user_id, "keep_current": False}),
            actor=OPERATOR,
            end_ceremonies=OTHER_FEATURES.end_begun_by,
        ),
    )
    return number


def _end_one(session_id: str) -> None:

    async def find_and_end(_settings: Settings, database: Database) -> None:
        user_id = await session_store.find_user(database, session_id)
        if user_id is None:
            raise click.ClickException(
                f"There is no session '{session_id}'. List those of a user: keystead session list"
            )
        fields = {"user_id": user_id, "session_id": session_id}
        await session_commands.end(
            database,
            read(session_commands.EndSession, fields),
            actor=OPERATOR,
            end_ceremonies=OTHER_FEATURES.end_begun_by,
        )

    run(find_and_end)

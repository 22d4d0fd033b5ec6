"""`keystead session`."""

from collections.abc import Iterable
from datetime import timedelta

import click

from server.access.caller import OPERATOR
from server.cli.groups import CommandGroup
from server.cli.installation import run
from server.cli.lists import EVERYTHING, ListRow
from server.cli.names import list_for_user
from server.command_wiring import OTHER_FEATURES
from server.session import commands as session_commands
from server.session import store as session_store
from server.session.store import Session
from server.settings.settings import Settings
from server.store.database import Database
from server.validation.fields import read


@click.group("session", cls=CommandGroup)
def group() -> None:
    """List and end sessions of users."""


@group.command("list")
@list_for_user
async def list_(settings: Settings, database: Database, user_id: str) -> Iterable[ListRow]:
    """List the sessions of a user.

    Columns: ID, device, IP address, time of the last use, expiry time, ID of the passkey, user
    agent.
    """
    found = await session_store.list_after(
        database,
        user_id=user_id,
        after="",
        limit=EVERYTHING,
        idle_timeout=timedelta(seconds=settings.session_idle_timeout),
    )
    return map(_row, found)


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
@click.argument("session_id", help="ID of the session, see `keystead session list`.")
def end(session_id: str) -> None:
    """End a session. Running servers refuse its token within 5 seconds."""

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

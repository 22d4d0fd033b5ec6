"""`keystead session`."""

import click

from server.access.caller import OPERATOR
from server.cli.installation import run
from server.command_wiring import OTHER_FEATURES
from server.session import commands as session_commands
from server.session import store as session_store
from server.settings.settings import Settings
from server.store.database import Database
from server.validation.fields import read


@click.group("session")
def group() -> None:
    """List and end sessions of users."""


@group.command("end")
@click.argument("session_id", help="As `keystead user sessions` shows it.")
def end(session_id: str) -> None:
    """End a session. Servers that are running refuse its token within 5 seconds."""

    async def find_and_end(_settings: Settings, database: Database) -> None:
        user_id = await session_store.find_user(database, session_id)
        if user_id is None:
            raise click.ClickException(
                f"There is no session '{session_id}'. List those of a user: keystead user sessions"
            )
        fields = {"user_id": user_id, "session_id": session_id}
        await session_commands.end(
            database,
            read(session_commands.EndSession, fields),
            actor=OPERATOR,
            end_ceremonies=OTHER_FEATURES.end_begun_by,
        )

    run(find_and_end)

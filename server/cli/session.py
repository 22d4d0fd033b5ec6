"""`keystead session end`."""

import click

from server.access.caller import OPERATOR
from server.cli.installation import Installation, in_installation
from server.session import commands as session_commands
from server.session import store as session_store
from server.validation.fields import read
from server.wiring.dependencies import OTHER_FEATURES


@click.command("end")
@click.argument("session_id", help="ID of the session. See `keystead session list`.")
@in_installation
async def end(at: Installation, session_id: str) -> None:
    """End a session.

    Running servers refuse its tokens within 5 seconds.
    """
    user_id = await session_store.find_user(at.database, session_id)
    if user_id is None:
        raise click.ClickException(
            f"There is no session '{session_id}'. List those of a user: keystead session list"
        )
    command = read(session_commands.EndSession, {"user_id": user_id, "session_id": session_id})
    await session_commands.end(
        at.database, command, actor=OPERATOR, end_ceremonies=OTHER_FEATURES.end_begun_by
    )
    click.echo(f"The session ended: {session_id}")

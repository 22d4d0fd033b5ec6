"""`keystead token`."""

from datetime import UTC, datetime, timedelta

import click

from server.cli.installation import EVERYTHING, run
from server.cli.names import organization_option, user_id_of
from server.database import Database
from server.eventstore import OPERATOR
from server.settings import Settings
from server.user import commands as user_commands
from server.user import token_store
from server.validation import read_fields


@click.group("token")
def group() -> None:
    """Tokens of users. USER is an id, or a name in the organization of --org."""


@group.command("create")
@click.argument("user")
@click.option("--name", default="", help="What people know it by.")
@click.option(
    "--days", type=click.IntRange(min=1), help="It expires after so many days; without, never."
)
@organization_option
def token_create(user: str, name: str, days: int | None, organization: str) -> None:
    """Create a token and print it. It is shown only here."""
    expires_at = datetime.now(UTC) + timedelta(days=days) if days else None

    async def create(settings: Settings, database: Database) -> str:
        user_id = await user_id_of(database, user, organization)
        fields = {"user_id": user_id, "name": name, "expires_at": expires_at}
        created = await user_commands.create_token(
            database,
            read_fields(user_commands.CreateToken, fields),
            caller_id=OPERATOR,
            limit=settings.max_tokens_per_user,
        )
        return created.token

    click.echo(run(create))


@group.command("list")
@click.argument("user")
@organization_option
def token_list(user: str, organization: str) -> None:
    """List the tokens of a user: id, name and when they expire."""

    async def found(_settings: Settings, database: Database) -> list[token_store.Token]:
        user_id = await user_id_of(database, user, organization)
        return await token_store.list_after(database, user_id=user_id, after="", limit=EVERYTHING)

    for each in run(found):
        expires = each.expires_at.isoformat() if each.expires_at else "never"
        click.echo(f"{each.token_id}\t{each.name}\t{expires}")


@group.command("revoke")
@click.argument("user")
@click.argument("token_id")
@organization_option
def token_revoke(user: str, token_id: str, organization: str) -> None:
    """Revoke a token. Servers that are running refuse it within 5 seconds."""

    async def revoke(_settings: Settings, database: Database) -> None:
        user_id = await user_id_of(database, user, organization)
        command = user_commands.OneToken(user_id=user_id, token_id=token_id)
        await user_commands.revoke_token(database, command, caller_id=OPERATOR)

    run(revoke)

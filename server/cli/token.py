"""`keystead token`."""

from collections.abc import AsyncIterable
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import TextIO

import click

from server.access.caller import OPERATOR
from server.cli.groups import CommandGroup
from server.cli.lists import ListRow, all_rows
from server.cli.names import list_for_user, run_for_user
from server.cli.parameters import organization_option, user_argument
from server.command_wiring import OTHER_FEATURES
from server.settings.settings import Settings
from server.store.database import Database
from server.store.eventlog import Details
from server.user import token_store
from server.user import tokens as user_tokens
from server.user.token_store import StoredToken
from server.user.tokens import NewToken
from server.validation.fields import read

# The maximum lifetime, a century.
_MOST_DAYS = 36_500


@click.group("token", cls=CommandGroup)
def group() -> None:
    """Manage tokens of users."""


@group.command("create")
@user_argument
@click.option("--name", default="", help="Display name of the token.")
@click.option(
    "--days",
    type=click.IntRange(min=1, max=_MOST_DAYS),
    help="Lifetime in days. Without it the token does not expire.",
)
@organization_option
def create(user: str, name: str, days: int | None, organization: str) -> None:
    """Create a token and print it. It cannot be read again."""
    expires_at = datetime.now(UTC) + timedelta(days=days) if days else None

    async def create_for(settings: Settings, database: Database, user_id: str) -> NewToken:
        fields = {"user_id": user_id, "name": name, "expires_at": expires_at}
        return await user_tokens.create_token(
            database,
            read(user_tokens.CreateToken, fields),
            actor=OPERATOR,
            limit=settings.max_tokens_per_user,
        )

    click.echo(run_for_user(user, organization, create_for).token)


@group.command("add-certificate")
@user_argument
@click.argument("file", type=click.File(encoding="latin-1"), help="PEM file of the certificate.")
@click.option("--name", default="", help="Display name of the token.")
@organization_option
def add_certificate(user: str, file: TextIO, name: str, organization: str) -> None:
    """Let a user authenticate by a client certificate, and print the ID of the token."""
    pem = file.read()

    async def add(settings: Settings, database: Database, user_id: str) -> tuple[str, Details]:
        return await user_tokens.add_certificate(
            database,
            read(
                user_tokens.AddCertificate,
                {"user_id": user_id, "name": name, "certificate": pem},
            ),
            actor=OPERATOR,
            presented=None,
            limit=settings.max_tokens_per_user,
        )

    token_id, _ = run_for_user(user, organization, add)
    click.echo(token_id)


@group.command("list")
@list_for_user
def list_(_settings: Settings, database: Database, user_id: str) -> AsyncIterable[ListRow]:
    """List the tokens of a user: ID, name, expiry time, and thumbprint of a certificate."""
    return all_rows(partial(token_store.list_after, database, user_id=user_id), _row)


def _row(token: StoredToken) -> ListRow:
    return {
        "token_id": token.token_id,
        "name": token.name,
        "expires_at": token.expires_at,
        "thumbprint": token.thumbprint,
    }


@group.command("revoke")
@user_argument
@click.argument("token_id", help="ID of the token, see `keystead token list`.")
@organization_option
def revoke(user: str, token_id: str, organization: str) -> None:
    """Revoke a token. Running servers refuse writes with it at once, reads within 5 seconds."""
    run_for_user(
        user,
        organization,
        lambda _settings, database, user_id: user_tokens.revoke_token(
            database,
            read(user_tokens.OneToken, {"user_id": user_id, "token_id": token_id}),
            actor=OPERATOR,
            others=OTHER_FEATURES,
        ),
    )
    click.echo(f"The token was revoked: {token_id}")

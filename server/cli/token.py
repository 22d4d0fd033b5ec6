"""`keystead token`."""

from datetime import UTC, datetime, timedelta
from functools import partial
from typing import TextIO

import click

from server.access.caller import OPERATOR
from server.cli.groups import CommandGroup
from server.cli.installation import Installation
from server.cli.lists import ListAfter, columns, listed, print_value
from server.cli.names import Named, for_user
from server.cli.parameters import json_option, user_argument
from server.user import token_store
from server.user import tokens as user_tokens
from server.validation.fields import read
from server.wiring.dependencies import OTHER_FEATURES, outbox

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
@for_user
@json_option
async def create(
    at: Installation, user: Named, name: str, days: int | None, *, as_json: bool
) -> None:
    """Create a token and print it. It cannot be read again."""
    expires_at = datetime.now(UTC) + timedelta(days=days) if days else None
    fields = {"user_id": user.id, "name": name, "expires_at": expires_at}
    created = await user_tokens.create_token(
        at.database,
        read(user_tokens.CreateToken, fields),
        actor=OPERATOR,
        limit=at.settings.max_tokens_per_user,
        outbox=outbox(at.settings),
    )
    print_value("token", created.token, as_json=as_json)


@group.command("add-certificate")
@user_argument
@click.argument("file", type=click.File(encoding="latin-1"), help="PEM file of the certificate.")
@click.option("--name", default="", help="Display name of the token.")
@for_user
@json_option
async def add_certificate(
    at: Installation, user: Named, file: TextIO, name: str, *, as_json: bool
) -> None:
    """Let a user authenticate by a client certificate, and print the ID of the token."""
    fields = {"user_id": user.id, "name": name, "certificate": file.read()}
    token_id, _ = await user_tokens.add_certificate(
        at.database,
        read(user_tokens.AddCertificate, fields),
        actor=OPERATOR,
        presented=None,
        limit=at.settings.max_tokens_per_user,
        outbox=outbox(at.settings),
    )
    print_value("token_id", token_id, as_json=as_json)


@group.command("list")
@user_argument
@for_user
@listed(columns("token_id", "name", "expires_at", "thumbprint"))
def list_(at: Installation, user: Named) -> ListAfter:
    """List the tokens of a user: ID, name, expiry time, and thumbprint of a certificate."""
    return partial(token_store.LIST.all, at.database, user_id=user.id)


@group.command("revoke")
@user_argument
@click.argument("token_id", help="ID of the token, see `keystead token list`.")
@for_user
async def revoke(at: Installation, user: Named, token_id: str) -> None:
    """Revoke a token. Running servers refuse writes with it at once, reads within 5 seconds."""
    command = read(user_tokens.OneToken, {"user_id": user.id, "token_id": token_id})
    await user_tokens.revoke_token(at.database, command, actor=OPERATOR, others=OTHER_FEATURES)
    click.echo(f"The token was revoked: {token_id}")

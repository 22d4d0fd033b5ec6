"""`keystead passkey`."""

import click

from server import app
from server.cli.installation import EVERYTHING, run
from server.cli.names import organization_option, user_id_of
from server.database import Database
from server.encryption import load_keyring
from server.eventstore import OPERATOR
from server.passkey import commands as passkey_commands
from server.passkey import links
from server.passkey import store as passkey_store
from server.passkey.provider import provider_name
from server.settings import Settings


@click.group("passkey")
def group() -> None:
    """Passkeys of users. USER is an id, or a name in the organization of --org."""


@group.command("link")
@click.argument("user")
@click.option("--send", is_flag=True, help="Mail it to the user, and print the id of the mail.")
@organization_option
def passkey_link(user: str, organization: str, *, send: bool) -> None:
    """Create a link by which a user registers a passkey, and print it. Older ones end."""

    async def create(settings: Settings, database: Database) -> links.NewLink:
        return await links.create(
            database,
            await user_id_of(database, user, organization),
            links.Delivery.SEND_LINK if send else links.Delivery.RETURN_CODE,
            caller_id=OPERATOR,
            policy=app.link_policy(settings),
            keyring=load_keyring(settings.encryption_keys, settings.key_file),
            max_passkeys=settings.max_passkeys_per_user,
            hourly_mail_limit=settings.mail_hourly_limit,
        )

    link = run(create)
    click.echo(link.mail_id if send else link.url)


@group.command("list")
@click.argument("user")
@organization_option
def passkey_list(user: str, organization: str) -> None:
    """List the passkeys of a user: id, name, model and when it was registered."""

    async def found(_settings: Settings, database: Database) -> list[passkey_store.Passkey]:
        user_id = await user_id_of(database, user, organization)
        return await passkey_store.list_after(database, user_id=user_id, after="", limit=EVERYTHING)

    for each in run(found):
        registered = each.details.creation_date.isoformat(timespec="seconds")
        model = provider_name(each.aaguid) or "unknown"
        click.echo(f"{each.passkey_id}\t{each.name}\t{model}\t{registered}")


@group.command("remove")
@click.argument("user")
@click.argument("passkey_id")
@organization_option
def passkey_remove(user: str, passkey_id: str, organization: str) -> None:
    """Remove a passkey, one that was lost for example."""

    async def remove(_settings: Settings, database: Database) -> None:
        user_id = await user_id_of(database, user, organization)
        command = passkey_commands.RemovePasskey(user_id=user_id, passkey_id=passkey_id)
        await passkey_commands.remove(database, command, caller_id=OPERATOR)

    run(remove)

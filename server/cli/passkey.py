"""`keystead passkey`."""

from collections.abc import AsyncIterable, Sequence

import click

from server.access.caller import OPERATOR
from server.cli.groups import CommandGroup
from server.cli.installation import keyring_of, keyring_of_servers
from server.cli.lists import ListRow, all_rows
from server.cli.names import list_for_user, run_for_user
from server.cli.parameters import organization_option, user_argument
from server.command_wiring import outbox, registration_policy
from server.passkey import commands as passkey_commands
from server.passkey import links
from server.passkey import store as passkey_store
from server.passkey.links import LinkChannel, NewLink
from server.passkey.provider import provider_name
from server.passkey.store import Passkey
from server.settings.settings import Settings
from server.store.database import Database
from server.validation.fields import read


@click.group("passkey", cls=CommandGroup)
def group() -> None:
    """Manage passkeys of users and create registration links."""


@group.command("link")
@user_argument
@click.option("--send", is_flag=True, help="Mail the link, and print the ID of the mail.")
@organization_option
def link(user: str, organization: str, *, send: bool) -> None:
    """Create a registration link for a user and print it.

    The link registers one passkey and expires after KEYSTEAD_PASSKEY_LINK_LIFETIME. Earlier links
    of the user end. --send needs a mail address of the user and an SMTP configuration.
    """
    channel = LinkChannel.SEND_LINK if send else LinkChannel.RETURN_CODE

    async def create(settings: Settings, database: Database, user_id: str) -> NewLink:
        # A server decrypts the link in the mail.
        keyring = await keyring_of_servers(settings, database) if send else keyring_of(settings)
        return await links.create(
            database,
            user_id,
            channel,
            actor=OPERATOR,
            policy=registration_policy(settings),
            outbox=outbox(settings),
            keyring=keyring,
        )

    created = run_for_user(user, organization, create)
    click.echo(created.mail_id if send else created.url)


@group.command("list")
@list_for_user
def list_(_settings: Settings, database: Database, user_id: str) -> AsyncIterable[ListRow]:
    """List the passkeys of a user: ID, name, model and registration time."""

    async def list_after(*, after: str, limit: int) -> Sequence[Passkey]:
        found = await passkey_store.list_after(database, user_id=user_id, after=after, limit=limit)
        return found.passkeys if found else ()

    return all_rows(list_after, _row)


def _row(passkey: Passkey) -> ListRow:
    return {
        "passkey_id": passkey.passkey_id,
        "name": passkey.name,
        "provider_name": provider_name(passkey.aaguid),
        "creation_date": passkey.details.creation_date,
    }


@group.command("remove")
@user_argument
@click.argument("passkey_id", help="ID of the passkey, see `keystead passkey list`.")
@organization_option
def remove(user: str, passkey_id: str, organization: str) -> None:
    """Remove a passkey, for example a lost one."""
    run_for_user(
        user,
        organization,
        lambda _settings, database, user_id: passkey_commands.remove(
            database,
            read(passkey_commands.RemovePasskey, {"user_id": user_id, "passkey_id": passkey_id}),
            actor=OPERATOR,
        ),
    )
    click.echo(f"The passkey was removed: {passkey_id}")

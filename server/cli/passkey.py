"""`keystead passkey`."""

from collections.abc import Sequence

import click

from server.access.caller import OPERATOR
from server.cli.groups import CommandGroup
from server.cli.installation import Installation
from server.cli.lists import ListAfter, ListRow, listed, print_value
from server.cli.names import Named, for_user
from server.cli.parameters import json_option, user_argument
from server.passkey import commands as passkey_commands
from server.passkey import links
from server.passkey import store as passkey_store
from server.passkey.links import LinkChannel
from server.passkey.provider import provider_name
from server.passkey.store import Passkey
from server.validation.fields import read
from server.values.counted import counted
from server.wiring.dependencies import end_begun_with, outbox, registration_policy


@click.group("passkey", cls=CommandGroup)
def group() -> None:
    """Manage passkeys of users and create registration links."""


@group.command("link")
@user_argument
@click.option("--send", is_flag=True, help="Mail the link, and print the ID of the mail.")
@click.option(
    "--return-to", default="", metavar="URL", help="Page to which the link leads afterwards."
)
@click.option("--invite", "is_invitation", is_flag=True, help="Say to which organization it is.")
@click.option(
    "--application",
    "application_id",
    default="",
    metavar="ID",
    help="Application to name in the invitation.",
)
@for_user
@json_option
async def link(
    at: Installation,
    user: Named,
    *,
    send: bool,
    return_to: str,
    is_invitation: bool,
    application_id: str,
    as_json: bool,
) -> None:
    """Create a registration link for a user and print it.

    The link registers one passkey and expires after KEYSTEAD_PASSKEY_LINK_LIFETIME. Earlier links
    of the user end. --send needs a mail address of the user and an SMTP configuration.
    """
    created = await links.create(
        at.database,
        read(
            links.CreatePasskeyRegistrationLink,
            {
                "user_id": user.id,
                "return_to": return_to,
                "is_invitation": is_invitation,
                "application_id": application_id,
            },
        ),
        LinkChannel.SEND_LINK if send else LinkChannel.RETURN_CODE,
        actor=OPERATOR,
        policy=registration_policy(at.settings),
        outbox=outbox(at.settings),
        # A server decrypts the link in the mail.
        keyring=await at.keyring_of_servers() if send else at.keyring(),
    )
    name, value = ("mail_id", created.mail_id) if send else ("link", created.url)
    print_value(name, value, as_json=as_json)


def _row(passkey: Passkey) -> ListRow:
    return {
        "passkey_id": passkey.passkey_id,
        "name": passkey.name,
        "provider_name": provider_name(passkey.aaguid),
        "creation_date": passkey.details.creation_date,
    }


@group.command("list")
@user_argument
@for_user
@listed(_row)
def list_(at: Installation, user: Named) -> ListAfter:
    """List the passkeys of a user: ID, name, model and registration time."""

    async def list_after(*, after: str, limit: int) -> Sequence[Passkey]:
        found = await passkey_store.list_after(
            at.database, user_id=user.id, after=after, limit=limit
        )
        return found.passkeys if found else ()

    return list_after


@group.command("remove")
@user_argument
@click.argument("passkey_id", help="ID of the passkey, see `keystead passkey list`.")
@click.option(
    "--lost-or-stolen",
    is_flag=True,
    help="Also end the access of applications, and the tokens, that were made with the passkey.",
)
@for_user
async def remove(at: Installation, user: Named, passkey_id: str, *, lost_or_stolen: bool) -> None:
    """Remove a passkey, and end its sessions."""
    command = read(
        passkey_commands.RemovePasskey,
        {"user_id": user.id, "passkey_id": passkey_id, "lost_or_stolen": lost_or_stolen},
    )
    _, ended = await passkey_commands.remove(
        at.database, command, actor=OPERATOR, end_begun_with=end_begun_with
    )
    click.echo(f"The passkey was removed: {passkey_id}")
    if lost_or_stolen:
        click.echo(
            f"Ended: {counted(ended.sessions, 'session')}, the access of"
            f" {counted(ended.applications, 'application')}, {counted(ended.tokens, 'token')}."
        )

"""`keystead console`."""

import click

from server.access.caller import OPERATOR
from server.access.roles import permissions_of
from server.cli.installation import Installation
from server.cli.names import Named, for_user
from server.operate.bootstrap import ADMINISTRATOR
from server.passkey import links
from server.passkey.links import LinkChannel
from server.user import store as user_store
from server.wiring.dependencies import outbox, registration_policy

# Each role that manages something has one of these.
_CONSOLE = {"user.read", "application.read"}


@click.command("console")
@click.argument(
    "user",
    default=ADMINISTRATOR,
    help="User, by ID, or by name in the organization of --org. Default: the first administrator.",
)
@for_user
async def console(at: Installation, user: Named) -> None:
    """Print a link with which an administrator adds a passkey and opens the console.

    The link works once and expires after KEYSTEAD_PASSKEY_LINK_LIFETIME. Earlier links of the user
    end. A user with a passkey needs no link: the console is at /console/.
    """
    found = await user_store.GET.one(at.database, user_id=user.id)
    if not _CONSOLE & permissions_of(frozenset(found.roles)).at_home:
        raise click.ClickException(
            f"{user} has no role that opens the console. Grant one: keystead user grant"
        )
    created = await links.create(
        at.database,
        links.CreatePasskeyRegistrationLink(
            user_id=user.id,
            return_to=at.settings.console_page,
            is_invitation=False,
            application_id="",
        ),
        LinkChannel.RETURN_CODE,
        actor=OPERATOR,
        policy=registration_policy(at.settings),
        outbox=outbox(at.settings),
        keyring=at.keyring(),
    )
    click.echo(created.url)

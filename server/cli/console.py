"""`keystead console`."""

import click

from server.access.caller import OPERATOR
from server.access.roles import permissions_of
from server.cli.installation import Installation, in_installation
from server.cli.names import FINDERS
from server.cli.parameters import organization_option
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
@organization_option
@in_installation
async def console(at: Installation, user: str, organization: str) -> None:
    """Print a link with which an administrator adds a passkey and opens the console.

    The link works once and expires after KEYSTEAD_PASSKEY_LINK_LIFETIME. Earlier links of the user
    end. A user with a passkey needs no link: the console is at /console/.
    """
    user_id, _ = await FINDERS["user_id"](at.database, user, organization)
    found = await user_store.GET.one(at.database, user_id=user_id)
    if not _CONSOLE & permissions_of(frozenset(found.roles)).at_home:
        raise click.ClickException(
            f"{user} has no role that opens the console. Grant one: keystead user grant"
        )
    created = await links.create(
        at.database,
        links.CreatePasskeyRegistrationLink(
            user_id=user_id,
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

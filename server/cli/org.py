"""`keystead org`."""

from functools import partial
from typing import Any

import click

from server.access.caller import OPERATOR
from server.cli.groups import CommandGroup
from server.cli.installation import Installation, in_installation
from server.cli.lists import ListAfter, columns, listed, print_value
from server.cli.names import Named, for_organization
from server.cli.parameters import json_option, requires_one
from server.org import commands as org_commands
from server.org import store as org_store
from server.validation.fields import read


@click.group("org", cls=CommandGroup)
def group() -> None:
    """Manage organizations."""


@group.command("create")
@click.argument("name", help="Name of the organization, unique in the instance.")
@in_installation
@json_option
async def create(at: Installation, name: str, *, as_json: bool) -> None:
    """Create an organization and print its ID."""
    command = read(org_commands.CreateOrganization, {"name": name})
    organization_id, _ = await org_commands.create(at.database, command, actor=OPERATOR)
    print_value("organization_id", organization_id, as_json=as_json)


@group.command("set")
@click.argument("organization", help="Organization, by ID or name.")
@click.option(
    "--mail-recovery/--no-mail-recovery",
    "allows_mail_recovery",
    default=None,
    help="Whether users without roles may recover their accounts by mail.",
)
@click.option(
    "--sign-up/--no-sign-up",
    "allows_sign_up",
    default=None,
    help="Whether people may register themselves, by a link to their mail address.",
)
@click.option(
    "--client-metadata-host",
    "client_metadata_hosts",
    multiple=True,
    callback=lambda _context, _parameter, given: tuple(filter(None, given)) if given else None,
    help="Host of client ID metadata documents, whose applications need not be added; *: every"
    " host. Repeatable; all of them replace the stored ones; empty: none.",
)
@requires_one(
    "Give --mail-recovery, --no-mail-recovery, --sign-up, --no-sign-up or --client-metadata-host.",
    "allows_mail_recovery",
    "allows_sign_up",
    "client_metadata_hosts",
)
@for_organization
async def set_(at: Installation, organization: Named, **settings: Any) -> None:
    """Change the settings of an organization."""
    fields = read(org_commands.OrganizationFields, {"org_id": organization.id, **settings})
    await org_commands.patch(at.database, fields, actor=OPERATOR)
    if fields.allows_mail_recovery is not None:
        may = "may" if fields.allows_mail_recovery else "may not"
        click.echo(f"Users of '{organization}' without roles {may} recover their accounts by mail.")
    if fields.allows_sign_up is not None:
        may = "may" if fields.allows_sign_up else "may not"
        click.echo(f"People {may} register themselves in '{organization}'.")
    if (hosts := fields.client_metadata_hosts) is not None:
        which = ", ".join(hosts) or "no host"
        click.echo(f"'{organization}' admits applications by metadata documents of {which}.")


@group.command("list")
@in_installation
@listed(
    columns(
        "organization_id", "name", "allows_mail_recovery", "client_metadata_hosts", "allows_sign_up"
    )
)
def list_(at: Installation) -> ListAfter:
    """List the organizations: ID, name and settings."""
    return partial(org_store.LIST.all, at.database)

"""`keystead org`."""

from functools import partial

import click

from server.access.caller import OPERATOR
from server.cli.groups import CommandGroup
from server.cli.installation import Installation, in_installation
from server.cli.lists import ListAfter, columns, listed
from server.cli.names import Named, for_organization
from server.org import commands as org_commands
from server.org import store as org_store
from server.validation.fields import read


@click.group("org", cls=CommandGroup)
def group() -> None:
    """Manage organizations."""


@group.command("create")
@click.argument("name", help="Name of the organization, unique in the instance.")
@in_installation
async def create(at: Installation, name: str) -> None:
    """Create an organization and print its ID."""
    command = read(org_commands.CreateOrganization, {"name": name})
    organization_id, _ = await org_commands.create(at.database, command, actor=OPERATOR)
    click.echo(organization_id)


@group.command("set")
@click.argument("organization", help="Organization, by ID or name.")
@click.option(
    "--mail-recovery/--no-mail-recovery",
    "allows_mail_recovery",
    required=True,
    help="Whether users without roles may recover their accounts by mail.",
)
@for_organization
async def set_(at: Installation, organization: Named, *, allows_mail_recovery: bool) -> None:
    """Change the settings of an organization."""
    fields = org_commands.OrganizationFields(
        org_id=organization.id, allows_mail_recovery=allows_mail_recovery
    )
    await org_commands.patch(at.database, fields, actor=OPERATOR)
    may = "may" if allows_mail_recovery else "may not"
    click.echo(f"Users of '{organization}' without roles {may} recover their accounts by mail.")


@group.command("list")
@in_installation
@listed(columns("organization_id", "name", "allows_mail_recovery"))
def list_(at: Installation) -> ListAfter:
    """List the organizations: ID, name and whether users may recover by mail."""
    return partial(org_store.list_after, at.database)

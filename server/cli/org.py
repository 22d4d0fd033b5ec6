"""`keystead org`."""

from functools import partial

import click

from server.access.caller import OPERATOR
from server.cli.groups import CommandGroup
from server.cli.installation import run
from server.cli.lists import ListRow, all_rows, print_stream
from server.cli.names import run_in_organization
from server.cli.parameters import json_option
from server.org import commands as org_commands
from server.org import store as org_store
from server.org.store import Organization
from server.settings.settings import Settings
from server.store.database import Database
from server.validation.fields import read


@click.group("org", cls=CommandGroup)
def group() -> None:
    """Manage organizations."""


@group.command("create")
@click.argument("name", help="Name of the organization, unique in the instance.")
def create(name: str) -> None:
    """Create an organization and print its ID."""
    command = read(org_commands.CreateOrganization, {"name": name})
    organization_id, _ = run(
        lambda _settings, database: org_commands.create(database, command, actor=OPERATOR)
    )
    click.echo(organization_id)


@group.command("set")
@click.argument("organization", help="Organization, by ID or name.")
@click.option(
    "--mail-recovery/--no-mail-recovery",
    "allows_mail_recovery",
    required=True,
    help="Whether users without roles may recover their accounts by mail.",
)
def set_(organization: str, *, allows_mail_recovery: bool) -> None:
    """Change the settings of an organization."""
    run_in_organization(
        organization,
        lambda _settings, database, organization_id: org_commands.patch(
            database,
            org_commands.OrganizationFields(
                org_id=organization_id, allows_mail_recovery=allows_mail_recovery
            ),
            actor=OPERATOR,
        ),
    )
    may = "may" if allows_mail_recovery else "may not"
    click.echo(f"Users of '{organization}' without roles {may} recover their accounts by mail.")


@group.command("list")
@json_option
def list_(*, as_json: bool) -> None:
    """List the organizations: ID, name and whether users may recover by mail."""

    async def print_rows(_settings: Settings, database: Database) -> None:
        rows = all_rows(partial(org_store.list_after, database), _row)
        await print_stream(rows, as_json=as_json)

    run(print_rows)


def _row(organization: Organization) -> ListRow:
    return {
        "organization_id": organization.organization_id,
        "name": organization.name,
        "allows_mail_recovery": organization.allows_mail_recovery,
    }

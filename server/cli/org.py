"""`keystead org`."""

import click

from server.cli.installation import run
from server.cli.lists import EVERYTHING, Row, json_option, print_list
from server.org import commands as org_commands
from server.org import store as org_store
from server.org.store import Organization
from server.store.eventlog import OPERATOR
from server.validation.fields import read_fields


@click.group("org")
def group() -> None:
    """Create and list organizations."""


@group.command("create")
@click.argument("name", help="Name of the organization, unique in the instance.")
def create(name: str) -> None:
    """Create an organization and print its ID."""
    command = read_fields(org_commands.CreateOrganization, {"name": name})
    organization_id, _ = run(
        lambda _settings, database: org_commands.create(database, command, caller_id=OPERATOR)
    )
    click.echo(organization_id)


@group.command("list")
@json_option
def list_(*, as_json: bool) -> None:
    """List the organizations: ID and name."""
    found = run(
        lambda _settings, database: org_store.list_after(database, after="", limit=EVERYTHING)
    )
    print_list(map(_row, found), as_json=as_json)


def _row(organization: Organization) -> Row:
    return {"organization_id": organization.organization_id, "name": organization.name}

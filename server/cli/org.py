"""`keystead org`."""

import click

from server.cli.installation import EVERYTHING, run
from server.eventstore import OPERATOR
from server.org import commands as org_commands
from server.org import store as org_store
from server.validation import read_fields


@click.group("org")
def group() -> None:
    """Organizations."""


@group.command("create")
@click.argument("name")
def org_create(name: str) -> None:
    """Create an organization and print its id."""
    command = read_fields(org_commands.CreateOrganization, {"name": name})
    organization_id, _ = run(
        lambda _settings, database: org_commands.create(database, command, caller_id=OPERATOR)
    )
    click.echo(organization_id)


@group.command("list")
def org_list() -> None:
    """List the organizations: id and name."""
    for each in run(
        lambda _settings, database: org_store.list_after(database, after="", limit=EVERYTHING)
    ):
        click.echo(f"{each.organization_id}\t{each.name}")

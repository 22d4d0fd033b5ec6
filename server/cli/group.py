"""`keystead group`."""

from functools import partial

import click

from server.cli.groups import CommandGroup
from server.cli.installation import Installation
from server.cli.lists import ListAfter, columns, listed, print_object, print_value
from server.cli.names import Named, for_group, in_organization, user_id_of
from server.cli.parameters import group_argument, json_option, requires_one
from server.group import commands, member_store, store
from server.validation.fields import read

_row = columns("group_id", "name", "display_name")
_display_name_help = "Name that people see; empty: the name."
_member_argument = click.argument(
    "user", help="User, by ID, or by name in the organization of the group."
)


@click.group("group", cls=CommandGroup)
def group() -> None:
    """Manage groups of users, which applications get as the claim `groups`."""


@group.command("add")
@click.argument("name", help="Name of the group, unique in its organization.")
@click.option("--display-name", default="", help=_display_name_help)
@in_organization
@json_option
async def add(at: Installation, organization: Named, *, as_json: bool, **fields: str) -> None:
    """Add a group without members, and print its ID."""
    group_id, _ = await commands.add(
        at.database, read(commands.AddGroup, fields), **organization.by_operator
    )
    print_value("group_id", group_id, as_json=as_json)


@group.command("list")
@in_organization
@listed(_row)
def list_(at: Installation, organization: Named) -> ListAfter:
    """List groups: ID, name and display name."""
    return partial(store.LIST.all, at.database, organization_id=organization.id)


@group.command("show")
@group_argument
@for_group
@json_option
async def show(at: Installation, named: Named, *, as_json: bool) -> None:
    """Show a group."""
    found = await store.GET.one(
        at.database, group_id=named.id, organization_id=named.organization_id
    )
    print_object(_row(found), as_json=as_json)


@group.command("set")
@group_argument
@click.option("--name", help="New name. Applications that admit the group still do.")
@click.option("--display-name", help=_display_name_help)
@requires_one("Give --name, --display-name or both.", "name", "display_name")
@for_group
async def set_(at: Installation, named: Named, **given: str | None) -> None:
    """Change the names of a group. Omitted options change nothing."""
    await commands.patch(
        at.database,
        read(commands.GroupFields, {"group_id": named.id, **given}),
        **named.by_operator,
    )
    click.echo(f"The group '{named}' was changed.")


@group.command("remove")
@group_argument
@for_group
async def remove(at: Installation, named: Named) -> None:
    """Remove a group with its memberships.

    An application that admits only members of this group then admits nobody.
    """
    one = commands.OneGroup(group_id=named.id)
    await commands.remove(at.database, one, **named.by_operator)
    click.echo(f"The group '{named}' was removed.")


@group.command("add-member")
@group_argument
@_member_argument
@for_group
async def add_member(at: Installation, named: Named, user: str) -> None:
    """Make a user of the same organization a member of a group."""
    await commands.add_member(at.database, await _one_member(at, named, user), **named.by_operator)
    click.echo(f"The user '{user}' is a member of '{named}'.")


@group.command("remove-member")
@group_argument
@_member_argument
@for_group
async def remove_member(at: Installation, named: Named, user: str) -> None:
    """Remove a user from a group."""
    await commands.remove_member(
        at.database, await _one_member(at, named, user), **named.by_operator
    )
    click.echo(f"The user '{user}' is not a member of '{named}'.")


@group.command("members")
@group_argument
@for_group
@listed(columns("user_id", "user_name", "display_name"))
def members(at: Installation, named: Named) -> ListAfter:
    """List the members of a group: ID, name and display name."""
    return partial(member_store.LIST.all, at.database, group_id=named.id)


async def _one_member(at: Installation, named: Named, user: str) -> commands.OneGroupMember:
    user_id = await user_id_of(at, user, organization=named.organization_id)
    return commands.OneGroupMember(group_id=named.id, user_id=user_id)

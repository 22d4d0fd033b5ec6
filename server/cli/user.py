"""`keystead user`."""

import click

from server.caller import Role
from server.cli.installation import EVERYTHING, run
from server.cli.names import organization_id_of, organization_option, user_id_of
from server.database import Database
from server.eventstore import OPERATOR
from server.settings import Settings
from server.user import commands as user_commands
from server.user import store as user_store
from server.validation import read_fields


@click.group("user")
def group() -> None:
    """Users and their roles. USER is an id, or a name in the organization of --org."""


class _RoleName(click.ParamType[Role]):
    """A role as the API names it, or without `ROLE_`."""

    name = "role"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> Role:
        try:
            return Role(value.upper().removeprefix("ROLE_"))
        except ValueError:
            self.fail(f"'{value}' is none of {', '.join(Role)}", param, ctx)


_role_argument = click.argument("role", type=_RoleName())


@group.command("create")
@click.argument("user_name")
@click.option("--display-name", default="", help="How the user is addressed; empty: the user name.")
@click.option("--email", default="", help="Where mail to the user goes.")
@organization_option
def user_create(user_name: str, display_name: str, email: str, organization: str) -> None:
    """Create a user and print its id."""
    fields = {"user_name": user_name, "display_name": display_name, "email": email}
    command = read_fields(user_commands.CreateUser, fields)

    async def create(_settings: Settings, database: Database) -> str:
        organization_id = await organization_id_of(database, organization)
        user_id, _ = await user_commands.create(
            database, command, caller_id=OPERATOR, organization_id=organization_id
        )
        return user_id

    click.echo(run(create))


@group.command("list")
@organization_option
def user_list(organization: str) -> None:
    """List the users of an organization: id, name and roles."""

    async def found(_settings: Settings, database: Database) -> list[user_store.User]:
        organization_id = await organization_id_of(database, organization)
        return await user_store.list_after(
            database, organization_id=organization_id, after="", limit=EVERYTHING
        )

    for each in run(found):
        click.echo(f"{each.user_id}\t{each.user_name}\t{','.join(each.roles)}")


@group.command("remove")
@click.argument("user")
@organization_option
def user_remove(user: str, organization: str) -> None:
    """Remove a user with its tokens and passkeys."""

    async def remove(_settings: Settings, database: Database) -> None:
        user_id = await user_id_of(database, user, organization)
        await user_commands.remove(
            database, user_commands.OneUser(user_id=user_id), caller_id=OPERATOR
        )

    run(remove)


@group.command("grant")
@click.argument("user")
@_role_argument
@organization_option
def user_grant(user: str, role: Role, organization: str) -> None:
    """Grant a role to a user."""

    async def grant(_settings: Settings, database: Database) -> None:
        user_id = await user_id_of(database, user, organization)
        command = user_commands.ChangeRole(user_id=user_id, role=f"ROLE_{role}")
        await user_commands.grant_role(database, command, caller_id=OPERATOR)

    run(grant)


@group.command("revoke")
@click.argument("user")
@_role_argument
@organization_option
def user_revoke(user: str, role: Role, organization: str) -> None:
    """Revoke a role of a user."""

    async def revoke(_settings: Settings, database: Database) -> None:
        user_id = await user_id_of(database, user, organization)
        command = user_commands.ChangeRole(user_id=user_id, role=f"ROLE_{role}")
        await user_commands.revoke_role(database, command, caller_id=OPERATOR)

    run(revoke)

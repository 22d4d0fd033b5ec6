"""`keystead user`."""

from collections.abc import AsyncIterable
from functools import partial

import click

from server.access.caller import OPERATOR
from server.access.roles import Role
from server.cli.groups import CommandGroup
from server.cli.lists import ListRow, all_rows
from server.cli.names import list_in_organization, run_for_user, run_in_organization
from server.cli.parameters import organization_option, user_argument
from server.command_wiring import OTHER_FEATURES, outbox
from server.settings.settings import Settings
from server.store.database import Database
from server.user import commands as user_commands
from server.user import roles as user_roles
from server.user import store as user_store
from server.user.store import User
from server.validation.fields import read


class _RoleChoice(click.Choice[Role]):
    """A role with or without the prefix `ROLE_`, regardless of case."""

    def normalize_choice(self, choice: object, ctx: click.Context | None) -> str:
        return super().normalize_choice(choice, ctx).upper().removeprefix("ROLE_")


_role_argument = click.argument(
    "role", type=_RoleChoice(Role), metavar="ROLE", help=f"One of {', '.join(Role)}."
)


@click.group("user", cls=CommandGroup)
def group() -> None:
    """Manage users and their roles."""


@group.command("create")
@click.argument("user_name", help="Name of the user, unique in its organization.")
@click.option("--display-name", default="", help="Display name; default: the user name.")
@click.option("--email", default="", help="Mail address of the user.")
@organization_option
def create(user_name: str, display_name: str, email: str, organization: str) -> None:
    """Create a user and print its ID.

    The user has no credentials yet: see `keystead passkey link` and `keystead token create`.
    """
    fields = {"user_name": user_name, "display_name": display_name, "email": email}
    command = read(user_commands.CreateUser, fields)
    user_id, _ = run_in_organization(
        organization,
        lambda _settings, database, organization_id: user_commands.create(
            database, command, actor=OPERATOR, organization_id=organization_id
        ),
    )
    click.echo(user_id)


@group.command("list")
@list_in_organization
def list_(_settings: Settings, database: Database, organization_id: str) -> AsyncIterable[ListRow]:
    """List users: ID, name, roles and mail address."""
    list_after = partial(user_store.list_after, database, organization_id=organization_id)
    return all_rows(list_after, _row)


def _row(user: User) -> ListRow:
    return {
        "user_id": user.user_id,
        "user_name": user.user_name,
        "roles": user.roles,
        "email": user.email,
    }


@group.command("set")
@user_argument
@click.option("--display-name", help="Display name; empty: the user name.")
@click.option("--email", help="Mail address of the user; empty: none.")
@organization_option
def set_(user: str, display_name: str | None, email: str | None, organization: str) -> None:
    """Change the display name and the mail address of a user.

    Omitted options change nothing. A new address ends the link that was mailed to the old one. The
    old address is notified of the change if mail can be sent.
    """
    fields = {"display_name": display_name, "email": email}
    if not any(value is not None for value in fields.values()):
        raise click.UsageError("Give --display-name, --email or both.")
    run_for_user(
        user,
        organization,
        lambda settings, database, user_id: user_commands.patch(
            database,
            read(user_commands.UserFields, {"user_id": user_id, **fields}),
            actor=OPERATOR,
            others=OTHER_FEATURES,
            outbox=outbox(settings),
        ),
    )
    click.echo(f"The user '{user}' was changed.")


@group.command("remove")
@user_argument
@organization_option
def remove(user: str, organization: str) -> None:
    """Remove a user with its tokens, passkeys and sessions."""
    run_for_user(
        user,
        organization,
        lambda _settings, database, user_id: user_commands.remove(
            database,
            user_commands.OneUser(user_id=user_id),
            actor=OPERATOR,
            others=OTHER_FEATURES,
        ),
    )
    click.echo(f"The user '{user}' was removed.")


@group.command("grant")
@user_argument
@_role_argument
@click.option(
    "--end-foreign-credentials",
    is_flag=True,
    help="End the credentials of the user that have a maker without the permissions of the role.",
)
@organization_option
def grant(user: str, role: Role, end_foreign_credentials: bool, organization: str) -> None:
    """Grant a role to a user.

    Fails if a token, passkey or identity link of the user has a maker without the permissions of
    the role, unless you end them. Open links and ceremonies with such a maker end.
    """
    command = {"role": f"ROLE_{role}", "end_foreign_credentials": end_foreign_credentials}
    run_for_user(
        user,
        organization,
        lambda _settings, database, user_id: user_roles.grant_role(
            database,
            read(user_roles.GrantRole, {"user_id": user_id, **command}),
            actor=OPERATOR,
            others=OTHER_FEATURES,
        ),
    )
    click.echo(f"The user '{user}' has the role {role}.")


@group.command("revoke")
@user_argument
@_role_argument
@organization_option
def revoke(user: str, role: Role, organization: str) -> None:
    """Revoke a role of a user."""
    run_for_user(
        user,
        organization,
        lambda _settings, database, user_id: user_roles.revoke_role(
            database,
            user_roles.ChangeRole(user_id=user_id, role=f"ROLE_{role}"),
            actor=OPERATOR,
            others=OTHER_FEATURES,
        ),
    )
    click.echo(f"The user '{user}' does not have the role {role}.")

"""`keystead user`."""

from functools import partial

import click

from server.access.caller import OPERATOR
from server.access.roles import Role
from server.cli.groups import CommandGroup
from server.cli.installation import Installation
from server.cli.lists import ListAfter, columns, listed, print_value
from server.cli.names import Named, for_user, in_organization
from server.cli.parameters import json_option, requires_one, user_argument
from server.user import commands as user_commands
from server.user import locks as user_locks
from server.user import roles as user_roles
from server.user import store as user_store
from server.validation.fields import read
from server.wiring.dependencies import OTHER_FEATURES, outbox


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
@in_organization
@json_option
async def create(at: Installation, organization: Named, *, as_json: bool, **fields: str) -> None:
    """Create a user and print its ID.

    The user has no credentials yet: see `keystead passkey link` and `keystead token create`.
    """
    command = read(user_commands.CreateUser, fields)
    user_id, _ = await user_commands.create(at.database, command, **organization.by_operator)
    print_value("user_id", user_id, as_json=as_json)


@group.command("list")
@in_organization
@listed(columns("user_id", "user_name", "roles", "email", "locked_at"))
def list_(at: Installation, organization: Named) -> ListAfter:
    """List users: ID, name, roles, mail address and the time of the lock."""
    return partial(user_store.LIST.all, at.database, organization_id=organization.id)


@group.command("set")
@user_argument
@click.option("--display-name", help="Display name; empty: the user name.")
@click.option("--email", help="Mail address of the user; empty: none.")
@requires_one("Give --display-name, --email or both.", "display_name", "email")
@for_user
async def set_(at: Installation, user: Named, **fields: str | None) -> None:
    """Change the display name and the mail address of a user.

    Omitted options change nothing. A new address ends the link that was mailed to the old one. The
    old address is notified of the change if mail can be sent.
    """
    await user_commands.patch(
        at.database,
        read(user_commands.UserFields, {"user_id": user.id, **fields}),
        actor=OPERATOR,
        others=OTHER_FEATURES,
        outbox=outbox(at.settings),
    )
    click.echo(f"The user '{user}' was changed.")


@group.command("remove")
@user_argument
@for_user
async def remove(at: Installation, user: Named) -> None:
    """Remove a user with its tokens, passkeys and sessions."""
    command = user_commands.OneUser(user_id=user.id)
    await user_commands.remove(at.database, command, actor=OPERATOR, others=OTHER_FEATURES)
    click.echo(f"The user '{user}' was removed.")


@group.command("lock")
@user_argument
@click.option("--reason", default="", help="Reason, for those who manage the user.")
@for_user
async def lock(at: Installation, user: Named, reason: str) -> None:
    """Lock a user, who cannot sign in until it is unlocked.

    Its sessions, tokens, application grants, registration links and ceremonies end. Its passkeys,
    identity links and roles stay.
    """
    command = read(user_locks.LockUser, {"user_id": user.id, "reason": reason})
    await user_locks.lock(at.database, command, actor=OPERATOR, others=OTHER_FEATURES)
    click.echo(f"The user '{user}' is locked.")


@group.command("unlock")
@user_argument
@for_user
async def unlock(at: Installation, user: Named) -> None:
    """Unlock a user, who can sign in again."""
    command = user_commands.OneUser(user_id=user.id)
    await user_locks.unlock(at.database, command, actor=OPERATOR)
    click.echo(f"The user '{user}' is not locked.")


@group.command("grant")
@user_argument
@_role_argument
@click.option(
    "--end-foreign-credentials",
    is_flag=True,
    help="End the credentials of the user that have a maker without the permissions of the role.",
)
@for_user
async def grant(
    at: Installation, user: Named, role: Role, *, end_foreign_credentials: bool
) -> None:
    """Grant a role to a user.

    Fails if a token, passkey or identity link of the user has a maker without the permissions of
    the role, unless you end them. Open links and ceremonies with such a maker end.
    """
    fields = {"role": role, "end_foreign_credentials": end_foreign_credentials}
    command = read(user_roles.GrantRole, {"user_id": user.id, **fields})
    await user_roles.grant_role(at.database, command, actor=OPERATOR, others=OTHER_FEATURES)
    click.echo(f"The user '{user}' has the role {role}.")


@group.command("revoke")
@user_argument
@_role_argument
@for_user
async def revoke(at: Installation, user: Named, role: Role) -> None:
    """Revoke a role of a user."""
    command = user_roles.ChangeRole(user_id=user.id, role=role)
    await user_roles.revoke_role(at.database, command, actor=OPERATOR, others=OTHER_FEATURES)
    click.echo(f"The user '{user}' does not have the role {role}.")

"""`keystead org remove`: an organization with its users, after a confirmation."""

import sys
from collections.abc import Mapping
from typing import Any, Final

import click

from server.access.batches import MAX_USERS, ManyUsers, for_each
from server.access.caller import OPERATOR
from server.cli.declared.call import OperatorCall
from server.cli.declared.form import Input, Values
from server.cli.installation import Installation
from server.cli.progress import ProgressLine, shown_progress
from server.org import commands, store
from server.store.database import Database
from server.user import commands as user_commands
from server.user import store as user_store
from server.values.counted import counted
from server.values.errors import OperatorError
from server.values.progress import Progress
from server.wiring.dependencies import OBJECTS_OF_ORGANIZATION, OTHER_FEATURES

_CONFIRM: Final = ("confirm",)
OPTIONS: Final = (
    Input(
        _CONFIRM,
        click.Option(
            ["--confirm"],
            metavar="NAME",
            help="The name of the organization, in place of the question for it.",
        ),
    ),
)


async def remove(at: Installation, _call: OperatorCall, values: Values) -> Mapping[str, Any]:
    """Removes the users of an organization, and then the organization."""
    org_id: str = values["org_id",]
    organization = await store.GET.one(at.database, organization_id=org_id)
    users = await user_store.count_of_organization(at.database, org_id)
    _confirm(organization, users, values.get(_CONFIRM))
    with shown_progress() as line:
        await _remove_users(at.database, org_id, users, line)
    command = commands.OneOrganization(org_id=org_id)
    _, removed = await commands.remove(
        at.database, command, actor=OPERATOR, objects=OBJECTS_OF_ORGANIZATION
    )
    return {"name": organization.name, "users": users, **removed}


def _confirm(organization: store.Organization, users: int, given: str | None) -> None:
    """`OperatorError` without the right name."""
    if organization.is_default:
        raise OperatorError("This is the default organization, which cannot be removed.")
    if given is None:
        if not sys.stdin.isatty():
            raise OperatorError("Give the name of the organization with --confirm.")
        click.echo(
            f"This removes the organization '{organization.name}' with {counted(users, 'user')},"
            " and with all of its groups, attributes, applications, identity providers, mail"
            " domains, webhooks, mails and settings.",
            err=True,
        )
        given = click.prompt("Name of the organization", err=True)
    if given != organization.name:
        raise OperatorError("This is not the name of the organization. Nothing was removed.")


async def _remove_users(database: Database, org_id: str, users: int, line: ProgressLine) -> None:
    """Removes the users by calls on at most 500. `OperatorError` if one is refused."""

    async def remove_one(user_id: str) -> None:
        one = user_commands.OneUser(user_id=user_id)
        await user_commands.remove(database, one, actor=OPERATOR, others=OTHER_FEATURES)

    done = 0
    while found := await user_store.LIST.all(
        database, organization_id=org_id, after="", limit=MAX_USERS
    ):
        command = ManyUsers(user_ids=tuple(each.user_id for each in found))
        results = await for_each(command, remove_one, actor=OPERATOR)
        for each in results:
            if each.reason and each.reason != "USER_NOT_FOUND":
                raise OperatorError(f"The user {each.user_id} cannot be removed: {each.message}")
        done += len(found)
        line.tell(Progress("removing users", done, max(users, done), "users"))

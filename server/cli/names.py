"""Finds organizations, users and identity providers by ID or name, for the commands on them.

The rule: IDs and names of organizations are looked up in the whole instance, all other names in one
organization.
"""

import shlex
from collections.abc import AsyncIterable, Callable, Coroutine
from functools import wraps
from typing import Any, TypeVar

import click

from server.cli.installation import run
from server.cli.lists import ListRow, print_stream
from server.cli.parameters import json_option, organization_option, user_argument
from server.idp import store as idp_store
from server.org import store as org_store
from server.settings.settings import Settings
from server.store.database import Database
from server.user import store as user_store
from server.validation.fields import case_folded, is_id

Result = TypeVar("Result")
# With the settings, the database and the ID of the organization or user.
WorkOn = Callable[[Settings, Database, str], Coroutine[Any, Any, Result]]
# With the settings, the database, the ID of the identity provider and that of its organization.
WorkOnIDP = Callable[[Settings, Database, str, str], Coroutine[Any, Any, Result]]
# The rows of a list, with the same parameters as `WorkOn`.
ListRows = Callable[[Settings, Database, str], AsyncIterable[ListRow]]


def run_in_organization(organization: str, work_on: WorkOn[Result]) -> Result:
    """Runs a function for the organization."""

    async def find_and_work(settings: Settings, database: Database) -> Result:
        return await work_on(settings, database, await _organization_id(database, organization))

    return run(find_and_work)


def run_for_user(user: str, organization: str, work_on: WorkOn[Result]) -> Result:
    """Runs a function for the user."""

    async def find_and_work(settings: Settings, database: Database) -> Result:
        return await work_on(settings, database, await _user_id(database, user, organization))

    return run(find_and_work)


def run_for_idp(idp: str, organization: str, work_on: WorkOnIDP[Result]) -> Result:
    """Runs a function for the identity provider."""

    async def find_and_work(settings: Settings, database: Database) -> Result:
        return await work_on(settings, database, *await _idp(database, idp, organization))

    return run(find_and_work)


def list_in_organization(list_all: ListRows) -> Callable[..., None]:
    """The function of a command that prints rows of an organization, with its parameters."""

    @organization_option
    @json_option
    @wraps(list_all)
    def print_all(organization: str, *, as_json: bool) -> None:
        async def print_rows(*of: Any) -> None:
            await print_stream(list_all(*of), as_json=as_json)

        run_in_organization(organization, print_rows)

    return print_all


def list_for_user(list_all: ListRows) -> Callable[..., None]:
    """The function of a command that prints rows of a user, with its parameters."""

    @user_argument
    @organization_option
    @json_option
    @wraps(list_all)
    def print_all(user: str, organization: str, *, as_json: bool) -> None:
        async def print_rows(*of: Any) -> None:
            await print_stream(list_all(*of), as_json=as_json)

        run_for_user(user, organization, print_rows)

    return print_all


async def _organization_id(database: Database, organization: str) -> str:
    if is_id(organization) and await org_store.exists(database, organization):
        return organization
    found = await org_store.find_by_name(database, case_folded(organization))
    if found is None:
        raise click.ClickException(
            f"There is no organization '{organization}'. List them: keystead org list"
        )
    return found


async def _user_id(database: Database, user: str, organization: str) -> str:
    if is_id(user) and await user_store.get(database, user):
        return user
    organization_id = await _organization_id(database, organization)
    found = await user_store.find_by_name(
        database, organization_id=organization_id, name_claim=case_folded(user)
    )
    if found is None:
        raise click.ClickException(
            f"There is no user '{user}' in '{organization}'."
            f" List them: keystead user list --org {shlex.quote(organization)}"
        )
    return found


async def _idp(database: Database, idp: str, organization: str) -> tuple[str, str]:
    """The ID of the identity provider and that of its organization."""
    if is_id(idp) and (owner := await idp_store.find_owner(database, idp)):
        return idp, owner
    organization_id = await _organization_id(database, organization)
    found = await idp_store.find_by_name(database, organization_id=organization_id, name=idp)
    if len(found) > 1:
        raise click.ClickException(
            f"'{organization}' has several identity providers '{idp}'. Name one by its ID:"
            f" {', '.join(found)}"
        )
    if not found:
        raise click.ClickException(
            f"There is no identity provider '{idp}' in '{organization}'."
            f" List them: keystead idp list --org {shlex.quote(organization)}"
        )
    return found[0], organization_id

"""Finds organizations and their objects by ID or name, for the commands on them.

The rule: IDs and names of organizations are looked up in the whole instance, all other names in one
organization.
"""

import shlex
from collections.abc import Callable, Coroutine
from functools import wraps
from typing import Any, Final, NamedTuple, TypeAlias

import click

from server.access.caller import OPERATOR, Acting
from server.application import store as application_store
from server.cli.installation import Installation, Work, in_installation
from server.cli.parameters import organization_option
from server.group import store as group_store
from server.idp import store as idp_store
from server.org import store as org_store
from server.push import store as push_store
from server.store.database import Database
from server.store.object_names import ObjectNames
from server.user import store as user_store
from server.validation.fields import case_folded, is_id


class Named(NamedTuple):
    """A found object: its ID, that of its organization, and the name or ID that was given."""

    id: str
    organization_id: str
    given: str

    def __str__(self) -> str:
        return self.given

    @property
    def by_operator(self) -> Acting:
        """The arguments of a command that the operator gives."""
        return {"actor": OPERATOR, "organization_id": self.organization_id}


# Finds the IDs of an object and of its organization by names.
_Find: TypeAlias = Callable[..., Coroutine[Any, Any, tuple[str, str]]]


def _finding(find: _Find, work: Work, *parameters: str) -> Callable[..., None]:
    @in_installation
    @wraps(work)
    async def find_and_work(at: Installation, **given: Any) -> bool | None:
        names = [given.pop(name) for name in (*parameters, "organization")]
        return await work(at, Named(*await find(at.database, *names), names[0]), **given)

    return find_and_work


async def organization_id_of(database: Database, organization: str) -> str:
    """The organization that an ID or a name names."""
    if is_id(organization) and await org_store.exists(database, organization):
        return organization
    found = await org_store.find_by_name(database, case_folded(organization))
    if found is None:
        raise click.ClickException(
            f"There is no organization '{organization}'. List them: keystead org list"
        )
    return found


async def _organization(database: Database, organization: str) -> tuple[str, str]:
    organization_id = await organization_id_of(database, organization)
    return organization_id, organization_id


async def _user(database: Database, user: str, organization: str) -> tuple[str, str]:
    if is_id(user) and (found := await user_store.GET.one_or_none(database, user_id=user)):
        return user, found.details.owner
    organization_id = await organization_id_of(database, organization)
    user_id = await user_store.find_by_name(
        database, organization_id=organization_id, name_claim=case_folded(user)
    )
    if user_id is None:
        raise click.ClickException(
            f"There is no user '{user}' in '{organization}'."
            f" List them: keystead user list --org {shlex.quote(organization)}"
        )
    return user_id, organization_id


def _by_id_or_name(names: ObjectNames, noun: str, command: str) -> _Find:
    """Finds an object of a feature. `noun` names one object, `command` lists them."""

    async def find(database: Database, name: str, organization: str) -> tuple[str, str]:
        if is_id(name) and (owner := await names.find_owner(database, name)):
            return name, owner
        organization_id = await organization_id_of(database, organization)
        found = await names.find(database, organization_id=organization_id, name=name)
        if len(found) > 1:
            raise click.ClickException(
                f"'{organization}' has several {noun}s '{name}'. Name one by its ID:"
                f" {', '.join(found)}"
            )
        if not found:
            raise click.ClickException(
                f"There is no {noun} '{name}' in '{organization}'."
                f" List them: {command} --org {shlex.quote(organization)}"
            )
        return found[0], organization_id

    return find


_idp: Final = _by_id_or_name(idp_store.NAMES, "identity provider", "keystead idp list")
_group: Final = _by_id_or_name(group_store.NAMES, "group", "keystead group list")
_application: Final = _by_id_or_name(application_store.NAMES, "application", "keystead app list")
_subscription: Final = _by_id_or_name(push_store.NAMES, "subscription", "keystead push list")


def for_organization(work: Work) -> Callable[..., None]:
    """The function of a command that runs this one with the organization that a parameter names."""
    return _finding(_organization, work)


def in_organization(work: Work) -> Callable[..., None]:
    """The same with the option --org."""
    return organization_option(for_organization(work))


def _named_by(parameter: str, find: _Find) -> Callable[[Work], Callable[..., None]]:
    """The same with the object of the organization that another parameter names."""
    return lambda work: organization_option(_finding(find, work, parameter))


for_user: Final = _named_by("user", _user)
for_idp: Final = _named_by("idp", _idp)
for_group: Final = _named_by("group", _group)
for_application: Final = _named_by("app", _application)
for_subscription: Final = _named_by("subscription", _subscription)


async def user_id_of(at: Installation, user: str, *, organization: str) -> str:
    """The user that an ID, or a name in the organization, names."""
    user_id, _ = await _user(at.database, user, organization)
    return user_id

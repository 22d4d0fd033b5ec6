"""Finds organizations and their objects by ID or name, for the commands on them.

The rule: IDs and names of organizations are looked up in the whole instance, all other names in one
organization.
"""

import shlex
from collections.abc import Callable, Coroutine, Mapping
from typing import Any, Final, TypeAlias

import click

from server.application import store as application_store
from server.group import store as group_store
from server.idp import store as idp_store
from server.idp.domains import store as mail_domain_store
from server.org import store as org_store
from server.push import store as push_store
from server.store.database import Database
from server.store.object_names import ObjectNames
from server.user import store as user_store
from server.user.attributes import store as attribute_store
from server.validation.fields import case_folded, is_id

# Finds the IDs of an object and of its organization by names.
_Find: TypeAlias = Callable[..., Coroutine[Any, Any, tuple[str, str]]]


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


async def _organization(database: Database, organization: str, *_: str) -> tuple[str, str]:
    organization_id = await organization_id_of(database, organization)
    return organization_id, organization_id


async def _user(database: Database, user: str, organization: str) -> tuple[str, str]:
    if is_id(user) and (found := await user_store.GET.one_or_none(database, user_id=user)):
        return user, found.details.owner
    organization_id = await organization_id_of(database, organization)
    # An imported ID could be the name of a user of another organization.
    found = await user_store.GET.one_or_none(database, user_id=user)
    if found and found.details.owner == organization_id:
        return user, organization_id
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
    """Finds an object of a feature. `noun` names one object, `command` lists them.

    An ID that is no UUID, which applications can have, could be the name of an object of another
    organization: it is looked up in one, before names.
    """

    async def find(database: Database, name: str, organization: str) -> tuple[str, str]:
        if is_id(name) and (owner := await names.find_owner(database, name)):
            return name, owner
        organization_id = await organization_id_of(database, organization)
        if await names.find_owner(database, name) == organization_id:
            return name, organization_id
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


# By the field that has the ID.
FINDERS: Final[Mapping[str, _Find]] = {
    "application_id": _by_id_or_name(application_store.NAMES, "application", "keystead app list"),
    "attribute_id": _by_id_or_name(attribute_store.NAMES, "attribute", "keystead attribute list"),
    "group_id": _by_id_or_name(group_store.NAMES, "group", "keystead group list"),
    "idp_id": _by_id_or_name(idp_store.NAMES, "identity provider", "keystead idp list"),
    "org_id": _organization,
    "mail_domain_id": _by_id_or_name(
        mail_domain_store.NAMES, "mail domain", "keystead mail-domain list"
    ),
    "subscription_id": _by_id_or_name(push_store.NAMES, "subscription", "keystead push list"),
    "user_id": _user,
}

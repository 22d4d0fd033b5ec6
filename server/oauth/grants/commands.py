"""The commands on the grants of a user to applications."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from server.access import user_aggregate
from server.access.caller import Actor
from server.access.checked_append import check_admitted
from server.application import store as application_store
from server.application.resources import check_scope
from server.oauth import grant_store, store
from server.oauth.client_documents.client_id_url import is_url, shown
from server.oauth.events import ApplicationRevoked, ApplicationScopesRevoked
from server.oauth.grant_store import Grant
from server.oauth.request import OPENID
from server.oauth.resources import scope_names
from server.store.database import Statements
from server.store.rows import Details
from server.validation.fields import Command, Id, described
from server.validation.paging import Page
from server.validation.value_lists import MAX_VALUES, each
from server.values.errors import Violation, invalid


class ListGrants(Page):
    """List the grants of a user."""

    user_id: Id


class RevokeGrant(Command):
    """End the grant of a user to an application, or take scopes of it back."""

    user_id: Id
    application_id: Id
    scopes: Annotated[tuple[str, ...], each(check_scope), described(maxItems=MAX_VALUES)]


@dataclass(frozen=True, slots=True)
class NamedGrant:
    """A grant, with the name of its application."""

    grant: Grant
    application_name: str


async def list_grants(database: Statements, page: ListGrants) -> tuple[list[NamedGrant], str]:
    """The grants of a page to applications that exist, and the token of the next page."""
    found = await grant_store.LIST.all(
        database, user_id=page.user_id, after=page.after(page.user_id), limit=page.limit()
    )
    grants, next_page_token = page.cut(found, page.user_id, lambda grant: grant.application_id)
    names = await application_store.names_of(database, [each.application_id for each in grants])
    named = [NamedGrant(each, name) for each in grants if (name := _name(each, names))]
    return named, next_page_token


def _name(grant: Grant, names: Mapping[str, str]) -> str:
    """The name of the application; empty if it was removed.

    That of a metadata document is not stored, so its URL is the name.
    """
    application_id = grant.application_id
    return shown(application_id) if is_url(application_id) else names.get(application_id, "")


async def revoke(database: Statements, command: RevokeGrant, *, actor: Actor) -> Details:
    """Ends a grant with its codes and tokens, or takes scopes of all of them back.

    Returns the last details of the grant. `Failure` NOT_FOUND, INVALID_ARGUMENT.
    """
    of_grant = {"user_id": command.user_id, "application_id": command.application_id}
    async with database.transaction() as transaction:
        # An approval stores its grant and its code under this lock.
        await user_aggregate.lock(transaction, command.user_id)
        await check_admitted(transaction, actor)
        entries = await grant_store.granted_scopes(transaction, **of_grant)
        granted, taken = frozenset(scope_names(entries)), frozenset(command.scopes)
        if granted and not taken <= granted:
            raise invalid(
                Violation("scopes", "must be scopes of the grant: ListGrants has those of the user")
            )
        if not taken or OPENID in taken or taken == granted:
            ended = ApplicationRevoked(command.application_id)
            details = await grant_store.REVOKE.details(
                transaction, ended, creator=actor.user_id, **of_grant
            )
            await store.end_of_user(transaction, **of_grant)
        else:
            ended_entries = sorted(each for each in entries if each.partition(" ")[0] in taken)
            revoked = ApplicationScopesRevoked(command.application_id, tuple(ended_entries))
            details = await grant_store.REVOKE_SCOPES.details(
                transaction, revoked, creator=actor.user_id, **of_grant
            )
            await store.narrow(transaction, **of_grant, scopes=taken)
    return details

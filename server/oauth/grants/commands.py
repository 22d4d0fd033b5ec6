"""The commands on the grants of a user to applications."""

from collections.abc import Mapping
from dataclasses import dataclass

from server.access import user_aggregate
from server.access.caller import Actor
from server.application import store as application_store
from server.oauth import grant_store, store
from server.oauth.client_documents.client_id_url import is_url, shown
from server.oauth.events import ApplicationRevoked
from server.oauth.grant_store import Grant
from server.store.database import Statements
from server.store.eventlog import Details
from server.validation.fields import Command, Id
from server.validation.paging import Page


class ListGrants(Page):
    """List the grants of a user."""

    user_id: Id


class RevokeGrant(Command):
    """End the grant of a user to an application."""

    user_id: Id
    application_id: Id


@dataclass(frozen=True, slots=True)
class NamedGrant:
    """A grant, with the name of its application."""

    grant: Grant
    application_name: str


async def list_grants(database: Statements, page: ListGrants) -> tuple[list[NamedGrant], str]:
    """The grants of a page to applications that exist, and the token of the next page."""
    found = await grant_store.list_after(
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
    """Ends a grant with its codes and tokens; returns its last details. `Failure` NOT_FOUND."""
    of_grant = {"user_id": command.user_id, "application_id": command.application_id}
    async with database.transaction() as transaction:
        # An approval stores its grant and its code under this lock.
        await user_aggregate.lock(transaction, command.user_id)
        details = await grant_store.REVOKE.details(
            transaction,
            ApplicationRevoked(command.application_id),
            creator=actor.user_id,
            **of_grant,
        )
        await store.end_of_user(transaction, **of_grant)
    return details

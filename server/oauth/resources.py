"""Resources: the APIs for which access tokens are (RFC 8707), and who gets which of their scopes.

The rule: a token is for one resource, and has its scopes only. An application reaches the resources
of its organization and those for all; one with a metadata document, those of its user. The
application's own `scopes` decide for services only: for users, groups do, and consent.
"""

from collections.abc import Collection, Iterable, Sequence, Set

from server.application import store as application_store
from server.application.configuration import ApplicationAudience, Configuration
from server.application.store import Application
from server.group import member_store
from server.oauth import grant_store
from server.oauth.admission import admits
from server.oauth.client_documents.client_id_url import is_url
from server.oauth.store import Authorization
from server.store.database import Statements
from server.user.store import User


async def find_all(
    database: Statements, identifiers: Sequence[str], *, reserved: Set[str]
) -> tuple[Application, ...] | None:
    """The resources with these identifiers, in this order. None: one is not a resource.

    `reserved` are audiences of sessions, which may have been set since the resource was added.
    """
    if not identifiers:
        return ()
    found = await application_store.FIND_RESOURCES.all(database, identifiers=[*identifiers])
    by_identifier = {each.configuration.identifier: each for each in found}
    if not by_identifier.keys() >= {*identifiers} or not reserved.isdisjoint(identifiers):
        return None
    return tuple(by_identifier[each] for each in dict.fromkeys(identifiers))


def is_in_reach(resource: Application, organization_id: str) -> bool:
    """Whether applications of an organization may name the resource."""
    is_for_all = resource.configuration.audience == ApplicationAudience.ALL
    return is_for_all or resource.details.owner == organization_id


def can_name(application: Application, resource: Application) -> bool:
    """Whether the application may name the resource, whoever its user is."""
    client_id = application.application_id
    if is_url(client_id):
        # Or a token for the application would be one for the resource.
        return client_id != resource.configuration.identifier
    return is_in_reach(resource, application.details.owner)


def requested_scopes(
    application: Application, scope: str, resources: Iterable[Application]
) -> tuple[str, ...]:
    """The values of a `scope` that are scopes of these resources, each once.

    A metadata document can limit its application.
    """
    client_id, limit = application.application_id, application.configuration.scopes
    names = {each.name for one in resources for each in one.configuration.resource_scopes}
    if is_url(client_id) and limit:
        names.intersection_update(limit)
    return tuple(each for each in dict.fromkeys(scope.split(" ")) if each in names)


async def scopes_of_user(
    database: Statements,
    resource: Application,
    scopes: Collection[str],
    *,
    user_id: str,
    organization_id: str,
) -> tuple[str, ...] | None:
    """Those of the scopes that a user can grant now. None: the resource does not admit the user."""
    configuration = resource.configuration
    # Groups mean something in their own organization only.
    reads_groups = organization_id == resource.details.owner and _names_groups(configuration)
    groups = await member_store.names_of_user(database, user_id) if reads_groups else {}
    if not await admits(database, resource, organization_id=organization_id, group_ids=groups):
        return None
    return tuple(
        each.name
        for each in configuration.resource_scopes
        if each.name in scopes
        and (not each.allowed_groups or not groups.keys().isdisjoint(each.allowed_groups))
    )


async def current_scopes(
    database: Statements,
    application: Application,
    authorization: Authorization,
    resource: Application,
    *,
    user: User,
) -> tuple[str, ...] | None:
    """The scopes of an authorization that a token for a resource has now.

    None: the resource has another identifier since, the application can no longer name it, or it no
    longer admits the user.
    """
    if not (has(authorization, resource) and can_name(application, resource)):
        return None
    # An authorization has the names of scopes; the grant has those of each resource.
    granted = await grant_store.granted_scopes(
        database, user_id=user.user_id, application_id=application.application_id
    )
    return await scopes_of_user(
        database,
        resource,
        [each for each in authorization.resource_scopes if _entry(each, resource) in granted],
        user_id=user.user_id,
        organization_id=user.details.owner,
    )


def scopes_of_service(resource: Application, service: Application) -> tuple[str, ...] | None:
    """The scopes of the resource that a service has. None: it cannot name the resource.

    A service is in no group. Managers of its organization decide by its `scopes`; about what
    groups guard, those of the resource's organization alone.
    """
    configuration = resource.configuration
    is_own = resource.details.owner == service.details.owner
    if not is_own and (
        configuration.admits_groups_only or configuration.audience != ApplicationAudience.ALL
    ):
        return None
    return tuple(
        each.name
        for each in configuration.resource_scopes
        if each.name in service.configuration.scopes and (is_own or not each.allowed_groups)
    )


def is_for(identifiers: Collection[str], identifier: str) -> bool:
    """Whether an authorization for these is for the one of a request; empty: it names none.

    With several, the request must name one, since a token is for one (RFC 8707, section 2).
    """
    return identifier in identifiers if identifier else len(identifiers) <= 1


def has(authorization: Authorization, resource: Application) -> bool:
    """Whether an authorization is for this resource, which had its identifier at the approval."""
    granted = zip(authorization.resources, authorization.resource_ids, strict=False)
    return (resource.configuration.identifier, resource.application_id) in granted


def consented(resource: Application, scopes: Iterable[str]) -> tuple[str, ...]:
    """The entries of a grant: the resource itself, and each of its scopes.

    An entry has a scope, which may be empty, a space, and the ID of the resource. The scopes of an
    application have no space.
    """
    return tuple(_entry(each, resource) for each in ("", *scopes))


def _entry(scope: str, resource: Application) -> str:
    return f"{scope} {resource.application_id}"


def scope_names(entries: Iterable[str]) -> tuple[str, ...]:
    """The scopes of the entries of a grant, each once."""
    names = dict.fromkeys(each.partition(" ")[0] for each in entries)
    return tuple(filter(None, names))


def _names_groups(configuration: Configuration) -> bool:
    return configuration.admits_groups_only or any(
        each.allowed_groups for each in configuration.resource_scopes
    )

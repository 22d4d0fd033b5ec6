"""Whether an application admits a user."""

from collections.abc import Mapping
from typing import Any

from server.application.configuration import ApplicationAudience
from server.application.store import Application
from server.oauth.client_documents.client_id_url import is_admitted, is_url
from server.org import store as org_store
from server.store.database import Statements


async def admits(
    database: Statements,
    application: Application,
    *,
    organization_id: str,
    group_ids: Mapping[str, Any],
) -> bool:
    """Whether an application admits a user of this organization with these groups.

    An application with a metadata document admits the users of organizations that name its host.
    """
    client_id, configuration = application.application_id, application.configuration
    if is_url(client_id):
        return is_admitted(client_id, await org_store.metadata_hosts(database, organization_id))
    is_outside = (
        configuration.audience != ApplicationAudience.ALL
        and organization_id != application.details.owner
    )
    is_excluded = configuration.admits_groups_only and not any(
        each in group_ids for each in configuration.allowed_groups
    )
    return not (is_outside or is_excluded)

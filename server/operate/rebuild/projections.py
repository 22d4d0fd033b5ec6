"""All projections, the read tables, and the function by which PostgreSQL replays events.

The rule: projections of an event change only rows of its aggregate, except that the removal of an
identity provider also removes its links, and that of a group its memberships. A link is replayed
only if its provider still exists, and a membership only if its group does.
"""

from collections.abc import Mapping
from typing import Final

from server.application import store as application_store
from server.group import import_store as group_import_store
from server.group import mapped_store, member_store
from server.group import store as group_store
from server.idp import store as idp_store
from server.idp.domains import store as mail_domain_store
from server.idp.links import import_store as idp_link_import_store
from server.idp.links import store as idp_link_store
from server.idp.oidc import store as oidc_store
from server.idp.signin import store as idp_signin_store
from server.log.append import Projections
from server.oauth import grant_store
from server.org import store as org_store
from server.org.brand import store as brand_store
from server.org.mail_texts import store as mail_text_store
from server.passkey import import_store as passkey_import_store
from server.passkey import link_store, removal_store
from server.passkey import store as passkey_store
from server.passkey.signin import store as signin_store
from server.push import store as push_store
from server.session import store as session_store
from server.smtp import store as smtp_store
from server.user import import_store as user_import_store
from server.user import store as user_store
from server.user import token_store
from server.user.attributes import store as attribute_store

PROJECTIONS: Final[Projections] = {
    **org_store.PROJECTIONS,
    **brand_store.PROJECTIONS,
    **mail_text_store.PROJECTIONS,
    **attribute_store.PROJECTIONS,
    **user_store.PROJECTIONS,
    **user_import_store.PROJECTIONS,
    **token_store.PROJECTIONS,
    **passkey_store.PROJECTIONS,
    **passkey_import_store.PROJECTIONS,
    **removal_store.PROJECTIONS,
    **session_store.PROJECTIONS,
    **signin_store.PROJECTIONS,
    **link_store.PROJECTIONS,
    **idp_store.PROJECTIONS,
    **mail_domain_store.PROJECTIONS,
    **oidc_store.PROJECTIONS,
    **idp_link_store.PROJECTIONS,
    **idp_link_import_store.PROJECTIONS,
    **idp_signin_store.PROJECTIONS,
    **smtp_store.PROJECTIONS,
    **application_store.PROJECTIONS,
    **group_store.PROJECTIONS,
    **member_store.PROJECTIONS,
    **group_import_store.PROJECTIONS,
    **mapped_store.PROJECTIONS,
    **grant_store.PROJECTIONS,
    **push_store.PROJECTIONS,
}

# The read tables with the column of their aggregate, referenced tables first. Every command takes
# its first row lock in the first of its tables in this order, so a lock on all tables in this order
# cannot deadlock with a command.
AGGREGATE_COLUMNS: Final[Mapping[str, str]] = {
    "organizations": "id",
    "brands": "org_id",
    "mail_texts": "owner",
    "attribute_definitions": "id",
    "idps": "id",
    "idp_oidc_configs": "idp_id",
    "mail_domains": "id",
    "groups": "id",
    "applications": "id",
    "application_secrets": "application_id",
    "push_subscriptions": "id",
    "push_secrets": "subscription_id",
    "users": "id",
    "tokens": "user_id",
    "passkeys": "user_id",
    "idp_links": "user_id",
    "group_members": "user_id",
    "application_grants": "user_id",
    "sessions": "user_id",
    "smtp_configurations": "id",
    "unique_claims": "aggregate_id",
}
TABLES: Final = tuple(AGGREGATE_COLUMNS)

# Rows that housekeeping deletes without an event, so the live table may lack them.
MAY_BE_FORGOTTEN: Final[Mapping[str, str]] = {
    "tokens": token_store.MAY_BE_FORGOTTEN,
    "sessions": session_store.MAY_BE_FORGOTTEN,
}

# The relation `event` of a projection: the events of a wave, or only that of an aggregate.
_EVENT = """
with event as (
    select * from numbered_events
    where generation = of_generation and event_type = of_type
        and (of_aggregate is null or aggregate_id = of_aggregate))"""

# The fresh tables grow from nothing during a session, which keeps its plans. So the function sets
# the planner to the plans that stay good: those by index.
_FUNCTION = """
create function pg_temp.project(of_generation bigint, of_type text, of_aggregate text)
returns void language plpgsql
set search_path = pg_temp
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $function$ begin case of_type {cases} end case; end $function$"""


def projecting_function() -> str:
    """Creates the function that runs the projections of a wave of the table `numbered_events`.

    In PostgreSQL, because a round trip takes longer than a small wave.
    """
    cases = "".join(
        f"\nwhen '{event.event_type}' then {''.join(f'{_EVENT}{sql};' for sql in projections)}"
        for event, projections in PROJECTIONS.items()
    )
    return _FUNCTION.replace("{cases}", cases)

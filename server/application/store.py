"""The read tables `applications` and `application_secrets`, and every statement on them."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from server.access import uses
from server.access.authorizer import organization_not_found
from server.access.checked_append import IS_ADMITTED
from server.access.listing import Listing
from server.application.chosen import ASSIGNED_ID
from server.application.claims import ApplicationClaim
from server.application.configuration import ApplicationKind, Configuration
from server.application.events import (
    ApplicationAdded,
    ApplicationChanged,
    ApplicationRemoved,
    ApplicationSecretCreated,
    ApplicationSecretRemoved,
)
from server.application.resources import ResourceScope
from server.log.append import Projections, append, new_aggregate
from server.log.projection import changed, inserted
from server.log.removals import Removals
from server.relying_party.workload_issuers import WorkloadIssuer
from server.store.database import Row, Statements
from server.store.filters import Filters, Instant, OneOf
from server.store.object_names import ObjectNames
from server.store.rows import Details, Query, columns_of, details, from_row
from server.store.statement import statement
from server.values.errors import NotFound

_LOGO = "decode(event.payload->>'logo', 'base64')"
_WORKLOAD_ISSUERS = "event.payload->'workload_issuers'"
# Events before 0053 have the fields `requires_pkce` and `id_token_claims` in their place.
_REPLACED = {
    "pkce": """coalesce(event.payload->>'pkce',
            case (event.payload->>'requires_pkce')::boolean
                when true then 'REQUIRED' when false then 'NONE' end)""",
    "omits_id_token_claims": """coalesce((event.payload->>'omits_id_token_claims')::boolean,
            event.payload->'id_token_claims' = '[]')""",
    # Older servers read these. They require PKCE where this release accepts a nonce, too.
    "requires_pkce": """coalesce((event.payload->>'requires_pkce')::boolean,
            event.payload->>'pkce' <> 'NONE')""",
    "id_token_claims": """case
            when event.payload ? 'id_token_claims'
                then array(select jsonb_array_elements_text(event.payload->'id_token_claims'))
            when (event.payload->>'omits_id_token_claims')::boolean then array[]::text[]
            when event.payload ? 'omits_id_token_claims'
                then array['name', 'email', 'groups'] end""",
}
# Rows of older servers, too.
_REPLACED_COLUMNS = {
    "pkce": "coalesce(pkce, case when requires_pkce then 'REQUIRED' else 'NONE' end)",
    "omits_id_token_claims": "coalesce(omits_id_token_claims, id_token_claims = '{}')",
}
_RESOURCE_SCOPES = "event.payload->'resource_scopes'"
_CLAIMS = "event.payload->'claims'"
_MOVED = """
        update applications set sequence = event.sequence, change_date = event.created_at
        from event where applications.id = event.aggregate_id"""

PROJECTIONS: Projections = {
    ApplicationAdded: [
        inserted(
            "applications",
            ApplicationAdded,
            id="aggregate_id",
            owner="owner",
            logo=_LOGO,
            workload_issuers=f"coalesce({_WORKLOAD_ISSUERS}, '[]')",
            **_REPLACED,
            resource_scopes=f"coalesce({_RESOURCE_SCOPES}, '[]')",
            claims=f"coalesce({_CLAIMS}, '[]')",
        ),
        """
        insert into unique_claims (kind, value, aggregate_id)
        select 'application_origin', jsonb_array_elements_text(payload->'origins'), aggregate_id
        from event""",
        # A chosen ID and an identifier are both audiences. The ID stays after the removal; an ID of
        # the server is used once anyway.
        f"""
        insert into unique_claims (kind, value, aggregate_id)
        select distinct 'application_audience', value, aggregate_id
        from event cross join lateral (values (aggregate_id), (payload->>'identifier'))
            as audience (value)
        where value <> '' and value !~ '^{ASSIGNED_ID}$'""",
    ],
    ApplicationChanged: [
        """
        delete from unique_claims using event
        where unique_claims.aggregate_id = event.aggregate_id and event.payload ? 'origins'
            and unique_claims.kind = 'application_origin'
            and not event.payload->'origins' ? unique_claims.value""",
        """
        insert into unique_claims (kind, value, aggregate_id)
        select 'application_origin', origin, event.aggregate_id
        from event cross join jsonb_array_elements_text(event.payload->'origins') as origin
        where event.payload ? 'origins' and not exists (
            select from unique_claims as own
            where own.kind = 'application_origin' and own.value = origin
                and own.aggregate_id = event.aggregate_id)""",
        """
        delete from unique_claims using event
        where unique_claims.aggregate_id = event.aggregate_id and event.payload ? 'identifier'
            and unique_claims.kind = 'application_audience'
            and unique_claims.value not in (event.aggregate_id, event.payload->>'identifier')""",
        """
        insert into unique_claims (kind, value, aggregate_id)
        select 'application_audience', event.payload->>'identifier', event.aggregate_id
        from event
        where event.payload->>'identifier' <> '' and not exists (
            select from unique_claims as own
            where own.kind = 'application_audience' and own.value = event.payload->>'identifier'
                and own.aggregate_id = event.aggregate_id)""",
        """
        delete from application_secrets using event
        where application_secrets.application_id = event.aggregate_id
            and event.payload->>'token_endpoint_auth_method' in ('NONE', 'PRIVATE_KEY_JWT')""",
        changed(
            "applications",
            ApplicationChanged,
            logo=_LOGO,
            workload_issuers=_WORKLOAD_ISSUERS,
            **_REPLACED,
            resource_scopes=_RESOURCE_SCOPES,
            claims=_CLAIMS,
        ),
    ],
    ApplicationRemoved: [
        # A foreign key deletes the secrets.
        "delete from applications using event where applications.id = event.aggregate_id",
        """
        delete from unique_claims using event
        where unique_claims.aggregate_id = event.aggregate_id
            and unique_claims.value <> event.aggregate_id""",
    ],
    ApplicationSecretCreated: [
        """
        insert into application_secrets (application_id, secret_id, hash, creation_date)
        select aggregate_id, payload->>'secret_id', decode(payload->>'hash', 'base64'), created_at
        from event""",
        _MOVED,
    ],
    ApplicationSecretRemoved: [
        """
        delete from application_secrets using event
        where application_secrets.application_id = event.aggregate_id
            and application_secrets.secret_id = event.payload->>'secret_id'""",
        _MOVED,
    ],
}

# Whether an application has a URI of an origin. The index `applications_web_origins` has the same
# expression. Materialized, since PostgreSQL would look for the first row without the index.
_IS_PAGE_ORIGIN = statement("""
with found as materialized (
    select id from applications
    where web_origins(redirect_uris, origins) @> array[:origin::text])
select exists (select from found) as is_page_origin""")

application_not_found: Final = NotFound(
    "application",
    "The application does not exist in this organization. List the applications to find its id, or"
    " name its organization in x-service-orgid.",
)
_secret_not_found: Final = NotFound(
    "application_secret",
    "The application has no such secret. Find the right id with GetApplication.",
)

NAMES: Final = ObjectNames("applications")
APPLICATIONS_KEY: Final = "applications_pkey"

# Whether an application has this chosen ID, or had it.
_IS_USED = statement("""
select exists (
    select from unique_claims
    where kind = 'application_audience' and value = :application_id) as is_used
""")

# Creates an application of the organization.
ADD: Final = append(
    ApplicationAdded,
    target=new_aggregate(id=":application_id::text", owner=":organization_id::text"),
    projections=PROJECTIONS,
    missing=("organization_id", organization_not_found),
    admission=IS_ADMITTED,
)

_TARGET = """
    select id, owner, sequence, creation_date, change_date, true as changed
    from applications where id = :application_id and owner = :organization_id for update"""

# Changes a locked application.
CHANGE: Final = append(
    ApplicationChanged, target=_TARGET, projections=PROJECTIONS, admission=IS_ADMITTED
)

# Removes a locked application.
REMOVE: Final = append(
    ApplicationRemoved, target=_TARGET, projections=PROJECTIONS, admission=IS_ADMITTED
)

# Removes the applications of an organization.
OF_ORGANIZATION: Final = Removals(ApplicationRemoved, "applications", PROJECTIONS)

# Adds a secret to a locked application.
CREATE_SECRET: Final = append(
    ApplicationSecretCreated, target=_TARGET, projections=PROJECTIONS, admission=IS_ADMITTED
)

# Removes a secret of a locked application.
REMOVE_SECRET: Final = append(
    ApplicationSecretRemoved,
    target=f"""{_TARGET.replace("for update", "")}
        and exists (
            select from application_secrets as secret
            where secret.application_id = applications.id and secret.secret_id = :secret_id)
    for update""",
    projections=PROJECTIONS,
    missing=("secret_id", _secret_not_found),
    admission=IS_ADMITTED,
)


def _secrets(column: str) -> str:
    return f"""array(
        select {column} from application_secrets as secret
        where secret.application_id = applications.id order by secret.secret_id)"""


_DETAILS = f"""
id as application_id, owner, kind, sequence, creation_date, change_date,
    {_secrets("secret.secret_id")} as secret_ids,
    {_secrets("secret.creation_date")} as secret_dates,
    {_secrets(uses.last_used_at("secret.secret_id"))} as secret_uses"""
_COLUMNS = f"{_DETAILS}, {columns_of(Configuration, **_REPLACED_COLUMNS)}"
_WITHOUT_THE_LARGE = {"jwks": "''", "logo": "''::bytea"} | _REPLACED_COLUMNS
_COLUMNS_OF_LIST = f"{_DETAILS}, {columns_of(Configuration, **_WITHOUT_THE_LARGE)}"


@dataclass(frozen=True, slots=True)
class ApplicationSecret:
    """A stored secret, without its hash."""

    secret_id: str
    creation_date: datetime
    # None: it was not used in the last 400 days.
    last_used_at: datetime | None


@dataclass(frozen=True, slots=True)
class Application:
    """A stored application."""

    application_id: str
    kind: ApplicationKind
    configuration: Configuration
    secrets: Sequence[ApplicationSecret]
    details: Details


@dataclass(frozen=True, slots=True)
class SecretHash:
    """The hash of a secret, and whether a use of it must be recorded."""

    secret_id: str
    hash: bytes = field(repr=False)
    is_due: bool


@dataclass(frozen=True, slots=True)
class OAuthClient:
    """An application with the hashes of its secrets, for its authentication."""

    application: Application
    secret_hashes: Sequence[SecretHash]


def _application(row: Row) -> Application:
    secrets = zip(row["secret_ids"], row["secret_dates"], row["secret_uses"], strict=True)
    issuers = tuple(WorkloadIssuer(**each) for each in json.loads(row["workload_issuers"]))
    scopes = tuple(
        ResourceScope(each["name"], each["description"], tuple(each["allowed_groups"]))
        for each in json.loads(row["resource_scopes"])
    )
    claims = tuple(map(ApplicationClaim.of, json.loads(row["claims"])))
    return Application(
        row["application_id"],
        ApplicationKind(row["kind"]),
        from_row(
            Configuration, row, workload_issuers=issuers, resource_scopes=scopes, claims=claims
        ),
        tuple(ApplicationSecret(*secret) for secret in secrets),
        details(row),
    )


# An application of the organization.
GET: Final = Query(
    f"select {_COLUMNS} from applications where id = :application_id and owner = :organization_id",
    _application,
    missing=("application_id", application_not_found),
)

# Locks an application of the organization.
_LOCK = statement("""
select from applications where id = :application_id and owner = :organization_id for update""")

# Locks an application of the organization, for a precondition.
LOCK_SEQUENCE: Final = statement("""
select sequence from applications
where id = :application_id and owner = :organization_id for update""")

# An application with the hashes of its secrets.
_FIND_CLIENT = statement(f"""
select {_COLUMNS}, {_secrets("secret.hash")} as secret_hashes,
    {_secrets(uses.is_due("secret.secret_id"))} as secret_is_due
from applications where id = :client_id""")

# The application of any organization that the gate protects at an origin.
FIND_BY_ORIGIN: Final = Query(
    f"""
select {_COLUMNS} from applications where id = (
    select aggregate_id from unique_claims
    where kind = 'application_origin' and value = :origin)""",
    _application,
)

# The resources of any organization with these identifiers. Chosen IDs of applications have rows of
# the same kind, so that none is an identifier.
FIND_RESOURCES: Final = Query(
    f"""
select {_COLUMNS} from applications
where id = any(array(
        select aggregate_id from unique_claims
        where kind = 'application_audience' and value = any(:identifiers::text[])))
    and identifier = any(:identifiers::text[])""",
    _application,
)

# The organization's applications, without logo and `jwks`.
LISTING: Final = Listing(
    "applications",
    _COLUMNS_OF_LIST,
    _application,
    filters=Filters(
        kind=OneOf("kind", [each.value for each in ApplicationKind], prefix="APPLICATION_KIND_"),
        first_party=OneOf("first_party::text", ("true", "false"), prefix=""),
        creation_date=Instant("creation_date"),
        change_date=Instant("change_date"),
    ),
    searched=("name", "identifier", "array_to_string(redirect_uris || origins, ' ')"),
)

# Applications of the organization by their IDs, without logo and `jwks`.
LIST_NAMED: Final = Query(
    f"""
select {_COLUMNS_OF_LIST} from applications
where owner = :organization_id and id = any(:application_ids::text[])""",
    _application,
)

# The names of applications.
_LIST_NAMES = statement(
    "select id, name from applications where id = any(:application_ids::text[])"
)

# Whom applications of the organization admit: the members of some groups; null: all of its users.
_LIST_ADMITTED_GROUPS = statement("""
select case when admits_groups_only then allowed_groups end as group_ids from applications
where owner = :organization_id and id = any(:application_ids::text[])
    and kind <> 'SERVICE'""")

# The organization of an application.
_OWNER = statement("select owner from applications where id = :application_id")

# The organizations of those applications that are notified of the ends of sessions.
_OWNERS_TOLD = statement("""
select id, owner from applications
where id = any(:application_ids::text[]) and backchannel_logout_uri <> ''""")


async def is_used(transaction: Statements, application_id: str) -> bool:
    """Whether an application has this chosen ID, or had it."""
    row = await transaction.fetch_one(_IS_USED, application_id=application_id)
    return bool(row["is_used"])


async def lock(transaction: Statements, **of_application: str) -> Application:
    """Locks an application until the transaction ends, and reads it. `Failure` NOT_FOUND."""
    await transaction.fetch(_LOCK, **of_application)
    return await GET.one(transaction, **of_application)


async def find_client(database: Statements, client_id: str) -> OAuthClient | None:
    """Reads the application of any organization with this `client_id`."""
    row = await database.fetch_row(_FIND_CLIENT, client_id=client_id)
    if row is None:
        return None
    hashes = zip(row["secret_ids"], row["secret_hashes"], row["secret_is_due"], strict=True)
    return OAuthClient(_application(row), tuple(SecretHash(*each) for each in hashes))


async def names_of(database: Statements, application_ids: Sequence[str]) -> dict[str, str]:
    """The names of applications by their ids. Removed applications are left out."""
    rows = await database.fetch(_LIST_NAMES, application_ids=application_ids)
    return {row["id"]: row["name"] for row in rows}


async def admitted_groups(
    database: Statements, application_ids: Sequence[str], *, organization_id: str
) -> list[Sequence[str] | None]:
    """The groups that applications of the organization admit; None: they admit all of its users.

    Unknown applications, and services, which have no people, are left out.
    """
    rows = await database.fetch(
        _LIST_ADMITTED_GROUPS, application_ids=application_ids, organization_id=organization_id
    )
    return [row["group_ids"] for row in rows]


async def owner_of(database: Statements, application_id: str) -> str | None:
    """The organization of an application. None: it does not exist."""
    row = await database.fetch_row(_OWNER, application_id=application_id)
    return row["owner"] if row else None


async def owners_of_told(database: Statements, application_ids: Sequence[str]) -> dict[str, str]:
    """The organizations of those applications with a `backchannel_logout_uri`, by their ids."""
    rows = await database.fetch(_OWNERS_TOLD, application_ids=application_ids)
    return {row["id"]: row["owner"] for row in rows}


async def is_page_origin(database: Statements, origin: str) -> bool:
    """Whether a redirect URI or an origin of any application has this origin."""
    row = await database.fetch_one(_IS_PAGE_ORIGIN, origin=origin)
    return bool(row["is_page_origin"])

"""The read table `organizations` and every statement on it."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from server.access.authorizer import organization_not_found
from server.access.checked_append import IS_ADMITTED
from server.log.append import Projections, append
from server.log.projection import changed, differs, inserted
from server.org.events import OrganizationAdded, OrganizationChanged, OrganizationRemoved
from server.store.database import Statements
from server.store.rows import Details, Query, columns_of
from server.store.statement import statement

# In `client_metadata_hosts`: documents of every host.
ANY_HOST: Final = "*"


@dataclass(frozen=True, slots=True)
class Organization:
    """A stored organization."""

    organization_id: str
    name: str
    is_default: bool
    allows_mail_recovery: bool
    client_metadata_hosts: tuple[str, ...]
    allows_sign_up: bool
    keeps_profiles: bool
    allows_mail_fallback: bool
    details: Details


@dataclass(frozen=True, slots=True)
class MetadataAdmission:
    """Whether an organization names the host of a metadata document, or admits every host."""

    is_named: bool
    is_any: bool


_COLUMNS = columns_of(Organization, organization_id="id", owner="id")

# The step of an event about a part of an organization: its brand, an own text of a mail.
MOVED: Final = """
        update organizations set sequence = event.sequence, change_date = event.created_at
        from event where organizations.id = event.aggregate_id"""

PROJECTIONS: Projections = {
    OrganizationAdded: [
        inserted("organizations", OrganizationAdded, but=["name_claim"], id="aggregate_id"),
        """
        insert into unique_claims (kind, value, aggregate_id)
        select 'organization_name', payload->>'name_claim', aggregate_id from event
        union all
        select 'default_organization', '', aggregate_id from event
        where (payload->>'is_default')::boolean""",
    ],
    OrganizationRemoved: [
        "delete from brands using event where brands.org_id = event.aggregate_id",
        "delete from mail_texts using event where mail_texts.org_id = event.aggregate_id",
        "delete from organizations using event where organizations.id = event.aggregate_id",
        """
        delete from unique_claims using event
        where unique_claims.aggregate_id = event.aggregate_id""",
    ],
    OrganizationChanged: [
        changed("organizations", OrganizationChanged, but=["name_claim"]),
        """
        update unique_claims set value = event.payload->>'name_claim'
        from event
        where unique_claims.aggregate_id = event.aggregate_id
            and unique_claims.kind = 'organization_name'
            and event.payload->>'name_claim' is not null""",
    ],
}

# Adds an organization, which owns itself.
ADD: Final = append(
    OrganizationAdded,
    target="""
    select :organization_id::text as id, :organization_id::text as owner, 0::bigint as sequence,
        null::timestamptz as creation_date, null::timestamptz as change_date, true as changed""",
    projections=PROJECTIONS,
    admission=IS_ADMITTED,
)

# Changes an organization.
CHANGE: Final = append(
    OrganizationChanged,
    target=f"""
    select id, id as owner, sequence, creation_date, change_date,
        {differs(OrganizationChanged, but=["name_claim"])} as changed
    from organizations where id = :organization_id for update""",
    projections=PROJECTIONS,
    missing=("organization_id", organization_not_found),
)

# Removes a locked organization, with its brand and its own texts of mails.
REMOVE: Final = append(
    OrganizationRemoved,
    target="""
    select id, id as owner, sequence, creation_date, change_date, not is_default as changed
    from organizations where id = :organization_id for update""",
    projections=PROJECTIONS,
    missing=("organization_id", organization_not_found),
)

# An organization.
GET: Final = Query(
    f"select {_COLUMNS} from organizations where id = :organization_id",
    Organization,
    missing=("organization_id", organization_not_found),
)

# A page of all organizations, oldest first.
LIST: Final = Query(
    f"select {_COLUMNS} from organizations where id > :after order by id limit :limit",
    Organization,
)

# Locks an organization, for a precondition.
LOCK_SEQUENCE: Final = statement("""
select sequence from organizations where id = :org_id for update""")

# Blocks changes of an organization until the transaction ends.
_LOCK_SHARED = statement("select from organizations where id = :organization_id for share")

# Those of some organizations that allow recovery by mail.
_LIST_RECOVERING = statement("""
select id from organizations where id = any(:ids::text[]) and allows_mail_recovery""")

# Whether an organization names a host of metadata documents, and whether one admits every host.
_FIND_METADATA_ADMISSION = Query(
    """
select coalesce(bool_or(client_metadata_hosts @> array[:host]), false) as is_named,
    coalesce(bool_or(client_metadata_hosts @> array[:any_host]), false) as is_any
from organizations where client_metadata_hosts && array[:host::text, :any_host::text]""",
    MetadataAdmission,
)

# Whether any organization admits metadata documents.
_ADMITS_METADATA = statement("""
select id from organizations where client_metadata_hosts <> '{}' order by id limit 1""")

# The organization with a name.
_FIND_BY_NAME = statement("""
select aggregate_id as id from unique_claims
where kind = 'organization_name' and value = :name_claim""")

# The default organization.
_DEFAULT = statement(
    "select aggregate_id as id from unique_claims where kind = 'default_organization'"
)

# Locks an organization.
_LOCK = statement("select from organizations where id = :organization_id for update")

# Keeps everything from being written for an organization (`server/store/organizations.py`).
_CLOSE = statement("""
select from unique_claims where kind = 'organization_name' and aggregate_id = :organization_id
for update""")

# Locks the claim to be the default organization, which changes of the organization do not lock.
_LOCK_DEFAULT = statement(
    "select from unique_claims where kind = 'default_organization' for update"
)


async def allows_mail_recovery(
    database: Statements, organization_id: str, *, lock: bool = False
) -> bool:
    """Whether users may recover by mail; `lock` keeps the setting until the transaction ends."""
    if lock:
        await database.fetch(_LOCK_SHARED, organization_id=organization_id)
    found = await GET.one_or_none(database, organization_id=organization_id)
    return found is not None and found.allows_mail_recovery


async def name(database: Statements, organization_id: str) -> str:
    """The name of the organization; empty: it does not exist."""
    found = await GET.one_or_none(database, organization_id=organization_id)
    return found.name if found else ""


async def allows_mail_fallback(database: Statements, organization_id: str) -> bool:
    """Whether the mail server of the instance may deliver in place of the organization's."""
    found = await GET.one_or_none(database, organization_id=organization_id)
    return found is not None and found.allows_mail_fallback


async def self_service(database: Statements, organization_id: str) -> tuple[bool, bool]:
    """Whether people register themselves, and whether they recover by mail."""
    found = await GET.one_or_none(database, organization_id=organization_id)
    return (found.allows_sign_up, found.allows_mail_recovery) if found else (False, False)


async def list_recovering(database: Statements, organization_ids: Collection[str]) -> set[str]:
    """Those of the organizations whose users may recover by mail."""
    rows = await database.fetch(_LIST_RECOVERING, ids=sorted(organization_ids))
    return {row["id"] for row in rows}


async def metadata_hosts(database: Statements, organization_id: str) -> Collection[str]:
    """The hosts of client ID metadata documents that the organization admits."""
    found = await GET.one_or_none(database, organization_id=organization_id)
    return found.client_metadata_hosts if found else ()


async def admits_metadata(database: Statements) -> bool:
    """Whether any organization admits metadata documents of any host."""
    return await database.fetch_row(_ADMITS_METADATA) is not None


async def find_metadata_admission(database: Statements, host: str) -> MetadataAdmission:
    """Whether any organization admits the metadata documents of a host."""
    return await _FIND_METADATA_ADMISSION.one(database, host=host, any_host=ANY_HOST)


async def exists(database: Statements, organization_id: str) -> bool:
    """Whether the organization exists."""
    return await GET.one_or_none(database, organization_id=organization_id) is not None


async def find_by_name(database: Statements, name_claim: str) -> str | None:
    """The id of the organization with this name, if any."""
    row = await database.fetch_row(_FIND_BY_NAME, name_claim=name_claim)
    return row["id"] if row else None


async def default_organization_id(database: Statements) -> str | None:
    """The id of the default organization; None before the first start has created it."""
    row = await database.fetch_row(_DEFAULT)
    return row["id"] if row else None


async def keeps_profiles(database: Statements, organization_id: str) -> bool:
    """Whether only administrators change the profiles of the organization's users."""
    return (await GET.one(database, organization_id=organization_id)).keeps_profiles


async def lock(transaction: Statements, organization_id: str) -> None:
    """Locks an organization until the transaction ends. `Failure` NOT_FOUND."""
    if await transaction.fetch_row(_LOCK, organization_id=organization_id) is None:
        raise organization_not_found(organization_id)


async def lock_shared(transaction: Statements, organization_id: str) -> None:
    """Keeps an organization and its settings until the transaction ends. `Failure` NOT_FOUND."""
    if await transaction.fetch_row(_LOCK_SHARED, organization_id=organization_id) is None:
        raise organization_not_found(organization_id)


async def close(transaction: Statements, organization_id: str) -> Organization:
    """Locks an organization, and keeps others from writing objects of it. `Failure` NOT_FOUND."""
    await lock(transaction, organization_id)
    await transaction.fetch(_CLOSE, organization_id=organization_id)
    return await GET.one(transaction, organization_id=organization_id)


async def lock_default(transaction: Statements) -> None:
    """Serializes the callers until their transactions end, also after a user is locked."""
    await transaction.fetch(_LOCK_DEFAULT)

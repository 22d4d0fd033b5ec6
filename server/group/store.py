"""The read table `groups` and every statement on it alone."""

from collections.abc import Collection
from dataclasses import dataclass
from functools import partial
from typing import Final

from server.access.authorizer import organization_not_found
from server.access.checked_append import IS_ADMITTED
from server.access.listing import Listing
from server.group.events import GroupAdded, GroupChanged, GroupRemoved
from server.log.append import Projections, append, new_aggregate
from server.log.projection import changed, differs, inserted
from server.log.removals import Removals
from server.store.database import Statements
from server.store.filters import Filters, Instant
from server.store.object_names import ObjectNames
from server.store.organizations import stays
from server.store.rows import Details, Query, from_row
from server.store.statement import statement
from server.values.errors import NotFound

PROJECTIONS: Projections = {
    GroupAdded: [
        inserted("groups", GroupAdded, id="aggregate_id", owner="owner"),
        """
        insert into unique_claims (kind, value, aggregate_id)
        select 'group_name', owner || ':' || (payload->>'name'), aggregate_id from event""",
    ],
    GroupChanged: [
        changed("groups", GroupChanged),
        """
        update unique_claims set value = event.owner || ':' || (event.payload->>'name')
        from event
        where unique_claims.aggregate_id = event.aggregate_id and unique_claims.kind = 'group_name'
            and event.payload->>'name' is not null""",
    ],
    GroupRemoved: [
        # Foreign keys delete the memberships.
        "delete from groups using event where groups.id = event.aggregate_id",
        """
        delete from unique_claims using event
        where unique_claims.aggregate_id = event.aggregate_id""",
    ],
}

group_not_found: Final = NotFound(
    "group",
    "The group does not exist in this organization. List the groups to find its id, or name its"
    " organization in x-service-orgid.",
)

NAMES: Final = ObjectNames("groups")

# Creates a group of the organization.
ADD: Final = append(
    GroupAdded,
    target=new_aggregate(id=":group_id::text", owner=":organization_id::text"),
    projections=PROJECTIONS,
    missing=("organization_id", organization_not_found),
    admission=IS_ADMITTED,
)

# Changes a group if a value of the payload differs.
CHANGE: Final = append(
    GroupChanged,
    target=f"""
    select id, owner, sequence, creation_date, change_date, {differs(GroupChanged)} as changed
    from groups where id = :group_id and owner = :organization_id for update""",
    projections=PROJECTIONS,
    missing=("group_id", group_not_found),
    admission=IS_ADMITTED,
)

# Removes a group.
REMOVE: Final = append(
    GroupRemoved,
    target="""
    select id, owner, sequence, creation_date, change_date, true as changed
    from groups where id = :group_id and owner = :organization_id for update""",
    projections=PROJECTIONS,
    missing=("group_id", group_not_found),
    admission=IS_ADMITTED,
)

# Removes the groups of an organization.
OF_ORGANIZATION: Final = Removals(GroupRemoved, "groups", PROJECTIONS)

COLUMNS: Final = """
groups.id as group_id, groups.owner, groups.name, groups.display_name, groups.sequence,
    groups.creation_date, groups.change_date"""


@dataclass(frozen=True, slots=True)
class Group:
    """A stored group."""

    group_id: str
    name: str
    display_name: str
    details: Details


# A group of the organization.
GET: Final = Query(
    f"select {COLUMNS} from groups where id = :group_id and owner = :organization_id",
    Group,
    missing=("group_id", group_not_found),
)

# Locks a group of the organization, for a precondition.
LOCK_SEQUENCE: Final = statement("""
select sequence from groups where id = :group_id and owner = :organization_id for update""")

# The same while the name of the group may be read.
_LOCK = statement("""
select name from groups where id = :group_id and owner = :organization_id for no key update""")

# The organization's groups.
LISTING: Final = Listing(
    "groups",
    COLUMNS,
    partial(from_row, Group),
    filters=Filters(creation_date=Instant("creation_date"), change_date=Instant("change_date")),
    searched=("name", "display_name"),
)

# The organization's groups among some ids and names. Blocks their removal, after that of the
# organization, which locks its applications before its groups.
_LOCK_NAMED = statement(f"""
select id, name from groups
where owner = :organization_id and (id = any(:named::text[]) or name = any(:named::text[]))
    and {stays(":organization_id")}
order by id for key share""")

# Those of some ids that are groups.
_LIST_EXISTING = statement("select id from groups where id = any(:ids::text[])")


async def lock(transaction: Statements, *, group_id: str, organization_id: str) -> str:
    """Locks a group until the transaction ends; returns its name. `Failure` NOT_FOUND."""
    row = await transaction.fetch_row(_LOCK, group_id=group_id, organization_id=organization_id)
    if row is None:
        raise group_not_found(group_id)
    name: str = row["name"]
    return name


async def lock_named(
    transaction: Statements, named: Collection[str], organization_id: str
) -> dict[str, str]:
    """The ids of the organization's groups by their ids and names, as far as `named` has these.

    The groups stay until the transaction ends. Neither names nor ids are both.
    """
    rows = await transaction.fetch(
        _LOCK_NAMED, named=sorted(named), organization_id=organization_id
    )
    by_id = {row["id"]: row["id"] for row in rows}
    return {row["name"]: row["id"] for row in rows} | by_id


async def list_existing(database: Statements, group_ids: Collection[str]) -> set[str]:
    """Those of the ids that are groups."""
    rows = await database.fetch(_LIST_EXISTING, ids=sorted(group_ids))
    return {row["id"] for row in rows}

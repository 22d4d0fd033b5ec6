"""The read table `organizations` and every statement on it."""

from dataclasses import dataclass

from server.org.events import OrganizationAdded
from server.store.database import Row, Statements
from server.store.eventlog import (
    Details,
    Projections,
    append,
    details,
    new_aggregate,
)
from server.store.statement import statement

PROJECTIONS: Projections = {
    OrganizationAdded: [
        """
        insert into organizations (id, name, is_default, sequence, creation_date, change_date)
        select aggregate_id, payload->>'name', (payload->>'is_default')::boolean,
            sequence, created_at, created_at
        from event""",
        """
        insert into unique_claims (kind, value, aggregate_id)
        select 'organization_name', payload->>'name_claim', aggregate_id from event
        union all
        select 'default_organization', '', aggregate_id from event
        where (payload->>'is_default')::boolean""",
    ],
}

# Adds an organization, which owns itself.
_ADD = append(
    OrganizationAdded,
    target=new_aggregate(id=":id::text", owner=":id::text"),
    projections=PROJECTIONS,
)

# One.
_GET = statement("""
select id, id as owner, name, is_default, sequence, creation_date, change_date
from organizations where id = :id""")

# A page of all, oldest first.
_LIST = statement("""
select id, id as owner, name, is_default, sequence, creation_date, change_date
from organizations where id > :after order by id limit :limit""")

# The one that has the name.
_FIND_BY_NAME = statement("""
select aggregate_id as id from unique_claims
where kind = 'organization_name' and value = :name_claim""")

# The default one.
_DEFAULT = statement(
    "select aggregate_id as id from unique_claims where kind = 'default_organization'"
)


# Locks the default organization.
_LOCK_DEFAULT = statement("""
select from organizations
where id = (select aggregate_id from unique_claims where kind = 'default_organization')
for update""")


@dataclass(frozen=True, slots=True)
class Organization:
    """An organization as it is read back."""

    organization_id: str
    name: str
    is_default: bool
    details: Details


async def add(
    database: Statements, event: OrganizationAdded, *, creator: str, organization_id: str
) -> Details:
    """Writes a new organization.

    UniqueConflictError: its name is taken, or there is a default one already.
    """
    return details(
        await database.fetch_one(_ADD, payload=event.payload(), creator=creator, id=organization_id)
    )


async def get(database: Statements, organization_id: str) -> Organization | None:
    """Reads one."""
    row = await database.fetch_row(_GET, id=organization_id)
    return _organization(row) if row else None


async def exists(database: Statements, organization_id: str) -> bool:
    """Whether there is one of this id."""
    return await get(database, organization_id) is not None


async def list_after(database: Statements, *, after: str, limit: int) -> list[Organization]:
    """Those after an id, oldest first."""
    return [_organization(row) for row in await database.fetch(_LIST, after=after, limit=limit)]


async def find_by_name(database: Statements, name_claim: str) -> str | None:
    """The id of the organization with this name."""
    row = await database.fetch_row(_FIND_BY_NAME, name_claim=name_claim)
    return row["id"] if row else None


async def default_organization_id(database: Statements) -> str | None:
    """The id of the default organization; None before the first start has made it."""
    row = await database.fetch_row(_DEFAULT)
    return row["id"] if row else None


async def lock_default(transaction: Statements) -> None:
    """Locks the default organization until the transaction ends."""
    await transaction.fetch(_LOCK_DEFAULT)


def _organization(row: Row) -> Organization:
    return Organization(row["id"], row["name"], row["is_default"], details(row))

"""The read table `brands` and every statement on it."""

from dataclasses import dataclass, field
from typing import Final

from server.access.authorizer import organization_not_found
from server.access.checked_append import IS_ADMITTED_LOCKED
from server.log.append import Projections, append
from server.log.projection import inserted
from server.org.brand.events import BrandSet
from server.org.store import MOVED
from server.store.rows import Details, Query, columns_of
from server.store.statement import statement

PROJECTIONS: Projections = {
    BrandSet: [
        inserted(
            "brands",
            BrandSet,
            org_id="aggregate_id",
            logo="decode(payload->>'logo', 'base64')",
        )
        + """
        on conflict (org_id, of_instance) do update set
            name = excluded.name, logo = excluded.logo, color = excluded.color,
            support_address = excluded.support_address, sequence = excluded.sequence,
            change_date = excluded.change_date""",
        MOVED,
    ],
}

# Sets a brand.
SET: Final = append(
    BrandSet,
    target="""
    select organizations.id, organizations.id as owner, organizations.sequence,
        brand.creation_date, null::timestamptz as change_date, true as changed
    from organizations
    left join brands as brand on brand.org_id = organizations.id
        and brand.of_instance = :of_instance::boolean
    where organizations.id = :organization_id for update of organizations""",
    projections=PROJECTIONS,
    missing=("organization_id", organization_not_found),
    admission=IS_ADMITTED_LOCKED,
)


@dataclass(frozen=True, slots=True)
class Brand:
    """A stored brand."""

    name: str
    logo: bytes = field(repr=False)
    color: str
    support_address: str
    details: Details


_COLUMNS = columns_of(Brand, owner="org_id")

_OF_INSTANCE = """of_instance and org_id = (
    select aggregate_id from unique_claims where kind = 'default_organization')"""

# The brand of an organization.
GET: Final = Query(
    f"select {_COLUMNS} from brands where org_id = :organization_id and not of_instance", Brand
)

# The brand of the instance.
GET_OF_INSTANCE: Final = Query(f"select {_COLUMNS} from brands where {_OF_INSTANCE}", Brand)

# Locks the brand of an organization, and before it the organization as the changes do, for a
# precondition.
LOCK_SEQUENCE: Final = statement("""
select brands.sequence from organizations join brands on brands.org_id = organizations.id
where organizations.id = :org_id and not of_instance for update""")

# The same for the brand of the instance.
LOCK_SEQUENCE_OF_INSTANCE: Final = statement(f"""
select brands.sequence from organizations join brands on brands.org_id = organizations.id
where {_OF_INSTANCE} for update""")

"""The read table `attribute_definitions` and every statement on it."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from server.access.checked_append import IS_ADMITTED
from server.log.append import Projections, append
from server.log.projection import changed, differs, inserted
from server.log.removals import Removals
from server.store.database import Row, Statements
from server.store.object_names import ObjectNames
from server.store.rows import Details, Query, details, from_row
from server.store.statement import statement
from server.user.attributes.events import AttributeAdded, AttributeChanged, AttributeRemoved
from server.user.attributes.values import AttributeAccess, AttributeType
from server.values.errors import NotFound

PROJECTIONS: Projections = {
    AttributeAdded: [
        inserted("attribute_definitions", AttributeAdded, id="aggregate_id", owner="owner"),
        """
        insert into unique_claims (kind, value, aggregate_id)
        select 'attribute_name', owner || ':' || (payload->>'name'), aggregate_id from event""",
    ],
    AttributeChanged: [changed("attribute_definitions", AttributeChanged)],
    AttributeRemoved: [
        """
        delete from attribute_definitions using event
        where attribute_definitions.id = event.aggregate_id""",
        """
        delete from unique_claims using event
        where unique_claims.aggregate_id = event.aggregate_id""",
    ],
}

attribute_not_found: Final = NotFound(
    "attribute_definition",
    "The attribute does not exist in this organization. List the attributes to find its id, or name"
    " its organization in x-service-orgid.",
)

NAMES: Final = ObjectNames("attribute_definitions")

_FITS = """
    :limit::int > (select count(*) from attribute_definitions where owner = :organization_id)"""

# Declares an attribute of a locked organization, if it fits.
_ADD = append(
    AttributeAdded,
    target=f"""
    select new.*, {_FITS} as changed
    from (select :attribute_id::text as id, :organization_id::text as owner, 0::bigint as sequence,
        null::timestamptz as creation_date, null::timestamptz as change_date) as new""",
    projections=PROJECTIONS,
    returning=["changed"],
    admission=IS_ADMITTED,
)

# Changes an attribute if a value of the payload differs.
CHANGE: Final = append(
    AttributeChanged,
    target=f"""
    select id, owner, sequence, creation_date, change_date, {differs(AttributeChanged)} as changed
    from attribute_definitions
    where id = :attribute_id and owner = :organization_id for update""",
    projections=PROJECTIONS,
    missing=("attribute_id", attribute_not_found),
    admission=IS_ADMITTED,
)

# Removes an attribute.
REMOVE: Final = append(
    AttributeRemoved,
    target="""
    select id, owner, sequence, creation_date, change_date, true as changed
    from attribute_definitions
    where id = :attribute_id and owner = :organization_id for update""",
    projections=PROJECTIONS,
    missing=("attribute_id", attribute_not_found),
    admission=IS_ADMITTED,
)


# Removes the attributes of an organization.
OF_ORGANIZATION: Final = Removals(AttributeRemoved, "attribute_definitions", PROJECTIONS)


@dataclass(frozen=True, slots=True)
class AttributeDefinition:
    """A stored definition."""

    attribute_id: str
    name: str
    display_name: str
    type: AttributeType
    user_access: AttributeAccess
    details: Details


def _definition(row: Row) -> AttributeDefinition:
    return from_row(
        AttributeDefinition,
        row,
        type=AttributeType(row["type"]),
        user_access=AttributeAccess(row["user_access"]),
    )


_COLUMNS = """
id as attribute_id, owner, name, display_name, type, user_access, sequence, creation_date,
    change_date"""

# An attribute of the organization.
GET: Final = Query(
    f"""
select {_COLUMNS} from attribute_definitions
where id = :attribute_id and owner = :organization_id""",
    _definition,
    missing=("attribute_id", attribute_not_found),
)

# Locks an attribute of the organization, for a precondition.
LOCK_SEQUENCE: Final = statement("""
select sequence from attribute_definitions
where id = :attribute_id and owner = :organization_id for update""")

# A page of the organization's attributes, oldest first.
LIST: Final = Query(
    f"""
select {_COLUMNS} from attribute_definitions
where owner = :organization_id and id > :after order by id limit :limit""",
    _definition,
)

# The organization's attributes among some names.
_LIST_NAMED = Query(
    f"""
select {_COLUMNS} from attribute_definitions
where owner = :organization_id and name = any(:names::text[])""",
    _definition,
)


async def add(
    transaction: Statements, event: AttributeAdded, *, limit: int, **values: object
) -> tuple[Details, bool]:
    """Declares an attribute of a locked organization.

    False: nothing was written, because the organization has the maximum number of attributes.
    UniqueConflictError: it has one with this name.
    """
    row = await _ADD.one(transaction, event, limit=limit, **values)
    return details(row), row["changed"]


async def list_named(
    database: Statements, names: Collection[str], organization_id: str
) -> dict[str, AttributeDefinition]:
    """The organization's attributes among some names, by their names."""
    found = await _LIST_NAMED.all(database, names=sorted(names), organization_id=organization_id)
    return {each.name: each for each in found}

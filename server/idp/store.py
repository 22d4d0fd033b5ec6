"""The read table `idps` and every statement on it."""

import json
from dataclasses import dataclass
from typing import Final

from server.access.authorizer import organization_not_found
from server.access.checked_append import IS_ADMITTED, IS_ADMITTED_LOCKED
from server.crypto import stored_secrets
from server.idp.events import IDPAdded, IDPChanged, IDPRemoved
from server.idp.mappings import IDPMapping
from server.log.append import Projections, append, new_aggregate
from server.log.projection import changed, differs, inserted
from server.log.removals import Removals
from server.store.database import Row, Statements
from server.store.object_names import ObjectNames
from server.store.rows import Details, Query, columns_of, from_row
from server.store.statement import statement
from server.values.errors import NotFound

# The kind of the unique claims of identities, an SQL expression.
CLAIM_KIND: Final = "'idp_identity'"


def claim_of(idp_id: str, issuer: str, subject: str) -> str:
    """The unique claim of an identity, from SQL expressions. Id and issuer contain no spaces."""
    return f"({idp_id}) || ' ' || ({issuer}) || ' ' || ({subject})"


@dataclass(frozen=True, slots=True)
class IDP:
    """A stored identity provider."""

    idp_id: str
    name: str
    styling_type: int
    auto_register: bool
    is_disabled: bool
    # Empty in lists.
    mappings: tuple[IDPMapping, ...]
    details: Details


def mappings_of(row: Row) -> tuple[IDPMapping, ...]:
    """The mappings of a row."""
    return tuple(IDPMapping(**each) for each in json.loads(row["mappings"]))


def _idp(row: Row) -> IDP:
    return from_row(IDP, row, mappings=mappings_of(row))


_COLUMNS = columns_of(IDP, idp_id="id")
_LISTED = columns_of(IDP, idp_id="id", mappings="'[]'")

# The projection that moves an identity provider's sequence, for events of its settings.
MOVED = """
        update idps set sequence = event.sequence, change_date = event.created_at
        from event where idps.id = event.aggregate_id"""

PROJECTIONS: Projections = {
    IDPAdded: [
        inserted(
            "idps",
            IDPAdded,
            id="aggregate_id",
            owner="owner",
            mappings="coalesce(event.payload->'mappings', '[]')",
        )
    ],
    IDPChanged: [changed("idps", IDPChanged, mappings="event.payload->'mappings'")],
    IDPRemoved: [
        f"""
        delete from unique_claims using event, idp_links as link
        where link.idp_id = event.aggregate_id and unique_claims.kind = {CLAIM_KIND}
            and unique_claims.value = {claim_of("link.idp_id", "link.issuer", "link.subject")}
            and unique_claims.aggregate_id = link.user_id""",
        # Foreign keys delete the settings and links of the provider.
        "delete from idps using event where idps.id = event.aggregate_id",
    ],
}

idp_not_found: Final = NotFound(
    "idp",
    "The identity provider does not exist in this organization. List the identity providers to find"
    " its id, or name its organization in x-service-orgid.",
)

NAMES: Final = ObjectNames("idps")

_DIFFERS = differs(IDPChanged, mappings=":payload::jsonb->'mappings'")

# Creates an identity provider of the organization.
ADD: Final = append(
    IDPAdded,
    target=new_aggregate(id=":idp_id::text", owner=":organization_id::text"),
    projections=PROJECTIONS,
    missing=("organization_id", organization_not_found),
    admission=IS_ADMITTED,
)

# Changes an identity provider if a value of the payload differs.
CHANGE: Final = append(
    IDPChanged,
    target=f"""
    select id, owner, sequence, creation_date, change_date, {_DIFFERS} as changed
    from idps where id = :idp_id and owner = :organization_id for update""",
    projections=PROJECTIONS,
    missing=("idp_id", idp_not_found),
    admission=IS_ADMITTED_LOCKED,
)

# Removes an identity provider with its secrets. The caller has called `lock`.
REMOVE: Final = append(
    IDPRemoved,
    target="""
    select id, owner, sequence, creation_date, change_date, true as changed
    from idps where id = :idp_id for update""",
    projections=PROJECTIONS,
    also={"erased": stored_secrets.erased_by_event()},
)


# Removes the identity providers of an organization, with their secrets.
OF_ORGANIZATION: Final = Removals(
    IDPRemoved, "idps", PROJECTIONS, also={"erased": stored_secrets.erased_by_event()}
)

# An identity provider of the organization.
GET: Final = Query(
    f"select {_COLUMNS} from idps where id = :idp_id and owner = :organization_id",
    _idp,
    missing=("idp_id", idp_not_found),
)

# Locks an identity provider of the organization.
LOCK_SEQUENCE: Final = statement("""
select sequence from idps where id = :idp_id and owner = :organization_id for update""")

# A page of the organization's identity providers, oldest first.
LIST: Final = Query(
    f"""
select {_LISTED} from idps
where owner = :organization_id and id > :after order by id limit :limit""",
    _idp,
)


# The organization's identity providers with an id or a name, that with the id first.
_FIND_NAMED = statement("""
select id from idps
where owner = :organization_id and (id = :named or name = :named) order by id <> :named limit 2""")


async def find_named(database: Statements, named: str, *, organization_id: str) -> str | None:
    """The provider with an id, or the only one with a name. None: several have the name.

    `Failure` NOT_FOUND.
    """
    rows = await database.fetch(_FIND_NAMED, named=named, organization_id=organization_id)
    if not rows:
        raise idp_not_found(named)
    first: str = rows[0]["id"]
    return first if first == named or len(rows) == 1 else None


async def lock(transaction: Statements, idp_id: str, *, organization_id: str) -> None:
    """Locks a provider of the organization until the transaction ends. `Failure` NOT_FOUND."""
    values = {"idp_id": idp_id, "organization_id": organization_id}
    if await transaction.fetch_row(LOCK_SEQUENCE, **values) is None:
        raise idp_not_found(idp_id)

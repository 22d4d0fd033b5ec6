"""The read table `idps` and every statement on it."""

from dataclasses import dataclass
from typing import Final

from server.access.caller import Actor
from server.access.checked_append import IS_ADMITTED, check_admitted, credential_values
from server.crypto import stored_secrets
from server.idp.events import IDPAdded, IDPChanged, IDPRemoved
from server.store.database import Statements
from server.store.eventlog import (
    Details,
    Projections,
    append,
    details,
    new_aggregate,
)
from server.store.rows import from_row
from server.store.statement import statement

# The kind of the unique claims of identities, an SQL expression.
CLAIM_KIND: Final = "'idp_identity'"


def claim_of(idp_id: str, issuer: str, subject: str) -> str:
    """The unique claim of an identity, from SQL expressions. Id and issuer contain no spaces."""
    return f"({idp_id}) || ' ' || ({issuer}) || ' ' || ({subject})"


# The projection that moves an identity provider's sequence, for events of its settings.
MOVED = """
        update idps set sequence = event.sequence, change_date = event.created_at
        from event where idps.id = event.aggregate_id"""

PROJECTIONS: Projections = {
    IDPAdded: [
        """
        insert into idps (id, owner, name, styling_type, auto_register,
            sequence, creation_date, change_date)
        select aggregate_id, owner, payload->>'name', (payload->>'styling_type')::int,
            (payload->>'auto_register')::boolean, sequence, created_at, created_at
        from event"""
    ],
    IDPChanged: [
        """
        update idps set
            name = coalesce(event.payload->>'name', idps.name),
            styling_type = coalesce((event.payload->>'styling_type')::int, idps.styling_type),
            auto_register =
                coalesce((event.payload->>'auto_register')::boolean, idps.auto_register),
            sequence = event.sequence,
            change_date = event.created_at
        from event where idps.id = event.aggregate_id"""
    ],
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

# Adds an identity provider to the organization.
_ADD = append(
    IDPAdded,
    target=new_aggregate(id=":id::text", owner=":organization_id::text"),
    projections=PROJECTIONS,
    admitted=IS_ADMITTED,
)

# Changes an identity provider if a value of the payload differs.
_CHANGE = append(
    IDPChanged,
    target="""
    select id, owner, sequence, creation_date, change_date,
        name <> coalesce(:payload::jsonb->>'name', name)
            or styling_type <> coalesce((:payload::jsonb->>'styling_type')::int, styling_type)
            or auto_register <> coalesce(
                (:payload::jsonb->>'auto_register')::boolean, auto_register) as changed
    from idps where id = :id and owner = :organization_id for update""",
    projections=PROJECTIONS,
    admitted=IS_ADMITTED,
)

# Removes an identity provider with its secrets. The caller has called `lock`.
_REMOVE = append(
    IDPRemoved,
    target="""
    select id, owner, sequence, creation_date, change_date, true as changed
    from idps where id = :id for update""",
    projections=PROJECTIONS,
    also={"erased": stored_secrets.erased_by_event()},
)

# Locks an identity provider.
_LOCK = statement("select owner from idps where id = :id for update")

_COLUMNS = """
id as idp_id, owner, name, styling_type, auto_register, sequence, creation_date, change_date"""

# An identity provider of the organization.
_GET = statement(f"""
select {_COLUMNS} from idps where id = :id and owner = :organization_id""")

# The organization of an identity provider.
_FIND_OWNER = statement("select owner from idps where id = :id")

# Locks an identity provider of the organization, for a precondition.
LOCK_SEQUENCE: Final = statement("""
select sequence from idps where id = :idp_id and owner = :organization_id for update""")

# A page of the organization's identity providers, oldest first.
_LIST = statement(f"""
select {_COLUMNS} from idps
where owner = :organization_id and id > :after order by id limit :limit""")


@dataclass(frozen=True, slots=True)
class IDP:
    """A stored identity provider."""

    idp_id: str
    name: str
    styling_type: int
    auto_register: bool
    details: Details


async def add(
    database: Statements, event: IDPAdded, *, actor: Actor, idp_id: str, organization_id: str
) -> Details:
    """Writes a new identity provider. `Failure` UNAUTHENTICATED."""
    row = await database.fetch_one(
        _ADD,
        payload=event.payload(),
        id=idp_id,
        organization_id=organization_id,
        creator=actor.user_id,
        **credential_values(actor),
    )
    check_admitted(row)
    return details(row)


async def change(
    database: Statements, event: IDPChanged, *, actor: Actor, idp_id: str, organization_id: str
) -> Details | None:
    """Writes the change, unless all values are the same. None: no such identity provider.

    `Failure` UNAUTHENTICATED.
    """
    row = await database.fetch_row(
        _CHANGE,
        payload=event.payload(),
        id=idp_id,
        organization_id=organization_id,
        creator=actor.user_id,
        **credential_values(actor),
    )
    if row is None:
        return None
    check_admitted(row)
    return details(row)


async def lock(transaction: Statements, idp_id: str) -> str | None:
    """Locks an identity provider until the transaction ends; returns its organization."""
    row = await transaction.fetch_row(_LOCK, id=idp_id)
    return row["owner"] if row else None


async def remove(transaction: Statements, *, creator: str, idp_id: str) -> Details:
    """Removes a locked identity provider."""
    row = await transaction.fetch_one(
        _REMOVE, payload=IDPRemoved().payload(), creator=creator, id=idp_id
    )
    return details(row)


async def get(database: Statements, *, idp_id: str, organization_id: str) -> IDP | None:
    """Reads an identity provider of the organization."""
    row = await database.fetch_row(_GET, id=idp_id, organization_id=organization_id)
    return from_row(IDP, row) if row else None


async def find_owner(database: Statements, idp_id: str) -> str | None:
    """The organization of an identity provider. None: no such provider."""
    row = await database.fetch_row(_FIND_OWNER, id=idp_id)
    return row["owner"] if row else None


async def list_after(
    database: Statements, *, organization_id: str, after: str, limit: int
) -> list[IDP]:
    """The identity providers of the organization after an id, oldest first."""
    rows = await database.fetch(_LIST, organization_id=organization_id, after=after, limit=limit)
    return [from_row(IDP, row) for row in rows]

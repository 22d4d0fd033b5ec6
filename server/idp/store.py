"""The read table `idps` and every statement on it."""

from dataclasses import dataclass

from server.idp.events import IDPAdded, IDPChanged, IDPRemoved
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
    IDPRemoved: ["delete from idps using event where idps.id = event.aggregate_id"],
}

# Adds an identity provider to the organization.
_ADD = append(
    IDPAdded,
    target=new_aggregate(id=":id::text", owner=":organization_id::text"),
    projections=PROJECTIONS,
)

# Changes it, if a value of the payload differs.
_CHANGE = append(
    IDPChanged,
    target="""
    select id, owner, sequence, creation_date, change_date,
        not jsonb_build_object(
            'name', name, 'styling_type', styling_type, 'auto_register', auto_register
        ) @> :payload::jsonb as changed
    from idps where id = :id and owner = :organization_id for update""",
    projections=PROJECTIONS,
)

# Removes it.
_REMOVE = append(
    IDPRemoved,
    target="""
    select id, owner, sequence, creation_date, change_date, true as changed
    from idps where id = :id and owner = :organization_id for update""",
    projections=PROJECTIONS,
)

# One of the organization.
_GET = statement("""
select id, owner, name, styling_type, auto_register, sequence, creation_date, change_date
from idps where id = :id and owner = :organization_id""")

# A page of the organization, oldest first.
_LIST = statement("""
select id, owner, name, styling_type, auto_register, sequence, creation_date, change_date
from idps where owner = :organization_id and id > :after order by id limit :limit""")


@dataclass(frozen=True, slots=True)
class IDP:
    """An identity provider as it is read back."""

    idp_id: str
    name: str
    styling_type: int
    auto_register: bool
    details: Details


async def add(
    database: Statements, event: IDPAdded, *, creator: str, idp_id: str, organization_id: str
) -> Details:
    """Writes a new identity provider."""
    return details(
        await database.fetch_one(
            _ADD,
            payload=event.payload(),
            creator=creator,
            id=idp_id,
            organization_id=organization_id,
        )
    )


async def change(
    database: Statements, event: IDPChanged, *, creator: str, idp_id: str, organization_id: str
) -> Details | None:
    """Writes the change, or nothing if it would change nothing. None: no such identity provider."""
    row = await database.fetch_row(
        _CHANGE,
        payload=event.payload(),
        creator=creator,
        id=idp_id,
        organization_id=organization_id,
    )
    return details(row) if row else None


async def remove(
    database: Statements, *, creator: str, idp_id: str, organization_id: str
) -> Details | None:
    """Removes it. None: no such identity provider."""
    row = await database.fetch_row(
        _REMOVE,
        payload=IDPRemoved().payload(),
        creator=creator,
        id=idp_id,
        organization_id=organization_id,
    )
    return details(row) if row else None


async def get(database: Statements, *, idp_id: str, organization_id: str) -> IDP | None:
    """Reads one."""
    row = await database.fetch_row(_GET, id=idp_id, organization_id=organization_id)
    return _idp(row) if row else None


async def list_after(
    database: Statements, *, organization_id: str, after: str, limit: int
) -> list[IDP]:
    """Those of the organization after an id, oldest first."""
    rows = await database.fetch(_LIST, organization_id=organization_id, after=after, limit=limit)
    return [_idp(row) for row in rows]


def _idp(row: Row) -> IDP:
    return IDP(row["id"], row["name"], row["styling_type"], row["auto_register"], details(row))

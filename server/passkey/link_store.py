"""The table `passkey_links`: the state of each registration link, by the clock of the database.

Of the code only its SHA-256 is stored. The log contains the creation of a link, and nothing else.

The rule: the row of a link is only updated while the row of its user is locked. It is deleted when
the link ended long ago, or by a change of a user (`pending.py`).
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from server.access.caller import LinkCaller
from server.access.user_aggregate import MOVED, part_of_user
from server.passkey.events import PasskeyLinkCreated
from server.store.database import Statements
from server.store.eventlog import Details, Projections, append, details
from server.store.statement import statement

PROJECTIONS: Projections = {PasskeyLinkCreated: [MOVED]}

# Creates a link.
_ADD = append(
    PasskeyLinkCreated,
    target=part_of_user(),
    projections=PROJECTIONS,
    also={
        "link": """
    insert into passkey_links (user_id, link_id, code_hash, creator, makers, returned_to,
        created_at, expires_at)
    select aggregate_id, payload->>'link_id', :code_hash::bytea, creator, :makers::text[],
        case payload->>'delivery' when 'return_code' then creator end, created_at,
        (payload->>'expires_at')::timestamptz
    from event"""
    },
)

# Replaces the links of a user. Expired ones too: a ceremony that was begun in time could still be
# completed.
_REPLACE = statement("""
update passkey_links set replaced_at = clock_timestamp()
where user_id = :user_id and used_at is null and replaced_at is null
returning link_id""")

# A link.
_GET = statement("""
select creator, makers, ceremonies, used_at is not null as is_used,
    replaced_at is not null as is_replaced, expires_at,
    expires_at <= clock_timestamp() as is_expired
from passkey_links where user_id = :user_id and link_id = :link_id""")

# Counts a ceremony that was begun by a link.
_COUNT_CEREMONY = statement("""
update passkey_links set ceremonies = ceremonies + 1
where user_id = :user_id and link_id = :link_id""")

# The link of a code.
_FIND_BY_CODE = statement("select user_id, link_id from passkey_links where code_hash = :code_hash")

# Deletes links that ended long ago: until then, a person who opens an old mail is told why its link
# no longer works. `now()`: no index is searched for a `clock_timestamp()`.
_FORGET = statement("delete from passkey_links where expires_at < now() - interval '90 days'")


@dataclass(frozen=True, slots=True)
class Link:
    """The state of a link, and its makers."""

    creator: str
    makers: list[str]
    ceremonies: int
    is_used: bool
    is_replaced: bool
    expires_at: datetime
    is_expired: bool


async def add(
    transaction: Statements,
    event: PasskeyLinkCreated,
    *,
    creator: str,
    makers: Collection[str],
    user_id: str,
    code_hash: bytes,
) -> Details:
    """Writes a link of a user who is locked; the details are the user's."""
    row = await transaction.fetch_one(
        _ADD,
        payload=event.payload(),
        creator=creator,
        makers=sorted(makers),
        user_id=user_id,
        code_hash=code_hash,
    )
    return details(row)


async def replace(transaction: Statements, user_id: str) -> list[str]:
    """Ends the links of a user who is locked, and the ceremonies begun by them; their ids."""
    return [row["link_id"] for row in await transaction.fetch(_REPLACE, user_id=user_id)]


async def get(database: Statements, *, user_id: str, link_id: str) -> Link | None:
    """Reads the link; while its user is locked, it stays so."""
    row = await database.fetch_row(_GET, user_id=user_id, link_id=link_id)
    return Link(**row) if row else None


async def count_ceremony(transaction: Statements, *, user_id: str, link_id: str) -> None:
    """Counts a ceremony that was begun by the link of a user who is locked."""
    await transaction.fetch(_COUNT_CEREMONY, user_id=user_id, link_id=link_id)


async def find_caller(database: Statements, hashed: bytes) -> LinkCaller | None:
    """Finds the link of a code, in whatever state the link is."""
    row = await database.fetch_row(_FIND_BY_CODE, code_hash=hashed)
    return LinkCaller(row["user_id"], row["link_id"]) if row else None


async def forget_ended(database: Statements) -> None:
    """Deletes links that ended long ago."""
    await database.fetch(_FORGET)

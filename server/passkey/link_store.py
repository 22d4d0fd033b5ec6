"""The table `passkey_links`: what became of each link, by the clock of the database.

Of the code only its SHA-256 is stored. The log knows that a link was created, and nothing else.

The rule: the row of a link is only written while the row of its user is locked, until it is
deleted: when it ended long ago, when whoever was given its code loses a role, when its user is
granted a role above one of its makers, or when it was mailed to an address that is not the user's
any more.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from server.access.caller import LinkCaller
from server.mail.outbox import MailKind, cancel
from server.passkey.events import PasskeyLinkCreated
from server.store.database import Statements
from server.store.eventlog import Details, Projections, append, details

PROJECTIONS: Projections = {
    # Links belong to the user's aggregate, so their events are its last ones.
    PasskeyLinkCreated: [
        """
        update users set sequence = event.sequence, change_date = event.created_at
        from event where users.id = event.aggregate_id"""
    ]
}

# $3 user, $4 hash of the code, $5 makers
_ADD = append(
    PasskeyLinkCreated,
    target="""
    select id, owner, sequence, creation_date, change_date, true as changed
    from users where id = $3 for update""",
    projections=PROJECTIONS,
    also={
        "link": """
    insert into passkey_links (user_id, link_id, code_hash, creator, makers, returned_to,
        created_at, expires_at)
    select aggregate_id, payload->>'link_id', $4::bytea, creator, $5::text[],
        case payload->>'delivery' when 'return_code' then creator end, created_at,
        (payload->>'expires_at')::timestamptz
    from event"""
    },
)

# Expired ones too: a ceremony that was begun in time could still be completed.
_REPLACE = """
update passkey_links set replaced_at = clock_timestamp()
where user_id = $1 and used_at is null and replaced_at is null
returning link_id"""

_GET = """
select creator, makers, ceremonies, used_at is not null as is_used,
    replaced_at is not null as is_replaced, expires_at,
    expires_at <= clock_timestamp() as is_expired
from passkey_links where user_id = $1 and link_id = $2"""

_COUNT_CEREMONY = """
update passkey_links set ceremonies = ceremonies + 1 where user_id = $1 and link_id = $2"""

_FIND_BY_CODE = "select user_id, link_id from passkey_links where code_hash = $1"

# Kept for long, so that who opens an old mail is told what became of its link. `now()`, since no
# index is searched for what `clock_timestamp()` may be for the next row.
_FORGET = "delete from passkey_links where expires_at < now() - interval '90 days'"


@dataclass(frozen=True, slots=True)
class Link:
    """How a link stands, and by whose hands it came."""

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
    arguments = (event.payload(), creator, user_id, code_hash, sorted(makers))
    row = await transaction.fetch_one(_ADD, *arguments)
    return details(row)


async def replace(transaction: Statements, user_id: str) -> list[str]:
    """Ends the links of a user who is locked, and the ceremonies begun by them; their ids."""
    return [row["link_id"] for row in await transaction.fetch(_REPLACE, user_id)]


async def cancel_mail(transaction: Statements, link_id: str) -> None:
    """A mail that has not been sent yet shall not bring a link that is good for nothing."""
    await cancel(transaction, kind=MailKind.PASSKEY_REGISTRATION_LINK, reference=link_id)


async def get(database: Statements, *, user_id: str, link_id: str) -> Link | None:
    """Reads the link; while its user is locked, it stays so."""
    row = await database.fetch_row(_GET, user_id, link_id)
    return Link(**row) if row else None


async def count_ceremony(transaction: Statements, *, user_id: str, link_id: str) -> None:
    """Counts a ceremony that was begun by the link of a user who is locked."""
    await transaction.fetch(_COUNT_CEREMONY, user_id, link_id)


async def find_caller(database: Statements, hashed: bytes) -> LinkCaller | None:
    """Whose link the code of this hash is of, whatever has become of the link."""
    row = await database.fetch_row(_FIND_BY_CODE, hashed)
    return LinkCaller(row["user_id"], row["link_id"]) if row else None


async def forget_ended(database: Statements) -> None:
    """Deletes links that ended long ago."""
    await database.fetch(_FORGET)

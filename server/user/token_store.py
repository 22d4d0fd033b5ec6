"""The read table `tokens` and every statement on it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from server.access.caller import Caller
from server.access.roles import Role
from server.store.database import Statements
from server.store.eventlog import Details, Projections, append, details
from server.user.events import TokenCreated, TokenRevoked
from server.user.store import ENDS_CEREMONIES_IT_BEGAN

# Tokens belong to the user's aggregate, so their events are its last ones.
_USER_CHANGED = """
        update users set sequence = event.sequence, change_date = event.created_at
        from event where users.id = event.aggregate_id"""

PROJECTIONS: Projections = {
    TokenCreated: [
        """
        insert into tokens (user_id, token_id, name, creator, hash, expires_at,
            sequence, creation_date, change_date, makers)
        select aggregate_id, payload->>'token_id', payload->>'name', creator,
            decode(payload->>'hash', 'base64'), (payload->>'expires_at')::timestamptz,
            sequence, created_at, created_at,
            case when payload ? 'makers' then array(
                select jsonb_array_elements_text(payload->'makers')
            ) else array[creator] end
        from event""",
        _USER_CHANGED,
    ],
    TokenRevoked: [
        """
        delete from tokens using event
        where tokens.user_id = event.aggregate_id
            and tokens.token_id = event.payload->>'token_id'""",
        _USER_CHANGED,
    ],
}

# $3 user, $4 how many tokens that have not expired it may have. Exact if `store.lock` precedes it.
_CREATE = append(
    TokenCreated,
    target="""
    select id, owner, sequence, null::timestamptz as creation_date, change_date,
        $4::int > (
            select count(*) from tokens
            where user_id = $3 and coalesce(expires_at, 'infinity') > statement_timestamp()
        ) as changed
    from users where id = $3 for update""",
    projections=PROJECTIONS,
    returning=["changed"],
)

# $3 user, $4 token. Ends all ceremonies that the user began if `store.lock` precedes it. Links that
# it was given go on: services renew their tokens, and people have days to use a link.
_REVOKE = append(
    TokenRevoked,
    target="""
    select users.id, users.owner, users.sequence, tokens.creation_date, users.change_date,
        true as changed
    from users join tokens on tokens.user_id = users.id
    where users.id = $3 and tokens.token_id = $4 for update""",
    projections=PROJECTIONS,
    also=ENDS_CEREMONIES_IT_BEGAN,
)

_LIST = """
select tokens.token_id, tokens.name, tokens.creator, tokens.expires_at, users.owner,
    tokens.sequence, tokens.creation_date, tokens.change_date
from tokens join users on users.id = tokens.user_id
where tokens.user_id = $1 and tokens.token_id > $2 order by tokens.token_id limit $3"""

_FIND_CALLER = """
select users.id, users.owner, users.roles, tokens.expires_at, tokens.token_id
from tokens join users on users.id = tokens.user_id
where tokens.hash = $1 and (tokens.expires_at is null or tokens.expires_at > clock_timestamp())"""


# What `keystead rebuild` does not miss: a token that has expired is good for nothing, and is
# forgotten without an event.
MAY_BE_FORGOTTEN: Final = "expires_at <= clock_timestamp()"

# Kept for a while, so that people who look for the reason of a refusal find it in the list. In
# batches, and without waiting for anybody.
_BATCH = 1000
_FORGET = f"""
with forgotten as (
    select user_id, token_id from tokens where expires_at < now() - interval '1 day'
    order by expires_at limit {_BATCH} for update skip locked),
deleted as (
    delete from tokens using forgotten
    where tokens.user_id = forgotten.user_id and tokens.token_id = forgotten.token_id)
select count(*) from forgotten"""

# $1 user, $2 makers
_LIST_OF_MAKERS = """
select token_id from tokens
where user_id = $1 and coalesce(expires_at, 'infinity') > statement_timestamp()
    and makers && $2::text[]
order by token_id"""


@dataclass(frozen=True, slots=True)
class Token:
    """A token as it is read back."""

    token_id: str
    name: str
    creator: str
    expires_at: datetime | None
    details: Details


async def create(
    transaction: Statements, event: TokenCreated, *, creator: str, user_id: str, limit: int
) -> tuple[Details, bool]:
    """Writes a new token of a user who is locked.

    False: nothing was written, since the user has as many as it may.
    """
    row = await transaction.fetch_one(_CREATE, event.payload(), creator, user_id, limit)
    return details(row), row["changed"]


async def revoke(
    database: Statements, event: TokenRevoked, *, creator: str, user_id: str
) -> Details | None:
    """Removes it. None: no such token of this user."""
    row = await database.fetch_row(_REVOKE, event.payload(), creator, user_id, event.token_id)
    return details(row) if row else None


async def revoke_of_makers(
    transaction: Statements, makers: Sequence[str], *, creator: str, user_id: str
) -> None:
    """Removes what any of these made for a user who is locked, one event each."""
    for row in await transaction.fetch(_LIST_OF_MAKERS, user_id, makers):
        event = TokenRevoked(row["token_id"])
        await revoke(transaction, event, creator=creator, user_id=user_id)


async def list_after(database: Statements, *, user_id: str, after: str, limit: int) -> list[Token]:
    """Those of the user after an id, oldest first."""
    rows = await database.fetch(_LIST, user_id, after, limit)
    return [
        Token(row["token_id"], row["name"], row["creator"], row["expires_at"], details(row))
        for row in rows
    ]


async def find_caller(database: Statements, hashed: bytes) -> Caller | None:
    """Who holds the token of this hash, if it has not expired."""
    row: Any = await database.fetch_row(_FIND_CALLER, hashed)
    if row is None:
        return None
    return Caller(
        row["id"],
        row["owner"],
        frozenset(map(Role, row["roles"])),
        row["expires_at"],
        row["token_id"],
    )


async def forget_expired(database: Statements) -> None:
    """Deletes tokens that expired a while ago."""
    while (await database.fetch_one(_FORGET))["count"] == _BATCH:
        pass

"""The read table `tokens` and every statement on it."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from server.access import began_with, uses
from server.access.caller import Caller
from server.access.held_roles import held_roles, is_former_service, next_end, roles_of
from server.access.makers import MadeCredentials
from server.access.user_aggregate import MOVED, part_of_user, sequence_of_part
from server.log.append import Projections, append
from server.relying_party.workload_issuers import WorkloadIssuer
from server.store.clock import DatabaseClock
from server.store.database import Row, Statements
from server.store.retention import retention
from server.store.rows import Details, Query, details, from_row
from server.store.statement import statement
from server.user.events import TokenCreated, TokenRevoked
from server.values.errors import NotFound

PROJECTIONS: Projections = {
    TokenCreated: [
        f"""
        insert into tokens (user_id, token_id, name, creator, hash, expires_at,
            sequence, creation_date, change_date, makers, thumbprint, began_with, workload)
        select aggregate_id, payload->>'token_id', payload->>'name', creator,
            decode(payload->>'hash', 'base64'), (payload->>'expires_at')::timestamptz,
            sequence, created_at, created_at,
            case when payload ? 'makers' then array(
                select jsonb_array_elements_text(payload->'makers')
            ) else array[creator] end,
            payload->>'thumbprint', {began_with.PROJECTED}, payload->'workload'
        from event""",
        # Stays after the expiry, because an expired certificate cannot be added again.
        """
        insert into unique_claims (kind, value, aggregate_id)
        select 'certificate', payload->>'thumbprint', aggregate_id
        from event where payload ? 'thumbprint'""",
        MOVED,
    ],
    TokenRevoked: [
        """
        delete from unique_claims using event, tokens
        where tokens.user_id = event.aggregate_id
            and tokens.token_id = event.payload->>'token_id'
            and unique_claims.kind = 'certificate' and unique_claims.value = tokens.thumbprint
            and unique_claims.aggregate_id = event.aggregate_id""",  # rebuild: not another user's
        """
        delete from tokens using event
        where tokens.user_id = event.aggregate_id
            and tokens.token_id = event.payload->>'token_id'""",
        MOVED,
    ],
}

_VALID = "coalesce(expires_at, 'infinity') > statement_timestamp()"

# Creates a token, unless the user has too many that have not expired.
_CREATE = append(
    TokenCreated,
    target=part_of_user(
        creation_date="null::timestamptz",
        changed=f"""
        :limit::int > (select count(*) from tokens where user_id = :user_id and {_VALID})""",
    ),
    projections=PROJECTIONS,
    returning=["changed"],
)

token_not_found: Final = NotFound(
    "token", "The user has no such token. List its tokens to find the right id."
)

# Revokes a token.
REVOKE: Final = append(
    TokenRevoked,
    target=part_of_user(
        join="join tokens on tokens.user_id = account.id",
        where="tokens.token_id = :token_id",
        creation_date="tokens.creation_date",
    ),
    projections=PROJECTIONS,
    missing=("token_id", token_not_found),
)


@dataclass(frozen=True, slots=True)
class ExpiringToken:
    """A token that expires soon."""

    user_id: str
    user_name: str
    token_id: str
    name: str
    expires_at: datetime
    is_certificate: bool


@dataclass(frozen=True, slots=True)
class StoredToken:
    """A stored token."""

    token_id: str
    name: str
    creator: str
    expires_at: datetime | None
    makers: tuple[str, ...]
    # The SHA-256 of a client certificate, in base64url. Empty: another kind.
    thumbprint: str
    # None: another kind.
    workload: WorkloadIssuer | None
    # None: it was not used in the last 400 days.
    last_used_at: datetime | None
    details: Details


@dataclass(frozen=True, slots=True)
class WorkloadOfUser:
    """A workload that acts as a user: the caller, until the credential expires."""

    caller: Caller
    workload: WorkloadIssuer
    token_id: str
    # Whether its use must be recorded.
    is_due: bool


@dataclass(frozen=True, slots=True)
class OwnedToken:
    """A token and its user."""

    user_id: str
    token_id: str


def _workload(row: Row) -> WorkloadIssuer:
    return WorkloadIssuer(**json.loads(row["workload"]))


def _stored_token(row: Row) -> StoredToken:
    return from_row(StoredToken, row, workload=_workload(row) if row["workload"] else None)


def _caller(row: Row) -> Caller:
    return Caller(
        row["id"],
        row["owner"],
        roles_of(row),
        row["expires_at"],
        credential=row["hash"],
        clock=DatabaseClock(row["now"]),
        roles_end_at=row["roles_end_at"],
    )


# A page of the tokens of a user, oldest first.
LIST: Final = Query(
    f"""
select tokens.token_id, tokens.name, tokens.creator, tokens.expires_at,
    {uses.last_used_at("tokens.token_id")} as last_used_at,
    tokens.makers, coalesce(tokens.thumbprint, '') as thumbprint, tokens.workload, users.owner,
    tokens.sequence, tokens.creation_date, tokens.change_date
from tokens join users on users.id = tokens.user_id
where tokens.user_id = :user_id and tokens.token_id > :after
order by tokens.token_id limit :limit""",
    _stored_token,
)

# The number of expiring tokens that is counted.
MOST_EXPIRING: Final = 1_000

# Tokens of an organization that expire within 30 days. Those for less than seven days are replaced
# by programs.
_EXPIRING: Final = """
from tokens join users on users.id = tokens.user_id
where tokens.expires_at > now() and tokens.expires_at < now() + interval '30 days'
    and tokens.expires_at >= tokens.creation_date + interval '7 days'
    and users.owner = :organization_id"""

# The first ten of them.
LIST_EXPIRING: Final = Query(
    f"""
select tokens.user_id, users.user_name, tokens.token_id, tokens.name, tokens.expires_at,
    tokens.thumbprint is not null as is_certificate
{_EXPIRING} order by tokens.expires_at limit 10""",
    ExpiringToken,
)

# Their number.
_COUNT_EXPIRING = statement(f"""
select count(*) as tokens from (select {_EXPIRING} limit {MOST_EXPIRING}) as expiring""")

# Locks a token and its user, for a precondition.
LOCK_SEQUENCE: Final = statement(sequence_of_part("tokens", "token_id"))

# Columns of a token and its user, as `_caller` reads them.
_CALLER: Final = f"""
users.id, users.owner, {held_roles()} as roles, {next_end()} as roles_end_at, tokens.hash,
    tokens.expires_at, clock_timestamp() as now"""
_IS_CALLER: Final = f"""
(tokens.expires_at is null or tokens.expires_at > clock_timestamp())
    and {is_former_service()} is not true"""

# The user of a token that has not expired.
_FIND_CALLER = statement(f"""
select {_CALLER}, tokens.token_id, {uses.is_due("tokens.token_id")} as is_due
from tokens join users on users.id = tokens.user_id
where tokens.hash = :token_hash and {_IS_CALLER}""")

# The workloads of an issuer that act as one of these users, oldest first.
FIND_WORKLOADS: Final = Query(
    f"""
select {_CALLER}, tokens.workload, tokens.token_id, {uses.is_due("tokens.token_id")} as is_due
from tokens join users on users.id = tokens.user_id
where tokens.user_id = any(:user_ids::text[])
    and tokens.workload->>'audience' = any(:audiences::text[])
    and tokens.workload->>'issuer' = :issuer::text and {_IS_CALLER}
order by tokens.token_id""",
    lambda row: WorkloadOfUser(_caller(row), _workload(row), row["token_id"], row["is_due"]),
)

# The token of the certificate with a thumbprint, also after its expiry.
FIND_CERTIFICATE: Final = Query(
    """
select tokens.user_id, tokens.token_id
from unique_claims as claim join tokens on tokens.user_id = claim.aggregate_id
    and tokens.thumbprint = claim.value
where claim.kind = 'certificate' and claim.value = :thumbprint""",
    OwnedToken,
)

MADE: Final = MadeCredentials("tokens", "token_id", condition=_VALID)

# The tokens of a user that have not expired.
_LIST_IDS = statement(f"""
select token_id from tokens where user_id = :user_id and {_VALID} order by token_id""")

# Those that began with a passkey or an identity link.
_LIST_BEGUN_WITH = statement(f"""
select token_id from tokens
where user_id = :user_id and :credential_id = any(began_with) and {_VALID} order by token_id""")

# Numbers of instance owners who are not locked: all, and those with a token that has not expired.
_COUNT_OWNERS = statement(f"""
select count(distinct users.id) as owners, count(distinct tokens.user_id) as owners_with_token
from users left join tokens on tokens.user_id = users.id
    and (tokens.expires_at is null or tokens.expires_at > clock_timestamp())
where 'INSTANCE_OWNER' = any(users.roles) and 'INSTANCE_OWNER' = any({held_roles()})
    and users.locked_at is null""")

# For `keystead rebuild`: expired tokens are deleted without an event.
MAY_BE_FORGOTTEN: Final = "expires_at <= clock_timestamp()"

# Tokens that expired a day ago: until then, the list shows why a token is refused.
ENDED: Final = retention("tokens", until="expires_at", after="now() - interval '1 day'")


async def create(
    transaction: Statements, event: TokenCreated, *, creator: str, user_id: str, limit: int
) -> tuple[Details, bool]:
    """Writes a new token of a locked user. UniqueConflictError: a user has this certificate.

    False: nothing was written, because the user has the maximum number of tokens.
    """
    row = await _CREATE.one(transaction, event, creator=creator, user_id=user_id, limit=limit)
    return details(row), row["changed"]


async def end(
    transaction: Statements, token_ids: Sequence[str], *, user_id: str, creator: str
) -> None:
    """Ends these tokens of a locked user."""
    for token_id in token_ids:
        await REVOKE.details(transaction, TokenRevoked(token_id), creator=creator, user_id=user_id)


async def end_of_user(transaction: Statements, *, user_id: str, creator: str) -> None:
    """Ends all tokens of a locked user that have not expired."""
    rows = await transaction.fetch(_LIST_IDS, user_id=user_id)
    await end(transaction, [row["token_id"] for row in rows], user_id=user_id, creator=creator)


async def end_begun_with(
    transaction: Statements, credential_id: str, *, user_id: str, creator: str
) -> int:
    """Ends the tokens of a locked user that began with a credential; returns their number."""
    rows = await transaction.fetch(_LIST_BEGUN_WITH, user_id=user_id, credential_id=credential_id)
    await end(transaction, [row["token_id"] for row in rows], user_id=user_id, creator=creator)
    return len(rows)


async def find_caller(database: Statements, hashed: bytes) -> Caller | None:
    """Finds the user of a token that has not expired, by the token's hash. Records the use."""
    row = await database.fetch_row(_FIND_CALLER, token_hash=hashed)
    if row is None:
        return None
    if row["is_due"]:
        await uses.record(database, row["token_id"])
    return _caller(row)


async def count_owners(database: Statements) -> tuple[int, int]:
    """The numbers of instance owners, and of those with a token that has not expired."""
    row = await database.fetch_one(_COUNT_OWNERS)
    return row["owners"], row["owners_with_token"]


async def count_expiring(database: Statements, organization_id: str) -> int:
    """The number of tokens of an organization that expire soon, at most `MOST_EXPIRING`."""
    row = await database.fetch_one(_COUNT_EXPIRING, organization_id=organization_id)
    return int(row["tokens"])

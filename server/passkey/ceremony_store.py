"""The table `passkey_ceremonies`: what is pending, by the clock of the database.

Nothing of it is in the log.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from server.access.caller import RegistrationCaller
from server.passkey.webauthn.ceremony import Policy
from server.store.database import Statements
from server.store.eventlog import Details, details

_GET_USER = "select user_name, display_name, passkey_count from users where id = $1"

# $14 how many ceremonies of a user may be pending, $16 attempts that end one. The count is exact
# while the user's row is locked.
_BEGIN = """
insert into passkey_ceremonies (user_id, passkey_id, challenge, rp_id, rp_name, origins,
    top_origins, algorithms, user_verification, attestation, creator, registration_token_hash,
    link_id, makers, created_at, expires_at)
select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $17, $18, clock.now,
    clock.now + $13::interval
from (select clock_timestamp() as now) as clock
where $14 > (
    select count(*) from passkey_ceremonies as ceremony
    where user_id = $1 and verified_at is null and expires_at > clock.now and attempts < $16
        and (link_id is null or exists (
            select from passkey_links as link
            where link.user_id = $1 and link.link_id = ceremony.link_id
                and link.used_at is null and link.replaced_at is null)))
returning (extract(epoch from created_at) * 1e6)::bigint as sequence,
    created_at as creation_date, created_at as change_date, $15::text as owner"""

# A ceremony that was begun by a link is none without it.
_GET = """
select challenge, rp_id, rp_name, origins, top_origins, algorithms, user_verification, attestation,
    ceremony.creator, attempts, verified_at is not null as is_verified,
    ceremony.expires_at <= clock_timestamp() as is_expired, link_id,
    link.used_at is not null as is_link_used, link.replaced_at is not null as is_link_replaced
from passkey_ceremonies as ceremony left join passkey_links as link using (user_id, link_id)
where user_id = $1 and passkey_id = $2
    and (ceremony.link_id is null or link.link_id is not null)"""

_COUNT_ATTEMPT = """
update passkey_ceremonies set attempts = attempts + 1
where user_id = $1 and passkey_id = $2 and verified_at is null
returning attempts"""

_CANCEL = """
delete from passkey_ceremonies as ceremony
using users, (select clock_timestamp() as now) as clock
where ceremony.user_id = $1 and ceremony.passkey_id = $2 and ceremony.verified_at is null
    and users.id = ceremony.user_id
returning (extract(epoch from clock.now) * 1e6)::bigint as sequence,
    ceremony.created_at as creation_date, clock.now as change_date, users.owner"""

_FIND_BY_TOKEN = (
    "select user_id, passkey_id from passkey_ceremonies where registration_token_hash = $1"
)

# Kept for a while, so that who comes late is told "expired" or "used" and not "unknown". `now()`,
# since no index is searched for what `clock_timestamp()` may be for the next row.
_FORGET = "delete from passkey_ceremonies where expires_at < now() - interval '1 day'"


@dataclass(frozen=True, slots=True)
class Ceremony:
    """A ceremony as it was begun, and how it stands."""

    challenge: bytes
    policy: Policy
    creator: str
    attempts: int
    is_verified: bool
    is_expired: bool
    link_id: str | None
    is_link_used: bool
    is_link_replaced: bool


@dataclass(frozen=True, slots=True)
class RegisteringUser:
    """The account that a ceremony would be for, and how many passkeys it has."""

    user_name: str
    display_name: str
    passkey_count: int


async def get_user(database: Statements, user_id: str) -> RegisteringUser | None:
    """Reads the user without a lock: what it has may change at once."""
    row = await database.fetch_row(_GET_USER, user_id)
    return RegisteringUser(**row) if row else None


async def begin(
    transaction: Statements,
    *,
    user_id: str,
    passkey_id: str,
    organization_id: str,
    challenge: bytes,
    policy: Policy,
    creator: str,
    makers: Collection[str],
    registration_token_hash: bytes,
    lifetime: timedelta,
    max_pending: int,
    max_attempts: int,
    link_id: str | None,
) -> Details | None:
    """Writes a pending ceremony. None: the user has as many as it may."""
    row = await transaction.fetch_row(
        _BEGIN,
        user_id,
        passkey_id,
        challenge,
        policy.rp_id,
        policy.rp_name,
        policy.origins,
        policy.top_origins,
        policy.algorithms,
        policy.user_verification,
        policy.attestation,
        creator,
        registration_token_hash,
        lifetime,
        max_pending,
        organization_id,
        max_attempts,
        link_id,
        sorted(makers),
    )
    return details(row) if row else None


async def get(database: Statements, *, user_id: str, passkey_id: str) -> Ceremony | None:
    """Reads the ceremony of this user and passkey."""
    row: Any = await database.fetch_row(_GET, user_id, passkey_id)
    if row is None:
        return None
    policy = Policy(
        rp_id=row["rp_id"],
        rp_name=row["rp_name"],
        origins=tuple(row["origins"]),
        top_origins=tuple(row["top_origins"]),
        algorithms=tuple(row["algorithms"]),
        user_verification=row["user_verification"],
        attestation=row["attestation"],
    )
    return Ceremony(
        row["challenge"],
        policy,
        row["creator"],
        row["attempts"],
        row["is_verified"],
        row["is_expired"],
        row["link_id"],
        row["is_link_used"],
        row["is_link_replaced"],
    )


async def count_attempt(database: Statements, *, user_id: str, passkey_id: str) -> None:
    """Counts a try that failed."""
    await database.fetch_row(_COUNT_ATTEMPT, user_id, passkey_id)


async def cancel(database: Statements, *, user_id: str, passkey_id: str) -> Details | None:
    """Ends a pending ceremony. None: none is pending."""
    row = await database.fetch_row(_CANCEL, user_id, passkey_id)
    return details(row) if row else None


async def find_registration(database: Statements, hashed: bytes) -> RegistrationCaller | None:
    """What the registration token of this hash is good for."""
    row = await database.fetch_row(_FIND_BY_TOKEN, hashed)
    return RegistrationCaller(row["user_id"], row["passkey_id"]) if row else None


async def forget_ended(database: Statements) -> None:
    """Deletes ceremonies that ended long ago."""
    await database.fetch(_FORGET)

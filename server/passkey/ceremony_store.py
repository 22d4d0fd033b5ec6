"""The table `passkey_ceremonies`: pending registration ceremonies, by the clock of the database.

The event log has no ceremonies.
"""

from dataclasses import asdict, dataclass
from datetime import timedelta
from typing import Final

from server.access.caller import Actor, RegistrationCaller
from server.access.checked_append import IS_ADMITTED, credential_values
from server.access.held_roles import has_ended_role
from server.access.user_aggregate import account
from server.passkey.refusals import passkey_not_found
from server.passkey.webauthn.registration import CeremonyPolicy
from server.store.database import Statements
from server.store.retention import retention
from server.store.rows import Details, Query, details, from_row
from server.store.statement import statement, surviving_failure

LIFETIME: Final = timedelta(minutes=10)
# The maximum numbers of pending ceremonies of a user, and of failed attempts of a ceremony.
MAX_PENDING: Final = 10
MAX_ATTEMPTS: Final = 10

# An SQL expression for the sequence of a ceremony, which has no events.
SEQUENCE: Final = "(extract(epoch from created_at) * 1e6)::bigint"

# Begins a ceremony, unless the user has too many pending ones. The count is exact while the user's
# row is locked. `attestation` is a column that nothing reads.
_BEGIN = statement(f"""
insert into passkey_ceremonies (user_id, passkey_id, challenge, rp_id, rp_name, origins,
    top_origins, algorithms, user_verification, is_conditional, attestation, creator,
    registration_token_hash, link_id, makers, created_at, expires_at)
select :user_id, :passkey_id, :challenge, :rp_id, :rp_name, :origins, :top_origins, :algorithms,
    :user_verification, :is_conditional, 'none', :creator, :registration_token_hash, :link_id,
    :makers, clock.now, clock.now + :lifetime::interval
from (select clock_timestamp() as now) as clock
where :max_pending > (
    select count(*) from passkey_ceremonies as ceremony
    where user_id = :user_id and verified_at is null and expires_at > clock.now
        and attempts < :max_attempts
        and (link_id is null or exists (
            select from passkey_links as link
            where link.user_id = :user_id and link.link_id = ceremony.link_id
                and link.used_at is null and link.replaced_at is null)))
returning {SEQUENCE} as sequence,
    created_at as creation_date, created_at as change_date, :organization_id::text as owner""")


@dataclass(frozen=True, slots=True)
class Ceremony:
    """A ceremony: the values of its start, and its state."""

    challenge: bytes
    policy: CeremonyPolicy
    creator: str
    makers: tuple[str, ...]
    attempts: int
    is_verified: bool
    is_expired: bool
    link_id: str | None
    recovers: bool
    # Whether a mailed link began it.
    is_by_mail: bool
    is_link_used: bool
    is_link_replaced: bool


# Whether a ceremony still depends on a role of its creator, which has not ended.
HAS_RIGHTS: Final = f"""(ceremony.link_id is not null or ceremony.verified_at is not null
        or not {has_ended_role('ceremony.creator collate "C"')})"""

# Whether the code of its link was returned to nobody a role of whom has ended since.
LINK_HAS_RIGHTS: Final = f"not {has_ended_role('link.returned_to')}"

# A ceremony and its link. A ceremony ends with its link, so a deleted link hides the ceremony.
GET: Final = Query(
    f"""
select challenge, rp_id, rp_name, origins, top_origins, algorithms, user_verification,
    is_conditional, ceremony.creator, ceremony.makers, attempts,
    verified_at is not null as is_verified,
    ceremony.expires_at <= clock_timestamp() as is_expired, link_id,
    coalesce(link.purpose = 'recovery', false) as recovers,
    link.link_id is not null and link.returned_to is null as is_by_mail,
    link.used_at is not null as is_link_used, link.replaced_at is not null as is_link_replaced
from passkey_ceremonies as ceremony left join passkey_links as link using (user_id, link_id)
where user_id = :user_id and passkey_id = :passkey_id
    and (ceremony.link_id is null or link.link_id is not null) and {HAS_RIGHTS}
    and (link.used_at is not null or {LINK_HAS_RIGHTS})""",
    lambda row: from_row(Ceremony, row, policy=from_row(CeremonyPolicy, row)),
    missing=("passkey_id", passkey_not_found),
)

# Counts a failed attempt.
_COUNT_ATTEMPT = surviving_failure(
    statement(f"""
update passkey_ceremonies set attempts = attempts + 1
where user_id = :user_id and passkey_id = :passkey_id and verified_at is null
    and ({IS_ADMITTED})""")
)

# Ends a pending ceremony.
_CANCEL = statement(f"""
delete from passkey_ceremonies as ceremony
using ({account(":user_id")}) as account, (select clock_timestamp() as now) as clock
where ceremony.user_id = account.id and ceremony.passkey_id = :passkey_id
    and ceremony.verified_at is null and ({IS_ADMITTED})
returning (extract(epoch from clock.now) * 1e6)::bigint as sequence,
    ceremony.created_at as creation_date, clock.now as change_date, account.owner""")

# The ceremony of a registration token.
_FIND_BY_TOKEN = statement(f"""
select user_id, passkey_id from passkey_ceremonies as ceremony
where registration_token_hash = :token_hash and {HAS_RIGHTS}""")

# Ceremonies a day after their expiry. Until then, late callers get "expired" or "used", not
# "unknown".
ENDED: Final = retention("passkey_ceremonies", until="expires_at", after="now() - interval '1 day'")


async def begin(
    transaction: Statements, *, policy: CeremonyPolicy, **values: object
) -> Details | None:
    """Writes a pending ceremony. None: the user has the maximum number."""
    limits = {"lifetime": LIFETIME, "max_pending": MAX_PENDING, "max_attempts": MAX_ATTEMPTS}
    row = await transaction.fetch_row(_BEGIN, **values, **asdict(policy), **limits)
    return details(row) if row else None


async def count_attempt(
    database: Statements, *, user_id: str, passkey_id: str, actor: Actor
) -> None:
    """Counts a failed attempt, unless the rights of the actor have ended."""
    await database.fetch(
        _COUNT_ATTEMPT, user_id=user_id, passkey_id=passkey_id, **credential_values(actor)
    )


async def cancel(
    database: Statements, *, user_id: str, passkey_id: str, actor: Actor
) -> Details | None:
    """Ends a pending ceremony. None: none is pending, or the rights of the actor have ended."""
    row = await database.fetch_row(
        _CANCEL, user_id=user_id, passkey_id=passkey_id, **credential_values(actor)
    )
    return details(row) if row else None


async def find_registration(database: Statements, hashed: bytes) -> RegistrationCaller | None:
    """Finds the ceremony of a registration token."""
    row = await database.fetch_row(_FIND_BY_TOKEN, token_hash=hashed)
    return RegistrationCaller(row["user_id"], row["passkey_id"]) if row else None

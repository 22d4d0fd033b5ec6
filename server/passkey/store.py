"""The read table `passkeys` and every statement on it, except for removals (`removal_store.py`)."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from server.access import makers
from server.access.checked_append import IS_ADMITTED_LOCKED
from server.access.user_aggregate import (
    GAINED_PASSKEY,
    MOVED,
    account,
    part_of_user,
    sequence_of_part,
)
from server.log.append import Append, Projections, append
from server.log.projection import inserted
from server.passkey import ceremony_store
from server.passkey.events import PasskeyRenamed, PasskeyVerified
from server.passkey.refusals import passkey_not_found
from server.passkey.webauthn.options import CredentialDescriptor
from server.store.database import Statements
from server.store.rows import Details, Query, details, from_row
from server.store.statement import statement

PROJECTIONS: Projections = {
    PasskeyVerified: [
        inserted(
            "passkeys",
            PasskeyVerified,
            but=["link_id"],
            user_id="aggregate_id",
            credential_id="decode(payload->>'credential_id', 'base64')",
            public_key="decode(payload->>'public_key', 'base64')",
            makers=makers.PROJECTED,
        ),
        """
        insert into unique_claims (kind, value, aggregate_id)
        select 'credential_id',
            (payload->>'rp_id') || ':'
                || encode(decode(payload->>'credential_id', 'base64'), 'hex'),
            aggregate_id
        from event""",
        GAINED_PASSKEY,
    ],
    PasskeyRenamed: [
        """
        update passkeys set name = event.payload->>'name',
            sequence = event.sequence, change_date = event.created_at
        from event
        where passkeys.user_id = event.aggregate_id
            and passkeys.passkey_id = event.payload->>'passkey_id'""",
        MOVED,
    ],
}


def _completion(*, link: str = "", holds: str, also: Mapping[str, str]) -> Append:
    """Completes a ceremony, and its link, if any.

    It checks again all that was read without a lock: the ceremony is the same, pending and not
    expired. All conditions are on rows that this statement locks, because after waiting for a lock,
    PostgreSQL re-checks only locked rows.
    """
    return append(
        PasskeyVerified,
        target=part_of_user(
            join=f"join passkey_ceremonies as ceremony on ceremony.user_id = account.id {link}",
            where=f"""ceremony.passkey_id = :passkey_id and ceremony.challenge = :challenge
        and ceremony.verified_at is null and ceremony.expires_at > clock_timestamp()
        and ceremony.attempts < :max_attempts::int and {holds}""",
            creation_date="null::timestamptz",
            changed="account.passkey_count < :max_passkeys::int",
        ),
        projections=PROJECTIONS,
        also={
            "consumed": """
    update passkey_ceremonies set verified_at = event.created_at from event
    where passkey_ceremonies.user_id = event.aggregate_id
        and passkey_ceremonies.passkey_id = event.payload->>'passkey_id'""",
            **also,
        },
        returning=["changed", "email", "display_name"],
    )


# Completes a ceremony that a token began.
_VERIFY = _completion(holds=f"ceremony.link_id is null and {ceremony_store.HAS_RIGHTS}", also={})

# Completes a ceremony that a link began. The link may have expired meanwhile, since the ceremony
# has its own lifetime.
_VERIFY_BY_LINK = _completion(
    link="""
    join passkey_links as link
        on link.user_id = ceremony.user_id and link.link_id = ceremony.link_id""",
    holds=f"""link.used_at is null and link.replaced_at is null
        and {ceremony_store.LINK_HAS_RIGHTS}""",
    also={
        "used": """
    update passkey_links set used_at = event.created_at from event
    where passkey_links.user_id = event.aggregate_id
        and passkey_links.link_id = event.payload->>'link_id'"""
    },
)

# Renames a passkey. If it has the name already, its details stay the same.
RENAME: Final = append(
    PasskeyRenamed,
    target=part_of_user(
        join="join passkeys on passkeys.user_id = account.id",
        where="passkeys.passkey_id = :passkey_id",
        sequence="""
        case when passkeys.name = :name then passkeys.sequence else account.sequence end""",
        creation_date="passkeys.creation_date",
        change_date="passkeys.change_date",
        changed="passkeys.name <> :name",
    ),
    projections=PROJECTIONS,
    missing=("passkey_id", passkey_not_found),
    admission=IS_ADMITTED_LOCKED,
)

# The passkeys of a user after an id. A user without any has one row without a passkey.
_LIST = statement(f"""
select account.user_handle, passkeys.credential_id, passkeys.passkey_id, passkeys.name,
    passkeys.began_by, {makers.OF_PASSKEY} as makers, passkeys.rp_id, passkeys.aaguid,
    passkeys.algorithm, passkeys.transports, passkeys.attachment, passkeys.user_verified,
    passkeys.backup_eligible, passkeys.backed_up, passkeys.attestation_format,
    passkeys.last_used_at, account.owner, passkeys.sequence,
    passkeys.creation_date, passkeys.change_date
from ({account(":user_id")}) as account
left join passkeys on passkeys.user_id = account.id and passkeys.passkey_id > :after
order by passkeys.passkey_id limit :limit""")

# Locks a passkey, or its pending ceremony, and the user, for a precondition.
LOCK_SEQUENCE: Final = statement(f"""
with passkey as materialized ({sequence_of_part("passkeys", "passkey_id")}),
ceremony as materialized ({
    sequence_of_part(
        "passkey_ceremonies",
        "passkey_id",
        sequence=ceremony_store.SEQUENCE,
        where="verified_at is null",
    )
})
select sequence from passkey union all select sequence from ceremony""")


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredDescriptor(CredentialDescriptor):
    """A passkey of a user, and its relying party."""

    rp_id: str


# The credentials of a user, oldest first.
LIST_CREDENTIALS: Final = Query(
    """
select credential_id, transports, rp_id from passkeys
where user_id = :user_id order by passkey_id""",
    StoredDescriptor,
)


@dataclass(frozen=True, slots=True)
class Completion:
    """The result of completing a ceremony, with the user's data before it.

    If not `within_limit`, nothing was written: the user has too many passkeys.
    """

    details: Details
    within_limit: bool
    email: str
    display_name: str


@dataclass(frozen=True, slots=True)
class Passkey:
    """A stored passkey."""

    passkey_id: str
    name: str
    began_by: str
    makers: tuple[str, ...]
    rp_id: str
    credential_id: bytes
    aaguid: str
    algorithm: int
    transports: tuple[str, ...]
    attachment: str
    user_verified: bool
    backup_eligible: bool
    backed_up: bool
    attestation_format: str
    last_used_at: datetime | None
    details: Details


@dataclass(frozen=True, slots=True)
class PasskeyList:
    """Passkeys of a user, and their common user handle."""

    user_handle: bytes
    passkeys: list[Passkey]


async def add_verified(
    transaction: Statements,
    *,
    event: PasskeyVerified,
    user_id: str,
    creator: str,
    challenge: bytes,
    max_passkeys: int,
) -> Completion | None:
    """Consumes the ceremony and its link, if any, and writes the passkey.

    None: the ceremony or its link has changed. UniqueConflictError: the credential is registered
    already.
    """
    append_verified = _VERIFY if event.link_id is None else _VERIFY_BY_LINK
    row = await append_verified.row(
        transaction,
        event,
        creator=creator,
        user_id=user_id,
        challenge=challenge,
        max_attempts=ceremony_store.MAX_ATTEMPTS,
        max_passkeys=max_passkeys,
    )
    if row is None:
        return None
    return Completion(details(row), row["changed"], row["email"], row["display_name"])


async def list_after(
    database: Statements, *, user_id: str, after: str, limit: int
) -> PasskeyList | None:
    """The passkeys of a user after an id, oldest first. None: no such user."""
    rows = await database.fetch(_LIST, user_id=user_id, after=after, limit=limit)
    if not rows:
        return None
    passkeys = [from_row(Passkey, row) for row in rows if row["passkey_id"] is not None]
    return PasskeyList(rows[0]["user_handle"], passkeys)

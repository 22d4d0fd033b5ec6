"""The read table `passkeys` and every statement on it."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from server.database import Statements
from server.eventstore import Details, Projections, append, details
from server.passkey.ceremony import ExcludedCredential
from server.passkey.events import PasskeyRemoved, PasskeyVerified

PROJECTIONS: Projections = {
    PasskeyVerified: [
        """
        insert into passkeys (user_id, passkey_id, name, began_by, rp_id, credential_id, public_key,
            algorithm, sign_count, aaguid, transports, attachment, attestation_format,
            attestation_type, attestation_trusted, user_verified, backup_eligible, backed_up,
            origin, top_origin, sequence, creation_date, change_date)
        select aggregate_id, payload->>'passkey_id', payload->>'name', payload->>'began_by',
            payload->>'rp_id',
            decode(payload->>'credential_id', 'base64'), decode(payload->>'public_key', 'base64'),
            (payload->>'algorithm')::int, (payload->>'sign_count')::bigint, payload->>'aaguid',
            array(select jsonb_array_elements_text(payload->'transports')), payload->>'attachment',
            payload->>'attestation_format', payload->>'attestation_type',
            (payload->>'attestation_trusted')::boolean, (payload->>'user_verified')::boolean,
            (payload->>'backup_eligible')::boolean, (payload->>'backed_up')::boolean,
            payload->>'origin', payload->>'top_origin', sequence, created_at, created_at
        from event""",
        """
        insert into unique_claims (kind, value, aggregate_id)
        select 'credential_id',
            (payload->>'rp_id') || ':'
                || encode(decode(payload->>'credential_id', 'base64'), 'hex'),
            aggregate_id
        from event""",
        # Passkeys belong to the user's aggregate, so their events are its last ones.
        """
        update users set passkey_count = users.passkey_count + 1,
            sequence = event.sequence, change_date = event.created_at
        from event where users.id = event.aggregate_id""",
    ],
    PasskeyRemoved: [
        """
        delete from unique_claims using event, passkeys
        where passkeys.user_id = event.aggregate_id
            and passkeys.passkey_id = event.payload->>'passkey_id'
            and unique_claims.kind = 'credential_id'
            and unique_claims.aggregate_id = event.aggregate_id
            and unique_claims.value = passkeys.rp_id || ':' || encode(passkeys.credential_id, 'hex')
        """,
        """
        delete from passkeys using event
        where passkeys.user_id = event.aggregate_id
            and passkeys.passkey_id = event.payload->>'passkey_id'""",
        """
        update users set passkey_count = users.passkey_count - 1,
            sequence = event.sequence, change_date = event.created_at
        from event where users.id = event.aggregate_id""",
    ],
}

# $3 user, $4 passkey, $5 challenge, $6 attempts, $7 how many passkeys a user may have.
# Restates all that was read without a lock: the ceremony is the same, pending and not expired.
# Where a lock had to be waited for, PostgreSQL asks it again of both rows as they then are.
_VERIFY = append(
    PasskeyVerified,
    target="""
    select users.id, users.owner, users.sequence, null::timestamptz as creation_date,
        users.change_date, users.passkey_count < $7::int as changed
    from users join passkey_ceremonies as ceremony on ceremony.user_id = users.id
    where users.id = $3 and ceremony.passkey_id = $4 and ceremony.challenge = $5
        and ceremony.verified_at is null and ceremony.expires_at > clock_timestamp()
        and ceremony.attempts < $6::int
    for update""",
    projections=PROJECTIONS,
    also={
        "consumed": """
    update passkey_ceremonies set verified_at = event.created_at from event
    where passkey_ceremonies.user_id = event.aggregate_id
        and passkey_ceremonies.passkey_id = event.payload->>'passkey_id'"""
    },
    returning=["changed"],
)

# $3 user, $4 passkey
_REMOVE = append(
    PasskeyRemoved,
    target="""
    select users.id, users.owner, users.sequence, passkeys.creation_date, users.change_date,
        true as changed
    from users join passkeys on passkeys.user_id = users.id
    where users.id = $3 and passkeys.passkey_id = $4 for update""",
    projections=PROJECTIONS,
)

_LIST = """
select passkeys.passkey_id, passkeys.name, passkeys.began_by, passkeys.rp_id, passkeys.aaguid,
    passkeys.algorithm, passkeys.transports, passkeys.attachment, passkeys.user_verified,
    passkeys.backup_eligible, passkeys.backed_up, passkeys.attestation_format,
    passkeys.attestation_trusted, passkeys.last_used_at, users.owner, passkeys.sequence,
    passkeys.creation_date, passkeys.change_date
from passkeys join users on users.id = passkeys.user_id
where passkeys.user_id = $1 and passkeys.passkey_id > $2 order by passkeys.passkey_id limit $3"""

_LIST_CREDENTIALS = (
    "select credential_id, transports from passkeys where user_id = $1 and rp_id = $2"
)


@dataclass(frozen=True, slots=True)
class Passkey:
    """A passkey as it is read back."""

    passkey_id: str
    name: str
    began_by: str
    rp_id: str
    aaguid: str
    algorithm: int
    transports: tuple[str, ...]
    attachment: str
    user_verified: bool
    backup_eligible: bool
    backed_up: bool
    attestation_format: str
    attestation_trusted: bool
    last_used_at: datetime | None
    details: Details


async def add_verified(
    database: Statements,
    event: PasskeyVerified,
    *,
    user_id: str,
    creator: str,
    challenge: bytes,
    max_attempts: int,
    max_passkeys: int,
) -> tuple[Details, bool] | None:
    """Consumes the ceremony and writes its passkey.

    False: nothing was written, since the user has as many as it may. None: the ceremony is not what
    it was. UniqueConflictError: somebody has this credential.
    """
    row: Any = await database.fetch_row(
        _VERIFY,
        event.payload(),
        creator,
        user_id,
        event.passkey_id,
        challenge,
        max_attempts,
        max_passkeys,
    )
    return (details(row), row["changed"]) if row else None


async def remove(
    database: Statements, event: PasskeyRemoved, *, creator: str, user_id: str
) -> Details | None:
    """Removes it. None: no such passkey of this user."""
    row = await database.fetch_row(_REMOVE, event.payload(), creator, user_id, event.passkey_id)
    return details(row) if row else None


async def list_after(
    database: Statements, *, user_id: str, after: str, limit: int
) -> list[Passkey]:
    """Those of the user after an id, oldest first."""
    return [_passkey(row) for row in await database.fetch(_LIST, user_id, after, limit)]


async def list_credentials(
    database: Statements, *, user_id: str, rp_id: str
) -> list[ExcludedCredential]:
    """What the user's authenticators must not register again."""
    rows = await database.fetch(_LIST_CREDENTIALS, user_id, rp_id)
    return [ExcludedCredential(row["credential_id"], tuple(row["transports"])) for row in rows]


def _passkey(row: Any) -> Passkey:
    return Passkey(
        passkey_id=row["passkey_id"],
        name=row["name"],
        began_by=row["began_by"],
        rp_id=row["rp_id"],
        aaguid=row["aaguid"],
        algorithm=row["algorithm"],
        transports=tuple(row["transports"]),
        attachment=row["attachment"],
        user_verified=row["user_verified"],
        backup_eligible=row["backup_eligible"],
        backed_up=row["backed_up"],
        attestation_format=row["attestation_format"],
        attestation_trusted=row["attestation_trusted"],
        last_used_at=row["last_used_at"],
        details=details(row),
    )

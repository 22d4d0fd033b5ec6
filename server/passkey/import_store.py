"""The statements by which passkeys are imported, each for all users of a call."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from server.access import makers
from server.access.user_aggregate import GAINED_PASSKEYS, account, part_of_imported
from server.log.append import Projections, append
from server.passkey.events import PasskeysImported
from server.store.database import Statements
from server.store.rows import Query
from server.store.statement import statement

# The columns of a passkey that an import gives, with the types of their values.
_COLUMNS: Final = """passkey_id text, name text, rp_id text, credential_id text, public_key text,
            algorithm int, sign_count bigint, aaguid text, transports text[],
            backup_eligible boolean, backed_up boolean, created_at timestamptz,
            last_used_at timestamptz"""
_PASSKEYS: Final = f"""event cross join lateral
            jsonb_to_recordset(event.payload->'passkeys') as passkey ({_COLUMNS})"""

PROJECTIONS: Projections = {
    PasskeysImported: [
        # The user was verified by every sign-in; the first one here verifies it again.
        f"""
        insert into passkeys (user_id, passkey_id, name, began_by, makers, rp_id, credential_id,
            public_key, algorithm, sign_count, aaguid, transports, attachment, attestation_format,
            user_verified, backup_eligible, backed_up, origin, top_origin, last_used_at, sequence,
            creation_date, change_date)
        select event.aggregate_id, passkey.passkey_id, passkey.name, event.payload->>'began_by',
            {makers.PROJECTED}, passkey.rp_id, decode(passkey.credential_id, 'base64'),
            decode(passkey.public_key, 'base64'), passkey.algorithm, passkey.sign_count,
            passkey.aaguid, passkey.transports, '', 'none', false, passkey.backup_eligible,
            passkey.backed_up, '', '', passkey.last_used_at, event.sequence,
            coalesce(passkey.created_at, event.created_at), event.created_at
        from {_PASSKEYS}""",
        f"""
        insert into unique_claims (kind, value, aggregate_id)
        select 'credential_id',
            passkey.rp_id || ':' || encode(decode(passkey.credential_id, 'base64'), 'hex'),
            event.aggregate_id
        from {_PASSKEYS}""",
        GAINED_PASSKEYS,
    ]
}

# Adds the passkeys of users who were imported in this transaction.
_ADD = append(
    PasskeysImported,
    target=part_of_imported(),
    projections=PROJECTIONS,
    payload="target.payload::jsonb",
)

# Those of the credentials that are registered already.
_LIST_REGISTERED = statement("""
select value from unique_claims where kind = 'credential_id' and value = any(:claims::text[])""")


@dataclass(frozen=True, slots=True)
class ExportedPasskey:
    """A passkey with everything by which it signs in, for an export."""

    user_id: str
    credential_id: bytes
    public_key: bytes
    user_handle: bytes
    rp_id: str
    sign_count: int
    backup_eligible: bool
    backed_up: bool
    transports: tuple[str, ...]
    aaguid: str
    name: str
    created_at: datetime
    last_used_at: datetime | None


# The passkeys of some users, oldest first.
LIST_EXPORTED: Final = Query(
    f"""
select passkeys.user_id, passkeys.credential_id, passkeys.public_key, account.user_handle,
    passkeys.rp_id, passkeys.sign_count, passkeys.backup_eligible, passkeys.backed_up,
    passkeys.transports, passkeys.aaguid, passkeys.name, passkeys.creation_date as created_at,
    passkeys.last_used_at
from passkeys cross join lateral ({account("passkeys.user_id")}) as account
where passkeys.user_id = any(:user_ids::text[]) order by passkeys.user_id, passkeys.passkey_id""",
    ExportedPasskey,
)


def claim_of(rp_id: str, credential_id: bytes) -> str:
    """The unique claim of a credential."""
    return f"{rp_id}:{credential_id.hex()}"


async def list_registered(transaction: Statements, claims: Sequence[str]) -> set[str]:
    """Those of the claims that a user of any organization has."""
    rows = await transaction.fetch(_LIST_REGISTERED, claims=claims)
    return {row["value"] for row in rows}


async def add(
    transaction: Statements, events: Mapping[str, PasskeysImported], *, creator: str
) -> None:
    """Writes the passkeys by the IDs of users who were imported in this transaction.

    UniqueConflictError: somebody has just registered a credential.
    """
    await transaction.fetch(
        _ADD,
        user_ids=list(events),
        payloads=[event.payload() for event in events.values()],
        creator=creator,
    )

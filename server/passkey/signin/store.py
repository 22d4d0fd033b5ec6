"""The statements by which a passkey starts or renews a session."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from server.access.user_aggregate import MOVED, account, part_of_user
from server.log.append import Projections, append
from server.passkey.events import PasskeyCloneSuspected
from server.passkey.webauthn.assertion import StoredCredential, VerifiedAssertion
from server.session import fragments
from server.session.events import SessionRenewed, SessionStarted
from server.session.fragments import Device
from server.store.database import Statements
from server.store.one_time import OneTime
from server.store.rows import Details, details, from_row
from server.store.statement import statement, surviving_failure
from server.values.errors import unauthenticated

CHALLENGES: Final = OneTime("challenge", lifetime=timedelta(minutes=10))

_PASSKEY_USED = """
        update passkeys set sign_count = (event.payload->>'sign_count')::bigint,
            backup_eligible = (event.payload->>'backup_eligible')::boolean,
            backed_up = (event.payload->>'backed_up')::boolean,
            user_verified = passkeys.user_verified
                or (event.payload->>'user_verified')::boolean,
            last_used_at = event.created_at
        from event
        where passkeys.user_id = event.aggregate_id
            and passkeys.passkey_id = event.payload->>'passkey_id'"""

PROJECTIONS: Projections = {
    SessionStarted: [*fragments.started(), _PASSKEY_USED],
    SessionRenewed: [*fragments.RENEWED, _PASSKEY_USED],
    PasskeyCloneSuspected: [MOVED],
}

# The passkey of a credential, its user, and the sessions that a new session would end.
_FIND = statement(f"""
select account.id as user_id, account.sequence, account.is_locked, account.user_handle,
    passkeys.passkey_id,
    passkeys.public_key, passkeys.sign_count, passkeys.backup_eligible,
    array(
        select other.credential_id from passkeys as other
        where other.user_id = account.id and other.rp_id = passkeys.rp_id order by other.passkey_id
    ) as accepted,
    {fragments.SURPLUS} as surplus,
    {CHALLENGES.is_marked()} as is_challenge_used
from unique_claims as claim
    cross join lateral ({account("claim.aggregate_id")}) as account
    join passkeys on passkeys.user_id = account.id
        and passkeys.rp_id = :rp_id and passkeys.credential_id = :credential_id
where claim.kind = 'credential_id'
    and claim.value = :rp_id::text || ':' || encode(:credential_id::bytea, 'hex')""")

# The passkey that a ceremony by a link has just registered, and its state, as of an assertion.
_FIND_REGISTERED = statement(f"""
select account.id as user_id, account.sequence, account.is_locked, account.user_handle,
    passkeys.passkey_id, passkeys.credential_id, passkeys.public_key, passkeys.sign_count,
    passkeys.backup_eligible, passkeys.backed_up, passkeys.user_verified, passkeys.origin,
    passkeys.top_origin, ceremony.challenge,
    array(
        select other.credential_id from passkeys as other
        where other.user_id = account.id and other.rp_id = passkeys.rp_id order by other.passkey_id
    ) as accepted,
    {fragments.SURPLUS} as surplus,
    {CHALLENGES.is_marked("ceremony.challenge")} as is_challenge_used
from passkey_ceremonies as ceremony
    cross join lateral ({account("ceremony.user_id")}) as account
    join passkeys on passkeys.user_id = account.id
        and passkeys.passkey_id = ceremony.passkey_id and passkeys.rp_id = :rp_id
where ceremony.registration_token_hash = :token_hash and ceremony.link_id is not null
    and ceremony.verified_at > clock_timestamp() - interval '5 minutes'""")

# The user has not changed since the passkey was read: no later event of the user, its passkeys or
# its sessions.
_UNCHANGED = "account.sequence = :sequence"
_UNCHANGED_USER = part_of_user(where=_UNCHANGED, creation_date="null::timestamptz")

# Starts a session.
_START = append(
    SessionStarted,
    target=_UNCHANGED_USER,
    projections=PROJECTIONS,
    also={**CHALLENGES.marked(), **fragments.ACTIVITY_STARTED},
    returning=["changed"],
)

# Renews a session.
_RENEW = append(
    SessionRenewed,
    target=part_of_user(
        where=_UNCHANGED,
        creation_date=f"(select sessions.creation_date {fragments.LIVE_SESSION})",
        changed=f"exists (select {fragments.LIVE_SESSION})",
    ),
    projections=PROJECTIONS,
    also={**CHALLENGES.marked(), **fragments.ACTIVITY_RENEWED},
    returning=["changed"],
)

# Records that a passkey may have been copied.
_SUSPECT = surviving_failure(
    append(
        PasskeyCloneSuspected,
        target=_UNCHANGED_USER,
        projections=PROJECTIONS,
        also=CHALLENGES.marked(),
    )
)


@dataclass(frozen=True, slots=True)
class FoundPasskey(StoredCredential):
    """A passkey at a sequence of its user, with other passkeys and sessions of the user.

    `accepted` are the credential ids of the user's passkeys for the relying party, `surplus` the
    sessions that a new session ends.
    """

    user_id: str
    sequence: int
    is_locked: bool
    passkey_id: str
    accepted: tuple[bytes, ...]
    surplus: tuple[str, ...]
    is_challenge_used: bool


@dataclass(frozen=True, slots=True)
class RegisteredPasskey:
    """A passkey that was just registered, the challenge of its ceremony, and its state."""

    passkey: FoundPasskey
    challenge: bytes
    state: VerifiedAssertion


async def find_registered(
    database: Statements, token_hash: bytes, *, rp_id: str, max_sessions: int
) -> RegisteredPasskey | None:
    """The passkey of a registration token, if a link began its ceremony."""
    row = await database.fetch_row(
        _FIND_REGISTERED, token_hash=token_hash, rp_id=rp_id, max_sessions=max_sessions
    )
    if row is None:
        return None
    state = from_row(
        VerifiedAssertion, row, sign_count_went_back=False, backup_eligible_changed=False
    )
    return RegisteredPasskey(from_row(FoundPasskey, row), row["challenge"], state)


async def find(
    database: Statements, *, rp_id: str, credential_id: bytes, challenge: bytes, max_sessions: int
) -> FoundPasskey | None:
    """The passkey with this credential id for the relying party."""
    row = await database.fetch_row(
        _FIND,
        rp_id=rp_id,
        credential_id=credential_id,
        challenge=challenge,
        max_sessions=max_sessions,
    )
    return from_row(FoundPasskey, row, credential_id=credential_id) if row else None


async def write(
    database: Statements,
    event: SessionStarted | SessionRenewed,
    *,
    found: FoundPasskey,
    challenge: bytes,
    device: Device,
) -> Details | None:
    """Writes the session and the passkey's new state. None: the user changed after `find`.

    UniqueConflictError: the challenge was used. `Failure` UNAUTHENTICATED: the session to renew has
    ended.
    """
    used = {"user_id": found.user_id, "sequence": found.sequence, "challenge": challenge}
    if isinstance(event, SessionStarted):
        row = await _START.row(
            database, event, creator=found.user_id, **used, **device.parameters()
        )
    else:
        row = await _RENEW.row(database, event, creator=found.user_id, **used)
    if row is None:
        return None
    if not row["changed"]:
        raise unauthenticated()
    return details(row)


async def suspect_clone(
    database: Statements, event: PasskeyCloneSuspected, *, found: FoundPasskey, challenge: bytes
) -> bool:
    """Records a suspected copy, once per challenge. False: the user changed after `find`."""
    row = await database.fetch_row(
        _SUSPECT,
        payload=event.payload(),
        creator=found.user_id,
        user_id=found.user_id,
        sequence=found.sequence,
        challenge=challenge,
    )
    return row is not None

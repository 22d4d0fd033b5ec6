"""The table `used_challenges`, and the statements by which a passkey starts or renews a session."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from server.passkey.events import PasskeyCloneSuspected
from server.passkey.webauthn.assertion import AllowedCredential, StoredCredential
from server.session import store as session_store
from server.session.events import SessionRenewed, SessionStarted
from server.store.database import Statements
from server.store.eventlog import Details, Projections, append_statement, details
from server.store.statement import statement

_PASSKEY_USED = """
        update passkeys set sign_count = (event.payload->>'sign_count')::bigint,
            backup_eligible = (event.payload->>'backup_eligible')::boolean,
            backed_up = (event.payload->>'backed_up')::boolean, last_used_at = event.created_at
        from event
        where passkeys.user_id = event.aggregate_id
            and passkeys.passkey_id = event.payload->>'passkey_id'"""

PROJECTIONS: Projections = {
    SessionStarted: [*session_store.STARTED, _PASSKEY_USED],
    SessionRenewed: [*session_store.RENEWED, _PASSKEY_USED],
    PasskeyCloneSuspected: [
        """
        update users set sequence = event.sequence, change_date = event.created_at
        from event where users.id = event.aggregate_id"""
    ],
}

# A second use breaks the primary key, whoever the user of the first one was.
_USED = {
    "used": """
    insert into used_challenges (challenge, expires_at)
    select :challenge::bytea, event.created_at + :challenge_lifetime::interval from event"""
}

_FIND = statement(f"""
select users.id as user_id, users.sequence, users.user_handle, passkeys.passkey_id,
    passkeys.public_key, passkeys.sign_count, passkeys.backup_eligible,
    array(
        select other.credential_id from passkeys as other
        where other.user_id = users.id and other.rp_id = passkeys.rp_id order by other.passkey_id
    ) as accepted,
    {session_store.SURPLUS} as surplus,
    exists (select from used_challenges where challenge = :challenge) as is_challenge_used
from unique_claims as claim join users on users.id = claim.aggregate_id
    join passkeys on passkeys.user_id = users.id
        and passkeys.rp_id = :rp_id and passkeys.credential_id = :credential_id
where claim.kind = 'credential_id'
    and claim.value = :rp_id::text || ':' || encode(:credential_id::bytea, 'hex')""")

# The user as it was when the passkey was read: nothing of it has changed since, its passkeys and
# sessions included.
_UNCHANGED_USER = """
    select users.id, users.owner, users.sequence, null::timestamptz as creation_date,
        users.change_date, true as changed
    from users where users.id = :user_id and users.sequence = :sequence for update"""

_START = append_statement(
    SessionStarted,
    target=_UNCHANGED_USER,
    projections=PROJECTIONS,
    also={**_USED, **session_store.ACTIVITY_STARTED},
)

_RENEW = append_statement(
    SessionRenewed,
    target="""
    select users.id, users.owner, users.sequence, sessions.creation_date, users.change_date,
        sessions.session_id is not null as changed
    from users left join sessions on sessions.user_id = users.id
        and sessions.session_id = :session_id and sessions.expires_at > clock_timestamp()
    where users.id = :user_id and users.sequence = :sequence for update of users""",
    projections=PROJECTIONS,
    also={**_USED, **session_store.ACTIVITY_RENEWED},
    returning=["changed"],
)

_SUSPECT = append_statement(
    PasskeyCloneSuspected, target=_UNCHANGED_USER, projections=PROJECTIONS, also=_USED
)

_LIST = statement("""
select credential_id, transports from passkeys
where user_id = :user_id and rp_id = :rp_id order by passkey_id""")

# A while after their expiry, since the servers that check them have clocks of their own.
_FORGET = "delete from used_challenges where expires_at < now() - interval '1 day'"

CHALLENGES_KEY: Final = "used_challenges_pkey"


@dataclass(frozen=True, slots=True)
class FoundPasskey:
    """A passkey at a sequence of its user, and what the user has beside it.

    `accepted` are the credential ids of all its passkeys for the relying party, `surplus` the
    sessions that end when it gets one more.
    """

    user_id: str
    sequence: int
    passkey_id: str
    credential: StoredCredential
    accepted: tuple[bytes, ...]
    surplus: tuple[str, ...]
    is_challenge_used: bool


@dataclass(frozen=True, slots=True)
class Device:
    """What is kept of where a session was started; none of it is in the log."""

    name: str
    user_agent: str
    ip_address: str


async def find(
    database: Statements, *, rp_id: str, credential_id: bytes, challenge: bytes, max_sessions: int
) -> FoundPasskey | None:
    """The passkey of the relying party with this credential id."""
    row = await database.fetch_row(
        _FIND,
        rp_id=rp_id,
        credential_id=credential_id,
        challenge=challenge,
        max_sessions=max_sessions,
    )
    if row is None:
        return None
    credential = StoredCredential(
        credential_id=credential_id,
        public_key=row["public_key"],
        user_handle=row["user_handle"],
        sign_count=row["sign_count"],
        backup_eligible=row["backup_eligible"],
    )
    return FoundPasskey(
        row["user_id"],
        row["sequence"],
        row["passkey_id"],
        credential,
        tuple(row["accepted"]),
        tuple(row["surplus"]),
        row["is_challenge_used"],
    )


async def start_session(
    database: Statements,
    event: SessionStarted,
    *,
    found: FoundPasskey,
    challenge: bytes,
    challenge_lifetime: timedelta,
    device: Device,
) -> Details | None:
    """Writes the session and what the passkey said. None: the user has changed since.

    UniqueConflictError: the challenge was used.
    """
    row = await database.fetch_row(
        _START,
        payload=event.payload(),
        creator=found.user_id,
        user_id=found.user_id,
        sequence=found.sequence,
        challenge=challenge,
        challenge_lifetime=challenge_lifetime,
        device_name=device.name,
        user_agent=device.user_agent,
        ip_address=device.ip_address,
    )
    return details(row) if row else None


async def renew_session(
    database: Statements,
    event: SessionRenewed,
    *,
    found: FoundPasskey,
    challenge: bytes,
    challenge_lifetime: timedelta,
) -> tuple[Details, bool] | None:
    """The same for a session that goes on. False: nothing was written, since it has ended."""
    row = await database.fetch_row(
        _RENEW,
        payload=event.payload(),
        creator=found.user_id,
        user_id=found.user_id,
        sequence=found.sequence,
        session_id=event.session_id,
        challenge=challenge,
        challenge_lifetime=challenge_lifetime,
    )
    return (details(row), row["changed"]) if row else None


async def suspect_clone(
    database: Statements,
    event: PasskeyCloneSuspected,
    *,
    found: FoundPasskey,
    challenge: bytes,
    challenge_lifetime: timedelta,
) -> Details | None:
    """Records it, once a challenge. None: the user has changed since."""
    row = await database.fetch_row(
        _SUSPECT,
        payload=event.payload(),
        creator=found.user_id,
        user_id=found.user_id,
        sequence=found.sequence,
        challenge=challenge,
        challenge_lifetime=challenge_lifetime,
    )
    return details(row) if row else None


async def list_allowed(
    database: Statements, *, user_id: str, rp_id: str
) -> list[AllowedCredential]:
    """The passkeys by which the user may confirm that it is the user."""
    rows = await database.fetch(_LIST, user_id=user_id, rp_id=rp_id)
    return [AllowedCredential(row["credential_id"], tuple(row["transports"])) for row in rows]


async def forget_expired(database: Statements) -> None:
    """Deletes challenges that could not be used any more in any case."""
    await database.fetch(_FORGET)

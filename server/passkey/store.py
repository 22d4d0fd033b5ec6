"""The read table `passkeys` and every statement on it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from server.mail.outbox import MailKind, about_event
from server.passkey.events import PasskeyRemoved, PasskeyRenamed, PasskeyVerified
from server.passkey.link_store import cancel_mail
from server.passkey.provider import provider_name
from server.passkey.webauthn.ceremony import ExcludedCredential
from server.session.store import ENDS_CEREMONIES
from server.store.database import Statements
from server.store.eventlog import Details, Projections, append, details

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
    PasskeyRenamed: [
        """
        update passkeys set name = event.payload->>'name',
            sequence = event.sequence, change_date = event.created_at
        from event
        where passkeys.user_id = event.aggregate_id
            and passkeys.passkey_id = event.payload->>'passkey_id'""",
        """
        update users set sequence = event.sequence, change_date = event.created_at
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

_NOTICE = about_event(
    MailKind.PASSKEY_ADDED,
    mail_id="$8::text",
    hourly_limit="$9::int",
    parameters="""(select jsonb_build_object('passkey_name', payload->>'name',
        'provider_name', $10::text) from event)""",
    reference="$4::text",
)


def _completion(*, link: str = "", holds: str = "true", also: Mapping[str, str]) -> str:
    """Completes a ceremony; one that was begun by a link needs the row of that, too.

    $3 user, $4 passkey, $5 challenge, $6 attempts, $7 how many passkeys a user may have; $8 id and
    $9 hourly limit of the mail about it, $10 the name of its provider.

    Restates all that was read without a lock: the ceremony is the same, pending and not expired.
    Where a lock had to be waited for, PostgreSQL asks it again of all these rows as they then are,
    and of no others: what decides must be a row that is locked here.
    """
    return append(
        PasskeyVerified,
        target=f"""
    select users.id, users.owner, users.sequence, null::timestamptz as creation_date,
        users.change_date, users.email, users.display_name,
        users.passkey_count < $7::int as changed
    from users join passkey_ceremonies as ceremony on ceremony.user_id = users.id {link}
    where users.id = $3 and ceremony.passkey_id = $4 and ceremony.challenge = $5
        and ceremony.verified_at is null and ceremony.expires_at > clock_timestamp()
        and ceremony.attempts < $6::int and {holds}
    for update""",
        projections=PROJECTIONS,
        also={
            "consumed": """
    update passkey_ceremonies set verified_at = event.created_at from event
    where passkey_ceremonies.user_id = event.aggregate_id
        and passkey_ceremonies.passkey_id = event.payload->>'passkey_id'""",
            **also,
        },
        returning=["changed"],
    )


_VERIFY = _completion(holds="ceremony.link_id is null", also=_NOTICE)

# Not whether the link has expired: who began in time has the lifetime of the ceremony.
_VERIFY_BY_LINK = _completion(
    link="""
    join passkey_links as link
        on link.user_id = ceremony.user_id and link.link_id = ceremony.link_id""",
    holds="link.used_at is null and link.replaced_at is null",
    also={
        "used": """
    update passkey_links set used_at = event.created_at from event
    where passkey_links.user_id = event.aggregate_id
        and passkey_links.link_id = event.payload->>'link_id'""",
        **_NOTICE,
    },
)

# $3 user, $4 passkey, $5 name. Where nothing changes, the details are the passkey's as they were.
_RENAME = append(
    PasskeyRenamed,
    target="""
    select users.id, users.owner,
        case when passkeys.name = $5 then passkeys.sequence else users.sequence end as sequence,
        passkeys.creation_date, passkeys.change_date, passkeys.name <> $5 as changed
    from users join passkeys on passkeys.user_id = users.id
    where users.id = $3 and passkeys.passkey_id = $4 for update""",
    projections=PROJECTIONS,
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
    also=ENDS_CEREMONIES,
)

# $1 user, $2 after which passkey, $3 how many. Of a user without any, one row without a passkey.
_LIST = """
select users.user_handle, passkeys.credential_id, passkeys.passkey_id, passkeys.name,
    passkeys.began_by, passkeys.rp_id, passkeys.aaguid,
    passkeys.algorithm, passkeys.transports, passkeys.attachment, passkeys.user_verified,
    passkeys.backup_eligible, passkeys.backed_up, passkeys.attestation_format,
    passkeys.attestation_trusted, passkeys.last_used_at, users.owner, passkeys.sequence,
    passkeys.creation_date, passkeys.change_date
from users left join passkeys on passkeys.user_id = users.id and passkeys.passkey_id > $2
where users.id = $1 order by passkeys.passkey_id limit $3"""

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
    credential_id: bytes
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


@dataclass(frozen=True, slots=True)
class PasskeyList:
    """Passkeys of a user, and the user handle that all of them have."""

    user_handle: bytes
    passkeys: list[Passkey]


async def add_verified(
    database: Statements,
    *,
    event: PasskeyVerified,
    user_id: str,
    creator: str,
    challenge: bytes,
    max_attempts: int,
    max_passkeys: int,
    mail_id: str,
    hourly_mail_limit: int,
) -> tuple[Details, bool] | None:
    """Consumes the ceremony, and its link if it has one, and writes its passkey.

    The user gets a mail about it, if it can. False: nothing was written, since the user has as many
    as it may. None: the ceremony or its link is not what it was. UniqueConflictError: somebody has
    this credential.
    """
    arguments = (
        event.payload(),
        creator,
        user_id,
        event.passkey_id,
        challenge,
        max_attempts,
        max_passkeys,
        mail_id,
        hourly_mail_limit,
        provider_name(event.aaguid),
    )
    if event.link_id is None:
        return _completed(await database.fetch_row(_VERIFY, *arguments))
    async with database.transaction() as transaction:
        completed = _completed(await transaction.fetch_row(_VERIFY_BY_LINK, *arguments))
        if completed and completed[1]:
            await cancel_mail(transaction, event.link_id)
    return completed


def _completed(row: Any) -> tuple[Details, bool] | None:
    return (details(row), row["changed"]) if row else None


async def rename(
    database: Statements, event: PasskeyRenamed, *, creator: str, user_id: str
) -> Details | None:
    """Renames it; nothing is written if it has the name. None: no such passkey of this user."""
    row = await database.fetch_row(
        _RENAME, event.payload(), creator, user_id, event.passkey_id, event.name
    )
    return details(row) if row else None


async def remove(
    database: Statements, event: PasskeyRemoved, *, creator: str, user_id: str
) -> Details | None:
    """Removes it. None: no such passkey of this user."""
    row = await database.fetch_row(_REMOVE, event.payload(), creator, user_id, event.passkey_id)
    return details(row) if row else None


async def list_after(
    database: Statements, *, user_id: str, after: str, limit: int
) -> PasskeyList | None:
    """Those of the user after an id, oldest first. None: no such user."""
    rows = await database.fetch(_LIST, user_id, after, limit)
    if not rows:
        return None
    passkeys = [_passkey(row) for row in rows if row["passkey_id"] is not None]
    return PasskeyList(rows[0]["user_handle"], passkeys)


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
        credential_id=row["credential_id"],
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

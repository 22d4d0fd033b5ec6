"""The read table `smtp_configs` with its secrets, and every statement on them."""

from dataclasses import dataclass
from typing import Any

from server.crypto.keyring import Envelope
from server.smtp.events import (
    SMTPConfigAdded,
    SMTPConfigChanged,
    SMTPConfigPasswordChanged,
    SMTPConfigRemoved,
)
from server.store.database import Statements
from server.store.eventlog import Details, Event, Projections, append, details
from server.store.statement import statement

PROJECTIONS: Projections = {
    SMTPConfigAdded: [
        """
        insert into smtp_configs (id, owner, sender_address, sender_name, tls, host, user_name,
            password_secret_id, sequence, creation_date, change_date)
        select aggregate_id, owner, payload->>'sender_address', payload->>'sender_name',
            (payload->>'tls')::boolean, payload->>'host', payload->>'user',
            payload->>'password_secret_id', sequence, created_at, created_at
        from event"""
    ],
    SMTPConfigChanged: [
        """
        update smtp_configs set
            sender_address = event.payload->>'sender_address',
            sender_name = event.payload->>'sender_name',
            tls = (event.payload->>'tls')::boolean,
            host = event.payload->>'host',
            user_name = event.payload->>'user',
            password_secret_id = event.payload->>'password_secret_id',
            sequence = event.sequence,
            change_date = event.created_at
        from event where smtp_configs.id = event.aggregate_id"""
    ],
    SMTPConfigPasswordChanged: [
        """
        update smtp_configs set password_secret_id = event.payload->>'password_secret_id',
            sequence = event.sequence, change_date = event.created_at
        from event where smtp_configs.id = event.aggregate_id"""
    ],
    SMTPConfigRemoved: [
        "delete from smtp_configs using event where smtp_configs.id = event.aggregate_id"
    ],
}

# A password that is no longer referred to is erased with the event that drops it. A statement sees
# only secrets that were there when it began, so the configuration is locked by a statement before:
# who waits for the lock within this one would miss the secret that the other has just stored.
_ERASE_SECRETS = """
    delete from secrets using event
    where secrets.aggregate_id = event.aggregate_id
        and secrets.secret_id is distinct from event.payload->>'password_secret_id'"""

# $4 secret, $5 key, $6 ciphertext; null where there is no new password
_STORE_SECRET = """
    insert into secrets (aggregate_id, secret_id, key_id, ciphertext)
    select event.aggregate_id, $4::text, $5::text, $6::bytea from event
    where $4::text is not null"""

# $3 id. The default organization owns what belongs to the whole instance. One that is set already
# is told apart by its sequence; of two commands at once the primary key refuses one.
_ADD = append(
    SMTPConfigAdded,
    target="""
    select $3::text as id, aggregate_id as owner, 0::bigint as sequence,
        null::timestamptz as creation_date, null::timestamptz as change_date,
        not exists (select from smtp_configs) as changed,
        (select sequence from smtp_configs) as existing_sequence
    from unique_claims where kind = 'default_organization'""",
    projections=PROJECTIONS,
    also={"stored": _STORE_SECRET},
    returning=["existing_sequence"],
)

# $3 id
_CHANGE = append(
    SMTPConfigChanged,
    target="""
    select id, owner, sequence, creation_date, change_date,
        not jsonb_strip_nulls(jsonb_build_object(
            'sender_address', sender_address, 'sender_name', sender_name, 'tls', tls, 'host', host,
            'user', user_name, 'password_secret_id', password_secret_id)) = $1::jsonb as changed
    from smtp_configs where id = $3 for update""",
    projections=PROJECTIONS,
    also={"erased": _ERASE_SECRETS, "stored": _STORE_SECRET},
)

# $3 id
_CHANGE_PASSWORD = append(
    SMTPConfigPasswordChanged,
    target="""
    select id, owner, sequence, creation_date, change_date, true as changed
    from smtp_configs where id = $3 for update""",
    projections=PROJECTIONS,
    also={"erased": _ERASE_SECRETS, "stored": _STORE_SECRET},
)

# $3 id
_REMOVE = append(
    SMTPConfigRemoved,
    target="""
    select id, owner, sequence, creation_date, change_date, true as changed
    from smtp_configs where id = $3 for update""",
    projections=PROJECTIONS,
    also={"erased": _ERASE_SECRETS},
)

_GET = """
select id, owner, sender_address, sender_name, tls, host, user_name, password_secret_id,
    sequence, creation_date, change_date
from smtp_configs"""

_LOCK = f"{_GET} for update"

# One statement: between two of them another host could come to this password.
_GET_WITH_PASSWORD = """
select id, owner, sender_address, sender_name, tls, host, user_name, password_secret_id,
    sequence, creation_date, change_date, key_id, ciphertext
from smtp_configs
left join secrets on secrets.aggregate_id = smtp_configs.id
    and secrets.secret_id = smtp_configs.password_secret_id"""

_GET_SECRET = """
select secrets.key_id, secrets.ciphertext from secrets
join smtp_configs on smtp_configs.id = secrets.aggregate_id
    and smtp_configs.password_secret_id = secrets.secret_id"""


# The domain of the sender address.
_FIND_SENDER_DOMAIN = statement(
    "select substring(sender_address from '[^@]*$') as domain from smtp_configs"
)


@dataclass(frozen=True, slots=True)
class SMTPConfig:
    """The SMTP configuration as it is read back."""

    id: str
    sender_address: str
    sender_name: str
    tls: bool
    host: str
    user: str
    password_secret_id: str | None
    details: Details


@dataclass(frozen=True, slots=True)
class Secret:
    """A new password: its id and its envelope."""

    secret_id: str
    envelope: Envelope

    def row(self) -> tuple[str, str, bytes]:
        """The arguments $4 to $6."""
        return self.secret_id, self.envelope.key_id, self.envelope.ciphertext


_NO_SECRET = (None, None, None)


async def add(
    database: Statements,
    event: SMTPConfigAdded,
    secret: Secret | None,
    *,
    creator: str,
    config_id: str,
) -> Details | int:
    """Writes it, or gives the sequence of the one that is set already.

    UniqueConflictError: a race was lost.
    """
    row = await database.fetch_one(
        _ADD, event.payload(), creator, config_id, *(secret.row() if secret else _NO_SECRET)
    )
    existing: int | None = row["existing_sequence"]
    return details(row) if existing is None else existing


async def change(
    transaction: Statements, event: Event, secret: Secret | None, *, creator: str, config_id: str
) -> Details:
    """Writes a change of the locked configuration, or nothing if it would change nothing."""
    change_statement = _CHANGE_PASSWORD if isinstance(event, SMTPConfigPasswordChanged) else _CHANGE
    return details(
        await transaction.fetch_one(
            change_statement,
            event.payload(),
            creator,
            config_id,
            *(secret.row() if secret else _NO_SECRET),
        )
    )


async def remove(transaction: Statements, *, creator: str, config_id: str) -> Details:
    """Removes the locked configuration and erases its password."""
    payload = SMTPConfigRemoved().payload()
    return details(await transaction.fetch_one(_REMOVE, payload, creator, config_id))


async def get(database: Statements) -> SMTPConfig | None:
    """Reads it; None: none is set."""
    return _smtp_config(await database.fetch_row(_GET))


async def lock(transaction: Statements) -> SMTPConfig | None:
    """Reads it and keeps all others from changing it until the transaction ends.

    None: none is set.
    """
    return _smtp_config(await transaction.fetch_row(_LOCK))


async def get_password(database: Statements) -> Envelope | None:
    """The envelope of the password; None: there is none."""
    row = await database.fetch_row(_GET_SECRET)
    return Envelope(row["key_id"], row["ciphertext"]) if row else None


async def get_with_password(
    database: Statements,
) -> tuple[SMTPConfig | None, Envelope | None]:
    """Both as of one moment; None: none is set, or it has no password."""
    row = await database.fetch_row(_GET_WITH_PASSWORD)
    has_password = row is not None and row["key_id"] is not None
    envelope = Envelope(row["key_id"], row["ciphertext"]) if row and has_password else None
    return _smtp_config(row), envelope


async def find_sender_domain(database: Statements) -> str | None:
    """The domain of the sender address; None: none is set."""
    row = await database.fetch_row(_FIND_SENDER_DOMAIN)
    return row["domain"] if row else None


def _smtp_config(row: Any) -> SMTPConfig | None:
    if row is None:
        return None
    return SMTPConfig(
        row["id"],
        row["sender_address"],
        row["sender_name"],
        row["tls"],
        row["host"],
        row["user_name"],
        row["password_secret_id"],
        details(row),
    )

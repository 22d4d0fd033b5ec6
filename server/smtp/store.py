"""The read table `smtp_configurations` and every statement on it.

The configuration of the instance has the empty `org_id`, and the default organization as
its owner.
"""

import json
from dataclasses import dataclass
from typing import Final

from server.access.authorizer import organization_not_found
from server.access.caller import Actor
from server.access.checked_append import (
    IS_ADMITTED_LOCKED,
    credential_values,
    written_by,
)
from server.crypto import stored_secrets
from server.crypto.keyring import EncryptedSecret
from server.crypto.stored_secrets import Secret, parameters
from server.log.append import Projections, append
from server.log.removals import Removals
from server.smtp.events import (
    SMTPConfigAdded,
    SMTPConfigChanged,
    SMTPConfigPasswordChanged,
    SMTPConfigRemoved,
    SMTPOAuthRemoved,
    SMTPOAuthSet,
)
from server.store.database import Row, Statements
from server.store.rows import Details, Query, columns_of, details, from_row
from server.store.statement import statement
from server.values.errors import unauthenticated

PROJECTIONS: Projections = {
    SMTPConfigAdded: [
        """
        insert into smtp_configurations (id, owner, org_id, sender_address, sender_name,
            tls, host, user_name, password_secret_id, sequence, creation_date, change_date)
        select aggregate_id, owner,
            case when (payload->>'of_organization')::boolean then owner else '' end,
            payload->>'sender_address', payload->>'sender_name',
            (payload->>'tls')::boolean, payload->>'host', payload->>'user',
            payload->>'password_secret_id', sequence, created_at, created_at
        from event"""
    ],
    SMTPConfigChanged: [
        """
        update smtp_configurations set
            sender_address = event.payload->>'sender_address',
            sender_name = event.payload->>'sender_name',
            tls = (event.payload->>'tls')::boolean,
            host = event.payload->>'host',
            user_name = event.payload->>'user',
            password_secret_id = event.payload->>'password_secret_id',
            sequence = event.sequence,
            change_date = event.created_at
        from event where smtp_configurations.id = event.aggregate_id"""
    ],
    SMTPConfigPasswordChanged: [
        """
        update smtp_configurations set password_secret_id = event.payload->>'password_secret_id',
            sequence = event.sequence, change_date = event.created_at
        from event where smtp_configurations.id = event.aggregate_id"""
    ],
    SMTPOAuthSet: [
        """
        update smtp_configurations set oauth = event.payload,
            sequence = event.sequence, change_date = event.created_at
        from event where smtp_configurations.id = event.aggregate_id"""
    ],
    SMTPOAuthRemoved: [
        """
        update smtp_configurations set oauth = null,
            sequence = event.sequence, change_date = event.created_at
        from event where smtp_configurations.id = event.aggregate_id"""
    ],
    SMTPConfigRemoved: [
        """
        delete from smtp_configurations using event
        where smtp_configurations.id = event.aggregate_id"""
    ],
}

# Erases the password that the event drops. The caller has called `lock`.
_ERASED = stored_secrets.erased_by_event(
    "event.payload->>'password_secret_id'",
    "(select oauth->>'credential_id' from smtp_configurations where id = event.aggregate_id)",
)
# Erases the secret of the OAuth settings that the event drops. The caller has called `lock`.
_ERASED_OF_OAUTH = stored_secrets.erased_by_event(
    "event.payload->>'credential_id'",
    "(select password_secret_id from smtp_configurations where id = event.aggregate_id)",
)

_EXISTING = "from smtp_configurations where org_id = :organization_id::text"

# Adds a configuration. The default organization owns that of the instance. If one is set, writes
# and locks nothing, and returns its sequence. Of two concurrent commands the primary key refuses
# one.
_ADD = append(
    SMTPConfigAdded,
    target=f"""
    select :config_id::text as id,
        aggregate_id as owner,
        0::bigint as sequence,
        null::timestamptz as creation_date, null::timestamptz as change_date,
        not exists (select {_EXISTING}) as changed,
        (select sequence {_EXISTING}) as existing_sequence
    from unique_claims
    where kind = 'default_organization' and :organization_id::text = ''
        or kind = 'organization_name' and aggregate_id = :organization_id::text
    for key share""",
    missing=("organization_id", organization_not_found),
    projections=PROJECTIONS,
    also={"stored": stored_secrets.STORED_BY_EVENT},
    returning=["existing_sequence"],
    admission=f"exists (select {_EXISTING}) or {IS_ADMITTED_LOCKED}",
)

# Replaces the configuration if a value of the payload differs.
CHANGE: Final = append(
    SMTPConfigChanged,
    target="""
    select id, owner, sequence, creation_date, change_date,
        not jsonb_strip_nulls(jsonb_build_object(
            'sender_address', sender_address, 'sender_name', sender_name, 'tls', tls, 'host', host,
            'user', user_name, 'password_secret_id', password_secret_id))
            = :payload::jsonb as changed
    from smtp_configurations where id = :config_id for update""",
    projections=PROJECTIONS,
    also={"erased": _ERASED, "stored": stored_secrets.STORED_BY_EVENT},
)

_LOCKED = """
    select id, owner, sequence, creation_date, change_date, true as changed
    from smtp_configurations where id = :config_id for update"""

# Replaces the password.
CHANGE_PASSWORD: Final = append(
    SMTPConfigPasswordChanged,
    target=_LOCKED,
    projections=PROJECTIONS,
    also={"erased": _ERASED, "stored": stored_secrets.STORED_BY_EVENT},
)

# Removes the configuration.
REMOVE: Final = append(
    SMTPConfigRemoved,
    target=_LOCKED,
    projections=PROJECTIONS,
    also={"erased": stored_secrets.erased_by_event()},
)

# Removes the configuration of an organization.
OF_ORGANIZATION: Final = Removals(
    SMTPConfigRemoved,
    "smtp_configurations",
    PROJECTIONS,
    where="org_id = :organization_id",
    also={"erased": stored_secrets.erased_by_event()},
)

# Sets the OAuth settings if a value of the payload differs.
SET_OAUTH: Final = append(
    SMTPOAuthSet,
    target="""
    select id, owner, sequence, creation_date, change_date,
        oauth is distinct from :payload::jsonb as changed
    from smtp_configurations where id = :config_id for update""",
    projections=PROJECTIONS,
    also={"erased": _ERASED_OF_OAUTH, "stored": stored_secrets.STORED_BY_EVENT},
)

# Removes the OAuth settings.
REMOVE_OAUTH: Final = append(
    SMTPOAuthRemoved,
    target=_LOCKED,
    projections=PROJECTIONS,
    also={"erased": _ERASED_OF_OAUTH},
)


@dataclass(frozen=True, slots=True)
class SMTPOAuth:
    """The stored OAuth settings: the payload of their event."""

    token_endpoint: str
    client_id: str
    scope: str
    mailbox: str
    method: str
    credential_id: str


@dataclass(frozen=True, slots=True)
class SMTPConfig:
    """The stored SMTP configuration."""

    id: str
    sender_address: str
    sender_name: str
    tls: bool
    host: str
    user: str
    password_secret_id: str | None
    oauth: SMTPOAuth | None
    details: Details

    @property
    def mailbox(self) -> str:
        """The mailbox of access tokens."""
        return (self.oauth.mailbox if self.oauth else "") or self.user


_COLUMNS = columns_of(SMTPConfig, user="user_name")


def _config(row: Row) -> SMTPConfig:
    oauth = SMTPOAuth(**json.loads(row["oauth"])) if row["oauth"] else None
    return from_row(SMTPConfig, row, oauth=oauth)


# A configuration.
GET: Final = Query(
    f"select {_COLUMNS} from smtp_configurations where org_id = :organization_id", _config
)

# The organizations with a configuration; the instance as the empty one.
_LIST_ORGANIZATIONS = statement("select org_id from smtp_configurations order by org_id")

# Whether there is one.
_EXISTS = statement("""
select count(*) > 0 as is_any
from (select from smtp_configurations order by org_id limit 1) as configuration""")

# The configuration, locked, for a caller that stays admitted until the transaction ends.
_LOCK = statement(f"""
select {_COLUMNS}, {IS_ADMITTED_LOCKED} as is_admitted from smtp_configurations
where org_id = :organization_id for update""")

# Locks the configuration, for a precondition.
LOCK_SEQUENCE: Final = statement("""
select sequence from smtp_configurations where org_id = :organization_id for update""")

# Locks the configuration with an ID.
LOCK_ID: Final = statement("select from smtp_configurations where id = :config_id for update")

# The configuration with the secret that it logs in with, in one statement: between two statements
# the host could change, and the server would send the secret to the wrong host.
_SECRET_ID = "coalesce(oauth->>'credential_id', password_secret_id)"
_GET_WITH_SECRET = statement(f"""
select {_COLUMNS}, {stored_secrets.COLUMNS} from smtp_configurations
{stored_secrets.joined("smtp_configurations.id", _SECRET_ID)}
where org_id = :organization_id""")

# The domain of the sender address, of the organization's configuration or else of the instance's.
_FIND_SENDER = statement("""
select org_id, substring(sender_address from '[^@]*$') as domain from smtp_configurations
where org_id in (:organization_id, '') order by org_id desc limit 1""")


async def add(
    database: Statements,
    event: SMTPConfigAdded,
    secret: Secret | None,
    *,
    actor: Actor,
    config_id: str,
    organization_id: str,
) -> Details | int:
    """Writes the configuration, or gives the sequence of the one that is set already.

    `Failure` UNAUTHENTICATED. UniqueConflictError: a concurrent command has set one.
    """
    row = await _ADD.one(
        database,
        event,
        **written_by(actor),
        config_id=config_id,
        organization_id=organization_id,
        **parameters(secret),
    )
    existing: int | None = row["existing_sequence"]
    return details(row) if existing is None else existing


async def lock(transaction: Statements, *, actor: Actor, organization_id: str) -> SMTPConfig | None:
    """Reads the configuration, and locks it and the rights of the actor until the transaction ends.

    None: none is set. `Failure` UNAUTHENTICATED.
    """
    row = await transaction.fetch_row(
        _LOCK, **credential_values(actor), organization_id=organization_id
    )
    if row is not None and not row["is_admitted"]:
        raise unauthenticated()
    return _config(row) if row else None


async def get_with_secret(
    database: Statements, organization_id: str
) -> tuple[SMTPConfig | None, EncryptedSecret | None]:
    """The configuration, and the secret of its OAuth settings or else its password.

    None: none is set, or it has no secret.
    """
    row = await database.fetch_row(_GET_WITH_SECRET, organization_id=organization_id)
    if row is None:
        return None, None
    return _config(row), stored_secrets.encrypted_secret(row)


async def list_organizations(database: Statements) -> list[str]:
    """The organizations with a configuration; the instance is the empty one, the first."""
    return [row["org_id"] for row in await database.fetch(_LIST_ORGANIZATIONS)]


async def exists(database: Statements) -> bool:
    """Whether there is a configuration, of the instance or of an organization."""
    return bool((await database.fetch_one(_EXISTS))["is_any"])


async def find_sender(database: Statements, organization_id: str) -> tuple[str, str] | None:
    """Whose configuration delivers mails of an organization, and the domain of its sender address.

    It is that of the organization, or else that of the instance, which is the empty one. None: none
    is set.
    """
    row = await database.fetch_row(_FIND_SENDER, organization_id=organization_id)
    return (row["org_id"], row["domain"]) if row else None

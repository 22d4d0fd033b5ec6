"""The read table `idp_oidc_configs` and every statement on it."""

from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Final

from server.crypto import stored_secrets
from server.crypto.keyring import EncryptedSecret
from server.idp.oidc.events import OIDCConfigRemoved, OIDCConfigSet
from server.idp.store import MOVED
from server.log.append import Projections, append
from server.log.projection import inserted
from server.store.database import Statements
from server.store.pages import read_all
from server.store.rows import Details, from_row
from server.store.statement import statement

PROJECTIONS: Projections = {
    OIDCConfigSet: [
        inserted(
            "idp_oidc_configs",
            OIDCConfigSet,
            idp_id="aggregate_id",
            logo="decode(payload->>'logo', 'base64')",
        )
        + """
        on conflict (idp_id) do update set
            issuer = excluded.issuer, client_id = excluded.client_id,
            client_secret_id = excluded.client_secret_id, scopes = excluded.scopes,
            token_endpoint_auth_method = excluded.token_endpoint_auth_method,
            logo = excluded.logo, background_color = excluded.background_color,
            text_color = excluded.text_color,
            auto_register_mail_domains = excluded.auto_register_mail_domains,
            auto_register_hosted_domains = excluded.auto_register_hosted_domains,
            update_name_at_sign_in = excluded.update_name_at_sign_in,
            update_email_at_sign_in = excluded.update_email_at_sign_in,
            sequence = excluded.sequence, change_date = excluded.change_date""",
        MOVED,
    ],
    OIDCConfigRemoved: [
        """
        delete from idp_oidc_configs using event
        where idp_oidc_configs.idp_id = event.aggregate_id""",
        MOVED,
    ],
}

# Sets all settings of a locked provider.
SET: Final = append(
    OIDCConfigSet,
    target="""
    select idps.id, idps.owner, idps.sequence, config.creation_date,
        null::timestamptz as change_date, true as changed
    from idps left join idp_oidc_configs as config on config.idp_id = idps.id
    where idps.id = :idp_id for update of idps""",
    projections=PROJECTIONS,
    also={
        "erased": stored_secrets.erased_by_event("event.payload->>'client_secret_id'"),
        "stored": stored_secrets.STORED_BY_EVENT,
    },
)

# Removes the settings of a locked provider.
REMOVE: Final = append(
    OIDCConfigRemoved,
    target="""
    select idps.id, idps.owner, idps.sequence, config.creation_date,
        null::timestamptz as change_date, true as changed
    from idps join idp_oidc_configs as config on config.idp_id = idps.id
    where idps.id = :idp_id for update of idps""",
    projections=PROJECTIONS,
    also={"erased": stored_secrets.erased_by_event()},
)

_COLUMNS = f"""
    idps.owner, idps.is_disabled, config.idp_id, config.issuer, config.client_id,
    config.client_secret_id, config.scopes, config.token_endpoint_auth_method, config.logo,
    config.background_color, config.text_color, config.auto_register_mail_domains,
    config.auto_register_hosted_domains, config.update_name_at_sign_in,
    config.update_email_at_sign_in,
    config.sequence, config.creation_date, config.change_date,
    {stored_secrets.COLUMNS}"""

# The settings with the secret, in one statement: between two statements the issuer could change,
# and the server would send the secret to the wrong issuer.
_GET = statement(f"""
select {_COLUMNS}
from idps join idp_oidc_configs as config on config.idp_id = idps.id
{stored_secrets.joined("idps.id", "config.client_secret_id")}
where idps.id = :idp_id""")

# Locks the settings of a provider of the organization, for a precondition.
LOCK_SEQUENCE: Final = statement("""
select config.sequence from idps join idp_oidc_configs as config on config.idp_id = idps.id
where idps.id = :idp_id and idps.owner = :organization_id for update""")

# A page of the providers whose client secret is encrypted under another key.
_LIST_UNDER_OTHER_KEYS = statement(f"""
select config.idp_id from idp_oidc_configs as config
{stored_secrets.joined("config.idp_id", "config.client_secret_id")}
where secrets.key_id <> :key_id and config.idp_id > :after_idp_id
order by config.idp_id limit :limit""")


@dataclass(frozen=True, slots=True)
class OIDCConfig:
    """Stored settings."""

    idp_id: str
    issuer: str
    client_id: str
    client_secret_id: str | None
    scopes: tuple[str, ...]
    token_endpoint_auth_method: str
    logo: bytes = field(repr=False)
    background_color: str
    text_color: str
    auto_register_mail_domains: tuple[str, ...]
    auto_register_hosted_domains: tuple[str, ...]
    update_name_at_sign_in: bool
    update_email_at_sign_in: bool
    # Of the provider.
    is_disabled: bool
    encrypted_secret: EncryptedSecret | None
    details: Details


async def get(database: Statements, idp_id: str) -> OIDCConfig | None:
    """Reads the settings. None: the provider has none."""
    row = await database.fetch_row(_GET, idp_id=idp_id)
    if row is None:
        return None
    return from_row(OIDCConfig, row, encrypted_secret=stored_secrets.encrypted_secret(row))


async def list_under_other_keys(database: Statements, key_id: str) -> AsyncIterator[str]:
    """The ids of providers whose client secret is encrypted under another key."""
    rows = read_all(database, _LIST_UNDER_OTHER_KEYS, after={"idp_id": ""}, key_id=key_id)
    async for row in rows:
        yield row["idp_id"]

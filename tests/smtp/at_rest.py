"""The rows of the SMTP configuration, read directly from the database."""

import json
from collections.abc import Sequence

import asyncpg

from server.crypto.keyring import EncryptedSecret, Keyring


async def everything(sql: asyncpg.Connection) -> dict[str, Sequence[asyncpg.Record]]:
    """All rows that commands of the configuration can write."""
    return {
        "events": await sql.fetch("select * from events order by aggregate_id, sequence"),
        "smtp_configs": await sql.fetch("select * from smtp_configurations"),
        "secrets": await secrets(sql),
    }


def context(config_id: str, secret_id: str, host: str, *, tls: bool, user: str) -> bytes:
    """The context to which a stored password is bound. Existing rows need it unchanged."""
    return json.dumps(["smtp_config.password", config_id, secret_id, host, tls, user]).encode()


async def secrets(sql: asyncpg.Connection) -> Sequence[asyncpg.Record]:
    """The stored secrets. Those of signing keys, which every server has, are left out."""
    return await sql.fetch("select * from secrets where aggregate_id <> 'signing_keys'")


async def password(sql: asyncpg.Connection, keyring: Keyring) -> str:
    """The stored password: the only secret beside signing keys, and of the configuration."""
    [config] = await sql.fetch("select * from smtp_configurations")
    [secret] = await secrets(sql)
    assert secret["aggregate_id"] == config["id"]
    assert secret["secret_id"] == config["password_secret_id"]
    return keyring.decrypt(
        EncryptedSecret(secret["key_id"], secret["ciphertext"]),
        context=context(
            config["id"],
            secret["secret_id"],
            config["host"],
            tls=config["tls"],
            user=config["user_name"],
        ),
    )

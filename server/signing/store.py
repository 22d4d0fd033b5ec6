"""The table `signing_keys`, and every statement on it. The private keys are secrets.

Every transaction that writes begins with `lock`, so that processes decide one after the other.
"""

from datetime import timedelta
from typing import Final

from server.crypto import stored_secrets
from server.crypto.keyring import EncryptedSecret
from server.signing.schedule import Schedule, SigningKey
from server.store.database import Row, Statements
from server.store.statement import statement

# The aggregate of the private keys in `secrets`. The ID of a secret is that of the key.
_AGGREGATE: Final = "signing_keys"

# Excludes writers, not readers.
_LOCK = statement("lock table signing_keys in share row exclusive mode")

# All keys with their secrets, and the time. One row without a key if there are none.
_LIST = statement(f"""
select clock.now, keys.kid, keys.public_key, keys.signs_at, {stored_secrets.COLUMNS}
from (select clock_timestamp() as now) as clock left join signing_keys as keys on true
    {stored_secrets.joined(f"'{_AGGREGATE}'", "keys.kid")}
order by keys.signs_at, keys.kid""")

# Adds a key that signs after a delay.
_ADD = statement("""
insert into signing_keys (kid, public_key, created_at, signs_at)
select :kid, :public_key, clock.now, clock.now + :delay::interval
from (select clock_timestamp() as now) as clock
returning signs_at""")

# Removes keys.
_REMOVE = statement("delete from signing_keys where kid = any(:kids::text[])")


async def lock(transaction: Statements) -> None:
    """Excludes other transactions that write keys until this one ends."""
    await transaction.fetch(_LOCK)


async def get(database: Statements) -> tuple[Schedule, dict[str, EncryptedSecret]]:
    """All keys, and the private keys by ID; a lost private key is missing."""
    rows = await database.fetch(_LIST)
    keys = [row for row in rows if row["kid"] is not None]
    return (
        Schedule(tuple(map(_key, keys)), rows[0]["now"]),
        {row["kid"]: secret for row in keys if (secret := stored_secrets.encrypted_secret(row))},
    )


async def add(
    transaction: Statements,
    *,
    kid: str,
    public_key: str,
    private_key: EncryptedSecret,
    delay: timedelta,
) -> SigningKey:
    """Adds a key that signs after the delay."""
    row = await transaction.fetch_one(_ADD, kid=kid, public_key=public_key, delay=delay)
    await stored_secrets.add(
        transaction, aggregate_id=_AGGREGATE, secret_id=kid, encrypted=private_key
    )
    return SigningKey(kid, public_key, row["signs_at"])


async def remove(transaction: Statements, kids: list[str]) -> None:
    """Removes keys, and erases their private keys."""
    await transaction.fetch(_REMOVE, kids=kids)
    await stored_secrets.erase(transaction, aggregate_id=_AGGREGATE, secret_ids=kids)


async def replace_secret(database: Statements, kid: str, encrypted: EncryptedSecret) -> bool:
    """Stores the same private key under another encryption key. False: already done, or gone."""
    return await stored_secrets.replace(
        database, aggregate_id=_AGGREGATE, secret_id=kid, encrypted=encrypted
    )


def _key(row: Row) -> SigningKey:
    return SigningKey(row["kid"], row["public_key"], row["signs_at"])

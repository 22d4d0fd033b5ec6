"""The tables `signing_keys` (ES256) and `rsa_signing_keys`, and every statement on them.

The private keys are secrets.

Every transaction that writes begins with `lock`, so that processes decide one after the other.
"""

from datetime import timedelta
from typing import Final

from server.crypto import stored_secrets
from server.crypto.keyring import EncryptedSecret
from server.signing.private_key import Algorithm
from server.signing.schedule import Schedule, SigningKey
from server.store.database import Row, Statements
from server.store.statement import statement

# The aggregate of the private keys in `secrets`. The ID of a secret is that of the key.
_AGGREGATE: Final = "signing_keys"

_TABLES: Final = {Algorithm.ES256: "signing_keys", Algorithm.RS256: "rsa_signing_keys"}

# Excludes writers of keys of all algorithms, not readers.
_LOCK = statement("lock table signing_keys in share row exclusive mode")

# All keys with their secrets, and the time. One row without a key if there are none.
_LIST = statement(f"""
select clock.now, keys.algorithm, keys.kid, keys.public_key, keys.created_at, keys.signs_at,
    {stored_secrets.COLUMNS}
from (select clock_timestamp() as now) as clock left join (
        select 'ES256' as algorithm, kid, public_key, created_at, signs_at from signing_keys
        union all
        select 'RS256' as algorithm, kid, public_key, created_at, signs_at
        from rsa_signing_keys
    ) as keys on true
    {stored_secrets.joined(f"'{_AGGREGATE}'", "keys.kid")}
order by keys.signs_at, keys.kid""")

# Adds a key that signs after a delay.
_ADD = {
    algorithm: statement(f"""
insert into {table} (kid, public_key, created_at, signs_at)
select :kid, :public_key, clock.now, clock.now + :delay::interval
from (select clock_timestamp() as now) as clock
returning created_at, signs_at""")
    for algorithm, table in _TABLES.items()
}

# Removes keys.
_REMOVE = statement("""
with rsa as (delete from rsa_signing_keys where kid = any(:kids::text[]))
delete from signing_keys where kid = any(:kids::text[])""")


async def lock(transaction: Statements) -> None:
    """Excludes other transactions that write keys until this one ends."""
    await transaction.fetch(_LOCK)


async def get(
    database: Statements,
) -> tuple[dict[Algorithm, Schedule], dict[str, EncryptedSecret]]:
    """The keys of each algorithm, and the private keys by ID; a lost private key is missing."""
    rows = await database.fetch(_LIST)
    keys = {
        algorithm: tuple(_key(row) for row in rows if row["algorithm"] == algorithm)
        for algorithm in Algorithm
    }
    return (
        {algorithm: Schedule(each, rows[0]["now"]) for algorithm, each in keys.items()},
        {row["kid"]: secret for row in rows if (secret := stored_secrets.encrypted_secret(row))},
    )


async def add(
    transaction: Statements,
    algorithm: Algorithm,
    *,
    kid: str,
    public_key: str,
    private_key: EncryptedSecret,
    delay: timedelta,
) -> SigningKey:
    """Adds a key that signs after the delay."""
    row = await transaction.fetch_one(_ADD[algorithm], kid=kid, public_key=public_key, delay=delay)
    await stored_secrets.add(
        transaction, aggregate_id=_AGGREGATE, secret_id=kid, encrypted=private_key
    )
    return SigningKey(kid, public_key, row["created_at"], row["signs_at"])


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
    return SigningKey(row["kid"], row["public_key"], row["created_at"], row["signs_at"])

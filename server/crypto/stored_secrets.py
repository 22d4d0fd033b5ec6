"""The table `secrets`: encrypted secrets by aggregate and id.

Secrets are not in the log, so a rebuild leaves them alone. A secret that an event adds or drops is
written by the statement of the event, which contains the fragments below. The secrets of mails and
signing keys, which belong to no event, are written by `server/mail` and `server/signing`.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from server.crypto.keyring import EncryptedSecret, Keyring
from server.store.database import Row, Statements
from server.store.statement import statement

# The columns `key_id` and `ciphertext` of a secret, for a statement that joins one by `joined`.
# They are null where there is none.
COLUMNS = "secrets.key_id, secrets.ciphertext"

# Stores a secret of the aggregate of `event`, or nothing where `:secret_id` is null.
STORED_BY_EVENT = """
    insert into secrets (aggregate_id, secret_id, key_id, ciphertext)
    select event.aggregate_id, :secret_id::text, :key_id::text, :ciphertext::bytea from event
    where :secret_id::text is not null"""

# The ids of the keys in use. Finds them one by one in the index; `distinct` would read all rows.
_KEY_IDS = statement("""
with recursive keys as (
    select min(key_id) as key_id from secrets
    union all
    select (select min(key_id) from secrets where secrets.key_id > keys.key_id)
    from keys where keys.key_id is not null)
select key_id from keys where key_id is not null""")

# Erases secrets of an aggregate.
_ERASE = statement("""
delete from secrets where aggregate_id = :aggregate_id and secret_id = any(:secret_ids::text[])""")

# One secret.
_GET = statement("""
select key_id, ciphertext from secrets
where aggregate_id = :aggregate_id and secret_id = :secret_id""")

# Stores a secret that belongs to no event, unless it is stored.
_ADD = statement("""
insert into secrets (aggregate_id, secret_id, key_id, ciphertext)
values (:aggregate_id, :secret_id, :key_id, :ciphertext) on conflict do nothing""")

# Stores a secret under another key. This is not an event, because the secret stays the same.
_REPLACE = statement("""
update secrets set key_id = :key_id, ciphertext = :ciphertext
where aggregate_id = :aggregate_id and secret_id = :secret_id and key_id <> :key_id
returning secret_id""")


@dataclass(frozen=True, slots=True)
class Secret:
    """A new secret and its id."""

    secret_id: str
    encrypted: EncryptedSecret


def parameters(secret: Secret | None) -> dict[str, object]:
    """The parameters of `STORED_BY_EVENT`. None: the event stores no secret."""
    if secret is None:
        return {"secret_id": None, "key_id": None, "ciphertext": None}
    encrypted = secret.encrypted
    return {
        "secret_id": secret.secret_id,
        "key_id": encrypted.key_id,
        "ciphertext": encrypted.ciphertext,
    }


def joined(aggregate_id: str, secret_id: str) -> str:
    """Joins the secret of a row; both are expressions."""
    return f"""
left join secrets on secrets.aggregate_id = {aggregate_id} and secrets.secret_id = {secret_id}"""


def erased_by_event(*kept: str) -> str:
    """Erases all secrets of the aggregate of `event` but those whose ids are these expressions.

    It erases the secrets that were stored when the statement began. Lock the aggregate in an
    earlier statement, or secrets stored during the wait for the lock are missed.
    """
    others = "".join(f" and secrets.secret_id is distinct from {each}" for each in kept)
    return f"""
    delete from secrets using event
    where secrets.aggregate_id = event.aggregate_id{others}"""  # noqa: S608 -- constants of this code


def encrypted_secret(row: Row) -> EncryptedSecret | None:
    """The secret of a row with `COLUMNS`; None: there is none."""
    return None if row["key_id"] is None else EncryptedSecret(row["key_id"], row["ciphertext"])


async def key_ids_in_use(database: Statements) -> frozenset[str]:
    """The keys without which a stored secret could not be decrypted."""
    return frozenset(row["key_id"] for row in await database.fetch(_KEY_IDS))


async def get(database: Statements, *, aggregate_id: str, secret_id: str) -> EncryptedSecret | None:
    """Reads a secret. None: it is not stored."""
    row = await database.fetch_row(_GET, aggregate_id=aggregate_id, secret_id=secret_id)
    return encrypted_secret(row) if row else None


async def add(
    database: Statements, *, aggregate_id: str, secret_id: str, encrypted: EncryptedSecret
) -> None:
    """Stores a secret that belongs to no event. A stored one is not replaced."""
    secret = parameters(Secret(secret_id, encrypted))
    await database.fetch(_ADD, aggregate_id=aggregate_id, **secret)


async def erase(database: Statements, *, aggregate_id: str, secret_ids: Sequence[str]) -> None:
    """Erases secrets of an aggregate that belong to no event."""
    await database.fetch(_ERASE, aggregate_id=aggregate_id, secret_ids=secret_ids)


async def replace(
    database: Statements, *, aggregate_id: str, secret_id: str, encrypted: EncryptedSecret
) -> bool:
    """Stores the same secret under another key.

    The caller ensures that the secret does not change meanwhile. False: it is already stored under
    that key, or was erased.
    """
    secret = parameters(Secret(secret_id, encrypted))
    return await database.fetch_row(_REPLACE, aggregate_id=aggregate_id, **secret) is not None


async def reencrypt(
    database: Statements,
    keyring: Keyring,
    encrypted: EncryptedSecret,
    *,
    aggregate_id: str,
    secret_id: str,
    context: bytes,
) -> bool:
    """Encrypts a stored secret under the first key, as `replace`.

    EncryptionKeyError: the secret cannot be decrypted.
    """
    if encrypted.key_id == keyring.writing_key_id:
        return False
    secret = keyring.decrypt(encrypted, context=context)
    return await replace(
        database,
        aggregate_id=aggregate_id,
        secret_id=secret_id,
        encrypted=keyring.encrypt(secret, context=context),
    )

"""Statements on the secrets of all features."""

from server.crypto.keyring import Envelope
from server.store.database import Statements

_KEY_IDS = "select distinct key_id from secrets"

# Not an event: the secret itself does not change.
_REPLACE_ENVELOPE = """
update secrets set key_id = $3, ciphertext = $4
where aggregate_id = $1 and secret_id = $2 and key_id <> $3
returning secret_id"""


async def key_ids_in_use(database: Statements) -> frozenset[str]:
    """The IDs of all keys that stored secrets need."""
    return frozenset(row["key_id"] for row in await database.fetch(_KEY_IDS))


async def replace_envelope(
    database: Statements, *, aggregate_id: str, secret_id: str, envelope: Envelope
) -> bool:
    """Replaces the ciphertext of a secret; the caller ensures that the secret is the same.

    False if it is encrypted with that key already, or was removed.
    """
    replaced = await database.fetch_row(
        _REPLACE_ENVELOPE, aggregate_id, secret_id, envelope.key_id, envelope.ciphertext
    )
    return replaced is not None

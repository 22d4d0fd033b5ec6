"""What is common to all stored secrets, whatever feature they belong to."""

from server.database import Statements
from server.encryption import Envelope

_KEY_IDS = "select distinct key_id from secrets"

# Not an event: the secret is the same, only its envelope is another.
_REPLACE_ENVELOPE = """
update secrets set key_id = $3, ciphertext = $4 where aggregate_id = $1 and secret_id = $2"""


async def key_ids_in_use(database: Statements) -> frozenset[str]:
    """The keys without which something stored could not be decrypted."""
    return frozenset(row["key_id"] for row in await database.fetch(_KEY_IDS))


async def replace_envelope(
    transaction: Statements, *, aggregate_id: str, secret_id: str, envelope: Envelope
) -> None:
    """Puts another envelope around the same secret, whose aggregate the caller has locked."""
    await transaction.fetch(
        _REPLACE_ENVELOPE, aggregate_id, secret_id, envelope.key_id, envelope.ciphertext
    )

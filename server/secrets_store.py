"""What is common to all stored secrets, whatever feature they belong to."""

from server.database import Statements

_KEY_IDS = "select distinct key_id from secrets"


async def key_ids_in_use(database: Statements) -> frozenset[str]:
    """The keys without which something stored could not be decrypted."""
    return frozenset(row["key_id"] for row in await database.fetch(_KEY_IDS))

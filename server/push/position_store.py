"""The table `push_position`: the position up to which all deliveries have been written."""

from server.store.database import Statements
from server.store.statement import statement

# Locks the position, unless another process does.
_LOCK = statement("select position from push_position for update skip locked")

_GET = statement("select position from push_position")

_ADVANCE = statement("update push_position set position = :position")


async def lock(transaction: Statements) -> int | None:
    """Locks the position until the transaction ends. None: another process has locked it."""
    row = await transaction.fetch_row(_LOCK)
    return int(row["position"]) if row else None


async def get(database: Statements) -> int:
    """The position, without a lock."""
    return int((await database.fetch_one(_GET))["position"])


async def advance(transaction: Statements, position: int) -> None:
    """Sets the locked position."""
    await transaction.fetch(_ADVANCE, position=position)

"""Old partitions of the log, which otherwise need months to pass."""

from server.log.partitions import (
    Partition,
    attach,
    create_table,
    detach,
    list_partitions,
)
from server.store.database import Database


async def split(database: Database, *bounds: int) -> list[Partition]:
    """Splits the first partition at these sequences. It has no events from the first one on."""
    first = (await list_partitions(database))[0]
    starts = [None, *bounds]
    parts = list(map(Partition, starts, [*bounds, first.until_sequence]))
    async with database.transaction() as transaction:
        await detach(transaction, first)
        for part in parts:
            if part.first_sequence is not None:
                await create_table(transaction, part)
            await attach(transaction, part)
    return parts

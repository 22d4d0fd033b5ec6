"""Reads all rows of a table that grows, a page at a time."""

from collections.abc import AsyncIterator, Mapping
from typing import Final

from server.store.database import Row, Statements
from server.store.statement import Statement

ROWS_OF_PAGE: Final = 1000


async def read_all(
    database: Statements, page: Statement, *, after: Mapping[str, object], **values: object
) -> AsyncIterator[Row]:
    """All rows in the order of some columns, also if they are changed meanwhile.

    `page` selects at most `:limit` rows after `:after_COLUMN` of each column of the order. `after`
    has these columns with values that are lower than those of any row.
    """
    while True:
        first = {f"after_{column}": value for column, value in after.items()}
        rows = await database.fetch(page, **values, **first, limit=ROWS_OF_PAGE)
        for row in rows:
            yield row
        if len(rows) < ROWS_OF_PAGE:
            return
        after = {column: rows[-1][column] for column in after}

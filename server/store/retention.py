"""Deletes rows whose retention has passed, a batch at a time.

The rule: a batch stays deleted if the next one times out, so a backlog of any size ends.
"""

from typing import Final

from server.store.database import Statements
from server.store.statement import Statement, statement

_BATCH: Final = 1000


def retention(table: str, *, until: str, after: str = "now()", also: str = "") -> Statement:
    """The statement that deletes a batch of the rows whose column `until` is before `after`.

    `until` needs an index, which cannot search for the volatile `clock_timestamp()`. Locked rows
    are skipped. `also` is a statement that may read the relation `deleted`.
    """
    further = f",\nalso as ({also})" if also else ""
    # S608: constants of the stores.
    return statement(f"""
with deleted as (
    delete from {table} where ctid = any(array(
        select ctid from {table} where {until} < {after}
        order by {until} limit {_BATCH} for update skip locked))
    returning *){further}
select count(*) from deleted""")  # noqa: S608


async def delete_ended(database: Statements, retained: Statement) -> None:
    """Deletes all rows whose retention has passed."""
    while (await database.fetch_one(retained))["count"] == _BATCH:
        pass

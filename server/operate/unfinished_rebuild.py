"""An unfinished rebuild, which the next one continues and `keystead doctor` reports.

Not in `rebuild/`, which imports the projections of all features, so that the doctor starts quickly.
"""

from typing import NamedTuple

from server.store.database import Statements
from server.store.statement import statement

# Whether the schema of a rebuild exists.
_EXISTS = statement("select to_regclass('keystead_rebuild.rebuild_run') is not null as it_does")

# The events of the rebuild, and whether it is running now.
_PROGRESS = statement("""
select coalesce(sum(events), 0)::bigint as events,
    coalesce(sum(events) filter (where digest is not null), 0)::bigint as replayed,
    exists (
        select from pg_locks
        where locktype = 'advisory' and objid = 7240032
            and database = (select oid from pg_database where datname = current_database())
    ) as is_running
from keystead_rebuild.rebuild_batches""")


class Leftover(NamedTuple):
    """The events of an unfinished rebuild, and whether it is running."""

    events: int
    replayed: int
    is_running: bool


async def exists(database: Statements) -> bool:
    """Whether there is a rebuild that was begun."""
    return bool((await database.fetch_one(_EXISTS))["it_does"])


async def find_leftover(database: Statements) -> Leftover | None:
    """The unfinished rebuild of this database, if there is one."""
    if not await exists(database):
        return None
    row = await database.fetch_one(_PROGRESS)
    return Leftover(row["events"], row["replayed"], row["is_running"])

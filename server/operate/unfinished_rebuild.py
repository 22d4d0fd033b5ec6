"""An unfinished rebuild, which the next one continues and `keystead doctor` reports.

Not in `rebuild/`, which imports the projections of all features, so that the doctor starts quickly.
"""

from typing import Final, NamedTuple

from server.store.database import Statements
from server.store.statement import statement

# The advisory lock that a running rebuild holds. Arbitrary, and the same in every release.
LOCK_NUMBER: Final = 7240032

# Whether the schema of a rebuild exists.
_EXISTS = statement("select to_regclass('keystead_rebuild.rebuild_run') is not null as is_there")

# The events of the rebuild, and whether it is running now.
_PROGRESS = statement(f"""
select coalesce(sum(events), 0)::bigint as events,
    coalesce(sum(events) filter (where digest is not null), 0)::bigint as replayed,
    exists (
        select from pg_locks
        where locktype = 'advisory' and objid = {LOCK_NUMBER}
            and database = (select oid from pg_database where datname = current_database())
    ) as is_running
from keystead_rebuild.rebuild_batches""")  # noqa: S608 -- a constant of this code


class Leftover(NamedTuple):
    """The events of an unfinished rebuild, the replayed ones, and whether it is running."""

    events: int
    replayed: int
    is_running: bool


async def exists(database: Statements) -> bool:
    """Whether a rebuild was begun and not finished."""
    return bool((await database.fetch_one(_EXISTS))["is_there"])


async def find_leftover(database: Statements) -> Leftover | None:
    """The unfinished rebuild of this database, if there is one."""
    if not await exists(database):
        return None
    row = await database.fetch_one(_PROGRESS)
    return Leftover(row["events"], row["replayed"], row["is_running"])

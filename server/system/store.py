"""The facts about PostgreSQL itself: it reads no table of Keystead."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from server.store.rows import Query

# The version, the size and the start of PostgreSQL, and the standbys that are connected.
GET: Final = Query(
    """
select split_part(current_setting('server_version'), ' ', 1) as version,
    pg_database_size(current_database()) as size_bytes,
    (select count(*) from pg_stat_replication)::int as standbys,
    pg_postmaster_start_time() as started_at""",
    lambda row: PostgreSQL(**row),
)


@dataclass(frozen=True, slots=True)
class PostgreSQL:
    """PostgreSQL, as of now."""

    version: str
    size_bytes: int
    standbys: int
    started_at: datetime

"""The numbers of the users of an organization, by the conditions with which lists find them."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from server.store.database import Statements
from server.store.rows import from_row
from server.store.statement import statement
from server.user.store import STATE

# Until the day before which an active user signed in last; in UTC, so that a filter can name it.
_ACTIVE: Final = (
    "last_sign_in_at >= date_trunc('day', now() at time zone 'UTC') at time zone 'UTC'"
    " - interval '{days} days'"
)

# The numbers of those examined; a limit of null examines all.
_COUNT = statement(f"""
select now() as counted_at, count(*) as user_count,
    count(*) filter (where {_ACTIVE.format(days=7)}) as users_active_7_days,
    count(*) filter (where {_ACTIVE.format(days=30)}) as users_active_30_days,
    count(*) filter (where {STATE} = 'INVITED') as users_invited,
    count(*) filter (where {STATE} = 'ACTIVE' and passkey_count = 1) as users_with_one_passkey,
    count(*) filter (where {STATE} = 'LOCKED') as users_locked
from (
    select last_sign_in_at, invited_at, locked_at, passkey_count from users
    where owner = :organization_id order by id limit :examined) as users""")


@dataclass(frozen=True, slots=True)
class UserFigures:
    """The users of an organization: all, and those who meet a condition."""

    counted_at: datetime
    user_count: int
    users_active_7_days: int
    users_active_30_days: int
    users_invited: int
    users_with_one_passkey: int
    users_locked: int


async def count(database: Statements, organization_id: str, *, examined: int | None) -> UserFigures:
    """The numbers of at most `examined` users, or of all."""
    row = await database.fetch_one(_COUNT, organization_id=organization_id, examined=examined)
    return from_row(UserFigures, row)

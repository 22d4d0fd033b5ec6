"""The table `organization_days`, and every statement on it.

Its rows are no projections: refused sign-ins are not in the log.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date
from typing import Final, NamedTuple

from server.store.database import Statements
from server.store.organizations import stays
from server.store.retention import retention
from server.store.rows import Query, from_row
from server.store.statement import statement
from server.user.figures import UserFigures

_USERS: Final = """user_count, users_active_7_days, users_active_30_days, users_invited,
    users_with_one_passkey, users_locked"""


@dataclass(frozen=True, slots=True)
class Day:
    """A day of an organization. `is_counted`: `sign_ins` is final."""

    day: date
    is_counted: bool
    sign_ins: int
    refused_sign_ins: int


class PeopleFigures(NamedTuple):
    """The users and the sessions of an organization, as of one time."""

    users: UserFigures
    sessions: int


# The days of an organization since one.
LIST: Final = Query(
    """
select day, counted_at is not null as is_counted, sign_ins, refused_sign_ins
from organization_days where owner = :organization_id and day >= :since order by day""",
    Day,
)

# The users and the sessions, as of the latest day that is counted.
_LATEST = statement(f"""
select counted_at, {_USERS}, session_count from organization_days
where owner = :organization_id and counted_at is not null order by day desc limit 1""")

# The first day of a range that is not counted, of each of some organizations that have one.
_LACKING = statement("""
select wanted.owner, min(wanted.day) as day
from (
    select owner, :since::date + place as day
    from unnest(:organization_ids::text[]) as owner,
        generate_series(0, :until::date - :since::date - 1) as place) as wanted
where not exists (
    select from organization_days as known
    where known.owner = wanted.owner collate "C" and known.day = wanted.day
        and known.counted_at is not null)
group by wanted.owner""")

# Takes counted days, unless another server has taken them.
_KEEP = statement(f"""
insert into organization_days as kept (owner, day, counted_at, sign_ins, {_USERS}, session_count)
select :organization_id, counted.day::date, :counted_at, counted.sign_ins, :user_count,
    :users_active_7_days, :users_active_30_days, :users_invited, :users_with_one_passkey,
    :users_locked, :session_count
from unnest(:days::text[], :sign_ins::bigint[]) as counted (day, sign_ins)
where {stays(":organization_id")}
on conflict (owner, day) do update set (counted_at, sign_ins, {_USERS}, session_count)
    = (select excluded.counted_at, excluded.sign_ins, {
    ", ".join(f"excluded.{each.strip()}" for each in _USERS.split(","))
}, excluded.session_count)
where kept.counted_at is null""")

# Adds refused sign-ins to days, in the order of their key.
_COUNT_REFUSED = statement(f"""
insert into organization_days as kept (owner, day, refused_sign_ins)
select owner, day::date, number
from unnest(:owners::text[], :days::text[], :numbers::bigint[]) as refused (owner, day, number)
where {stays("refused.owner")}
order by owner, day::date
on conflict (owner, day) do update set
    refused_sign_ins = kept.refused_sign_ins + excluded.refused_sign_ins""")

# Those of an organization that is removed.
_FORGET = statement("delete from organization_days where owner = :organization_id")

# Days before the latest 90.
ENDED: Final = retention("organization_days", until="day", after="current_date - 90")


async def forget(transaction: Statements, organization_id: str) -> None:
    """Deletes the days of an organization that is removed."""
    await transaction.fetch(_FORGET, organization_id=organization_id)


async def latest(database: Statements, organization_id: str) -> PeopleFigures | None:
    """The users and the sessions as last counted by housekeeping; None before the first time."""
    row = await database.fetch_row(_LATEST, organization_id=organization_id)
    return PeopleFigures(from_row(UserFigures, row), row["session_count"]) if row else None


async def lacking(
    database: Statements, organization_ids: Sequence[str], *, since: date, until: date
) -> Mapping[str, date]:
    """The first day from `since` to before `until` that is not counted, by organization."""
    rows = await database.fetch(
        _LACKING, organization_ids=organization_ids, since=since, until=until
    )
    return {row["owner"]: row["day"] for row in rows}


async def keep(
    database: Statements,
    organization_id: str,
    sign_ins: Mapping[date, int],
    people: PeopleFigures,
) -> None:
    """Takes the sign-ins of days, with the users and the sessions at this time."""
    await database.fetch(
        _KEEP,
        organization_id=organization_id,
        days=[day.isoformat() for day in sign_ins],
        sign_ins=list(sign_ins.values()),
        session_count=people.sessions,
        **asdict(people.users),
    )


async def count_refused(database: Statements, numbers: Mapping[tuple[str, date], int]) -> None:
    """Adds the numbers of refused sign-ins, by organization and day."""
    await database.fetch(
        _COUNT_REFUSED,
        owners=[owner for owner, _ in numbers],
        days=[day.isoformat() for _, day in numbers],
        numbers=list(numbers.values()),
    )

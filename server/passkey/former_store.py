"""The statements on users with passkeys of former RP IDs."""

from dataclasses import dataclass
from typing import Final

from server.access.user_aggregate import account
from server.store.rows import Query

# Whether the user of `holder` has a passkey of these relying parties.
_HOLDS: Final = """exists (
        select from passkeys as other
        where other.user_id = holder.user_id and other.rp_id = any({rp_ids}::text[]))"""
_STAYS: Final = _HOLDS.format(rp_ids=":staying")
_MOVED: Final = _HOLDS.format(rp_ids="array[:rp_id]")


@dataclass(frozen=True, slots=True)
class MoveCounts:
    """Users with passkeys of former RP IDs: all, those with one of today, those who lose all."""

    user_count: int
    moved_count: int
    unmoved_count: int


NOT_COUNTED: Final = MoveCounts(0, 0, 0)


@dataclass(frozen=True, slots=True)
class UnmovedUser:
    """A user who would be locked out."""

    user_id: str
    org_id: str
    user_name: str
    display_name: str
    email: str


# Counts the users with passkeys of the IDs that leave.
COUNT: Final = Query(
    f"""
select count(*) as user_count, count(*) filter (where {_MOVED}) as moved_count,
    count(*) filter (where not {_STAYS}) as unmoved_count
from (select distinct user_id from passkeys where rp_id = any(:leaving::text[])) as holder""",
    MoveCounts,
)

# The users with passkeys of the IDs that leave, and with none of those that stay.
LIST: Final = Query(
    f"""
select account.id as user_id, account.owner as org_id, account.user_name, account.display_name,
    account.email
from (
    select distinct user_id from passkeys
    where rp_id = any(:leaving::text[]) and user_id > :after
) as holder cross join lateral ({account("holder.user_id")}) as account
where not {_STAYS}
order by account.id limit :limit""",
    UnmovedUser,
)

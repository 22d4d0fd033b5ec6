"""Numbers of passkeys that conflict with the settings of the relying party."""

from collections.abc import Sequence
from dataclasses import dataclass

from server.passkey.former import RPIDs
from server.store.database import Statements
from server.store.rows import from_row
from server.store.statement import statement

# Numbers of passkeys: all, and those that conflict with the relying party's settings. Those of
# former RP IDs were registered under other settings; those without an origin were imported.
_COUNT = statement("""
select count(*) as passkeys,
    count(*) filter (where rp_id <> all(:rp_ids::text[])) as stranded,
    count(distinct user_id) filter (where rp_id <> all(:rp_ids::text[])) as stranded_users,
    array(
        select distinct rp_id from passkeys where rp_id <> all(:rp_ids::text[]) order by rp_id
    ) as other_rp_ids,
    count(*) filter (where rp_id = :rp_id and origin <> all(:origins::text[])) as elsewhere,
    array(
        select distinct origin from passkeys
        where rp_id = :rp_id and origin <> all(:origins::text[]) order by origin
    ) as other_origins,
    count(*) filter (where rp_id = :rp_id and origin <> '' and not user_verified) as unverified,
    count(distinct user_id)
        filter (where rp_id = :rp_id and origin <> '' and not user_verified) as unverified_users
from passkeys""")


@dataclass(frozen=True, slots=True)
class Counts:
    """Passkeys: all, those of other RP IDs and origins, those without user verification."""

    passkeys: int
    stranded: int
    stranded_users: int
    other_rp_ids: Sequence[str]
    elsewhere: int
    other_origins: Sequence[str]
    unverified: int
    unverified_users: int


async def count(database: Statements, rp_ids: RPIDs, *, origins: Sequence[str]) -> Counts:
    """Counts the passkeys, given the RP IDs and the origins of the settings."""
    row = await database.fetch_one(
        _COUNT,
        rp_id=rp_ids.present,
        rp_ids=[rp_ids.present, *rp_ids.former],
        origins=[*origins, ""],  # of imported passkeys
    )
    return from_row(Counts, row)

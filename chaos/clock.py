"""The clock of a database, which a scenario sets.

The server reads the time with PostgreSQL's `clock_timestamp`. With `public` first in the search
path, the function of this module replaces it.
"""

from datetime import timedelta

from chaos.stage import Stage
from tests.support import given

_CREATE = """
create table chaos_clock (shift interval not null);
insert into chaos_clock values ('0');
create function public.clock_timestamp() returns timestamptz language sql volatile
    return pg_catalog.clock_timestamp() + (select shift from public.chaos_clock)"""
_SHIFT = "update chaos_clock set shift = $1"


async def install(stage: Stage, dsn: str) -> None:
    """Prepares a new database for `shift`."""
    name = dsn.partition("?")[0].rpartition("/")[2]
    await stage.administer(f"alter database {name} set search_path = public, pg_catalog")
    async with given.sql(dsn) as connection:
        await connection.execute(_CREATE)


async def shift(dsn: str, by: timedelta) -> None:
    """Sets the clock to the right time plus `by`."""
    async with given.sql(dsn) as connection:
        await connection.execute(_SHIFT, by)

"""The bytes that an event takes on disk: `python -m tests.store.event_size`.

The events are those of the tour, copied for more and more users and objects: the payloads of every
command, with IDs whose places in the indexes are as random as those of users who act now and then.
"""

import asyncio
import tempfile
from pathlib import Path

import click

from server.log.positions import assign
from server.process.embedded_postgres import running
from server.store.database import connected
from tests.store.released import new_database
from tests.store.tour import tour
from tests.support import given

_COPIES = 300
# The number of other aggregates for each of the tour. Each has the events of ten copies.
_OTHERS = 30

# Of a UUID the first eight digits become those of the other aggregate; organizations stay.
_OTHER_ID = """
case when {id} ~ '^[0-9a-f]{{8}}-' and {id} <> owner
    then left(md5((copy % $2)::text), 8) || substr({id}, 9) else {id} end"""
_COPY = f"""
insert into events (aggregate_id, sequence, aggregate_type, event_type, revision, payload, creator,
    owner, created_at)
select {_OTHER_ID.format(id="aggregate_id")}, sequence + copy * 1000003, aggregate_type, event_type,
    revision, payload, {_OTHER_ID.format(id="creator")}, owner,
    created_at + copy * interval '1000003 microseconds'
from generate_series(1, $1::int) as copy, events order by copy, sequence"""  # noqa: S608 -- ours

# The parts of `events` and of `event_positions`: rows and indexes, of all partitions together.
_PARTS = """
with tables as (
    select relid, 'events' as name from pg_partition_tree('events') where isleaf
    union all
    select 'event_positions'::regclass, 'event_positions')
select name || ', rows' as part, sum(pg_table_size(relid)) as bytes from tables group by name
union all
select name || ', ' || substring(pg_get_indexdef(indexrelid) from 'USING (.*)'),
    sum(pg_relation_size(indexrelid))
from tables, pg_index where indrelid = relid group by 1
order by 1"""


async def _print_sizes(cluster_dsn: str, folder: Path) -> None:
    dsn = await new_database(cluster_dsn, "sizes")
    await tour(dsn, folder)
    async with given.sql(dsn) as sql, connected(dsn, pool_size=1) as database:
        toured = await sql.fetchval("select count(*) from events")
        await sql.execute(_COPY, _COPIES, _OTHERS)
        while await sql.fetchval("select exists (select from unpositioned_events)"):
            await assign(database)
        await sql.execute("vacuum analyze")
        events = await sql.fetchval("select count(*) from events")
        click.echo(f"{events:,} events, copies of {toured:,}; bytes an event:")
        parts = [(part, size / events) for part, size in await sql.fetch(_PARTS)]
    for part, size in parts:
        click.echo(f"{size:6.0f}  {part}")
    click.echo(f"{sum(size for _, size in parts):6.0f}  in all")


if __name__ == "__main__":
    with (
        tempfile.TemporaryDirectory(prefix="keystead-sizes-") as name,
        running(Path(name), durable=False) as cluster,
    ):
        asyncio.run(_print_sizes(cluster.admin_dsn, Path(name)))

"""The rate at which events get positions. One process at a time assigns them (decision 2)."""

import asyncio
import time
from statistics import median

import asyncpg
import click

from bench import report
from bench.parts import Bench
from bench.processes import cpu_seconds
from server.log.positions import _ASSIGN, _BATCH

# Events of new groups, which get no deliveries. $1 is their number.
_ADD_EVENTS = """
insert into events (aggregate_id, sequence, aggregate_type, event_type, revision, payload, creator,
    owner, created_at)
select gen_random_uuid()::text, 1, 'group', 'group.added', 1,
    '{"name": "group", "display_name": "Group"}', 'operator', organizations.id, now()
from generate_series(1, $1::int), organizations where is_default"""
_ARE_WAITING = "select exists (select from unpositioned_events)"


def positions(bench: Bench, events: int) -> str:
    """The statement that assigns positions, one batch after the other, without a server."""
    click.echo(f"positions of {events:,} events", err=True)
    with bench.postgresql.database() as database:
        with bench.product("positions", database.dsn) as server:
            _ = server.grpc_address  # it serves, so the tables exist
        turns = asyncio.run(_turns(bench, database.dsn, events))
    figures = [median(column) for column in zip(*turns, strict=True)]
    return report.table(
        [f"{events:,} events", "ms of a batch", "PG µs of an event", "events per second"],
        [[f"in batches of {_BATCH:,}", *(f"{each:.0f}" for each in figures)]],
    )


async def _turns(bench: Bench, dsn: str, events: int) -> list[tuple[float, float, float]]:
    turns, postmaster = [], bench.postgresql.postmaster
    connection = await asyncpg.connect(dsn)
    try:
        for _ in range(bench.rounds):
            await connection.execute(_ADD_EVENTS, events)
            await connection.execute("vacuum analyze")
            batches, began, cpu = 0, time.perf_counter(), cpu_seconds(postmaster)
            while await connection.fetchval(_ARE_WAITING):
                await connection.execute(_ASSIGN.sql, *_ASSIGN.arguments({"batch": _BATCH}))
                batches += 1
            seconds, spent = time.perf_counter() - began, cpu_seconds(postmaster) - cpu
            turns.append((seconds / batches * 1000, spent / events * 1e6, events / seconds))
    finally:
        await connection.close()
    return turns

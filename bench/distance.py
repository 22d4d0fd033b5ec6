"""Operations by the distance to PostgreSQL, from which the round trips of each call follow."""

import asyncio
import time
from collections.abc import Sequence
from statistics import median

import asyncpg
import click

from bench import report
from bench.link import Link, link
from bench.load import Load
from bench.parts import EVENTS, Bench
from bench.processes import BenchError, Server

# Round-trip times in milliseconds: the same machine, zone, country, and another continent.
DISTANCES = (0, 2, 20, 80)
_CALLS_OF_A_ROUND = 6
_LOGGED_SECONDS = 5
_POLL_SECONDS = 0.02
_PINGS = 20


def distance(bench: Bench, operations: Sequence[str]) -> str:
    """The median time of each call in the server, with one caller, at each distance.

    With six operations a round, the server has cached few of the thousand sessions.
    """
    number = _CALLS_OF_A_ROUND * bench.rounds
    rows = []
    with (
        bench.postgresql.database() as database,
        link(database.dsn) as way,
        bench.product("distance", way.dsn) as server,
    ):
        database.fill(EVENTS)
        pings = [asyncio.run(_ping_ms(way, each)) for each in DISTANCES]
        rows.append(["`select`", "", *_formatted(pings), "1.0"])
        for operation in operations:
            click.echo(operation, err=True)
            load = Load(operation, "grpc", 1, iterations=number)
            times: dict[str, list[float]] = {}
            for milliseconds in (0, *DISTANCES):  # the first run prepares the statements
                way.round_trip_seconds = milliseconds / 1000
                before = len(server.calls())
                refresh_tokens = database.new_refresh_tokens(1) if operation == "Refresh" else ()
                requests = bench.generator.run(server, load, database, refresh_tokens)["requests"]
                calls = _calls(server, before, requests)
                for method in dict.fromkeys(method for method, _ in calls):
                    of_method = [spent for called, spent in calls if called == method]
                    times.setdefault(method, []).append(median(of_method))
            way.round_trip_seconds = 0
            for method, (_, *medians) in times.items():
                trips = (medians[-1] - medians[0]) / (pings[-1] - pings[0])
                name = method.rpartition("/")[2]
                rows.append([operation, name, *_formatted(medians), f"{trips:.1f}"])
    headings = [f"{each} ms" for each in DISTANCES]
    return report.table(["operation", "call", *headings, "round trips"], rows)


def _formatted(milliseconds: Sequence[float]) -> list[str]:
    return [f"{each:.1f}" for each in milliseconds]


async def _ping_ms(way: Link, milliseconds: float) -> float:
    """The shortest time of a statement that reads nothing: the real round-trip time."""
    way.round_trip_seconds = 0
    connection = await asyncpg.connect(way.dsn)
    await connection.fetchval("select 1")
    way.round_trip_seconds = milliseconds / 1000
    spent = []
    for _ in range(_PINGS):
        began = time.perf_counter()
        await connection.fetchval("select 1")
        spent.append((time.perf_counter() - began) * 1000)
    way.round_trip_seconds = 0
    await connection.close()
    return min(spent)


def _calls(server: Server, before: int, requests: int) -> Sequence[tuple[str, float]]:
    """The calls after the first ones, once the server has logged all of them."""
    until = time.monotonic() + _LOGGED_SECONDS
    while len(calls := server.calls()) < before + requests:
        if time.monotonic() > until:
            raise BenchError(f"The server has logged {len(calls) - before} of {requests} calls.")
        time.sleep(_POLL_SECONDS)
    return calls[before:]

"""Many services that watch the ends of sessions at once.

The product ends the sessions, one at a time; the watchers are at the product or at the floor. The
cost of one end with many watchers, less that with one watcher, is the cost of its messages.
"""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

import click
import grpc

from bench import report
from bench.database import Database
from bench.parts import EVENTS, Bench
from bench.processes import BenchError, Server, cpu_seconds
from bench.report import FLOOR, NATIVE
from keystead.session.v1 import session_service_pb2 as pb
from keystead.session.v1 import session_service_pb2_grpc as pb_grpc

_ENDS = 10  # in each turn
_PAUSE_SECONDS = 0.3  # longer than the pace of the feed: each end is a message
_STREAMS_OF_CONNECTION = 50
_PATIENCE_SECONDS = 30
_COUNTERS_ARRIVE_SECONDS = 1.5  # a backend of PostgreSQL in use reports its own every second


@dataclass(frozen=True)
class _Turn:
    """The costs of ends sent to watchers: the server's CPU time, memory and transactions."""

    watchers: int
    cpu_seconds: float
    rss_mebibytes: float
    transactions: float  # per second
    slowest_ms: float  # from the answer of SignOut until all watchers had the message


def watch(bench: Bench, watchers: int) -> str:
    """One watcher and many, of the product and of the floor, in turn."""
    click.echo(f"{watchers} watchers", err=True)
    with (
        bench.postgresql.database() as database,
        bench.product("watch", database.dsn) as product,
        bench.floor(database.dsn) as floor,
    ):
        database.fill(EVENTS)
        turns = asyncio.run(_turns(bench.rounds, product, floor, database, watchers))
    return report.table(
        [
            f"{watchers} watchers",
            "CPU µs of telling one an end",
            "KiB of memory each",
            "transactions per second: one watcher, all",
            "most ms until all were told",
        ],
        [_row(target, pairs) for target, pairs in turns.items()],
    )


def _row(target: str, pairs: Sequence[tuple[_Turn, _Turn]]) -> list[str]:
    cpu = [
        (many.cpu_seconds - few.cpu_seconds) / (_ENDS * (many.watchers - few.watchers)) * 1e6
        for few, many in pairs
    ]
    # Only of the first round, because freed memory stays with the process.
    few, many = pairs[0]
    each = (many.rss_mebibytes - few.rss_mebibytes) * 1024 / (many.watchers - few.watchers)
    transactions = [
        median(turn.transactions for turn in turns) for turns in zip(*pairs, strict=True)
    ]
    return [
        target,
        f"{median(cpu):.1f} ({min(cpu):.1f}..{max(cpu):.1f})",
        f"{each:.1f}",
        ", ".join(f"{number:.1f}" for number in transactions),
        f"{median(many.slowest_ms for _, many in pairs):.0f}",
    ]


async def _turns(
    rounds: int, product: Server, floor: Server, database: Database, watchers: int
) -> Mapping[str, Sequence[tuple[_Turn, _Turn]]]:
    """The turns of one watcher and of all, by target.

    All in one event loop: gRPC delivers the end of a cancelled stream to whichever loop runs, and
    fails if the stream's own loop is closed.
    """
    turns: dict[str, list[tuple[_Turn, _Turn]]] = {FLOOR: [], NATIVE: []}
    tokens = list(database.session_tokens)
    for _ in range(rounds):
        for target, server in ((FLOOR, floor), (NATIVE, product)):
            few = await _turn(product, server, database, 1, tokens)
            many = await _turn(product, server, database, watchers, tokens)
            turns[target].append((few, many))
    return turns


async def _turn(
    product: Server, server: Server, database: Database, number: int, tokens: list[str]
) -> _Turn:
    """Ends the sessions of the last tokens, removes these, and waits for all messages."""
    async with (
        _watching(server, number) as told,
        grpc.aio.insecure_channel(product.grpc_address) as channel,
    ):
        sessions = pb_grpc.SessionServiceStub(channel)
        await asyncio.sleep(_COUNTERS_ARRIVE_SECONDS)
        began, transactions = time.monotonic(), await asyncio.to_thread(database.transactions)
        cpu, delays = cpu_seconds(server.process), []
        for place in range(_ENDS):
            metadata = (("authorization", f"Bearer {tokens.pop()}"),)
            await sessions.SignOut(pb.SignOutRequest(), metadata=metadata)
            ended = time.monotonic()
            await told.wait_for(number * (place + 1))
            delays.append((time.monotonic() - ended) * 1000)
            await asyncio.sleep(_PAUSE_SECONDS)
        cpu = cpu_seconds(server.process) - cpu
        rss = server.rss_mebibytes()
        await asyncio.sleep(_COUNTERS_ARRIVE_SECONDS)
        transactions = await asyncio.to_thread(database.transactions) - transactions
        return _Turn(number, cpu, rss, transactions / (time.monotonic() - began), max(delays))


class _Told:
    """The number of ends that all watchers together have received."""

    def __init__(self) -> None:
        self._number = 0
        self._awaited = 0
        self._reached = asyncio.Event()

    def add(self, number: int) -> None:
        self._number += number
        if self._number >= self._awaited:
            self._reached.set()

    async def wait_for(self, number: int) -> None:
        self._awaited = number
        if self._number < number:
            self._reached.clear()
            try:
                async with asyncio.timeout(_PATIENCE_SECONDS):
                    await self._reached.wait()
            except TimeoutError:
                told = f"{self._number} of {number} ends"
                raise BenchError(f"Watchers were told {told} in {_PATIENCE_SECONDS} s.") from None


@contextlib.asynccontextmanager
async def _watching(server: Server, number: int) -> AsyncIterator[_Told]:
    """This number of open streams, a few dozen on each connection."""
    told = _Told()
    metadata = (("authorization", f"Bearer {server.token}"),)
    options = (("grpc.use_local_subchannel_pool", 1),)

    async def follow(channel: grpc.aio.Channel, begun: asyncio.Event) -> None:
        sessions: pb_grpc.SessionServiceAsyncStub = pb_grpc.SessionServiceStub(channel)
        request = pb.WatchEndedSessionsRequest()
        async for answer in sessions.WatchEndedSessions(request, metadata=metadata):
            begun.set()
            told.add(len(answer.ended_sessions))

    async with contextlib.AsyncExitStack() as stack:
        tasks = await stack.enter_async_context(asyncio.TaskGroup())
        channels = [
            await stack.enter_async_context(
                grpc.aio.insecure_channel(server.grpc_address, options=options)
            )
            for _ in range(0, number, _STREAMS_OF_CONNECTION)
        ]
        all_begun = [asyncio.Event() for _ in range(number)]
        watching = [
            tasks.create_task(follow(channels[place // _STREAMS_OF_CONNECTION], begun))
            for place, begun in enumerate(all_begun)
        ]
        for begun in all_begun:
            await begun.wait()
        yield told
        for task in watching:
            task.cancel()

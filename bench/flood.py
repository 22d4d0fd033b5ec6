"""A flood of started sign-ins beside complete sign-ins, then one of reset calls beside others.

A start needs no statement and no row, so the flood may take processor time only.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from statistics import median, quantiles
from typing import Any

import click

from bench import report
from bench.database import Database
from bench.load import Load
from bench.parts import EVENTS, MANY, Bench
from bench.processes import BenchError, Server, cpu_seconds
from bench.report import GRPC_WEB, JSON
from bench.resets import resets

_ANONYMOUS = 8  # connections of each transport
_TRANSPORTS = ("grpc", GRPC_WEB, JSON)
# The callers that complete sign-ins have an address each; the flood comes from one address.
_PEOPLE = Load("SignIn", "grpc", MANY, addresses=f"127.0.1.1-127.0.1.{MANY}")
_ANONYMOUS_ADDRESS = "127.0.2.1"
_COMPLETE = "/keystead.signin.v1.SignInService/CompletePasskeySignIn"
_COUNTERS_ARRIVE_SECONDS = 11  # an idle backend of PostgreSQL reports its own within ten

_Summary = Mapping[str, Any]


@dataclass(frozen=True)
class _Period:
    """A period of sign-ins. `logged_ms` are the times of CompletePasskeySignIn in the server.

    `transactions` is the number beyond two per sign-in, per second; `rows` are used challenges
    beyond those of the sign-ins. `seconds` is its length, `cpu_seconds` the server's CPU time.
    """

    summaries: Sequence[_Summary]
    logged_ms: Sequence[float]
    transactions: float
    rows: int
    seconds: float
    cpu_seconds: float
    rss_mebibytes: float

    @property
    def sign_ins(self) -> int:
        return _sign_ins(self.summaries)


def flood(bench: Bench, starts: int) -> str:
    """Sign-ins before and during a flood: their times, the memory, the rows and transactions."""
    click.echo(f"{starts} starts by outsiders", err=True)
    highest = 0.0

    def sign_in() -> _Summary:
        nonlocal highest
        summary = bench.generator.run(server, _PEOPLE, database)
        highest = max(highest, server.rss_mebibytes())
        return summary

    with (
        bench.postgresql.database() as database,
        bench.product("flood", database.dsn) as server,
    ):
        database.fill(EVENTS)
        sign_in()  # prepares statements, fills caches
        time.sleep(_COUNTERS_ARRIVE_SECONDS)
        alone = _period(server, database, lambda: [sign_in() for _ in range(bench.rounds)])
        made: list[_Summary] = []
        beside = _period(
            server, database, lambda: _flooded(bench, server, database, starts, sign_in, made)
        )
        beside_resets = resets(server)
    started = sum(each["requests"] for each in made)
    return "\n".join(
        [_times(alone, beside, started), _costs(alone, beside, highest, started), beside_resets]
    )


def _period(
    server: Server, database: Database, sign_in: Callable[[], Sequence[_Summary]]
) -> _Period:
    began, rows, transactions = time.monotonic(), database.sign_ins(), database.transactions()
    logged, cpu = len(server.milliseconds(_COMPLETE)), cpu_seconds(server.process)
    summaries = sign_in()
    cpu = cpu_seconds(server.process) - cpu
    time.sleep(_COUNTERS_ARRIVE_SECONDS)
    sign_ins = _sign_ins(summaries)
    written = database.sign_ins() - rows
    if written != sign_ins:
        raise BenchError(f"{sign_ins} sign-ins have written {written} challenges")
    more = database.transactions() - transactions - 2 * sign_ins
    return _Period(
        summaries,
        server.milliseconds(_COMPLETE)[logged:],
        more / (time.monotonic() - began),
        written - sign_ins,
        sum(each["seconds"] for each in summaries),
        cpu,
        server.rss_mebibytes(),
    )


def _flooded(
    bench: Bench,
    server: Server,
    database: Database,
    starts: int,
    sign_in: Callable[[], _Summary],
    made: list[_Summary],
) -> Sequence[_Summary]:
    """The complete sign-ins until the flood ends; `made` gets the summaries of the flood."""
    with ThreadPoolExecutor(len(_TRANSPORTS)) as pool:
        outsiders: list[Future[_Summary]] = [
            pool.submit(
                bench.generator.run,
                server,
                Load(
                    "StartSignIn",
                    transport,
                    _ANONYMOUS,
                    iterations=starts // len(_TRANSPORTS),
                    addresses=_ANONYMOUS_ADDRESS,
                ),
                database,
            )
            for transport in _TRANSPORTS
        ]
        beside = []
        while not all(each.done() for each in outsiders):
            beside.append(sign_in())
        made += [each.result() for each in outsiders]
    return beside


def _times(alone: _Period, beside: _Period, starts: int) -> str:
    rows = []
    for circumstance, period in (("alone", alone), (f"beside {starts} starts", beside)):
        names = ("start_p99_ms", "p50_ms", "p99_ms")
        times = [median(each[name] for each in period.summaries) for name in names]
        in_server = quantiles(period.logged_ms, n=100)
        shown = (f"{each:.2f}" for each in (*times, in_server[49], in_server[98]))
        per_second = f"{period.sign_ins / period.seconds:.0f}"
        rows.append([circumstance, *shown, str(period.sign_ins), per_second])
    return report.table(
        [
            f"CompletePasskeySignIn, {MANY} callers",
            "p99 ms of the start",
            *("p50 ms", "p99 ms", "p50 ms in the server", "p99 ms in the server"),
            *("sign-ins", "sign-ins per second"),
        ],
        rows,
    )


def _costs(alone: _Period, beside: _Period, highest: float, starts: int) -> str:
    of_people = alone.cpu_seconds / alone.sign_ins * beside.sign_ins
    of_a_start = (beside.cpu_seconds - of_people) / starts * 1e6
    per_second = [f"{period.transactions:.1f}" for period in (alone, beside)]
    return report.table(
        ["the flood", "alone", "beside it"],
        [
            ["RSS MiB, afterwards", *(f"{each.rss_mebibytes:.0f}" for each in (alone, beside))],
            ["RSS MiB, highest", "", f"{highest:.0f}"],
            ["rows beyond those of the sign-ins", *(str(each.rows) for each in (alone, beside))],
            ["transactions per second beyond two a sign-in", *per_second],
            ["CPU µs of a start", "", f"{of_a_start:.0f}"],
        ],
    )


def _sign_ins(summaries: Sequence[_Summary]) -> int:
    requests: int = sum(each["requests"] for each in summaries)
    return requests // 2

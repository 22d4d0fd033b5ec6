"""The parts of the bench; each returns its tables as Markdown."""

import dataclasses
import os
import socket
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import click
import grpc

from bench import report
from bench.database import Database, PostgreSQL
from bench.load import Generator, Load, Measurement
from bench.processes import Server, floor, pin, product
from bench.report import FLOOR, GRPC_WEB, JSON, NATIVE, Cell
from bench.without import PARTS
from keystead.user.v1 import user_service_pb2 as user_pb
from keystead.user.v1 import user_service_pb2_grpc

# The operations, and the targets of each.
OPERATIONS: Mapping[str, Sequence[str]] = {
    "UpdateIDP": (FLOOR, NATIVE, GRPC_WEB, JSON),
    "GetIDP": (FLOOR, NATIVE, GRPC_WEB, JSON),
    "SMTPConfig": (FLOOR, NATIVE),
    "Passkey": (FLOOR, NATIVE),
    "SignIn": (FLOOR, NATIVE, JSON),
    "TokenCheck": (FLOOR, NATIVE),
    "SessionCheck": (FLOOR, NATIVE),
    "SessionLookUp": (FLOOR, NATIVE),
    "Introspection": (FLOOR, NATIVE),
    "CodeFlow": (FLOOR, NATIVE, JSON),
    "ClientCredentials": (FLOOR, JSON),
    "Refresh": (FLOOR, JSON),
    "GateCheck": (FLOOR, NATIVE),
}
MANY = 32

EVENTS = 10_000
_STARTS = 3
_SOAK_TURN = 20 / 1_000_000  # the seconds of a turn, per request of the whole soak
_SOAK_ROWS = 10
_UPDATES = Load("UpdateIDP", "grpc", MANY)
_FEW_IDPS = 1000


class Run(NamedTuple):
    """A target: a server with its transport and database."""

    server: Server
    load: Load
    database: Database


@dataclass(frozen=True)
class Bench:
    """State shared by all parts. `processors` are those of PostgreSQL and the servers."""

    folder: Path
    postgresql: PostgreSQL
    generator: Generator
    processors: Sequence[int]
    rounds: int

    @contextmanager
    def product(self, name: str, dsn: str, **settings: Any) -> Iterator[Server]:
        """A running product on one of the bench's databases."""
        with product(self.folder / name, database_url=dsn, **settings) as server:
            self._pin(server)
            yield server

    @contextmanager
    def floor(self, dsn: str) -> Iterator[Server]:
        """A running floor."""
        with floor(self.folder / "floor", dsn) as server:
            self._pin(server)
            yield server

    def in_turn(self, runs: Sequence[Run]) -> Sequence[Sequence[Measurement]]:
        """The measurements of each run. In every round the runs take turns, to share any drift.

        Before the first round, each target has a run by the most callers that does not count: it
        prepares statements and fills caches.
        """
        warming = dataclasses.replace(self.generator, seconds=min(self.generator.seconds, 1))
        most = max(run.load.callers for run in runs)
        for run in dict.fromkeys(
            run._replace(load=dataclasses.replace(run.load, callers=most)) for run in runs
        ):
            warming.measure(*run)
        rounds = [[self.generator.measure(*run) for run in runs] for _ in range(self.rounds)]
        return list(zip(*rounds, strict=True))

    def _pin(self, server: Server) -> None:
        _ = server.grpc_address  # it serves
        pin(server.process, self.processors)
        if self.postgresql.is_ours and self.postgresql.postmaster:
            pin(self.postgresql.postmaster, self.processors)


def calls(
    bench: Bench, operations: Sequence[str], targets: Sequence[str], callers: Sequence[int]
) -> str:
    """Every operation, with each number of callers, on each target."""
    results: dict[Cell, Sequence[Measurement]] = {}
    with (
        bench.postgresql.database() as database,
        bench.product("product", database.dsn) as its_product,
        bench.floor(database.dsn) as its_floor,
    ):
        at_start = its_product.rss_mebibytes()
        database.fill(EVENTS)
        for operation in operations:
            click.echo(operation, err=True)
            cells = [
                Cell(operation, number, target)
                for number in callers
                for target in OPERATIONS[operation]
                if target in targets
            ]
            measured = bench.in_turn(
                [
                    Run(its_floor if cell.target == FLOOR else its_product, cell.load(), database)
                    for cell in cells
                ]
            )
            results |= dict(zip(cells, measured, strict=True))
        at_end = its_product.rss_mebibytes()
    served = sum(
        each.requests
        for cell, measurements in results.items()
        if cell.target != FLOOR
        for each in measurements
    )
    memory = [["after its start", f"{at_start:.0f}"], [f"after {served} calls", f"{at_end:.0f}"]]
    return "\n".join(
        [
            report.calls(results),
            report.goals(results, "UpdateIDP", max(callers)),
            report.per_cpu_second(results, max(callers)),
            report.table(["memory of the product", "RSS MiB"], memory),
        ]
    )


def workers(bench: Bench) -> str:
    """Two workers against one. Processes are not pinned, so that two workers have processors."""
    everywhere = list(range(os.cpu_count() or 1))
    bench = dataclasses.replace(
        bench,
        processors=everywhere,
        generator=dataclasses.replace(bench.generator, processors=everywhere),
    )
    click.echo("one worker and two", err=True)
    with (
        bench.postgresql.database() as database,
        bench.product("one", database.dsn) as one,
    ):
        database.fill(EVENTS)
        # With the key file and the token of the first server.
        with bench.product(
            "two",
            database.dsn,
            workers=2,
            data_dir=one.data_dir,
            grpc_address=_free_address(),
            http_address=_free_address(),
        ) as two:
            measured = bench.in_turn([Run(each, _UPDATES, database) for each in (one, two)])
    names = ("1 worker", "2 workers")
    return report.compared("UpdateIDP", dict(zip(names, measured, strict=True)), names[0])


def start(bench: Bench) -> str:
    """From `keystead serve` to the first answered call, with the embedded PostgreSQL."""
    click.echo("starts", err=True)
    cold, warm = [], []
    for number in range(_STARTS):
        folder = bench.folder / f"start-{number}"
        cold.append(_seconds_to_first_answer(folder))
        warm.append(_seconds_to_first_answer(folder))
    rows = [
        [name, f"{median(seconds):.2f}", f"{min(seconds):.2f}..{max(seconds):.2f}"]
        for name, seconds in (("cold: no data directory yet", cold), ("warm", warm))
    ]
    return report.table(["`keystead serve` to the first answer", "seconds", "spread"], rows)


def seam(bench: Bench) -> str:
    """The cost of each part of a native UpdateIDP: the product with and without it."""
    pairs = {}
    with (
        bench.postgresql.database() as database,
        bench.product("whole", database.dsn) as server,
        bench.floor(database.dsn) as its_floor,
    ):
        database.fill(EVENTS)
        whole = Run(server, _UPDATES, database)
        beyond = bench.in_turn([whole, whole._replace(server=its_floor)])
        for number, part in enumerate(PARTS):
            click.echo(f"without {part}", err=True)
            with bench.product(
                f"without-{number}",
                database.dsn,
                words=("-m", "bench.without", part),
                data_dir=server.data_dir,  # with its key file and its token
            ) as other:
                pairs[part] = bench.in_turn([whole, whole._replace(server=other)])
    return report.parts(beyond, pairs)


def log_sizes(bench: Bench, sizes: Sequence[int]) -> str:
    """The same updates with more and more events in the log; then updates of more providers."""
    names = [f"{events:,} events" for events in sizes]
    few = dataclasses.replace(_UPDATES, idps=_FEW_IDPS)
    bench = dataclasses.replace(
        bench, generator=dataclasses.replace(bench.generator, reads_wal=True)
    )
    with ExitStack() as stack:
        runs = []
        for events, name in zip(sizes, names, strict=True):
            click.echo(f"a log of {name}", err=True)
            database = stack.enter_context(bench.postgresql.database())
            server = stack.enter_context(bench.product(name, database.dsn))
            database.fill(events)
            runs.append(Run(server, few, database))
        # The first change of a page after a checkpoint writes the whole page to the WAL. In the
        # shortest log many of the identity providers share a page, in the longest each has its
        # own: without these changes the turns would compare the numbers of pages still to write.
        bench.postgresql.checkpoint()
        for run in runs:
            run.database.change_each(_FEW_IDPS)
        by_size = bench.in_turn(runs)
        longest = runs[-1]
        by_idps = bench.in_turn([longest, longest._replace(load=_UPDATES)])
    idps = [f"{number:,}" for number in (_FEW_IDPS, longest.database.idps)]
    return "\n".join(
        [
            report.compared(
                f"UpdateIDP of {_FEW_IDPS:,} identity providers",
                dict(zip(names, by_size, strict=True)),
                names[0],
            ),
            report.compared(
                f"UpdateIDP with {names[-1]}, by number of identity providers",
                dict(zip(idps, by_idps, strict=True)),
                idps[0],
            ),
        ]
    )


def soak(bench: Bench, requests: int) -> str:
    """The memory of the product while it answers many calls on all its ports."""
    click.echo(f"{requests} calls", err=True)
    generator = dataclasses.replace(bench.generator, seconds=requests * _SOAK_TURN)
    rows = []
    with (
        bench.postgresql.database() as database,
        bench.product("soak", database.dsn) as server,
    ):
        database.fill(EVENTS)
        served, shown = 0, 0
        while True:
            if served >= shown:
                rows.append([str(served), f"{server.rss_mebibytes():.0f}"])
                shown += requests // _SOAK_ROWS
            if served >= requests:
                return report.table(["calls answered", "RSS MiB"], rows)
            for target in (NATIVE, GRPC_WEB, JSON):
                load = Cell("UpdateIDP", MANY, target).load()
                served += generator.measure(server, load, database).requests


def _seconds_to_first_answer(folder: Path) -> float:
    began = time.perf_counter()
    with product(folder) as server:
        with grpc.insecure_channel(server.grpc_address) as channel:
            user_service_pb2_grpc.UserServiceStub(channel).GetCurrentUser(
                user_pb.GetCurrentUserRequest(),
                metadata=(("authorization", f"Bearer {server.token}"),),
            )
        return time.perf_counter() - began


def _free_address() -> str:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return f"127.0.0.1:{probe.getsockname()[1]}"

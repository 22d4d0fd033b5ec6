"""The results as Markdown."""

import importlib.metadata
import math
import os
import platform
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from bench.load import Load, Measurement
from bench.processes import BenchError

FLOOR, NATIVE, GRPC_WEB, JSON = "floor", "native", "grpc-web", "json"
TARGETS = (FLOOR, NATIVE, GRPC_WEB, JSON)

_BEGIN, _END = "<!-- results: begin -->", "<!-- results: end -->"

# A figure, with or without its spread, or an empty cell.
_NUMBER = re.compile(r"(-?[\d.]+( \(.+\))?)?")

# UpdateIDP with many callers: the maximum CPU time of the first target, in units of the second.
_GOALS = ((NATIVE, FLOOR, 1.3), (GRPC_WEB, NATIVE, 0.8), (JSON, NATIVE, 1.0))


@dataclass(frozen=True)
class _Goal:
    """The least number of operations per second of processor time, and the maximum p99."""

    per_second: int
    p99_ms: float = math.inf

    def __str__(self) -> str:
        latency = f", p99 < {self.p99_ms:g} ms" if self.p99_ms < math.inf else ""
        return f"{self.per_second}{latency}"


# The number of calls of each operation.
_CALLS = {
    "SignIn": 2,
    "TokenCheck": 1,
    "SessionCheck": 1,
    "SessionLookUp": 1,
    "Introspection": 1,
    "CodeFlow": 3,
    "ClientCredentials": 1,
    "Refresh": 1,
    "GateCheck": 1,
}
# Of the product.
_SPEEDS = {
    "SignIn": _Goal(400, 50),
    "CodeFlow": _Goal(150),
    "ClientCredentials": _Goal(600),
    "Refresh": _Goal(350),
    "GateCheck": _Goal(2000),
}


@dataclass(frozen=True)
class Cell:
    """A cell of the tables: an operation, a number of callers and a target."""

    operation: str
    callers: int
    target: str

    def load(self) -> Load:
        """The load that measures it."""
        return Load(self.operation, self.transport, self.callers)

    @property
    def transport(self) -> str:
        """The transport that k6 uses."""
        return self.target if self.target in (GRPC_WEB, JSON) else "grpc"


Results = Mapping[Cell, Sequence[Measurement]]  # one measurement per round
_Pair = Sequence[Sequence[Measurement]]  # of two runs that took turns


def calls(results: Results) -> str:
    """Each operation of each target, with its cost in units of the floor and of native gRPC."""
    rows = [
        [
            cell.operation,
            str(cell.callers),
            cell.target,
            *_costs(measurements),
            _ratio(results, cell, FLOOR, _cpu),
            _ratio(results, cell, NATIVE, _cpu),
            _ratio(results, cell, FLOOR, _postgresql_cpu),
        ]
        for cell, measurements in results.items()
    ]
    return table(
        ["operation", "callers", "target", *_COSTS, "CPU ÷ floor", "CPU ÷ native", "PG ÷ floor"],
        rows,
    )


def goals(results: Results, operation: str, callers: int) -> str:
    """The goals, and whether they are met."""
    rows = []
    for target, base, limit in _GOALS:
        ratios = _ratios(results, Cell(operation, callers, target), base, _cpu)
        if ratios:
            met = "yes" if median(ratios) <= limit else "no"
            rows.append(
                [f"{operation}, {target} ÷ {base}", f"at most {limit}", _spread(ratios), met]
            )
    return table(["CPU per request", "goal", "measured", "met"], rows)


def per_cpu_second(results: Results, callers: int) -> str:
    """Whole operations per second of processor time, and their goals."""
    rows = []
    for cell, measurements in results.items():
        if (calls := _CALLS.get(cell.operation)) and cell.callers == callers:
            speed = [1e6 / (each.cpu_us + each.postgresql_cpu_us) / calls for each in measurements]
            p99 = median(each.p99_ms for each in measurements)
            row = [cell.operation, cell.target, _spread(speed, digits=0), f"{p99:.2f}"]
            goal = _SPEEDS.get(cell.operation) if cell.target != FLOOR else None
            if goal is None:
                rows.append([*row, "", ""])
            else:
                fast = median(speed) >= goal.per_second and p99 < goal.p99_ms
                rows.append([*row, str(goal), "yes" if fast else "no"])
    return table([f"{callers} callers", "target", "per CPU second", "p99 ms", "goal", "met"], rows)


def compared(name: str, results: Mapping[str, Sequence[Measurement]], base: str) -> str:
    """The same load under different circumstances, one of which is the base.

    Includes the amount of WAL written, if it was measured.
    """
    rows = []
    for circumstance, measurements in results.items():
        pairs = list(zip(measurements, results[base], strict=True))
        cpu = [each.cpu_us / other.cpu_us for each, other in pairs]
        postgresql = [
            each.postgresql_cpu_us / other.postgresql_cpu_us
            for each, other in pairs
            if other.postgresql_cpu_us
        ]
        speed = [each.requests_per_second / other.requests_per_second for each, other in pairs]
        shown = [_spread(ratios) for ratios in (cpu, postgresql, speed)]
        rows.append(
            [
                circumstance,
                *_costs(measurements),
                *_wal(measurements),
                *(["1", "1", "1"] if circumstance == base else shown),
            ]
        )
    wal = _WAL if _wal(results[base]) else ()
    ratios = (f"{figure} ÷ {base}" for figure in ("CPU", "PG", "req/s"))
    return table([name, *_COSTS, *wal, *ratios], rows)


def parts(beyond: _Pair, pairs: Mapping[str, _Pair]) -> str:
    """The share of each part in the processor time of a request, and in that beyond the floor.

    Each pair is the whole server and the server without the part, in turn.
    """
    total = _differences(beyond)
    costs = {part: _differences(pair) for part, pair in pairs.items()}
    rest = median(total) - sum(map(median, costs.values()))
    rows = [[part, _spread(each, digits=0)] for part, each in costs.items()]
    return table(
        ["part of a native UpdateIDP beyond the floor", "CPU µs"],
        [*rows, ["everything else", f"{rest:.0f}"], ["all of it", _spread(total, digits=0)]],
    )


def _differences(pair: _Pair) -> list[float]:
    return [more.cpu_us - less.cpu_us for more, less in zip(*pair, strict=True)]


def machine(postgresql_version: str, *, rounds: int, seconds: float, pinned: bool) -> str:
    """The environment of the measurement, without the name of the machine."""
    pages = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    versions = ", ".join(
        f"{name} {importlib.metadata.version(name)}"
        for name in ("grpcio", "protobuf", "asyncpg", "uvloop", "uvicorn", "k6")
    )
    return (
        f"{os.cpu_count()} processors ({_processor()}), {pages / 2**30:.0f} GiB,"
        f" {platform.system()} {platform.release().partition('-')[0]}."
        f" Python {platform.python_version()}, {versions}, PostgreSQL {postgresql_version}."
        f" {rounds} rounds of {seconds:g} seconds; k6"
        f" {'has one processor for itself' if pinned else 'shares all processors'}.\n"
    )


def write(readme: Path, report: str) -> None:
    """Replaces the results in a page."""
    page = readme.read_text()
    if page.count(_BEGIN) != 1 or page.count(_END) != 1:
        raise BenchError(f"{readme.name} has no place for the results: {_BEGIN} ... {_END}")
    before, _, rest = page.partition(_BEGIN)
    after = rest.partition(_END)[2]
    readme.write_text(f"{before}{_BEGIN}\n\n{report}\n{_END}{after}")


def _processor() -> str:
    cpuinfo = Path("/proc/cpuinfo")
    found = re.search("model name\t: (.*)", cpuinfo.read_text()) if cpuinfo.exists() else None
    return found[1] if found else platform.machine()


_COSTS = ("CPU µs", "PG µs", "req/s", "p50 ms", "p99 ms", "requests")


def _costs(measurements: Sequence[Measurement]) -> list[str]:
    return [
        f"{median(map(_cpu, measurements)):.0f}",
        f"{median(map(_postgresql_cpu, measurements)):.0f}",
        f"{median(each.requests_per_second for each in measurements):.0f}",
        f"{median(each.p50_ms for each in measurements):.2f}",
        f"{median(each.p99_ms for each in measurements):.2f}",
        f"{sum(each.requests for each in measurements)}",
    ]


_WAL = ("WAL bytes", "full pages")


def _wal(measurements: Sequence[Measurement]) -> list[str]:
    written = [each.wal for each in measurements if each.wal]
    if not written:
        return []
    return [
        f"{median(each.bytes for each in written):.0f}",
        f"{median(each.full_pages for each in written):.2f}",
    ]


def _cpu(measurement: Measurement) -> float:
    return measurement.cpu_us


def _postgresql_cpu(measurement: Measurement) -> float:
    return measurement.postgresql_cpu_us


def _ratios(
    results: Results, cell: Cell, base: str, cost: Callable[[Measurement], float]
) -> list[float]:
    """The ratios of the rounds. Empty if there is nothing to compare."""
    others = results.get(Cell(cell.operation, cell.callers, base), ())
    pairs = zip(results.get(cell, ()), others, strict=False)
    return [cost(each) / cost(other) for each, other in pairs if cost(other)]


def _ratio(results: Results, cell: Cell, base: str, cost: Callable[[Measurement], float]) -> str:
    # The floor is the lowest base; its ratio to another target has no meaning.
    is_base = TARGETS.index(cell.target) <= TARGETS.index(base)
    return "" if is_base else _spread(_ratios(results, cell, base, cost))


def _spread(figures: Sequence[float], digits: int = 2) -> str:
    if not figures:
        return ""
    shown = (f"{each:.{digits}f}" for each in (median(figures), min(figures), max(figures)))
    return "{} ({}..{})".format(*shown)


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table; numbers are right-aligned."""
    alignment = [
        "---:" if rows and all(_NUMBER.fullmatch(row[column]) for row in rows) else "---"
        for column in range(len(header))
    ]
    lines = [header, alignment, *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)

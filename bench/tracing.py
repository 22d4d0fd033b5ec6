"""The cost of traces: the same calls without tracing, with a tenth of them traced, and with all.

The processor time of a server includes the thread that exports its spans, but not the collector.
"""

from contextlib import ExitStack

import click

from bench import report
from bench.parts import EVENTS, MANY, Bench, Run
from bench.processes import BenchError, collector
from bench.report import JSON, NATIVE, Cell

_NONE = "none"
_RATIOS = {"a tenth": 0.1, "all": 1.0}


def tracing(bench: Bench) -> str:
    """UpdateIDP and GetIDP on two transports, with and without a collector."""
    click.echo("traces", err=True)
    tables = []
    with ExitStack() as stack:
        discarding = stack.enter_context(collector(bench.folder / "collector"))
        database = stack.enter_context(bench.postgresql.database())
        untraced = stack.enter_context(bench.product("traces-none", database.dsn))
        servers = {_NONE: untraced} | {
            name: stack.enter_context(
                bench.product(
                    f"traces-{ratio}",
                    database.dsn,
                    data_dir=untraced.data_dir,  # with its key file and its token
                    otlp_endpoint=f"http://{discarding.grpc_address}",
                    trace_ratio=ratio,
                )
            )
            for name, ratio in _RATIOS.items()
        }
        database.fill(EVENTS)
        for operation in ("UpdateIDP", "GetIDP"):
            for target in (NATIVE, JSON):
                load = Cell(operation, MANY, target).load()
                measured = bench.in_turn([Run(each, load, database) for each in servers.values()])
                results = dict(zip(servers, measured, strict=True))
                tables.append(report.compared(f"{operation}, {target}, traced", results, _NONE))
        if not discarding.spans():
            raise BenchError("The collector has received no spans.")
    return "\n".join(tables)

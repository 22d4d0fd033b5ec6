"""`keystead apply` of a file with many objects: the time of a first run, and of a second one."""

import dataclasses
import json
import os
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
import psutil

from bench import report
from bench.parts import Bench
from bench.processes import ROOT, BenchError, Server, cpu_seconds

_DIGITS = 5


@dataclass(frozen=True)
class _Spent:
    """Seconds of a run, and of processor time of the command, the server and PostgreSQL."""

    seconds: float
    command: float
    server: float
    postgresql: float


def applying(bench: Bench, objects: int) -> str:
    """Half the objects are groups, half are applications that admit one of them."""
    click.echo(f"apply of {objects:,} objects", err=True)
    bench = dataclasses.replace(bench, processors=range(os.cpu_count() or 1))  # k6 makes no calls
    with (
        bench.postgresql.database() as database,
        bench.product("apply", database.dsn) as server,
    ):
        path = bench.folder / "keystead.json"
        path.write_text(json.dumps(_content(objects // 2)))
        runs = {
            "`keystead apply`": _run(bench, server, path, "apply", f"{objects} objects changed."),
            "`keystead plan --check` of the same": _run(
                bench, server, path, "plan", "Nothing to change."
            ),
        }
    return report.table(
        [f"{objects:,} objects", "seconds", "command CPU s", "server CPU s", "PG CPU s"],
        [
            [name, *(f"{each:.1f}" for each in (s.seconds, s.command, s.server, s.postgresql))]
            for name, s in runs.items()
        ],
    )


def _content(pairs: int) -> dict[str, Any]:
    names = [f"g{number:0{_DIGITS}}" for number in range(pairs)]
    return {
        "groups": {name: {"display_name": f"Group {name}"} for name in names},
        "applications": {
            f"Application {name}": {
                "kind": "APPLICATION_KIND_WEB",
                "redirect_uris": [f"https://{name}.example.com/callback"],
                "allowed_groups": [name],
            }
            for name in names
        },
    }


def _run(bench: Bench, server: Server, path: Path, command: str, expected: str) -> _Spent:
    """Runs the command. BenchError unless it succeeds and says the expected."""
    others = {name: value for name, value in os.environ.items() if not name.startswith("KEYSTEAD_")}
    given = {
        "KEYSTEAD_URL": f"http://{server.http_address}",
        "KEYSTEAD_TOKEN": server.token,
    }
    before = cpu_seconds(server.process), cpu_seconds(bench.postgresql.postmaster)
    began, spent = time.perf_counter(), 0.0
    errors = path.with_suffix(f".{command}")
    with path.with_suffix(".out").open("wb") as output, errors.open("wb") as log:
        process = psutil.Popen(
            [sys.executable, "-m", "server", command, str(path)],
            cwd=ROOT,
            env={**others, **given},
            stdout=output,
            stderr=log,
        )
        while process.poll() is None:
            spent = cpu_seconds(process) or spent
            time.sleep(0.05)
    seconds = time.perf_counter() - began
    if process.returncode or expected not in errors.read_text():
        raise BenchError(f"keystead {command} failed: {errors.read_text()[-2000:]}")
    return _Spent(
        seconds,
        spent,
        cpu_seconds(server.process) - before[0],
        cpu_seconds(bench.postgresql.postmaster) - before[1],
    )

"""`keystead apply` of a file with many objects: the time of a first run, and of a second one."""

import dataclasses
import json
import os
from pathlib import Path
from typing import Any

import click

from bench import report
from bench.commands import Spent, run
from bench.parts import Bench
from bench.processes import BenchError, Server


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
            "`keystead apply`": applied(bench, server, path, f"{objects} objects changed."),
            "`keystead plan --check` of the same": planned(bench, server, path),
        }
    return report.table(
        [f"{objects:,} objects", "seconds", "command CPU s", "server CPU s", "PG CPU s"],
        [
            [name, *(f"{each:.1f}" for each in (s.seconds, s.command, s.server, s.postgresql))]
            for name, s in runs.items()
        ],
    )


def applied(bench: Bench, server: Server, path: Path, said: str, *words: str) -> Spent:
    """Applies a file. BenchError unless the command says so."""
    return _called(bench, server, ("apply", str(path), *words), said)


def planned(bench: Bench, server: Server, path: Path, *words: str) -> Spent:
    """Plans a file. BenchError if anything differs."""
    return _called(bench, server, ("plan", "--check", str(path), *words), "Nothing to change.")


def _called(bench: Bench, server: Server, words: tuple[str, ...], said: str) -> Spent:
    variables = {
        "KEYSTEAD_URL": f"http://{server.http_address}",
        "KEYSTEAD_TOKEN": server.token,
    }
    output = bench.folder / f"{words[0]}.out"
    spent = run(bench, server, words, output=output, variables=variables)
    if said not in spent.errors:
        raise BenchError(f"keystead {words[0]} did not say '{said}': {spent.errors[-2000:]}")
    return spent


def _content(pairs: int) -> dict[str, Any]:
    names = [f"g{number:05}" for number in range(pairs)]
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

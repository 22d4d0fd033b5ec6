"""Runs commands of `keystead` beside a server, and measures them."""

import os
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import psutil

from bench.parts import Bench
from bench.processes import ROOT, BenchError, Server, cpu_seconds

_POLL_SECONDS = 0.05


@dataclass(frozen=True)
class Spent:
    """Seconds of a run, and processor time of the command, the server and PostgreSQL.

    `peaks` are the largest resident memories of the command and of the server in MiB.
    """

    seconds: float
    command: float
    server: float
    postgresql: float
    peaks: tuple[float, float]
    errors: str
    is_killed: bool = False


def run(
    bench: Bench,
    server: Server,
    words: Sequence[str],
    *,
    output: Path,
    variables: Mapping[str, str] | None = None,
    kills: Callable[[], bool] = lambda: False,
) -> Spent:
    """Runs a command until it ends, or until `kills` says to end it by SIGKILL.

    BenchError if it fails.
    """
    others = {name: value for name, value in os.environ.items() if not name.startswith("KEYSTEAD_")}
    before = cpu_seconds(server.process), cpu_seconds(bench.postgresql.postmaster)
    began, spent, peaks, is_killed = time.perf_counter(), 0.0, (0.0, 0.0), False
    log = output.with_suffix(".errors")
    with output.open("wb") as printed, log.open("wb") as errors:
        process = psutil.Popen(
            [sys.executable, "-m", "server", *words],
            cwd=ROOT,
            env={**others, **(variables or {})},
            stdin=-3,
            stdout=printed,
            stderr=errors,
        )
        while process.poll() is None:
            if kills():
                process.kill()
                is_killed = True
            spent = cpu_seconds(process) or spent
            peaks = max(peaks[0], _rss(process)), max(peaks[1], server.rss_mebibytes())
            time.sleep(_POLL_SECONDS)
    if process.returncode and not is_killed:
        raise BenchError(f"keystead {' '.join(words)} failed: {log.read_text()[-2000:]}")
    return Spent(
        time.perf_counter() - began,
        spent,
        cpu_seconds(server.process) - before[0],
        cpu_seconds(bench.postgresql.postmaster) - before[1],
        peaks,
        log.read_text(),
        is_killed,
    )


def _rss(process: psutil.Popen) -> float:
    try:
        return float(process.memory_info().rss) / 2**20
    except psutil.Error:
        return 0.0

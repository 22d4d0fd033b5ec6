"""Starts, observes and stops the measured processes."""

import contextlib
import ctypes
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import psutil

ROOT = Path(__file__).parents[1]

_PATIENCE_SECONDS = 120  # a first start creates a database cluster
_POLL_SECONDS = 0.005
_LOG = "server.log"
_LIBC = ctypes.CDLL(None)


class BenchError(Exception):
    """The bench cannot go on, or its measurements are invalid."""


@dataclass(frozen=True, eq=False)
class Server:
    """A process whose workers log their addresses as lines of JSON in a file."""

    process: psutil.Popen
    folder: Path
    data_dir: Path | None = None
    workers: int = 1

    @cached_property
    def grpc_address(self) -> str:
        """The address of gRPC, once the server listens."""
        return self._address("serving gRPC")

    @cached_property
    def http_address(self) -> str:
        """The address of HTTP, once the server listens."""
        return self._address("serving HTTP")

    @property
    def token(self) -> str:
        """The administrator's token; the floor needs none."""
        return (self.data_dir / "admin.token").read_text().strip() if self.data_dir else ""

    def rss_mebibytes(self) -> float:
        """The resident memory of its processes."""
        processes = [self.process, *self.process.children(recursive=True)]
        rss: int = sum(process.memory_info().rss for process in processes)
        return rss / 2**20

    def calls(self) -> Sequence[tuple[str, float]]:
        """The methods (`/package.Service/Method`) and milliseconds of the calls, by its log."""
        calls = (entry for entry in self._logged() if entry["event"] == "call")
        return [(entry["method"], entry["milliseconds"]) for entry in calls]

    def milliseconds(self, method: str) -> Sequence[float]:
        """The times of the calls of one method in the server."""
        return [spent for called, spent in self.calls() if called == method]

    def spans(self) -> int:
        """The number of spans that a collector has received, by its log."""
        return sum(entry["spans"] for entry in self._logged() if entry["event"] == "export")

    def _address(self, event: str) -> str:
        until = time.monotonic() + _PATIENCE_SECONDS
        while time.monotonic() < until and self.process.poll() is None:
            ports = [entry["port"] for entry in self._logged() if entry["event"] == event]
            if len(ports) == self.workers:
                return f"127.0.0.1:{ports[0]}"
            time.sleep(_POLL_SECONDS)
        end_of_log = (self.folder / _LOG).read_text()[-2000:]
        raise BenchError(f"A server does not serve. The end of its log:\n{end_of_log}")

    def _logged(self) -> Sequence[Mapping[str, Any]]:
        lines = (self.folder / _LOG).read_text().splitlines(keepends=True)
        return [json.loads(line) for line in lines if line.startswith("{") and line.endswith("\n")]


@contextlib.contextmanager
def floor(folder: Path, dsn: str) -> Iterator[Server]:
    """The bare floor on a database that the product has prepared."""
    with _running(["-m", "bench.floor", dsn], {}, folder) as process:
        yield Server(process, folder)


@contextlib.contextmanager
def collector(folder: Path) -> Iterator[Server]:
    """An OpenTelemetry collector that discards all spans."""
    with _running(["-m", "bench.collector"], {}, folder) as process:
        yield Server(process, folder)


@contextlib.contextmanager
def product(
    folder: Path, *, words: Sequence[str] = ("-m", "server", "serve"), **settings: object
) -> Iterator[Server]:
    """`python -m server serve`, as a user runs it. Settings are keyword arguments.

    Other `words` for Python run another module that serves in the same way.
    """
    given = {
        "data_dir": folder / "data",
        "grpc_address": "127.0.0.1:0",
        "http_address": "127.0.0.1:0",
        "workers": 1,
        "log_format": "json",
        **settings,
    }
    variables = {f"KEYSTEAD_{name.upper()}": str(value) for name, value in given.items()}
    with _running(words, variables, folder) as process:
        yield Server(process, folder, Path(str(given["data_dir"])), int(str(given["workers"])))


@contextlib.contextmanager
def _running(
    words: Sequence[str], variables: Mapping[str, str], folder: Path
) -> Iterator[psutil.Popen]:
    folder.mkdir(parents=True, exist_ok=True)
    others = {name: value for name, value in os.environ.items() if not name.startswith("KEYSTEAD_")}
    with (folder / _LOG).open("wb") as log:
        process = psutil.Popen(
            [sys.executable, *words],
            cwd=ROOT,
            env={**others, **variables},
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,  # Ctrl-C reaches only the bench, which then stops the process
        )
    try:
        yield process
    finally:
        with contextlib.suppress(psutil.NoSuchProcess):
            process.terminate()
        try:
            process.wait(_PATIENCE_SECONDS)
        except psutil.TimeoutExpired:
            process.kill()
            process.wait()


def cpu_seconds(process: psutil.Process | None) -> float:
    """The processor time of a process and all its descendants so far, in user and kernel mode.

    By the clock of each process, which counts nanoseconds. `/proc`, and so psutil, counts whole
    hundredths of a second: over the processes of PostgreSQL the error is a tenth of a short run.
    Only ended children are counted by psutil. None, a server that runs elsewhere, has none.
    """
    seconds = 0.0
    for each in (process, *process.children(recursive=True)) if process else ():
        # A process that ends meanwhile counts as an ended child of its parent.
        with contextlib.suppress(psutil.NoSuchProcess, OSError):
            ended = each.cpu_times()
            seconds += _clock_seconds(each.pid) + ended.children_user + ended.children_system
    return seconds


def _clock_seconds(pid: int) -> float:
    """CLOCK_PROCESS_CPUTIME_ID of another process; OSError if the process has ended."""
    clock = ctypes.c_int()
    if code := _LIBC.clock_getcpuclockid(pid, ctypes.byref(clock)):
        raise OSError(code, os.strerror(code))
    return time.clock_gettime(clock.value)


def pin(process: psutil.Process, processors: Sequence[int]) -> None:
    """Lets a process, its threads and descendants run on these processors only."""
    for each in (process, *process.children(recursive=True)):
        with contextlib.suppress(psutil.NoSuchProcess, ProcessLookupError):
            for thread in each.threads():
                os.sched_setaffinity(thread.id, processors)
